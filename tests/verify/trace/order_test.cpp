// What may follow what, file by file: the place of each fault and the words of its message.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/trace/trace_files.hpp"
#include "verify/base/errors.hpp"
#include "verify/trace/reader.hpp"

namespace holdfast::verify::trace {
namespace {

using Lines = std::vector<std::string>;
using testing::HasSubstr;

const std::string header =
    R"({"event":"header","format":"holdfast-trace","version":1,"source":"test","manager":"decoder_only","pipeline_depth":2,"capacity":8,"encoder_budget":8,"lookahead":0})";

std::string add(const std::string& request, const std::string& features) {
  return R"({"event":"add_request","request":")" + request +
         R"(","prompt_tokens":20,"max_tokens":4,"priority":0,"features":[)" + features + "]}";
}

std::string feature(const std::string& hash, std::int64_t offset, std::int64_t length,
                    const std::string& rest = "") {
  const std::string embeds = rest.empty() ? ",\"embeds\":" + std::to_string(length) : "," + rest;
  return R"({"hash":")" + hash + R"(","offset":)" + std::to_string(offset) + R"(,"length":)" +
         std::to_string(length) + embeds + "}";
}

std::string event(const std::string& name, const std::string& rest = "") {
  return R"({"event":")" + name + "\"" + (rest.empty() ? "" : "," + rest) + "}";
}

std::string pass_event(const std::string& name, int pass) {
  const std::string rest = name == "end_pass"  ? R"(,"scheduled":[])"
                           : name == "deliver" ? R"(,"outputs":[])"
                                               : "";
  return event(name, R"("pass":)" + std::to_string(pass) + rest);
}

const std::string gather_1 =
    R"({"event":"gather","pass":1,"request":"r0","start":0,"tokens":4,"lookahead":0,"miss":null})";

/// Header, r0 with features a [0, 4) and b [4, 8), r1 without any: three lines.
Lines opening() {
  return {header, add("r0", feature("a", 0, 4) + "," + feature("b", 4, 4)), add("r1", "")};
}

Lines operator+(Lines lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

/// "LINE: message" of the fault, or "" after reading everything.
std::string order_fault(const Lines& lines, const ReaderOptions& options = {}) {
  std::string content;
  for (const std::string& line : lines) content += line + "\n";
  const TemporaryFile file(content);
  try {
    TraceReader reader(file.path(), options);
    while (reader.next()) {
    }
    EXPECT_EQ(reader.line(), lines.size());
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), file.path());
    EXPECT_EQ(std::string(error.what()),
              file.path() + ":" + std::to_string(error.line().value()) + ": " + error.message());
    return std::to_string(*error.line()) + ": " + error.message();
  }
}

TEST(Order, AWholePipelineIsFine) {
  EXPECT_EQ(
      order_fault(opening() +
                  Lines{
                      pass_event("begin_pass", 1),
                      event("check", R"("request":"r0","input":1)"),
                      event("preempt", R"("request":"r1")"),
                      event("free_request", R"("request":"r1")"),
                      event("take_freed"),
                      pass_event("end_pass", 1),
                      pass_event("begin_pass", 2),
                      pass_event("execute", 1),  // the worker runs beside the scheduler
                      gather_1,
                      pass_event("end_pass", 2),
                      event("preempt", R"("request":"r1")"),
                      pass_event("execute", 2),
                      event("reset"),
                      event("worker_reset"),
                      pass_event("deliver", 1),
                      event("draft", R"("proposed":{"r0":1})"),
                      event("finish", R"("request":"r0","reason":"stopped")"),
                      event("deliver",
                            R"("pass":2,"outputs":[{"request":"r0","generated":1,"rejected":0}])"),
                      event("free_input", R"("request":"r0","input":0)"),
                      event("free_request", R"("request":"r0","held":[1])"),
                      event("state", R"("cached":{"a":["r0"]},"lru":["b"])"),
                  }),
      "");
}

TEST(Order, AManagerScenarioExecutesNothing) {
  Lines lines = opening();
  for (int pass = 1; pass <= 50; ++pass) {
    lines = lines + Lines{pass_event("begin_pass", pass), pass_event("end_pass", pass)};
  }
  EXPECT_EQ(order_fault(lines), "");
  EXPECT_EQ(order_fault(lines + Lines{pass_event("execute", 25), pass_event("deliver", 25)}), "");
  EXPECT_EQ(order_fault(lines + Lines{pass_event("execute", 25), pass_event("execute", 25)}),
            "105: execute of pass 25, which was executed before");
}

struct OrderCase {
  Lines lines;
  std::string message;
};

void expect_faults(const std::vector<OrderCase>& cases, const ReaderOptions& options = {}) {
  for (const OrderCase& c : cases) {
    const std::string found = order_fault(c.lines, options);
    EXPECT_THAT(found, HasSubstr(c.message)) << c.lines.back();
    EXPECT_THAT(found, testing::StartsWith(std::to_string(c.lines.size()) + ": "));
  }
}

TEST(Order, Header) {
  expect_faults({
      {{pass_event("begin_pass", 1)}, "expected a header as the first line, found begin_pass"},
      {{header, header}, "a second header"},
  });
}

TEST(Order, Requests) {
  const Lines in_pass = opening() + Lines{pass_event("begin_pass", 1)};
  const std::string unknown = "unknown request 'r9'";
  const std::string range = "input 2 is out of range: request 'r0' was added with 2 features";
  const Lines ended = in_pass + Lines{pass_event("end_pass", 1)};
  const Lines executed = ended + Lines{pass_event("execute", 1)};
  const Lines finished = opening() + Lines{event("finish", R"("request":"r0","reason":"aborted")")};
  const std::string gone = "request 'r0' has finished";
  std::string gather_9 = gather_1;
  gather_9.replace(gather_9.find("r0"), 2, "r9");
  const auto scheduled = [](const std::string& id) {
    return R"({"request":")" + id + R"(","computed":0,"tokens":1,"drafts":0,"placeholders":0})";
  };
  const auto output = [](const std::string& id) {
    return R"({"request":")" + id + R"(","generated":0,"rejected":0})";
  };
  expect_faults({
      {opening() + Lines{add("r0", "")}, "request 'r0' was added before"},
      {finished + Lines{add("r0", "")}, "request 'r0' was added before"},
      {in_pass + Lines{event("check", R"("request":"r9","input":0)")}, unknown},
      {in_pass + Lines{event("check", R"("request":"r0","input":2)")}, range},
      {in_pass + Lines{event("check", R"("request":"r1","input":0)")}, "added with 0 features"},
      {in_pass +
           Lines{event("can_allocate",
                       R"("request":"r0","input":2,"compute_budget":1,"scheduled_embeds":0)")},
       range},
      {in_pass +
           Lines{event("can_allocate",
                       R"("request":"r9","input":0,"compute_budget":1,"scheduled_embeds":0)")},
       unknown},
      {in_pass + Lines{event("allocate", R"("request":"r0","input":2)")}, range},
      {in_pass + Lines{event("allocate", R"("request":"r9","input":0)")}, unknown},
      {opening() + Lines{event("free_input", R"("request":"r0","input":2)")}, range},
      {opening() + Lines{event("free_input", R"("request":"r9","input":0)")}, unknown},
      {opening() + Lines{event("free_request", R"("request":"r0","held":[0,2])")}, range},
      {opening() + Lines{event("free_request", R"("request":"r9")")}, unknown},
      {opening() + Lines{event("preempt", R"("request":"r9")")}, unknown},
      {opening() + Lines{event("finish", R"("request":"r9","reason":"stopped")")}, unknown},
      {opening() + Lines{event("draft", R"("proposed":{"r9":0})")}, unknown},
      {opening() + Lines{event("state", R"("cached":{"a":["r9"]})")}, unknown},
      {in_pass + Lines{event("end_pass", R"("pass":1,"scheduled":[)" + scheduled("r9") + "]")},
       unknown},
      {in_pass + Lines{event("end_pass", R"("pass":1,"scheduled":[)" + scheduled("r0") + "," +
                                             scheduled("r0") + "]")},
       "request 'r0' is scheduled twice in one pass"},
      {in_pass + Lines{event("end_pass", R"("pass":1,"scheduled":[],"encode":{"r9":[0]})")},
       unknown},
      {in_pass + Lines{event("end_pass", R"("pass":1,"scheduled":[],"encode":{"r0":[2]})")}, range},
      {executed + Lines{gather_9}, unknown},
      {executed + Lines{event("deliver", R"("pass":1,"outputs":[)" + output("r9") + "]")}, unknown},
      {executed + Lines{event("deliver",
                              R"("pass":1,"outputs":[)" + output("r0") + "," + output("r0") + "]")},
       "request 'r0' has two outputs in one pass"},
      {finished + Lines{event("finish", R"("request":"r0","reason":"aborted")")}, gone},
      {finished + Lines{event("preempt", R"("request":"r0")")}, gone},
      {finished + Lines{event("draft", R"("proposed":{"r0":0})")}, gone},
      {finished + Lines{pass_event("begin_pass", 1), event("check", R"("request":"r0","input":0)")},
       gone},
  });
}

TEST(Order, Hashes) {
  const Lines in_pass = opening() + Lines{pass_event("begin_pass", 1)};
  const Lines executed = in_pass + Lines{pass_event("end_pass", 1), pass_event("execute", 1)};
  const std::string unknown = "unknown hash 'z'";
  std::string missed = gather_1;
  missed.replace(missed.find("null"), 4, "\"z\"");
  expect_faults({
      {in_pass +
           Lines{event(
               "can_allocate",
               R"("request":"r0","input":0,"compute_budget":1,"scheduled_embeds":0,"evicted":["a","z"])")},
       unknown},
      {in_pass + Lines{event("take_freed", R"("hashes":["z"])")}, unknown},
      {in_pass + Lines{event("end_pass", R"("pass":1,"scheduled":[],"notices":["z"])")}, unknown},
      {opening() + Lines{event("state", R"("cached":{"z":[]})")}, unknown},
      {opening() + Lines{event("state", R"("lru":["b","z"])")}, unknown},
      {executed + Lines{missed}, unknown},
  });
}

TEST(Order, Passes) {
  const Lines in_pass = opening() + Lines{pass_event("begin_pass", 1)};
  const Lines ended = in_pass + Lines{pass_event("end_pass", 1)};
  const Lines executed = ended + Lines{pass_event("execute", 1)};
  const Lines second = executed + Lines{pass_event("begin_pass", 2), pass_event("end_pass", 2),
                                        pass_event("execute", 2)};
  const Lines delivered = executed + Lines{pass_event("deliver", 1)};
  expect_faults({
      {opening() + Lines{pass_event("begin_pass", 2)}, "begin_pass of pass 2; expected pass 1"},
      {ended + Lines{pass_event("begin_pass", 1)}, "begin_pass of pass 1; expected pass 2"},
      {in_pass + Lines{pass_event("begin_pass", 2)},
       "begin_pass inside pass 1; expected its end_pass first"},
      {in_pass + Lines{pass_event("end_pass", 2)},
       "end_pass of pass 2; expected pass 1, which is open"},
      {ended + Lines{pass_event("end_pass", 1)},
       "end_pass outside a pass; expected begin_pass first"},
      {opening() + Lines{pass_event("execute", 1)}, "execute of pass 1, which has not begun"},
      {in_pass + Lines{pass_event("execute", 1)},
       "execute of pass 1, which has not ended; expected its end_pass first"},
      {executed + Lines{pass_event("execute", 1)}, "execute of pass 1, which was executed before"},
      {delivered + Lines{pass_event("execute", 1)}, "execute of pass 1, which was executed before"},
      {opening() + Lines{pass_event("deliver", 1)}, "deliver of pass 1, which was not executed"},
      {ended + Lines{pass_event("deliver", 1)},
       "deliver of pass 1, which was not executed; expected its execute first"},
      {delivered + Lines{pass_event("deliver", 1)},
       "deliver of pass 1, which was delivered before"},
      {opening() + Lines{gather_1}, "gather of pass 1; expected an execute of it first"},
      {ended + Lines{gather_1}, "gather of pass 1; expected an execute of it first"},
      {delivered + Lines{gather_1}, "gather of pass 1; expected an execute of it first"},
      {second + Lines{gather_1}, "gather of pass 1; expected pass 2, the last one executed"},
      {opening() + Lines{event("check", R"("request":"r0","input":0)")},
       "check outside a pass; expected begin_pass first"},
      {opening() +
           Lines{event("can_allocate",
                       R"("request":"r0","input":0,"compute_budget":1,"scheduled_embeds":0)")},
       "can_allocate outside a pass"},
      {opening() + Lines{event("allocate", R"("request":"r0","input":0)")},
       "allocate outside a pass"},
      {opening() + Lines{event("take_freed")}, "take_freed outside a pass"},
      {in_pass + Lines{add("r2", "")}, "add_request inside pass 1"},
      {in_pass + Lines{event("reset")}, "reset inside pass 1"},
      {executed + Lines{pass_event("begin_pass", 2), pass_event("deliver", 1)},
       "deliver inside pass 2"},
      {in_pass + Lines{event("draft", R"("proposed":{})")}, "draft inside pass 1"},
      {in_pass + Lines{event("finish", R"("request":"r0","reason":"stopped")")},
       "finish inside pass 1"},
  });
}

TEST(Order, Spans) {
  const auto with = [](const std::string& features) { return Lines{header, add("r", features)}; };
  const std::string first = feature("a", 4, 4) + ",";
  const auto mask = [](int embeds, const std::string& runs) {
    return "\"embeds\":" + std::to_string(embeds) + ",\"mask\":[" + runs + "]";
  };
  expect_faults({
      {with(feature("a", 17, 4)),
       "features[0]: the feature [17, 21) ends past the prompt of 20 tokens"},
      {with(feature("a", 1099511627775, 4)), "ends past the prompt"},
      {with(first + feature("b", 0, 4)),
       "features[1]: features out of order: [0, 4) comes after [4, 8)"},
      {with(feature("a", 0, 4, "\"embeds\":3")),
       "features[0].embeds: expected the length 4, as there is no mask; found 3"},
      {with(feature("a", 0, 4, "\"embeds\":5")), "embeds: expected the length 4"},
      {with(feature("a", 0, 4, mask(2, ""))),
       "features[0].mask: expected runs, found an empty array"},
      {with(feature("a", 0, 4, mask(2, "[0,1]"))),
       "features[0].embeds: expected 1, the positions of the mask; found 2"},
      {with(feature("a", 0, 4, mask(2, "[3,2]"))),
       "features[0].mask[0]: the run [3, 5) ends past the feature"},
      {with(feature("a", 0, 4, mask(1, "[4,1]"))), "ends past the feature"},
      {with(feature("a", 0, 4, mask(2, "[2,1],[0,1]"))),
       "features[0].mask[1]: the run [0, 1) starts before the end of the run before it"},
      {with(feature("a", 0, 4, mask(3, "[0,2],[1,1]"))), "starts before the end"},
  });
  EXPECT_EQ(order_fault(with(feature("a", 16, 4))), "");
  for (const auto& audio_in_video : {feature("b", 7, 4), feature("b", 4, 3), feature("b", 4, 4)})
    EXPECT_EQ(order_fault(with(first + audio_in_video)), "") << audio_in_video;
  EXPECT_EQ(order_fault(with(feature("a", 0, 4, mask(3, "[0,1],[1,2]")))), "") << "adjacent runs";
  EXPECT_EQ(order_fault(with(feature("a", 0, 4, mask(4, "[0,4]")))), "") << "a full mask";
}

TEST(Order, SpansThatOptionsAllow) {
  const auto with = [](const std::string& features) { return Lines{header, add("r", features)}; };
  const Lines identical =
      with(feature("a", 4, 4) + "," + feature("b", 4, 4) + "," + feature("c", 8, 4));
  const Lines overlapping = with(feature("a", 4, 4) + "," + feature("b", 5, 4));
  const Lines unsorted = with(feature("a", 4, 4) + "," + feature("b", 0, 4));
  const Lines past = with(feature("a", 18, 4));
  ReaderOptions options;
  for (const auto& lines : {identical, overlapping}) EXPECT_EQ(order_fault(lines, options), "");
  EXPECT_NE(order_fault(unsorted, options), "");
  options.spans = {.allow_unsorted = true};
  EXPECT_EQ(order_fault(identical, options), "");
  EXPECT_EQ(order_fault(overlapping, options), "");
  EXPECT_EQ(order_fault(unsorted, options), "");
  EXPECT_NE(order_fault(past, options), "");
  options.spans = {.allow_past_prompt = true};
  EXPECT_EQ(order_fault(past, options), "");
  EXPECT_NE(order_fault(unsorted, options), "");
}

TEST(Order, AnEncodersInputIsNotThePrompt) {
  std::string whisper = header;
  whisper.replace(whisper.find("decoder_only"), 12, "encoder_decoder");
  EXPECT_EQ(order_fault({whisper, add("r", feature("audio", 0, 1500))}), "");
}

// -- rules --

TEST(Order, AScenarioThatNamesItsRulesIsFine) { EXPECT_EQ(order_fault(scenario_lines()), ""); }

/// Line 5 of the scenario, a check, with these rules.
std::string fault_of_rules(const std::string& rules) {
  auto lines = scenario_lines();
  lines.resize(5);
  lines[4] = event("check", R"("request":"r0","input":0,"rules":[)" + rules + "]");
  return order_fault(lines);
}

TEST(Order, ARuleIsOneOfTheManagers) {
  EXPECT_EQ(fault_of_rules(R"({"rule":"touhc"})"),
            "5: check.rules[0]: unknown rule 'touhc'; did you mean 'touch'?");
  EXPECT_THAT(fault_of_rules(R"({"rule":"skip"},{"rule":"nothing like it"})"),
              HasSubstr("check.rules[1]: unknown rule 'nothing like it'; expected one of"));
  EXPECT_THAT(fault_of_rules(R"({"rule":"encdec_skip"})"), HasSubstr("unknown rule"));
}

TEST(Order, ARuleHasItsArgumentsAndNoOthers) {
  EXPECT_EQ(fault_of_rules(R"({"rule":"plan","request":"r0","tokens":1})"),
            "5: check.rules[0]: rule 'plan': expected 'request', 'tokens', 'hit', found "
            "'request', 'tokens'");
  EXPECT_EQ(fault_of_rules(R"({"rule":"touch","input":0})"),
            "5: check.rules[0]: rule 'touch': expected no argument, found 'input'");
  EXPECT_EQ(fault_of_rules(R"({"rule":"evict","hash":0})"),
            "5: check.rules[0].hash: expected an id (a string that is not empty), found 0");
  EXPECT_EQ(
      fault_of_rules(R"({"rule":"allocate","input":"h0"})"),
      "5: check.rules[0].input: expected a whole number from 0 to 2^40 - 1, found the string 'h0'");
  EXPECT_THAT(fault_of_rules(R"({"rule":"skip","by":1})"),
              HasSubstr("check.rules[0]: unknown field 'by'"));
  EXPECT_THAT(fault_of_rules(R"({"request":"r0"})"), HasSubstr("missing field 'rule'"));
}

TEST(Order, ARuleSpeaksOfWhatThereIs) {
  EXPECT_THAT(fault_of_rules(R"({"rule":"preempt","request":"r9"})"),
              HasSubstr("unknown request 'r9'"));
  EXPECT_THAT(fault_of_rules(R"({"rule":"evict","hash":"h9"})"), HasSubstr("unknown hash 'h9'"));
  EXPECT_THAT(fault_of_rules(R"({"rule":"release","request":"r0","input":1})"),
              HasSubstr("input 1 is out of range"));
  EXPECT_THAT(fault_of_rules(R"({"rule":"deliver","pass":2,"request":"r0","rejected":0})"),
              HasSubstr("pass 2 has not begun"));
}

TEST(Order, RulesAreNamedFromTheFirstEventOnOrNot) {
  EXPECT_EQ(order_fault(opening() + Lines{event("reset", R"("rules":[])")}),
            "4: reset.rules: the first event of the file names no rules; expected none here");
  auto lines = scenario_lines();
  lines[3] = pass_event("begin_pass", 1);
  EXPECT_EQ(order_fault(lines), "");
}

}  // namespace
}  // namespace holdfast::verify::trace
