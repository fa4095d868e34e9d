// The releases of vLLM, as far as they differ from `holdfast`; what each way is about is in
// docs/upstream-findings.md.
#pragma once

#include <array>

#include "spec/profiles/variants.hpp"

namespace holdfast::spec::inline profiles {

inline constexpr Profile vllm_0_33_0 =
    with<Release::before_credit, Retraction::entry_stays, Refund::lost_to_a_plan,
         Window::from_computed, LookUp::overlap, Groups::each_alone, WholeItems::rolled_back,
         Tail::cut_after_planning, Undone::for_kv_only, Overtaking::anybody,
         Padding::ends_admission, EncdecNotice::next_pass_all, EncdecCredit::every_call>(
        {}, "vllm-0.33.0", "what vLLM 0.33.0 does");

/// It releases one look-ahead later, and clips one before.
inline constexpr Profile vllm_0_32_0 =
    with<Release::margin_before_credit, ClipTo::before_lookahead, WholeItems::rolled_back_if_ahead,
         Overtaking::nobody_waiting, OwnVictim::ends_the_loop>(vllm_0_33_0, "vllm-0.32.0",
                                                               "what vLLM 0.32.0 does");

inline constexpr std::array known_profiles = {Profile{}, vllm_0_32_0, vllm_0_33_0};

}  // namespace holdfast::spec::inline profiles
