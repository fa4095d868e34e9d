#include "verify/refute/unrolling.hpp"

#include <algorithm>
#include <stdexcept>

#include "verify/readings/groups.hpp"

namespace holdfast::verify::refute {

namespace {

using symbolic::State;
using symbolic::Terms;

symbolic::FiniteSizes sizes_of(const Workload& w, int steps) {
  symbolic::FiniteSizes sizes;
  sizes.requests = static_cast<int>(w.requests.size());
  sizes.hashes = w.hashes;
  sizes.features = 1;
  for (const auto& r : w.requests)
    sizes.features = std::max(sizes.features, static_cast<int>(r.features.size()));
  sizes.steps = steps;
  return sizes;
}

/// The value of every variable at every point, variable by variable.
std::vector<Terms> values_of(const State& s) {
  std::vector<Terms> all;
  State::visit(s, [&](std::string_view name, const auto& variable, std::string_view) {
    Terms values;
    for (const auto& point :
         symbolic::points(std::remove_cvref_t<decltype(variable)>::declaration(name).keys))
      values.push_back(variable.at(point));
    all.push_back(std::move(values));
  });
  return all;
}

z3::expr equal(const Terms& a, const Terms& b) {
  z3::expr_vector each(a.front().ctx());
  for (std::size_t n = 0; n < a.size(); ++n)
    if (!z3::eq(a[n], b[n])) each.push_back(a[n] == b[n]);
  return z3::mk_and(each);
}

bool same(const Terms& a, const Terms& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](const auto& x, const auto& y) { return z3::eq(x, y); });
}

/// Whether the window [lo, hi) covers one of the feature's embeddings.
z3::expr covers(const WorkloadFeature& f, const z3::expr& lo, const z3::expr& hi) {
  z3::expr_vector any(lo.ctx());
  auto runs = f.mask;
  if (runs.empty()) runs.emplace_back(0, f.end - f.start);
  for (const auto& [first, count] : runs) {
    const int from = f.start + first;
    any.push_back(lo < hi && lo < from + count && from < hi);
  }
  return z3::mk_or(any);
}

/// What Walk bounds by itself: tokens, prefix hit and drafts of a turn.
Terms limits(const prove::RulePath& path, const explore::Choices& choices) {
  Terms all;
  for (const auto& [role, term] : path.parameters) {
    if (role == spec::Role::tokens) all.push_back(term <= choices.tokens);
    if (role == spec::Role::hit) all.push_back(term <= choices.hits);
    if (role == spec::Role::drafts) all.push_back(term <= choices.drafts);
  }
  return all;
}

}  // namespace

Unrolling::Unrolling(const Workload& w, int steps, const spec::Profile& profile,
                     const spec::Assumptions& assumptions, std::optional<explore::Choices> choices)
    : universe_(context_, sizes_of(w, steps)),
      in_use_(universe_),
      catalogue_(prove::catalogue(w.manager)),
      reading_(profile, assumptions),
      choices_(choices),
      solver_(context_, "QF_UFLIA") {
  const auto number = [&](int n) { return context_.int_val(n); };
  const auto fix = [&](const z3::expr& term, int value) { solver_.add(term == number(value)); };
  auto& c = reading_.config;
  for (const auto& range : symbolic::bind(c)) solver_.add(range);
  fix(c.capacity().term, w.capacity);
  fix(c.encoder_budget().term, w.encoder_budget);
  fix(c.lookahead().term, w.lookahead);
  fix(c.depth().term, w.depth);
  fix(c.token_budget().term, w.token_budget);
  fix(c.tail().term, w.tail);
  solver_.add(c.whole_items().term == context_.bool_val(w.whole_items));
  for (std::size_t r = 0; r < w.requests.size(); ++r) {
    const symbolic::Request request(number(static_cast<int>(r)));
    fix(c.features(request).term, static_cast<int>(w.requests[r].features.size()));
    fix(c.prompt(request).term, w.requests[r].prompt);
    fix(c.limit(request).term, w.requests[r].limit);
    fix(c.priority(request).term, w.requests[r].priority);
    const auto groups =
        groups_of(w.requests[r].features, w.manager == spec::Manager::encoder_decoder);
    for (std::size_t i = 0; i < w.requests[r].features.size(); ++i) {
      const auto& f = w.requests[r].features[i];
      const int index = static_cast<int>(i);
      fix(c.start(request, index).term, f.start);
      fix(c.end(request, index).term, f.end);
      fix(c.embeds(request, index).term, f.embeds);
      fix(c.hash(request, index).term, f.hash);
      solver_.add(c.grouped(request, index).term == context_.bool_val(groups[i].grouped));
      fix(c.group_start(request, index).term, static_cast<int>(groups[i].start));
      fix(c.group_end(request, index).term, static_cast<int>(groups[i].end));
      fix(c.group_embeds(request, index).term, static_cast<int>(groups[i].embeds));
    }
  }
  reading_.masked_touches = [this, requests = w.requests](
                                const symbolic::Request& r, const symbolic::Int& i,
                                const symbolic::Int& lo, const symbolic::Int& hi) {
    z3::expr_vector any(context_);
    for (std::size_t q = 0; q < requests.size(); ++q)
      for (std::size_t j = 0; j < requests[q].features.size(); ++j)
        any.push_back(r.term == static_cast<int>(q) && i.term == static_cast<int>(j) &&
                      covers(requests[q].features[j], lo.term, hi.term));
    return z3::mk_or(any);
  };
  states_.emplace_back();
  for (const auto& range : symbolic::bind(states_.back(), "@0")) solver_.add(range);
  State initial = states_.back();
  spec::initialise(reading_, initial);
  const auto is = values_of(states_.back()), must = values_of(initial);
  for (std::size_t v = 0; v < is.size(); ++v) solver_.add(equal(is[v], must[v]));
}

void Unrolling::follow_paths(std::vector<prove::RulePath> paths) {
  const auto before = values_of(states_.back());
  State next;
  for (const auto& range : symbolic::bind(next, "@" + std::to_string(states_.size())))
    solver_.add(range);
  const auto after = values_of(next);
  const auto choice = context_.int_const(("choice@" + std::to_string(states_.size())).c_str());
  solver_.add(0 <= choice && choice < context_.int_val(static_cast<int>(paths.size())));
  std::vector<z3::expr_vector> changing;  // copies of an expr_vector share it, so each is made anew
  for (std::size_t v = 0; v < before.size(); ++v) changing.emplace_back(context_);
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const z3::expr chosen = choice == static_cast<int>(p);
    for (const auto& condition : paths[p].conditions) solver_.add(z3::implies(chosen, condition));
    if (choices_)
      for (const auto& limit : limits(paths[p], *choices_)) solver_.add(z3::implies(chosen, limit));
    const auto post = values_of(paths[p].post);
    for (std::size_t v = 0; v < post.size(); ++v)
      if (!same(post[v], before[v])) {
        changing[v].push_back(chosen);
        solver_.add(z3::implies(chosen, equal(after[v], post[v])));
      }
  }
  for (std::size_t v = 0; v < before.size(); ++v)
    solver_.add(z3::mk_or(changing[v]) || equal(after[v], before[v]));
  states_.push_back(std::move(next));
}

void Unrolling::follow(const std::string& rule) {
  const auto& rules = catalogue_.outline.rules;
  const auto at = std::find(rules.begin(), rules.end(), rule);
  if (at == rules.end()) throw std::invalid_argument("no rule " + rule);
  follow_paths(
      catalogue_.paths(reading_, states_.back(), static_cast<std::size_t>(at - rules.begin())));
}

void Unrolling::follow_any() {
  std::vector<prove::RulePath> all;
  for (std::size_t n = 0; n < catalogue_.outline.rules.size(); ++n)
    for (auto& path : catalogue_.paths(reading_, states_.back(), n)) all.push_back(std::move(path));
  follow_paths(std::move(all));
}

prove::Answer Unrolling::violates(const std::string& property, const prove::QueryLimits& limits,
                                  bool anywhere) {
  const auto& all = catalogue_.properties;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == property; });
  if (at == all.end()) throw std::invalid_argument("no property " + property);
  prove::set_limits(solver_, limits);
  z3::expr_vector broken(context_);
  for (std::size_t n = anywhere ? 0 : states_.size() - 1; n < states_.size(); ++n)
    broken.push_back(!at->holds(reading_, states_[n]));
  solver_.push();
  solver_.add(z3::mk_or(broken));
  const auto answer = prove::ask(solver_);
  solver_.pop();
  return answer;
}

}  // namespace holdfast::verify::refute
