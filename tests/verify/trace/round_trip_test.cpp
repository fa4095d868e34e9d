// The recorded traces: what is read is what is there, and written again it is the same bytes.
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/trace/trace_files.hpp"
#include "verify/trace/form.hpp"
#include "verify/trace/reader.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::trace {
namespace {

using Counts = std::map<std::string, int>;

// Counted by tests/data/traces/count_events.py, which knows nothing of this reader.
const std::map<std::string, Counts>& expected_counts() {
  static const std::map<std::string, Counts> counts = {
#include "tests/data/traces/vllm-0.33.0/counts.inc"
  };
  return counts;
}

class Recorded : public testing::TestWithParam<std::string_view> {};

TEST_P(Recorded, EventsAreCounted) {
  TraceReader reader(recorded_path(GetParam()));
  Counts counts;
  int total = 0;
  while (const auto event = reader.next()) {
    ++counts[std::string(name_of(*event))];
    ++total;
    EXPECT_EQ(reader.line(), total);
  }
  EXPECT_EQ(counts, expected_counts().at(std::string(GetParam())));
}

TEST_P(Recorded, IsWrittenBackByteForByte) {
  LineSource lines(recorded_path(GetParam()), std::size_t{1} << 20U);
  TraceReader reader(recorded_path(GetParam()));
  while (const auto line = lines.next()) {
    const auto event = reader.next();
    ASSERT_TRUE(event) << "line " << lines.line();
    ASSERT_EQ(to_line(*event), std::string(*line) + "\n") << "line " << lines.line();
  }
  EXPECT_FALSE(reader.next());
}

INSTANTIATE_TEST_SUITE_P(Vllm, Recorded, testing::ValuesIn(recorded_names), [](const auto& name) {
  std::string word(name.param);
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
});

Event parse(const std::string& line) {
  JsonTape tape;
  return parse_event(tape.parse(line));
}

TEST(Writer, LeavesOutAbsentAnswers) {
  const std::string bare[] = {
      R"({"event":"header","format":"holdfast-trace","version":1,"source":"x","manager":"encoder_decoder","pipeline_depth":1,"capacity":8,"encoder_budget":8,"lookahead":0})",
      R"({"event":"check","request":"r","input":0})",
      R"({"event":"can_allocate","request":"r","input":0,"compute_budget":4,"scheduled_embeds":0})",
      R"({"event":"allocate","request":"r","input":0})",
      R"({"event":"free_input","request":"r","input":0})",
      R"({"event":"free_request","request":"r"})",
      R"({"event":"take_freed"})",
      R"({"event":"reset"})",
      R"({"event":"worker_reset"})",
      R"({"event":"end_pass","pass":1,"scheduled":[]})",
      R"({"event":"gather","pass":1,"request":"r","start":0,"tokens":1,"lookahead":0})",
      R"({"event":"deliver","pass":1,"outputs":[{"request":"r","generated":0,"rejected":0}]})",
      R"({"event":"draft","proposed":{}})",
      R"({"event":"state"})",
  };
  for (const std::string& line : bare) EXPECT_EQ(to_line(parse(line)), line + "\n");
}

/// Every event that may stand for rules, and every argument that a rule may have.
TEST(Writer, KeepsTheRules) {
  for (const std::string& line : scenario_lines()) EXPECT_EQ(to_line(parse(line)), line + "\n");
  const Taken all{"x", "r", 1, "h", 2, 3, 4, 5, 6, 7, 8};
  for (Event event :
       {Event(AddRequest{"r", 1, 1, 0, {}}), Event(BeginPass{1}), Event(Check{"r", 0, {}, {}, {}}),
        Event(CanAllocate{"r", 0, 1, 1, {}, {}, {}, {}}), Event(Allocate{"r", 0, {}, {}}),
        Event(FreeInput{"r", 0, {}, {}}), Event(FreeRequest{"r", {}, {}, {}}),
        Event(TakeFreed{{}, {}, {}}), Event(Reset{{}, {}}), Event(WorkerReset{}),
        Event(Preempt{"r"}), Event(EndPass{1, {}, {}, {}, {}}), Event(Execute{1}),
        Event(Gather{1, "r", 0, 1, 0, {}, {}}), Event(Deliver{1, {}}),
        Event(Finish{"r", FinishReason::stopped}), Event(State{})}) {
    std::visit(
        [&](auto& e) {
          if constexpr (requires { e.rules; }) e.rules = {all, Taken{"y"}};
        },
        event);
    const auto line = to_line(event);
    EXPECT_THAT(
        line,
        testing::EndsWith(
            R"("rules":[{"rule":"x","request":"r","input":1,"hash":"h","pass":2,"tokens":3,"hit":4,"drafts":5,"owed":6,"rejected":7,"start":8},{"rule":"y"}]})"
            "\n"));
    EXPECT_EQ(parse(line), event);
  }
}

TEST(Writer, KeepsTheThreeMisses) {
  const std::string start =
      R"({"event":"gather","pass":1,"request":"r","start":0,"tokens":1,"lookahead":0)";
  const auto miss = [&](const std::string& rest) {
    const Event event = parse(start + rest + "}");
    EXPECT_EQ(to_line(event), start + rest + "}\n");
    return std::get<Gather>(event).miss;
  };
  EXPECT_EQ(miss(""), std::nullopt);
  EXPECT_EQ(miss(R"(,"miss":null)"), Miss{});
  EXPECT_EQ(miss(R"(,"miss":"h1")"), Miss{"h1"});
}

TEST(Writer, EscapesWhatJsonCannotHold) {
  const Event event = Preempt{"a\"b\\c\n\x01/\x7f\xc3\xa9\xf0\x9f\x98\x80"};
  EXPECT_EQ(to_line(event),
            "{\"event\":\"preempt\",\"request\":\"a\\\"b\\\\c\\u000a\\u0001/\x7f\xc3\xa9"
            "\xf0\x9f\x98\x80\"}\n");
  EXPECT_EQ(parse(to_line(event)), event);
}

TEST(Writer, KeepsExtremeNumbers) {
  for (const std::int64_t priority : {INT64_MIN + 1, INT64_MAX}) {
    const Event event = AddRequest{"r", count_limit - 1, 1, priority, {}};
    EXPECT_EQ(parse(to_line(event)), event);
  }
}

TEST(Reader, TakesKeysInAnyOrder) {
  const Event event = parse(R"( { "input" : 3 , "free":1, "request":"r","event":"check"} )");
  EXPECT_EQ(event, Event(Check{"r", 3, std::nullopt, 1, std::nullopt}));
}

}  // namespace
}  // namespace holdfast::verify::trace
