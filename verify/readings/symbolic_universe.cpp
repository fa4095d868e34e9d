#include "verify/readings/symbolic_universe.hpp"

#include <stdexcept>
#include <string>

namespace holdfast::verify::inline readings::symbolic {

namespace {
thread_local const Universe* current = nullptr;
}

UseUniverse::UseUniverse(const Universe& universe) : previous_(current) { current = &universe; }
UseUniverse::~UseUniverse() { current = previous_; }

const Universe& universe() {
  if (!current) throw std::logic_error("no universe is in use on this thread");
  return *current;
}

Universe::Universe(z3::context& c, std::optional<FiniteSizes> sizes)
    : context(c),
      finite(sizes),
      request(sizes ? c.int_sort() : c.uninterpreted_sort("Request")),
      hash(sizes ? c.int_sort() : c.uninterpreted_sort("Hash")),
      integer(c.int_sort()),
      boolean(c.bool_sort()),
      nobody(sizes ? c.int_val(0) : c.constant("nobody", request)) {}

z3::sort Universe::sort(Kind kind) const {
  switch (kind) {
    case Kind::boolean: return boolean;
    case Kind::request: return request;
    case Kind::hash: return hash;
    default: return integer;
  }
}

std::vector<z3::expr> Universe::values(Kind kind) const {
  int size = 0;
  switch (kind) {
    case Kind::request: size = finite->requests; break;
    case Kind::hash: size = finite->hashes; break;
    case Kind::feature: size = finite->features; break;
    case Kind::step: size = finite->steps + 1; break;
    default: throw std::logic_error("that sort is not finite");
  }
  std::vector<z3::expr> all;
  for (int n = 0; n < size; ++n) all.push_back(context.int_val(n));
  return all;
}

namespace {

/// Bound variables are named by their nesting depth, so that equal formulas are equal terms.
class BoundVariable {
 public:
  explicit BoundVariable(const Universe& u, Kind kind)
      : term(u.context.constant(("bound" + std::to_string(depth_++)).c_str(), u.sort(kind))) {}
  ~BoundVariable() { --depth_; }
  BoundVariable(const BoundVariable&) = delete;
  BoundVariable& operator=(const BoundVariable&) = delete;
  z3::expr term;

 private:
  static thread_local int depth_;
};
thread_local int BoundVariable::depth_ = 0;

}  // namespace

z3::expr Universe::all(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const {
  if (!finite) {
    const BoundVariable x(*this, kind);
    return z3::forall(x.term, body(x.term));
  }
  z3::expr_vector each(context);
  for (const auto& value : values(kind)) each.push_back(body(value));
  return z3::mk_and(each);
}

z3::expr Universe::any(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const {
  if (!finite) {
    const BoundVariable x(*this, kind);
    return z3::exists(x.term, body(x.term));
  }
  z3::expr_vector each(context);
  for (const auto& value : values(kind)) each.push_back(body(value));
  return z3::mk_or(each);
}

z3::expr Universe::fresh(const char* prefix, const z3::sort& sort) const {
  return z3::expr(context, Z3_mk_fresh_const(context, prefix, sort));
}

z3::expr Universe::fresh(const char* prefix, Kind kind, std::vector<z3::expr>& constraints) const {
  auto x = fresh(prefix, sort(kind));
  if (finite && kind != Kind::integer && kind != Kind::boolean)
    constraints.push_back(0 <= x && x < context.int_val(static_cast<int>(values(kind).size())));
  return x;
}

}  // namespace holdfast::verify::inline readings::symbolic
