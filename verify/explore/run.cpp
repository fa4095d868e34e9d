#include "verify/explore/run.hpp"

#include <vector>

#include <fmt/format.h>

#include "spec/catalogue.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::explore {
namespace {

std::string argument(spec::Role role, int x) {
  switch (role) {
    case spec::Role::request: return fmt::format("r{}", x);
    case spec::Role::feature: return fmt::format("feature {}", x);
    case spec::Role::hash: return fmt::format("h{}", x);
    case spec::Role::step: return fmt::format("step {}", x);
    case spec::Role::tokens: return fmt::format("tokens {}", x);
    case spec::Role::hit: return fmt::format("hit {}", x);
    case spec::Role::drafts: return fmt::format("drafts {}", x);
    case spec::Role::owed: return fmt::format("owed {}", x);
    case spec::Role::rejected: return fmt::format("rejected {}", x);
    case spec::Role::position: return fmt::format("at {}", x);
  }
  return {};
}

template <spec::Role... R>
std::vector<spec::Role> list(spec::Roles<R...>) {
  return {R...};
}

std::vector<spec::Role> roles_of(std::string_view rule) {
  std::vector<spec::Role> roles;
  const auto look = [&]<class Rule>() { roles = list(typename Rule::Parameters{}); };
  if (!spec::with_rule<spec::DecoderOnly::Rules>(rule, look))
    spec::with_rule<spec::EncoderDecoder::Rules>(rule, look);
  return roles;
}

}  // namespace

std::string to_string(const Action& action) {
  const auto roles = roles_of(action.rule);
  if (action.arguments.empty()) return action.rule;
  std::string text;
  for (std::size_t n = 0; n < action.arguments.size(); ++n) {
    if (n > 0) text += ", ";
    text += n < roles.size() ? argument(roles[n], action.arguments[n])
                             : std::to_string(action.arguments[n]);
  }
  return fmt::format("{}({})", action.rule, text);
}

}  // namespace holdfast::verify::explore
