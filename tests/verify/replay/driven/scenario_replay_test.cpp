// Scenario files: what the model does with each event, what it declines, and what it compares.
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/base/errors.hpp"

namespace holdfast::verify::replay::inline driven {
namespace {

using ::testing::HasSubstr;

std::string header(int capacity, int lookahead = 0, int depth = 1,
                   std::string_view manager = "decoder_only") {
  return R"({"event":"header","format":"holdfast-trace","version":1,"source":"holdfast test","manager":")" +
         std::string(manager) + R"(","pipeline_depth":)" + std::to_string(depth) +
         R"(,"capacity":)" + std::to_string(capacity) + R"(,"encoder_budget":)" +
         std::to_string(capacity) + R"(,"lookahead":)" + std::to_string(lookahead) + "}\n";
}

std::string image(std::string_view hash, int offset, int length) {
  return R"({"hash":")" + std::string(hash) + R"(","offset":)" + std::to_string(offset) +
         R"(,"length":)" + std::to_string(length) + R"(,"embeds":)" + std::to_string(length) + "}";
}

// -- rules --

std::string rule(std::string_view name, std::string_view arguments = "") {
  return R"({"rule":")" + std::string(name) + "\"" + (arguments.empty() ? "" : ",") +
         std::string(arguments) + "}";
}
std::string of(std::string_view request) { return R"("request":")" + std::string(request) + "\""; }
std::string number(std::string_view name, int value) {
  return "\"" + std::string(name) + "\":" + std::to_string(value);
}
std::string plan(std::string_view request, int tokens, int hit = 0) {
  return rule("plan", of(request) + "," + number("tokens", tokens) + "," + number("hit", hit));
}
std::string commit(int drafts = 0, int owed = 0) {
  return rule("commit", number("drafts", drafts) + "," + number("owed", owed));
}
std::string release(std::string_view request, int input, std::string_view name = "release") {
  return rule(name, of(request) + "," + number("input", input));
}

std::string by(const std::vector<std::string>& rules) {
  std::string all;
  for (const auto& one : rules) all += (all.empty() ? "" : ",") + one;
  return R"(,"rules":[)" + all + "]";
}

// -- events --

std::string add(std::string_view request, const std::string& features) {
  return R"({"event":"add_request","request":")" + std::string(request) +
         R"(","prompt_tokens":20,"max_tokens":20,"priority":0,"features":[)" + features + "]" +
         by({rule("add", of(request))}) + "}\n";
}

std::string begin(int pass) {
  return R"({"event":"begin_pass","pass":)" + std::to_string(pass) + by({rule("begin_pass")}) +
         "}\n";
}

std::string of_input(std::string_view event, std::string_view request, int input,
                     std::string_view more = "") {
  return R"({"event":")" + std::string(event) + R"(","request":")" + std::string(request) +
         R"(","input":)" + std::to_string(input) + std::string(more) + "}\n";
}
std::string can_allocate(std::string_view request, int input, std::string_view more) {
  return of_input("can_allocate", request, input,
                  R"(,"compute_budget":100,"scheduled_embeds":0)" + std::string(more));
}
std::string allocate(std::string_view request, int input, std::string_view more = "",
                     std::string_view before = "") {
  auto rules = by({rule("allocate", number("input", input))});
  if (!before.empty()) rules.insert(rules.find('[') + 1, std::string(before) + ",");
  return of_input("allocate", request, input, std::string(more) + rules);
}
/// A turn with these tokens in view that orders an input; `before` ends the one before it.
std::string miss(std::string_view request, int input, const std::string& planned,
                 std::string_view before = "") {
  const auto first = std::string(before) + (before.empty() ? "" : ",") + planned;
  return of_input("check", request, input, by({first})) +
         can_allocate(request, input, by({rule("order")})) + allocate(request, input);
}

std::string scheduled(std::string_view request, int computed, int tokens, int drafts = 0,
                      int placeholders = 0) {
  return R"({"request":")" + std::string(request) + R"(","computed":)" + std::to_string(computed) +
         R"(,"tokens":)" + std::to_string(tokens) + R"(,"drafts":)" + std::to_string(drafts) +
         R"(,"placeholders":)" + std::to_string(placeholders) + "}";
}
/// The last turn ends by `turn`, then the pass.
std::string end(int pass, const std::string& entries, std::vector<std::string> turn,
                std::string_view more = "", std::string_view name = "end_pass") {
  turn.push_back(rule(name));
  return R"({"event":"end_pass","pass":)" + std::to_string(pass) + R"(,"scheduled":[)" + entries +
         "]" + std::string(more) + by(turn) + "}\n";
}
std::string execute(int pass) {
  return R"({"event":"execute","pass":)" + std::to_string(pass) +
         by({rule("drop_notices"), rule("encode")}) + "}\n";
}
std::string worker_reset() {
  return R"({"event":"worker_reset")" +
         by({rule("drop_notices"), rule("encode"), rule("end_deliver")}) + "}\n";
}
std::string gather(int pass, std::string_view request, int start, int tokens, int lookahead = 0,
                   std::string_view more = "", std::string_view name = "") {
  const auto arguments = of(request) + R"(,"input":0)";
  const auto read = name == "encdec_read" ? rule(name, arguments)
                                          : rule(lookahead > 0 ? "gather_draft" : "gather_target",
                                                 arguments + "," + number("start", start));
  return R"({"event":"gather","pass":)" + std::to_string(pass) + R"(,"request":")" +
         std::string(request) + R"(","start":)" + std::to_string(start) + R"(,"tokens":)" +
         std::to_string(tokens) + R"(,"lookahead":)" + std::to_string(lookahead) +
         std::string(more) + by({read}) + "}\n";
}
std::string deliver(int pass, std::string_view request, int rejected = 0) {
  return R"({"event":"deliver","pass":)" + std::to_string(pass) + R"(,"outputs":[{"request":")" +
         std::string(request) + R"(","generated":1,"rejected":)" + std::to_string(rejected) + "}]" +
         by({rule("deliver",
                  number("pass", pass) + "," + of(request) + "," + number("rejected", rejected)),
             rule("end_deliver")}) +
         "}\n";
}
std::string of_request(std::string_view event, std::string_view request,
                       std::string_view more = "") {
  return R"({"event":")" + std::string(event) + R"(","request":")" + std::string(request) + "\"" +
         std::string(more) + "}\n";
}
std::string free_input(std::string_view request, int input, std::string_view more = "") {
  return of_input("free_input", request, input, std::string(more) + by({release(request, input)}));
}
std::string abort(std::string_view request) {
  return of_request("finish", request, R"(,"reason":"aborted")" + by({rule("abort", of(request))}));
}
std::string reset(std::string_view more = "") {
  return R"({"event":"reset")" + std::string(more) + by({rule("reset")}) + "}\n";
}

/// The same without any rule.
std::string bare(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(,"rules":\[[^\]]*\])"), "");
}

/// r with `tokens` of a feature h at [0, 4), in pass 1, delivered.
std::string first_pass(int tokens) {
  return add("r", image("h", 0, 4)) + begin(1) + miss("r", 0, plan("r", tokens)) +
         end(1, scheduled("r", 0, tokens), {commit()}) + execute(1) + gather(1, "r", 0, tokens) +
         deliver(1, "r");
}

/// q takes all 8 slots: r's chunk ends before h at [4, 8), which the drafter looks up in line 12.
std::string clipped_before_h() {
  return add("q", image("g", 0, 8)) + add("r", image("h", 4, 4)) + begin(1) +
         miss("q", 0, plan("q", 8)) + of_input("check", "r", 0, by({commit(), plan("r", 20)})) +
         can_allocate("r", 0, by({rule("clip")})) +
         end(1, scheduled("q", 0, 8) + "," + scheduled("r", 0, 4), {commit()}) + execute(1) +
         gather(1, "r", 0, 4, 1, R"(,"rows":0,"miss":null)");
}

void expect_taken(const report::ReplayResult& result, std::uint64_t declined = 0) {
  expect_conforms(result);
  EXPECT_EQ(result.declined, declined);
}

TEST(ScenarioReplayTest, WholePassIsTaken) {
  const auto result = replay_text(
      header(8) + first_pass(4) + free_input("r", 0) +
      of_request("finish", "r",
                 R"(,"reason":"stopped")" + by({rule("finish", of("r")), rule("drained")})) +
      R"({"event":"state","cached":{"h":[]},"lru":["h"],"free":4,"reclaimable":8})"
      "\n");
  expect_taken(result);
  EXPECT_EQ(result.events, 13U);
}

TEST(ScenarioReplayTest, WhatDependsOnARefusedRequestIsDeclined) {
  // Its arrival, its look-up, its allocation (two events), the end of the pass (its only entry),
  // the gather and the output.
  expect_taken(replay_text(header(3) + first_pass(4)), 7);
}

TEST(ScenarioReplayTest, AllocateThatDoesNotFitIsDeclinedWithWhatDependsOnIt) {
  // r finds too little room beside q: its order, its allocation, and the pass, in which its turn
  // does not end.
  expect_taken(
      replay_text(header(7) + add("q", image("g", 0, 4)) + add("r", image("h", 0, 4)) + begin(1) +
                  miss("q", 0, plan("q", 4)) + miss("r", 0, plan("r", 4), commit()) +
                  end(1, scheduled("q", 0, 4) + "," + scheduled("r", 0, 4), {commit()})),
      3);
}

TEST(ScenarioReplayTest, ReleaseTooEarlyIsDeclined) {
  expect_taken(replay_text(header(8) + first_pass(3) + free_input("r", 0)), 1);
}

TEST(ScenarioReplayTest, RequestWithoutItsFeatureIsNotAdmitted) {
  expect_taken(replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) +
                           end(1, scheduled("r", 0, 4), {plan("r", 4), commit()})),
               1);
}

TEST(ScenarioReplayTest, BoundaryFeatureMayBeAbsent) {
  expect_taken(replay_text(header(8, 1) + clipped_before_h()));
  const auto result = replay_text(header(8, 1) + clipped_before_h(), "no-boundary-fallback");
  expect_diverges(result, 12, "no-interior-miss");
  EXPECT_EQ(result.rule, "gather_draft");
  EXPECT_THAT(result.observed, HasSubstr("misses h, its input 0"));
}

TEST(ScenarioReplayTest, PassBeyondTheDepthIsDeclined) {
  const auto passes = begin(1) + end(1, "", {}) + begin(2) + end(2, "", {});
  expect_taken(replay_text(header(8) + passes), 2);
  expect_taken(replay_text(header(8, 0, 2) + passes));
}

TEST(ScenarioReplayTest, SharedFeatureIsOrderedOnce) {
  const auto hit = by({commit(), plan("r", 4), rule("touch")});
  expect_taken(replay_text(header(4) + add("q", image("h", 0, 4)) + add("r", image("h", 0, 4)) +
                           begin(1) + miss("q", 0, plan("q", 4)) +
                           of_input("check", "r", 0, R"(,"hit":true)" + hit) +
                           end(1, scheduled("q", 0, 4) + "," + scheduled("r", 0, 4), {commit()},
                               R"(,"encode":{"q":[0]})")));
}

TEST(ScenarioReplayTest, DuplicateMayBeAllocatedAsUpstreamDoes) {
  expect_taken(replay_text(header(4) + add("r", image("h", 0, 4) + "," + image("h", 4, 4)) +
                           begin(1) + of_input("check", "r", 0, by({plan("r", 8)})) +
                           can_allocate("r", 0, by({rule("order")})) +
                           allocate("r", 0, "", rule("share")) + allocate("r", 1, R"(,"free":0)") +
                           end(1, scheduled("r", 0, 8), {commit()})));
}

TEST(ScenarioReplayTest, RetractionTakesTheOrderBack) {
  const auto story =
      header(8) + add("r", image("h", 0, 4)) + add("q", "") + begin(1) +
      miss("r", 0, plan("r", 4)) +
      of_request("preempt", "r", by({commit(), plan("q", 4), rule("retract", of("r"))})) +
      of_request("free_request", "r",
                 R"(,"free":8)" + by({rule("drop", number("input", 0)), rule("drained")})) +
      end(1, scheduled("q", 0, 4), {commit()}, R"(,"encode":{},"notices":[])");
  expect_taken(replay_text(story));
  const auto result = replay_text(story, "retract-keeps-entry");
  expect_diverges(result, 9, "exact-slots");
}

/// Who leaves by the profile alone drops all it holds before anything else happens.
TEST(ScenarioReplayTest, WhatTheProfileLetsGoIsDropped) {
  const auto story = header(8) + first_pass(3) + abort("r") + begin(2) + end(2, "", {}) +
                     R"({"event":"state","cached":{"h":[]},"lru":["h"]})"
                     "\n";
  expect_taken(replay_text(story));
  EXPECT_EQ(replay_text(story, "abort-keeps-references").line, 11U);
}

TEST(ScenarioReplayTest, WaitingRequestLeftOutOfThePassGivesUpItsTurn) {
  const auto asked =
      of_input("check", "r", 0, by({plan("r", 4)})) + can_allocate("r", 0, by({rule("order")}));
  expect_taken(replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) + asked +
                           end(1, "", {rule("put_back")}) +
                           R"({"event":"state","cached":{},"lru":[],"free":8})"
                           "\n"));
}

TEST(ScenarioReplayTest, ListThatLeavesSomebodyOutIsDeclined) {
  expect_taken(replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) +
                           miss("r", 0, plan("r", 4)) + end(1, "", {commit()}) +
                           R"({"event":"state","cached":{"h":["r"]},"lru":[],"free":4})"
                           "\n"),
               1);
}

TEST(ScenarioReplayTest, AWaitingRequestMayHaveTokensFromThePrefixCache) {
  expect_taken(replay_text(header(8) + add("r", image("h", 2, 4)) + begin(1) +
                           miss("r", 0, plan("r", 2, 4)) +
                           end(1, scheduled("r", 4, 2), {commit()}) + execute(1) +
                           gather(1, "r", 4, 2, 0, R"(,"rows":2)")));
}

TEST(ScenarioReplayTest, SecondResetInFlightIsDeclined) {
  expect_taken(replay_text(header(8) + reset() + reset() + worker_reset() + reset()), 1);
}

TEST(ScenarioReplayTest, ResetIsAStepOfTheWorker) {
  expect_taken(replay_text(header(8) + first_pass(3) + reset(R"(,"free":8,"reclaimable":8)") +
                           worker_reset() + begin(2) + miss("r", 0, plan("r", 1)) +
                           end(2, scheduled("r", 3, 1), {commit()}) + execute(2) +
                           gather(2, "r", 3, 1) + deliver(2, "r")));
}

TEST(ScenarioReplayTest, WorkerResetBeforeAStepInFlightIsDeclined) {
  expect_taken(replay_text(header(8, 0, 2) + begin(1) + end(1, "", {}) + reset() + worker_reset() +
                           execute(1)),
               1);
}

TEST(ScenarioReplayTest, AnswerThatIsGivenIsCompared) {
  const auto start = header(8) + add("r", image("h", 0, 4)) + begin(1);
  expect_diverges(
      replay_text(start + of_input("check", "r", 0, R"(,"hit":true)" + by({plan("r", 4)})) +
                  end(1, "", {rule("order"), rule("put_back")})),
      4, "no-ghost-entry");
  const auto ordered = start + miss("r", 0, plan("r", 4));
  expect_diverges(
      replay_text(ordered + end(1, scheduled("r", 0, 4), {commit()}, R"(,"notices":["h"])")), 7,
      "no-stale-notice");
  expect_diverges(replay_text(ordered + end(1, scheduled("r", 0, 4), {commit()}) + execute(1) +
                              gather(1, "r", 0, 4, 0, R"(,"rows":3)")),
                  9, "no-interior-miss");
}

TEST(ScenarioReplayTest, NoticesOfTakeFreedAreThoseOfThePass) {
  const auto start = header(8) + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0, plan("r", 4));
  expect_taken(replay_text(start +
                           R"({"event":"take_freed","hashes":[]})"
                           "\n" +
                           end(1, scheduled("r", 0, 4), {commit()})));
  expect_diverges(replay_text(start +
                              R"({"event":"take_freed","hashes":["h"]})"
                              "\n" +
                              end(1, scheduled("r", 0, 4), {commit()})),
                  7, "no-stale-notice");
}

TEST(ScenarioReplayTest, RejectedDraftsKeepTheFeature) {
  const auto story = first_pass(3) + begin(2) +
                     of_input("check", "r", 0, by({plan("r", 3), rule("touch")})) +
                     end(2, scheduled("r", 3, 3, 2, 3), {commit(2, 3)}) + execute(2) +
                     gather(2, "r", 3, 3) + deliver(2, "r", 2);
  expect_taken(replay_text(header(8) + story + free_input("r", 0)));
}

std::string encdec_first_pass(std::string_view more_of_end) {
  return add("r", image("h", 0, 4)) + begin(1) + of_input("check", "r", 0, by({plan("r", 1)})) +
         can_allocate("r", 0, "") + of_input("allocate", "r", 0, by({rule("encdec_allocate")})) +
         end(1, scheduled("r", 0, 1), {commit()}, more_of_end, "encdec_end_pass") + execute(1) +
         gather(1, "r", 0, 1, 0, "", "encdec_read") + deliver(1, "r");
}

TEST(ScenarioReplayTest, EncoderDecoder) {
  const auto credit = [](std::string_view more = "") {
    return of_input("free_input", "r", 0,
                    std::string(more) + by({release("r", 0, "encdec_release")}));
  };
  const auto story = header(4, 0, 1, "encoder_decoder") +
                     encdec_first_pass(R"(,"encode":{"r":[0]},"notices":[])") +
                     credit(R"(,"free":4)");
  const auto told = begin(2) +
                    end(2, scheduled("r", 1, 1), {plan("r", 1), rule("encdec_skip"), commit()},
                        R"(,"notices":["h"])", "encdec_end_pass") +
                    execute(2);
  expect_taken(replay_text(story + told));
  expect_taken(replay_text(story + credit() + told), 1);
  const auto result = replay_text(story + credit() + told, "encdec-credit-repeats");
  expect_diverges(result, 12, "exact-slots");
  EXPECT_EQ(result.observed, "capacity 4, free 8, charged 0");
  const auto early = replay_text(story + told, "encdec-notice-early");
  EXPECT_EQ(early.status, report::ReplayStatus::diverges);
  EXPECT_EQ(early.line, 7U);
}

TEST(ScenarioReplayTest, RecordedEncoderDecoderAsksAtEveryDelivery) {
  const std::string text =
      R"({"event":"header","format":"holdfast-trace","version":1,"source":"vllm","manager":"encoder_decoder","pipeline_depth":1,"capacity":4,"encoder_budget":4,"lookahead":0})"
      "\n" +
      add("r", image("h", 0, 4)) + begin(1) +
      of_input("check", "r", 0, R"(,"hit":false,"free":4)") +
      of_input("can_allocate", "r", 0,
               R"(,"compute_budget":4,"scheduled_embeds":0,"ok":true,"evicted":[])") +
      of_input("allocate", "r", 0, R"(,"free":0)") +
      R"({"event":"take_freed","hashes":[]})"
      "\n" +
      end(1, scheduled("r", 0, 1), {}) + execute(1) + deliver(1, "r") +
      of_input("free_input", "r", 0, R"(,"free":4)") + begin(2) +
      R"({"event":"take_freed","hashes":["h"]})"
      "\n" +
      end(2, scheduled("r", 1, 1), {}) + execute(2) + deliver(2, "r") +
      of_input("free_input", "r", 0, R"(,"free":4)") + begin(3) +
      R"({"event":"take_freed","hashes":[]})"
      "\n" +
      end(3, "", {});
  expect_conforms(replay_text(bare(text)));
  expect_diverges(replay_text(bare(text), "encdec-credit-repeats"), 17, "exact-slots");
}

TEST(ScenarioReplayTest, WhoCreditsEveryInputDoesSoForARequestThatNeverHeldOne) {
  const auto story = header(4, 0, 1, "encoder_decoder") + add("r", image("h", 0, 4)) + abort("r");
  expect_taken(replay_text(story));
  const trace::TemporaryFile file(story);
  const auto result = replay(file.path(), *spec::profile_named("encdec-credit=every-call"));
  EXPECT_EQ(result.property, "exact-slots");
  EXPECT_EQ(result.observed, "capacity 4, free 8, charged 0");
}

TEST(ScenarioReplayTest, ARankingMayBeAskedFor) {
  const trace::TemporaryFile file(
      header(8) + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0, plan("r", 6)) +
      end(1, scheduled("r", 0, 6, 2, 3), {commit(2, 3)}) + execute(1) + deliver(1, "r", 2));
  Options options;
  options.property = "output-counts";
  expect_conforms(replay(file.path(), {}, options));
  const auto result = replay(file.path(), *spec::profile_named("placeholders=forgotten"), options);
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_EQ(result.property, "output-counts");
  EXPECT_THAT(result.observed, HasSubstr("confirmed"));
}

TEST(ScenarioReplayTest, AFileOfASearchNamesASystemAndAProperty) {
  const std::string_view source = "holdfast test";
  const auto replay_from = [&](std::string_view other) {
    auto story = header(4, 0, 1, "encoder_decoder") + add("r", image("h", 0, 4)) + abort("r");
    story.replace(story.find(source), source.size(), other);
    const trace::TemporaryFile file(story);
    return replay(file.path(), *spec::profile_named("encdec-credit=every-call"));
  };
  EXPECT_EQ(replay_from("holdfast ablate encdec-credit=every-call exact-slots").property,
            "exact-slots");
  EXPECT_EQ(replay_from("holdfast ablate encdec-credit=every-call same-size").property, "");
  EXPECT_EQ(replay_from("holdfast ablate").property, "exact-slots");
  for (const char* bad :
       {"holdfast ablate encdec-credit=every-call no-such-property", "holdfast hunt vllm-0.33.0",
        "holdfast ablate encdec-credit=never exact-slots", "holdfast hunt vllm-9 progress",
        "holdfast hunt vllm-0.33.0 progress and more", "holdfast ablate sorted-spans exact-slots"})
    try {
      replay_from(bad);
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 1U) << bad;
    }
}

TEST(ScenarioReplayTest, FaultOfTheFileIsAnInputError) {
  try {
    replay_text(header(8) + begin(2));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2U);
  }
}

TEST(ScenarioReplayTest, OnePropertyMayBeAskedFor) {
  const trace::TemporaryFile file(header(8, 1) + clipped_before_h());
  Options options;
  options.property = "exact-slots";
  expect_conforms(replay(file.path(), profile("no-boundary-fallback"), options));
}

/// Of a file by hand that names no rules only what drives is read: the pass decides the rest.
TEST(ScenarioReplayTest, WithoutRulesTheReferencePassDecides) {
  const auto story = add("r", image("h", 0, 4)) + begin(1) + end(1, "", {}) + execute(1) +
                     deliver(1, "r") + begin(2);
  const auto result = replay_text(bare(header(8) + story));
  expect_taken(result);
  EXPECT_EQ(result.events, 7U);
  expect_taken(replay_text(bare(header(8) + add("r", "") + begin(1) + end(1, "", {}) + begin(2))),
               1);
}

void expect_refused(const std::string& text, std::uint64_t line, std::string_view says) {
  try {
    replay_text(text);
    ADD_FAILURE() << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(std::string(says)));
  }
}

/// Nothing says what an answer is to be compared with: it must not be passed over in silence.
TEST(ScenarioReplayTest, WithoutRulesNoAnswerIsTaken) {
  const auto start = bare(header(8) + add("r", image("h", 0, 4)) + begin(1));
  expect_refused(start + of_input("check", "r", 0, R"(,"hit":true)"), 4, "rules");
  expect_refused(start + bare(end(1, scheduled("r", 0, 4), {})), 4, "rules");
  expect_refused(start + R"({"event":"state","lru":[]})"
                         "\n",
                 4, "rules");
}

TEST(ScenarioReplayTest, WhatASearchWritesNamesItsRules) {
  for (const std::string command : {"refute", "ablate"}) {
    auto text = bare(header(8) + add("r", ""));
    text.replace(text.find("holdfast test"), 13, "holdfast " + command);
    expect_refused(text, 2, "holdfast " + command);
  }
}

TEST(ScenarioReplayTest, RulesAreNamedFromTheFirstEventOnOrNot) {
  expect_refused(header(8) + bare(add("r", "")) + begin(1), 3, "first event");
}

}  // namespace
}  // namespace holdfast::verify::replay::inline driven
