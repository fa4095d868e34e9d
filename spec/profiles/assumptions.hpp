// What the proofs or the search may take for granted, by name.
#pragma once

#include <array>
#include <string_view>

#include "spec/profiles/profile.hpp"

namespace holdfast::spec::inline profiles {

struct Assumption {
  std::string_view name;
  std::string_view says;
  bool Assumptions::* made;  ///< its switch; on or off by default as Assumptions says
};

inline constexpr std::array assumptions = {
    Assumption{
        "fifo-delivery",
        "outputs are processed in the order of issue, as the worker executes steps in any case",
        &Assumptions::fifo_delivery},
    Assumption{
        "sorted-spans",
        "the features of a request are sorted by position; those that overlap are known as a group",
        &Assumptions::sorted_spans},
    Assumption{"disjoint-spans", "no two features of a request overlap",
               &Assumptions::disjoint_spans},
    Assumption{"prompt-only-features", "features lie in the prompt, drafts behind it",
               &Assumptions::prompt_only_features},
};
static_assert(assumptions.size() == sizeof(Assumptions),
              "an assumption has no name: give each switch of Assumptions a line here");

}  // namespace holdfast::spec::inline profiles
