#include "verify/replay/recorded/answers.hpp"

#include <algorithm>

namespace holdfast::verify {
namespace {

/// "check of r2, input 1".
std::string describe(const trace::Event& event) {
  std::string text(trace::name_of(event));
  std::visit(
      [&](const auto& e) {
        if constexpr (requires { e.request; }) text += " of " + e.request;
        if constexpr (requires { e.input; }) text += ", input " + std::to_string(e.input);
      },
      event);
  return text;
}

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

/// What is at stake where the model takes that rule and the file goes another way.
std::string_view property_of(std::string_view rule) {
  const auto is = [rule](auto... names) { return ((rule == names) || ...); };
  if (is("release", "drop", "drained", "deliver", "end_deliver", "finish", "abort"))
    return spec::NoFreedWhileReferenced::info.name;
  if (is("touch", "share", "skip", "order", "abandon")) return spec::NoHoldAndWait::info.name;
  if (is("evict", "allocate", "encdec_allocate", "encdec_release", "encdec_drop"))
    return spec::ExactSlots::info.name;
  if (is("drop_notices", "encode", "gather_target", "gather_draft"))
    return spec::NoInteriorMiss::info.name;
  return spec::Progress::info.name;
}

}  // namespace

void Answers::close(const trace::Event& event, std::uint64_t line) {
  follows_.emplace(describe(event), line);
}

void Answers::drive(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  ++compared_[event.index()];
}

/// A `state` may stand anywhere, and is compared where it stands.
const trace::Event* Answers::peek() {
  for (; next_ < read_.size(); ++next_) {
    const auto* state = std::get_if<trace::State>(&read_[next_].event);
    if (state == nullptr) return &read_[next_].event;
    line_ = read_[next_].line;
    ++compared_[read_[next_].event.index()];
    m_.expect_state(place(), *state);
  }
  return nullptr;
}

/// The rule by which the model does not come to that event, and why.
std::optional<std::pair<std::string_view, std::string>> Answers::explain(
    const trace::Event& event) const {
  const auto request = request_of(event);
  for (const auto r : passed_over_)
    if (in_pass_ && m_.text(r) == request)
      return std::pair(spec::Plan::info.name,
                       request + " waits, as another request could not get in");
  if (const auto* e = std::get_if<trace::Check>(&event))
    for (const auto& [r, i] : skipped_)
      if (in_pass_ && m_.text(r) == request && e->input == i)
        return std::pair(spec::Skip::info.name, m_.text(r, i) + " has no embedding in the window");
  return std::nullopt;
}

void Answers::differ(const std::function<std::string()>& expected) {
  const auto* event = peek();
  if (event == nullptr && !follows_) throw EndOfFile{};
  auto here = place();
  here.line = event != nullptr ? read_[next_].line : follows_->second;
  const auto observed = event != nullptr ? describe(*event) : follows_->first;
  const auto why = event != nullptr ? explain(*event) : std::nullopt;
  if (why) here.rule = why->first;
  diverge(here, property_of(here.rule), why ? why->second : expected(), observed);
}

void Answers::settle() {
  peek();
  read_.erase(read_.begin(), read_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  follows_.reset();
}

void Answers::expect_all_taken() {
  if (peek() != nullptr) differ([] { return "nothing more comes of it"; });
}

void Answers::expect_all_taken_at_end() {
  const auto* event = peek();
  const bool of_an_abort = event != nullptr && std::holds_alternative<trace::FreeRequest>(*event);
  if (!of_an_abort || next_ + 1 < read_.size()) expect_all_taken();
}

// -- references --

void Answers::arrange(Request r, std::vector<Int>& inputs) {
  // The order is that of a Python set, which is ascending while every number is below 8.
  if (m_.d.config.features(r) <= 8) return;
  std::vector<Int> file;
  const auto* event = peek();
  if (event == nullptr) return;
  if (const auto* freed = std::get_if<trace::FreeRequest>(event); freed != nullptr && freed->held)
    file.assign(freed->held->begin(), freed->held->end());
  for (auto n = next_; n < read_.size() && file.size() < inputs.size(); ++n) {
    const auto* released = std::get_if<trace::FreeInput>(&read_[n].event);
    if (released == nullptr || released->request != m_.text(r)) break;
    file.push_back(released->input);
  }
  if (std::is_permutation(file.begin(), file.end(), inputs.begin(), inputs.end())) inputs = file;
}

void Answers::on(Before<spec::Drop>, Int i) {
  was_cached_ = spec::is_cached<D>(m_.s, m_.d.config.hash(m_.s.drain_request(), i));
}

void Answers::on(After<spec::Drop>, Int i) {
  dropped_.push_back(i);
  const Hash h = m_.d.config.hash(m_.s.drain_request(), i);
  if (was_cached_ && !spec::is_cached<D>(m_.s, h)) withdrawn_.push_back(h);
}

void Answers::on(After<spec::Drained>) {
  const Request r = leaving_;
  const auto held = std::exchange(dropped_, {});
  const auto withdrawn = std::exchange(withdrawn_, {});
  const bool retracted = std::exchange(retracted_, false);
  const bool abandoned = std::exchange(abandoned_, false);
  if (m_.d.config.features(r) == 0 || (abandoned && (held.empty() || !m_.is_decoder_only())))
    return;
  if (!held.empty() && m_.is_decoder_only())
    rule_ = abandoned ? spec::Abandon::info.name : spec::Drop::info.name;
  const auto text = [&] {
    std::string all = "free_request of " + m_.text(r);
    if (abandoned) all += ", which got no tokens: what it looked up is undone";
    if (retracted) all += ", retracted in this pass";
    if (withdrawn.size() == 1)
      all += ": its pending entry " + m_.text(withdrawn.front()) + " is withdrawn";
    if (withdrawn.size() > 1)
      all += ": its pending entries " + m_.text(withdrawn) + " are withdrawn";
    return all;
  };
  const auto& e = take_of<trace::FreeRequest>(text, r);
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
  if (finishing_) finished_.push_back(m_.text(r));
}

void Answers::end_delivery() {
  finishing_ = false;
  while (!finished_.empty()) {
    auto found = finished_.end();
    take<trace::Finish>([&] { return "finish of " + finished_.front() + ", stopped"; },
                        [&](const trace::Finish& e) {
                          found = std::find(finished_.begin(), finished_.end(), e.request);
                          return found != finished_.end() &&
                                 e.reason == trace::FinishReason::stopped;
                        });
    finished_.erase(found);
  }
}

void Answers::on(Before<spec::Reject>, Request r) {
  diverge(place(), spec::RefusesImpossible::info.name,
          m_.text(r) + " is refused, as it can never run", "add_request of " + m_.text(r));
}

// -- the worker --

void Answers::before_gather(const spec::Scheduled<D>& entry, Int lookahead) {
  gather_from_ = entry.computed + lookahead;
  gather_end_ = gather_from_ + entry.tokens;
  rows_ = 0;
}

void Answers::gathered(Request r, Int i) {
  const Hash h = m_.d.config.hash(r, i);
  if (m_.s.worker(h) == 0)
    missed_ = h;  // if it raises
  else
    rows_ += m_.d.embeddings_in(r, i, gather_from_, gather_end_);
}

void Answers::after_gather(const spec::Scheduled<D>& entry, Int lookahead) {
  const bool missed = m_.s.missed();
  m_.s.missed.set(false);
  if (missed) rows_ = 0;
  if (rows_ == 0 && !missed) return;
  const auto found = [&] {
    return missed ? "a miss of " + m_.text(missed_) : std::to_string(rows_) + " rows";
  };
  const auto text = [&] {
    return "gather of " + m_.text(entry.request) + ", look-ahead " + std::to_string(lookahead);
  };
  const auto& e = take<trace::Gather>([&] { return text() + ": " + found(); },
                                      [&](const trace::Gather& g) {
                                        return g.pass == pass_ &&
                                               g.request == m_.text(entry.request) &&
                                               g.start == entry.computed &&
                                               g.tokens == entry.tokens && g.lookahead == lookahead;
                                      });
  const auto miss = missed ? std::optional(m_.text(missed_)) : std::nullopt;
  if ((!e.rows || *e.rows == rows_) && (!e.miss || e.miss->hash == miss)) return;
  diverge(place(text()), spec::NoInteriorMiss::info.name, found(),
          e.miss && e.miss->hash ? "a miss of " + *e.miss->hash
                                 : std::to_string(e.rows.value_or(0)) + " rows");
}

}  // namespace holdfast::verify
