#include "verify/readings/symbolic_maps.hpp"

#include <stdexcept>

namespace holdfast::verify::inline readings::symbolic {

z3::expr default_value(Kind value) {
  auto& u = universe();
  switch (value) {
    case Kind::boolean: return u.context.bool_val(false);
    case Kind::request: return u.nobody;
    default: return u.context.int_val(0);
  }
}

std::vector<Terms> points(const std::vector<Kind>& kinds, const Terms& prefix) {
  std::vector<Terms> all = {prefix};
  for (const auto kind : kinds) {
    std::vector<Terms> next;
    for (const auto& point : all)
      for (const auto& value : universe().values(kind)) {
        next.push_back(point);
        next.back().push_back(value);
      }
    all = std::move(next);
  }
  return all;
}

namespace {

/// Turns a body that reads the state as it is now into a function of its own: the body is built
/// over placeholder constants once, and later calls substitute. The first keys are `prefix`.
Function snapshot(const std::vector<Kind>& kinds, const Terms& prefix, const Function& body) {
  z3::expr_vector from(universe().context);
  Terms at = prefix;
  for (std::size_t n = prefix.size(); n < kinds.size(); ++n) {
    const auto x = universe().fresh("at", universe().sort(kinds[n]));
    from.push_back(x);
    at.push_back(x);
  }
  auto value = std::make_shared<z3::expr>(body(at));
  auto holes = std::make_shared<z3::expr_vector>(from);
  return [value, holes, skip = prefix.size()](const Terms& keys) {
    z3::expr_vector to(value->ctx());
    for (std::size_t n = skip; n < keys.size(); ++n) to.push_back(keys[n]);
    return value->substitute(*holes, to);
  };
}

}  // namespace

void Table::set_point(Terms keys, const z3::expr& value) {
  set_points_.push_back(keys);
  bind([keys = std::move(keys), value, old = f_](const Terms& at) {
    z3::expr here = at[0] == keys[0];
    for (std::size_t n = 1; n < keys.size(); ++n) here = here && at[n] == keys[n];
    return z3::ite(here, value, (*old)(at));
  });
}

void Table::set_all(const z3::expr& value) {
  bind([value](const Terms&) { return value; });
}

void Table::set_each(const std::vector<Kind>& kinds, const Function& body) {
  bind(snapshot(kinds, {}, body));
}

void Table::set_row(const std::vector<Kind>& kinds, const z3::expr& key, const Function& body) {
  auto row =
      snapshot(kinds, {key}, [&](const Terms& at) { return body({at.begin() + 1, at.end()}); });
  bind(
      [key, row, old = f_](const Terms& at) { return z3::ite(at[0] == key, row(at), (*old)(at)); });
}

z3::expr Table::none_in_row(const z3::expr& key, Kind second) const {
  z3::expr none = universe().all(second, [&](const z3::expr& x) { return !at({key, x}); });
  // Instances at the points that were set, which no pattern would find.
  for (const auto& point : set_points_) none = none && !at({key, point[1]});
  return none;
}

Function Table::behind(const Terms& row) const {
  return [f = f_, row](const Terms& rest) {
    Terms at = row;
    at.insert(at.end(), rest.begin(), rest.end());
    return (*f)(at);
  };
}

z3::expr Table::sum_behind(const Terms& row, const std::vector<Kind>& kinds) const {
  z3::expr total = universe().context.int_val(0);
  for (const auto& point : points(kinds, row)) total = total + at(point);
  return total;
}

void Sum::expect_zero(const z3::expr& value) {
  if (!z3::eq(value, universe().context.int_val(0)))
    throw std::logic_error(
        "only 0 can be filled in: nothing else has a sum over an unbounded sort");
}

void Sum::set(const z3::expr& sum) {
  f_ = [sum](const Terms&) { return sum; };
}

void Sum::set_row(const z3::expr& key, const z3::expr& sum) {
  f_ = [key, sum, old = f_](const Terms& at) { return z3::ite(at[0] == key, sum, old(at)); };
}

void Sum::add(const z3::expr& difference) { set(f_({}) + difference); }

void Sum::add_to_row(const z3::expr& key, const z3::expr& difference) {
  f_ = [key, difference, old = f_](const Terms& at) {
    return z3::ite(at[0] == key, old(at) + difference, old(at));
  };
}

}  // namespace holdfast::verify::inline readings::symbolic
