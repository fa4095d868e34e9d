// A concrete run of the model: a workload and the actions taken, as every tool passes it on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/readings/workload.hpp"

namespace holdfast::verify::explore {

/// One rule taken, its parameters in the order of the rule's Roles.
struct Action {
  std::string rule;
  std::vector<int> arguments;
  bool operator==(const Action&) const = default;
};

struct Run {
  Workload workload;
  std::vector<Action> actions;
};

/// "evict(h1)": the action as people read it.
std::string to_string(const Action& action);

}  // namespace holdfast::verify::explore
