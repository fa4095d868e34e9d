#include "verify/replay/driven/file_kind.hpp"

#include <algorithm>
#include <variant>

namespace holdfast::verify::replay::inline driven {

bool names_rules(const trace::Event& event) {
  return std::visit(
      [](const auto& e) {
        if constexpr (requires { e.rules; })
          return e.rules.has_value();
        else
          return false;
      },
      event);
}

bool carries_answers(const trace::Event& event) {
  return std::visit(
      [](const auto& e) {
        bool any = false;
        if constexpr (requires { e.free; }) any |= e.free || e.reclaimable;
        if constexpr (requires { e.hit; }) any |= e.hit.has_value();
        if constexpr (requires { e.ok; }) any |= e.ok || e.evicted;
        if constexpr (requires { e.hashes; }) any |= e.hashes.has_value();
        if constexpr (requires { e.encode; }) any |= e.encode || e.notices || e.kv_free;
        if constexpr (requires { e.rows; }) any |= e.rows || e.miss;
        if constexpr (requires { e.cached; }) any |= e.cached || e.lru;
        if constexpr (requires { e.outputs; })
          any |= std::any_of(e.outputs.begin(), e.outputs.end(),
                             [](const trace::Output& output) { return output.stale.has_value(); });
        return any;
      },
      event);
}

bool says_what_follows(const trace::Event& event) {
  const auto* end = std::get_if<trace::EndPass>(&event);
  return carries_answers(event) || (end != nullptr && !end->scheduled.empty());
}

}  // namespace holdfast::verify::replay::inline driven
