// The list that every tool walks: which rules, properties and lemmas there are, per manager.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "spec/claims/cache_lemmas.hpp"
#include "spec/claims/encoder_decoder_lemmas.hpp"
#include "spec/claims/pipeline_lemmas.hpp"
#include "spec/claims/progress_lemmas.hpp"
#include "spec/claims/properties.hpp"
#include "spec/claims/rankings.hpp"
#include "spec/claims/turn_lemmas.hpp"
#include "spec/rules/delivery.hpp"
#include "spec/rules/encoder_decoder_cache.hpp"
#include "spec/rules/pass.hpp"
#include "spec/rules/planning.hpp"
#include "spec/rules/requests.hpp"
#include "spec/rules/worker.hpp"

namespace holdfast::spec {

template <class... T>
struct List {
  static constexpr std::size_t size = sizeof...(T);

  /// Calls f.template operator()<T>() for each, in order.
  template <class F>
  static void each(F&& f) {
    (f.template operator()<T>(), ...);
  }
};

/// The names of rules, properties or lemmas.
template <class... T>
inline constexpr std::array<std::string_view, sizeof...(T)> names = {T::info.name...};

/// Calls f.template operator()<Rule>() for the rule of that name. False if the list has none.
template <class Rules, class F>
bool with_rule(std::string_view name, F&& f) {
  bool found = false;
  Rules::each([&]<class Rule>() {
    if (Rule::info.name != name) return;
    found = true;
    f.template operator()<Rule>();
  });
  return found;
}

/// The manager of decoder-only models, its pass, pipeline and worker.
struct DecoderOnly {
  static constexpr Manager manager = Manager::decoder_only;
  static constexpr std::string_view name = "decoder_only";
  using Rules = List<Add, Reject, BeginPass, Plan, Grow, RollBack, Skip, Touch, Share, Refuse,
                     Evict, Order, Clip, Abandon, Shorten, PutBack, Allocate, Commit, Preempt,
                     Retract, Drop, Drained, EndPass, DropNotices, Encode, GatherTarget,
                     GatherDraft, Deliver, EndDeliver, ReleaseInput, Finish, AbortRequest, Reset>;
  using Properties =
      List<NoFreedWhileReferenced, NoStaleNotice, NoInteriorMiss, NoGhostEntry, ExactSlots,
           BoundedWorkerMemory, ExactBudget, SameSize, WholeItemsKept, Progress, NoHoldAndWait,
           RefusesImpossible, AllReturned, ExactPlaceholders>;
  using Lemmas =
      List<OrderStands, ReferencedIsCached, HeldIsReferenced, UnconfirmedIsHeld, SlotsNotNegative,
           FreeableUnreferenced, PendingCached, PendingEvicted, CachedComesOrIsThere,
           ThereIsCachedOrEvicted, EvictedIsThere, OutsidePassNothing, ScheduledHoldsNeeds,
           ScheduledCutsNothing, CursorHoldsNeeds, CursorHoldsWanted, CursorHoldsComputed,
           ScheduledHoldsComputed, LookingCutsNothing, CursorCutsNothing, ChosenIsPromised,
           PromisedFitsSlots, PromisedFitsBudget, OwedBehindPrompt, PromisedIsChosen, BudgetIsWhole,
           OpenGroupFits, StepsHaveNeeds, CountsAreSound, CreditedNotNegative, OutputsOfTheEpoch,
           WaitingComputedNothing, TurnIsSound, PipelineInOrder, TokensWithinBudget,
           ReferencedOrFreeable, OccurrenceBehindReference, HoldsTheEarlier, HoldsTheGroup,
           ConfirmedIsReleased, WaitingHoldsItsTurn, TurnOpensGroups, TriedHoldsNothing,
           WholeBudgetIsLeft, BlockedTookNothing, BlockedByAnother, SomebodyIsInTheWay, TriedIsLive,
           TurnOvertakesNobody>;
  using Rankings = List<LeftOnlyFalls, NobodyOvertakes, OutputCounts>;
};

/// The manager of encoder-decoder models, under the same pass, pipeline and worker.
struct EncoderDecoder {
  static constexpr Manager manager = Manager::encoder_decoder;
  static constexpr std::string_view name = "encoder_decoder";
  using Rules =
      List<Add, Reject, BeginPass, Plan, EncdecSkip, EncdecAllocate, EncdecAbandon, PutBack, Commit,
           Preempt, Retract, EncdecDrop, Drained, EncdecEndPass, DropNotices, Encode, EncdecRead,
           Deliver, EndDeliver, EncdecRelease, Finish, AbortRequest, EncdecReset>;
  using Properties = List<NoStaleNotice, NoInteriorMiss, NoGhostEntry, EncdecExactSlots,
                          ExactPlaceholders, EncdecAllReturned>;
  using Lemmas = List<SlotsNotNegative, EncdecOutsidePassNothing, EncdecCharges, EncdecOrders,
                      EncdecScheduledOrders, EncdecStepsHaveInputs, EncdecToldNext,
                      OutputsOfTheEpoch, WaitingComputedNothing, TurnIsSound, PipelineInOrder>;
  using Rankings = List<>;
};

}  // namespace holdfast::spec
