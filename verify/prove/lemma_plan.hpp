// Which invariants each obligation really needs, learned from minimised unsat cores.
//
// A plan only makes proofs faster: an obligation that it does not settle is tried again with every
// invariant. It is also the shortest answer to "why is this safe?".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::verify::prove {

/// Where an obligation stands in the plan.
struct ObligationName {
  std::string manager;
  std::string rule;
  std::string path;
  std::string property;
  auto operator<=>(const ObligationName&) const = default;
};

using LemmaPlan = std::map<ObligationName, std::vector<std::string>>;

/// The plan that was learned for profile `holdfast` and is compiled in.
const LemmaPlan& learned_plan();

/// One line an obligation, `manager | rule | path | property | lemma, lemma`, as it is compiled in.
std::string to_text(const LemmaPlan& plan);
LemmaPlan parse_plan(const std::string& text);

}  // namespace holdfast::verify::prove
