#include "verify/readings/text_effects.hpp"

#include <algorithm>
#include <memory>

namespace holdfast::verify::inline readings::text {

bool reads_same(const Statement& a, const Statement& b) {
  const auto equal = [](const Term& x, const Term& y) {
    return x && y ? reads_same(x, y) : x == y;
  };
  const auto all = [](const Effect& x, const Effect& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Statement& m, const Statement& n) { return reads_same(m, n); });
  };
  return a.what == b.what && a.label == b.label && equal(a.target, b.target) &&
         equal(a.value, b.value) && equal(a.condition, b.condition) &&
         a.bound.size() == b.bound.size() && all(a.yes, b.yes) && all(a.no, b.no);
}

int Recorder::version(const std::string& variable) const {
  const auto found = versions_.find(variable);
  return found == versions_.end() ? 0 : found->second;
}

Term Recorder::seal(const Term& t) const {
  Node sealed = *t;
  sealed.earlier = (t->op == Op::read || t->op == Op::sum) && version(t->name) != t->version;
  for (auto& part : sealed.parts) part = seal(part);
  return std::make_shared<const Node>(std::move(sealed));
}

void Recorder::update(const std::string& variable, Statement statement) {
  statement.target = seal(statement.target);
  statement.value = seal(statement.value);
  events_.push_back({std::move(statement), false});
  ++versions_[variable];
}

void Recorder::raise(std::string_view what) {
  Statement raised;
  raised.what = Statement::What::raise;
  raised.label = what;
  events_.push_back({raised, false});
}

void Recorder::assume(const Term& fact) { facts_.push_back(fact); }

bool Recorder::test(std::string_view label, const Term& condition) {
  if (condition->op == Op::literal) return condition->name == "true";
  if (contains(facts_, condition)) return true;
  if (contains(facts_, negation(condition))) return false;
  if (next_ == decisions_.size()) decisions_.push_back(true);
  Event event;
  event.statement.what = Statement::What::branch;
  event.statement.label = label;
  event.statement.condition = seal(condition);
  event.yes = decisions_[next_++];
  events_.push_back(event);
  return event.yes;
}

namespace {

using Events = std::vector<Recorder::Event>;

/// The tree of paths that agree up to `from`. What both branches end with is said once, after them.
Effect merge(const std::vector<Events>& paths, std::size_t from) {
  Effect effect;
  for (std::size_t n = from; n < paths[0].size(); ++n) {
    Statement statement = paths[0][n].statement;
    if (statement.what != Statement::What::branch) {
      effect.push_back(statement);
      continue;
    }
    std::vector<Events> yes, no;
    for (const auto& path : paths) (path[n].yes ? yes : no).push_back(path);
    statement.yes = merge(yes, n + 1);
    statement.no = merge(no, n + 1);
    Effect after;
    while (!statement.yes.empty() && !statement.no.empty() &&
           reads_same(statement.yes.back(), statement.no.back())) {
      after.push_back(statement.yes.back());
      statement.yes.pop_back();
      statement.no.pop_back();
    }
    if (!statement.yes.empty() || !statement.no.empty()) effect.push_back(statement);
    effect.insert(effect.end(), after.rbegin(), after.rend());
    break;
  }
  return effect;
}

}  // namespace

Effect Recorder::record(const std::function<void()>& body) {
  std::vector<Events> paths;
  decisions_.clear();
  while (true) {
    versions_.clear();
    events_.clear();
    next_ = 0;
    body();
    paths.push_back(events_);
    while (!decisions_.empty() && !decisions_.back()) decisions_.pop_back();
    if (decisions_.empty()) break;
    decisions_.back() = false;
  }
  versions_.clear();
  return merge(paths, 0);
}

Term Recorder::bind(Kind kind) {
  return std::make_shared<const Node>(Node{Op::bound, kind, "", depth_++});
}

}  // namespace holdfast::verify::inline readings::text
