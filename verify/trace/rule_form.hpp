// What a rule's arguments are called in a file, by their roles.
#pragma once

#include <string>
#include <string_view>

#include "spec/domain.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::trace {

/// The argument of that role; `taken` may be const.
template <spec::Role R>
auto& argument(auto& taken) {
  using enum spec::Role;
  if constexpr (R == request)
    return taken.request;
  else if constexpr (R == feature)
    return taken.input;
  else if constexpr (R == hash)
    return taken.hash;
  else if constexpr (R == step)
    return taken.pass;
  else if constexpr (R == tokens)
    return taken.tokens;
  else if constexpr (R == hit)
    return taken.hit;
  else if constexpr (R == drafts)
    return taken.drafts;
  else if constexpr (R == owed)
    return taken.owed;
  else if constexpr (R == rejected)
    return taken.rejected;
  else
    return taken.start;
}

/// Throws LineError unless the manager has such a rule, and `taken` its arguments and no others.
/// `where`: what to call it in the message.
void expect_rule_form(const Taken& taken, Manager manager, const std::string& where);

}  // namespace holdfast::verify::trace
