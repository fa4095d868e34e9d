#include "verify/book/shorthands.hpp"

#include <algorithm>
#include <utility>

#include "spec/catalogue.hpp"
#include "verify/readings/text.hpp"

namespace holdfast::verify::book {

namespace {

using text::Kind;
using text::Reading;
using text::State;
using text::Term;

class Maker {
 public:
  explicit Maker(const spec::Profile& profile) : d(profile, {}) { text::bind(s, d); }

  Reading d;
  State s;
  const text::Request r = text::named("r", Kind::request);
  const text::Int i = text::named("i", Kind::feature), n = text::named("n", Kind::integer);
  Shorthands made;

  /// Of a function of the request whose turn it is, of the feature at the cursor, or of neither:
  /// the same of any r and i.
  void add(std::string name, std::vector<Term> parameters, Term meaning) {
    for (const auto& p : parameters) {
      if (p->name == "r") meaning = text::replace(meaning, s.plan_request().term, r.term);
      if (p->name == "i") meaning = text::replace(meaning, s.cursor().term, i.term);
    }
    made.formulas.push_back(
        {std::move(name), std::move(parameters), text::fold(meaning, made.formulas)});
  }
};

/// What is left to say of `whole` where `known` holds.
Term rest(const text::Bool& whole, const text::Bool& known) {
  auto left = text::conjuncts(whole.term);
  std::erase_if(left, [&](const Term& t) {
    return std::ranges::any_of(text::conjuncts(known.term),
                               [&](const Term& k) { return text::same(k, t); });
  });
  text::Bool all = true;
  for (const auto& t : left) all = all && text::Bool(t);
  return all.term;
}

}  // namespace

Shorthands shorthands(const spec::Profile& profile) {
  using namespace spec;
  Maker m(profile);
  const Reading& d = m.d;
  const State& s = m.s;
  const text::Request& r = m.r;
  const text::Int &i = m.i, &n = m.n;
  m.add("tokens_left", {}, tokens_left(d, s).term);
  m.add("needed", {r.term, i.term, n.term}, is_needed<Reading>(d, s, r, i, n).term);
  m.add("window_end", {r.term, i.term, n.term}, window_end_for<Reading>(d, s, r, i, n).term);
  m.add("wanted", {r.term, i.term, n.term}, is_wanted<Reading>(d, s, r, i, n).term);
  m.add("cut", {r.term, i.term, n.term}, is_cut<Reading>(d, s, r, i, n).term);
  m.add("in_reach", {r.term, i.term}, is_in_reach(d, s).term);
  m.add("no_room", {r.term, i.term}, rest(cannot_get_in(d, s), wants_feature(d, s)));
  m.add("whole_end", {r.term, i.term}, whole_end<Reading>(d, r, i).term);
  m.add("fits_alone", {r.term}, fits_alone<Reading>(d, r).term);
  m.add("nothing_moves", {}, nothing_moves(d, s).term);
  m.add("open", {i.term}, is_open<Reading>(d, s, i).term);
  m.add("another_holds", {r.term}, another_holds<Reading>(d, s, r).term);
  m.made.effects.push_back({"end_turn", m.d.record([&] {
                              State t = m.s;
                              end_planning<Reading>(t);
                            })});
  return m.made;
}

}  // namespace holdfast::verify::book
