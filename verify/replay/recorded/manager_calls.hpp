// What a cache manager does when it is called, where nothing tells the turn that it is called in.
#pragma once

#include "verify/replay/model.hpp"

namespace holdfast::verify::replay::inline recorded {

/// `act` runs in a turn of r, every token that it may still compute in view, at input i. No rule
/// leads there, as a recording of a manager names no turns; behind it the turn never was.
template <class Act>
void at_cursor(Model& m, Request r, Int i, Act&& act) {
  spec::Plan::effect<D>(m.d, m.s, r, m.d.config.limit(r) - m.s.computed(r), Int{0});
  m.s.cursor.set(i);
  struct End {
    dynamic::State& s;
    ~End() { spec::end_planning(s); }
  } end{m.s};
  act();
}

/// Which rule deals with the feature at the cursor: touch, share, refuse, or a miss.
enum class LookUp { touch, share, refuse, miss };
LookUp look_up(const Model& m);

/// `can_allocate` with this budget, beside `planned` slots that are promised already; evicts.
Model::Room make_room(Model& m, Request r, Int i, Int budget, Int planned);

}  // namespace holdfast::verify::replay::inline recorded
