#include "verify/diff/exec/questions.hpp"

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/trace/events.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> faults(const trace::Event& event, std::string_view answer) {
  return AnswerReader().faults(event, answer);
}

const trace::Event miss = trace::Check{"r0", 1, false, 3, 5};
const trace::Event room =
    trace::CanAllocate{"r0", 1, 9, 2, true, std::vector<std::string>{"h1", "h2"}, 3, 5};
const trace::Event freed = trace::TakeFreed{std::vector<std::string>{"h1", "h2"}, 3, 5};
const trace::Event state = trace::State{
    trace::ById<std::vector<std::string>>{{"h1", {"r0", "r1"}}, {"h2", {}}, {"h3", {}}},
    std::vector<std::string>{"h2", "h3"}, 3, 5};

TEST(Questions, LeaveTheAnswersOut) {
  EXPECT_EQ(question(miss), "{\"event\":\"check\",\"request\":\"r0\",\"input\":1}\n");
  EXPECT_EQ(question(room),
            "{\"event\":\"can_allocate\",\"request\":\"r0\",\"input\":1,\"compute_budget\":9,"
            "\"scheduled_embeds\":2}\n");
  EXPECT_EQ(question(freed), "{\"event\":\"take_freed\"}\n");
  EXPECT_EQ(question(state), "{\"event\":\"state\"}\n");
  EXPECT_EQ(question(trace::EndPass{3, {}, {{{"r0", {1}}}}, {{"h1"}}, 7}),
            "{\"event\":\"end_pass\",\"pass\":3,\"scheduled\":[],\"kv_free\":7}\n");
  // The order in which its inputs are given back is the scheduler's.
  EXPECT_EQ(question(trace::FreeRequest{"r0", {{2, 0}}, 3, 5}),
            "{\"event\":\"free_request\",\"request\":\"r0\",\"held\":[2,0]}\n");
}

TEST(Answers, ThatAreTheSameHaveNoFault) {
  EXPECT_THAT(faults(miss, R"({"hit":false,"free":3,"reclaimable":5})"), IsEmpty());
  EXPECT_THAT(faults(miss, R"( { "reclaimable" : 5 , "free":3, "hit":false } )"), IsEmpty());
  EXPECT_THAT(faults(room, R"({"ok":true,"evicted":["h1","h2"],"free":3,"reclaimable":5})"),
              IsEmpty());
  EXPECT_THAT(faults(trace::BeginPass{1}, "{}"), IsEmpty());
}

TEST(Answers, AreComparedByEachKey) {
  EXPECT_THAT(
      faults(miss, R"({"hit":true,"free":4,"reclaimable":-1})"),
      ElementsAre("hit: model false, implementation true", "free: model 3, implementation 4",
                  "reclaimable: model 5, implementation -1"));
  EXPECT_THAT(faults(room, R"({"ok":false,"evicted":["h1"],"free":3,"reclaimable":5})"),
              ElementsAre("ok: model true, implementation false",
                          R"(evicted: model ["h1", "h2"], implementation ["h1"])"));
  EXPECT_THAT(faults(state, R"({"cached":{"h1":["r0"],"h2":[],"h3":[]},"lru":["h2","h3"],)"
                            R"("free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr(R"(implementation {"h1": ["r0"], "h2": [], "h3": []})")));
}

// Oldest first is an order, sets have none.
TEST(Answers, HaveAnOrderWhereItCounts) {
  EXPECT_THAT(faults(room, R"({"ok":true,"evicted":["h2","h1"],"free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr("evicted: ")));
  EXPECT_THAT(faults(freed, R"({"hashes":["h2","h1"],"free":3,"reclaimable":5})"), IsEmpty());
  EXPECT_THAT(faults(freed, R"({"hashes":["h2","h1","h1"],"free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr("hashes: ")));
  EXPECT_THAT(faults(state, R"({"cached":{"h3":[],"h1":["r1","r0"],"h2":[]},"lru":["h2","h3"],)"
                            R"("free":3,"reclaimable":5})"),
              IsEmpty());
  EXPECT_THAT(faults(state, R"({"cached":{"h3":[],"h1":["r1","r0"],"h2":[]},"lru":["h3","h2"],)"
                            R"("free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr("lru: ")));
}

TEST(Answers, LackNothing) {
  EXPECT_THAT(faults(miss, "{}"),
              ElementsAre("hit: missing; the model says false", "free: missing; the model says 3",
                          "reclaimable: missing; the model says 5"));
  // But for who does not show what it holds.
  EXPECT_THAT(faults(state, "{}"), IsEmpty());
  EXPECT_THAT(faults(state, R"({"free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr("cached: missing"), HasSubstr("lru: missing")));
}

TEST(Answers, HaveTheKindThatIsAskedFor) {
  EXPECT_THAT(faults(miss, R"({"hit":0,"free":"3","reclaimable":5.5})"),
              ElementsAre("hit: expected true or false, not 0",
                          "free: expected a whole number, not the string '3'",
                          "reclaimable: expected a whole number, not 5.5"));
  EXPECT_THAT(faults(freed, R"({"hashes":[1],"free":3,"reclaimable":5})"),
              ElementsAre(HasSubstr("hashes: expected a list of strings")));
  EXPECT_THAT(faults(freed, R"({"hashes":null,"free":99999999999999999999,"reclaimable":5})"),
              ElementsAre(HasSubstr("hashes: expected"), HasSubstr("free: expected")));
}

TEST(Answers, SayNothingElse) {
  EXPECT_THAT(faults(miss, R"({"hit":false,"free":3,"reclaimable":5,"extra":{"a":[1]}})"),
              ElementsAre("'extra': not expected here"));
  EXPECT_THAT(faults(miss, R"({"hit":false,"hit":false,"free":3,"reclaimable":5})"),
              ElementsAre("'hit': not expected here"));
  EXPECT_THAT(faults(trace::BeginPass{1}, R"({"free":3})"), ElementsAre(HasSubstr("not expected")));
}

TEST(Answers, AreOneJsonObject) {
  for (const char* answer : {"", "null", "[]", "hit", "{} {}", "{\"hit\":", "\xff", "3"})
    EXPECT_THAT(faults(miss, answer), ElementsAre(HasSubstr("expected a JSON object, not")))
        << answer;
}

// Whatever comes, it is told in printable words, and never as agreement unless it is.
TEST(Answers, MayBeAnyBytes) {
  constexpr unsigned seed = 20261201;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const std::string sound = R"({"hit":false,"free":3,"reclaimable":5})";
  AnswerReader reader;
  std::size_t agree = 0;
  for (int n = 0; n < 20'000; ++n) {
    std::string answer = sound;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const auto at = random() % answer.size();
      if (random() % 3 == 0)
        answer.erase(at, 1);
      else if (random() % 2 == 0)
        answer[at] = static_cast<char>(random());
      else
        answer.insert(at, 1, sound[random() % sound.size()]);
      if (answer.empty()) break;
    }
    const auto found = reader.faults(miss, answer);
    agree += found.empty();
    if (found.empty()) {
      std::string squeezed;
      for (const char c : answer)
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') squeezed += c;
      EXPECT_EQ(squeezed, sound);
    }
    for (const auto& line : found)
      for (const char c : line) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << n;
  }
  EXPECT_LT(agree, 2000U);
}

}  // namespace
}  // namespace holdfast::verify::diff::exec
