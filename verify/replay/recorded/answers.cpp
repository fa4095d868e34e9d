#include "verify/replay/recorded/answers.hpp"

#include <algorithm>

namespace holdfast::verify::replay::inline recorded {
namespace {

std::string request_of(const trace::Event& event) {
  return std::visit(
      [](const auto& e) -> std::string {
        if constexpr (requires { e.request; })
          return e.request;
        else
          return {};
      },
      event);
}

}  // namespace

/// The rule by which the model does not come to that event, and why.
std::optional<std::pair<At, std::string>> Answers::explain(const trace::Event& event) const {
  if (!pass_.is_open) return std::nullopt;
  const auto request = request_of(event);
  for (const auto r : pass_.passed_over)
    if (m_.text(r) == request)
      return std::pair(at_rule<spec::Plan>(),
                       request + " waits, as another request could not get in");
  if (const auto* e = std::get_if<trace::Check>(&event))
    for (const auto& [r, i] : pass_.skipped)
      if (m_.text(r) == request && e->input == i)
        return std::pair(at_rule<spec::Skip>(), m_.text(r, i) + " has no embedding in the window");
  return std::nullopt;
}

void Answers::differ(const std::string& expected) {
  const auto* event = file_.peek();
  const auto why = event != nullptr ? explain(*event) : std::nullopt;
  file_.differ(why ? why->first : file_.at(), why ? why->second : expected);
}

void Answers::expect_all_taken() {
  if (file_.peek() != nullptr) differ("nothing more comes of it");
}

void Answers::expect_all_taken_at_end() {
  const auto* event = file_.peek();
  const bool of_an_abort = event != nullptr && std::holds_alternative<trace::FreeRequest>(*event);
  if (!of_an_abort || file_.ahead(1) != nullptr) expect_all_taken();
}

// -- references --

void Answers::arrange(Request r, std::vector<Int>& inputs) {
  // The order is that of a Python set, which is ascending while every number is below 8.
  if (m_.d.config.features(r) <= 8) return;
  std::vector<Int> file;
  const auto* event = file_.peek();
  if (event == nullptr) return;
  if (const auto* freed = std::get_if<trace::FreeRequest>(event); freed != nullptr && freed->held)
    file.assign(freed->held->begin(), freed->held->end());
  for (std::size_t n = 0; file.size() < inputs.size() && file_.ahead(n) != nullptr; ++n) {
    const auto* released = std::get_if<trace::FreeInput>(file_.ahead(n));
    if (released == nullptr || released->request != m_.text(r)) break;
    file.push_back(released->input);
  }
  if (std::is_permutation(file.begin(), file.end(), inputs.begin(), inputs.end())) inputs = file;
}

void Answers::on(Before<spec::Drop>, Int i) {
  was_cached_ = spec::is_cached<D>(m_.s, m_.d.config.hash(m_.s.drain_request(), i));
}

void Answers::on(After<spec::Drop>, Int i) {
  leaving_.dropped.push_back(i);
  const Hash h = m_.d.config.hash(m_.s.drain_request(), i);
  if (was_cached_ && !spec::is_cached<D>(m_.s, h)) leaving_.withdrawn.push_back(h);
}

void Answers::on(After<spec::Drained>) {
  const auto gone = std::exchange(leaving_, {});
  const Request r = gone.request;
  if (m_.d.config.features(r) == 0 ||
      (gone.is_abandoned && (gone.dropped.empty() || !m_.is_decoder_only())))
    return;
  if (!gone.dropped.empty() && m_.is_decoder_only())
    file_.at(gone.is_abandoned ? at_rule<spec::Abandon>() : at_rule<spec::Drop>());
  const auto text = [&] {
    std::string all = "free_request of " + m_.text(r);
    if (gone.is_abandoned) all += ", which got no tokens: what it looked up is undone";
    if (gone.is_retracted) all += ", retracted in this pass";
    return all + m_.withdrawn_text(gone.withdrawn);
  };
  const auto& e = take_of<trace::FreeRequest>(text, r);
  const auto& held = gone.dropped;
  if (e.held && !std::equal(held.begin(), held.end(), e.held->begin(), e.held->end()))
    diverge_on_held(place(), m_.text(r), held, *e.held);
  if (e.free != m_.s.free() || e.reclaimable != m_.s.reclaimable())
    m_.expect_slots(place(text()), e.free, e.reclaimable);
}

void Answers::on(After<spec::ReleaseInput>, Request r, Int i) {
  const auto& e = take_of<trace::FreeInput>([&] { return m_.text(r, i) + " is released"; }, r, i);
  m_.expect_slots(place(), e.free, e.reclaimable);
}

void Answers::finished(Request r) {
  if (delivery_) delivery_->finished.push_back(m_.text(r));
}

void Answers::end_delivery() {
  auto finished = delivery_->finished;
  delivery_.reset();
  while (!finished.empty()) {
    auto found = finished.end();
    take<trace::Finish>([&] { return "finish of " + finished.front() + ", stopped"; },
                        [&](const trace::Finish& e) {
                          found = std::find(finished.begin(), finished.end(), e.request);
                          return found != finished.end() &&
                                 e.reason == trace::FinishReason::stopped;
                        });
    finished.erase(found);
  }
}

void Answers::on(Before<spec::Reject>, Request r) {
  diverge(place(), spec::RefusesImpossible::info.name,
          m_.text(r) + " is refused, as it can never run", "add_request of " + m_.text(r));
}

// -- the worker --

void Answers::before_gather(const spec::Scheduled<D>& entry, Int lookahead) {
  const Int from = entry.computed + lookahead;
  step_.gathering = {from, from + entry.tokens, 0, {}};
}

void Answers::gathered(Request r, Int i) {
  const Hash h = m_.d.config.hash(r, i);
  auto& gathering = step_.gathering;
  if (m_.s.worker(h) == 0)
    gathering.missed = h;  // if it raises
  else
    gathering.rows += m_.d.embeddings_in(r, i, gathering.from, gathering.end);
}

void Answers::after_gather(const spec::Scheduled<D>& entry, Int lookahead) {
  const bool missed = m_.s.missed();
  m_.s.missed.set(false);
  const Int rows = missed ? 0 : step_.gathering.rows;
  const Hash hash = step_.gathering.missed;
  if (rows == 0 && !missed) return;
  const auto found = [&] {
    return missed ? "a miss of " + m_.text(hash) : std::to_string(rows) + " rows";
  };
  const auto text = [&] {
    return "gather of " + m_.text(entry.request) + ", look-ahead " + std::to_string(lookahead);
  };
  const auto& e = take<trace::Gather>([&] { return text() + ": " + found(); },
                                      [&](const trace::Gather& g) {
                                        return g.pass == step_.pass &&
                                               g.request == m_.text(entry.request) &&
                                               g.start == entry.computed &&
                                               g.tokens == entry.tokens && g.lookahead == lookahead;
                                      });
  const auto miss = missed ? std::optional(m_.text(hash)) : std::nullopt;
  if ((!e.rows || *e.rows == rows) && (!e.miss || e.miss->hash == miss)) return;
  diverge(place(text()), spec::NoInteriorMiss::info.name, found(),
          e.miss && e.miss->hash ? "a miss of " + *e.miss->hash
                                 : std::to_string(e.rows.value_or(0)) + " rows");
}

}  // namespace holdfast::verify::replay::inline recorded
