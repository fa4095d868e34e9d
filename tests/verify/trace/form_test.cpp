// Every field of every event: left out, doubled, misspelt, of every wrong type, out of its range.
#include "verify/trace/form.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/verify/trace/trace_files.hpp"
#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

/// What is wrong with the line; empty if nothing is.
std::string fault(const std::string& line) {
  try {
    JsonTape tape;
    (void)parse_event(tape.parse(line));
    return "";
  } catch (const LineError& error) {
    EXPECT_NE(error.what(), std::string());
    return error.what();
  }
}

std::string fault(const Json& line) { return fault(line.dump()); }

/// One full line for each event, from the recordings.
std::map<std::string, Json> examples() {
  std::map<std::string, Json> found;
  for (const std::string_view name : {"spec", "reset-async", "fcfs"}) {
    for (const std::string& line : recorded_lines(name)) {
      Json json = Json::parse(line);
      const std::string event = json["event"];
      const bool hollow = (event == "end_pass" && json["encode"].empty()) ||
                          (event == "add_request" && json["features"].empty());
      if (!hollow) found.emplace(event, std::move(json));
    }
  }
  return found;
}

/// The answers and the optional settings; everything else is required.
const std::map<std::string, std::set<std::string>> may_be_absent = {
    {"header",
     {"scheduling_policy", "token_budget", "draft_tokens", "chunked_mm_input", "kv_blocks",
      "kv_block_size", "kv_watermark_blocks", "long_prefill_threshold", "max_num_seqs",
      "max_model_len", "prefix_caching"}},
    {"check", {"hit", "free", "reclaimable"}},
    {"can_allocate", {"ok", "evicted", "free", "reclaimable"}},
    {"allocate", {"free", "reclaimable"}},
    {"free_input", {"free", "reclaimable"}},
    {"free_request", {"held", "free", "reclaimable"}},
    {"take_freed", {"hashes", "free", "reclaimable"}},
    {"reset", {"free", "reclaimable"}},
    {"end_pass", {"encode", "notices", "kv_free"}},
    {"gather", {"rows", "miss"}},
    {"state", {"cached", "lru", "free", "reclaimable"}},
};

bool required(const std::string& event, const std::string& field) {
  const auto found = may_be_absent.find(event);
  return found == may_be_absent.end() || !found->second.contains(field);
}

TEST(Form, EveryEventIsCovered) {
  EXPECT_EQ(examples().size(), std::variant_size_v<Event>);
  for (const auto& [event, line] : examples()) EXPECT_EQ(fault(line), "") << event;
}

TEST(Form, EveryFieldLeftOut) {
  for (const auto& [event, line] : examples()) {
    for (const auto& [field, value] : line.items()) {
      Json without = line;
      without.erase(field);
      if (field == "event") {
        EXPECT_EQ(fault(without), "missing field 'event'");
      } else if (required(event, field)) {
        EXPECT_EQ(fault(without), event + ": missing field '" + field + "'");
      } else {
        EXPECT_EQ(fault(without), "") << event << "." << field;
      }
    }
  }
}

TEST(Form, EveryFieldTwice) {
  for (const auto& [event, line] : examples()) {
    for (const auto& [field, value] : line.items()) {
      std::string text = line.dump();
      text.insert(text.size() - 1, ",\"" + field + "\":" + value.dump());
      EXPECT_THAT(fault(text), HasSubstr("field '" + field + "' appears twice"));
    }
  }
}

TEST(Form, EveryFieldMisspelt) {
  for (const auto& [event, line] : examples()) {
    for (const auto& [field, value] : line.items()) {
      if (field == "event") continue;
      Json misspelt = line;
      misspelt.erase(field);
      misspelt[field + "s"] = value;
      const std::string message = fault(misspelt);
      EXPECT_THAT(message, HasSubstr(event + ": unknown field '" + field + "s'"));
      EXPECT_THAT(message, HasSubstr("did you mean '"));
    }
  }
}

TEST(Form, EveryFieldOfEveryWrongType) {
  const std::vector<Json> others = {nullptr,       true,          5, -5, 1.5, "word",
                                    Json::array(), Json::object()};
  const auto same_kind = [](const Json& a, const Json& b) {
    return a.type() == b.type() || (a.is_number_integer() && b.is_number_integer());
  };
  for (const auto& [event, line] : examples()) {
    for (const auto& [field, value] : line.items()) {
      for (const Json& other : others) {
        const bool miss = field == "miss" && (other.is_null() || other.is_string());
        if (miss || field == "version" || (same_kind(value, other) && other != -5)) continue;
        if (field == "priority" && other == -5) continue;
        Json wrong = line;
        wrong[field] = other;
        const std::string place = field == "event" ? "event: " : event + "." + field + ": ";
        EXPECT_THAT(fault(wrong), testing::StartsWith(place + "expected "))
            << field << " = " << other;
      }
    }
  }
}

TEST(Form, EveryNumberOutOfRange) {
  const char* const bad[] = {"-1",
                             "1099511627776",  // 2^40
                             "9223372036854775808",
                             "18446744073709551616",
                             "99999999999999999999999999",
                             "-9223372036854775808",
                             "1.0",
                             "1e3"};
  for (const auto& [event, line] : examples()) {
    const std::string text = line.dump();
    // Every number of the line, nested ones included: digits after one of [ : ,
    for (std::size_t at = 1; at < text.size(); ++at) {
      const bool starts = std::isdigit(text[at]) &&
                          std::string_view("[:,").find(text[at - 1]) != std::string_view::npos;
      if (!starts) continue;
      const std::size_t end = text.find_first_not_of("0123456789", at);
      const std::string before = text.substr(0, at);
      if (before.ends_with("\"version\":")) continue;
      for (const std::string number : bad) {
        const std::string message = fault(before + number + text.substr(end));
        if (before.ends_with("\"priority\":") && (number == "-1" || number == bad[1])) {
          EXPECT_EQ(message, "");
        } else {
          EXPECT_THAT(message, HasSubstr("expected a whole number"));
          EXPECT_THAT(message, HasSubstr("found " + number));
        }
      }
    }
  }
}

TEST(Form, SizesThatMustBePositive) {
  const std::map<std::string, std::vector<std::string>> positive = {
      {"header",
       {"pipeline_depth", "capacity", "encoder_budget", "token_budget", "kv_blocks",
        "kv_block_size", "max_num_seqs", "max_model_len"}},
      {"add_request", {"prompt_tokens", "max_tokens", "length", "embeds"}},
      {"begin_pass", {"pass"}},
      {"end_pass", {"pass", "tokens"}},
      {"execute", {"pass"}},
      {"gather", {"pass", "tokens"}},
      {"deliver", {"pass"}}};
  const auto lines = examples();
  for (const auto& [event, fields] : positive) {
    for (const std::string& field : fields) {
      std::string text = lines.at(event).dump();
      const std::size_t at = text.find("\"" + field + "\":") + field.size() + 3;
      ASSERT_LT(at, text.size());
      text.replace(at, text.find_first_not_of("0123456789", at) - at, "0");
      EXPECT_THAT(fault(text), HasSubstr("expected a whole number from 1 to 2^40 - 1, found 0"))
          << event << "." << field;
    }
  }
}

struct Case {
  std::string line;
  std::string message;
};

TEST(Form, Messages) {
  const Case cases[] = {
      {R"([1])", "expected a JSON object, found an array"},
      {R"("x")", "expected a JSON object, found the string 'x'"},
      {R"({})", "missing field 'event'"},
      {R"({"event":"chek","request":"r","input":0})",
       "unknown event 'chek'; did you mean 'check'?"},
      {R"({"event":"Zebra crossing"})",
       "unknown event 'Zebra crossing'; expected one of 'header', 'add_request'"},
      {R"({"event":"worker_reset","zzz":1})",
       "worker_reset: unknown field 'zzz'; expected one of 'rules'"},
      {R"({"event":"finish","request":"r","reason":"abortd"})",
       "finish.reason: unknown word 'abortd'; did you mean 'aborted'?"},
      {R"({"event":"preempt","request":""})",
       "preempt.request: expected an id (a string that is not empty), found the string ''"},
      {R"({"event":"check","request":"r","input":0.5})",
       "check.input: expected a whole number from 0 to 2^40 - 1, found 0.5"},
      {R"({"event":"check","request":"r","input":0,"hit":0})",
       "check.hit: expected true or false, found 0"},
      {R"({"event":"take_freed","hashes":["a",3]})",
       "take_freed.hashes[1]: expected an id (a string that is not empty), found 3"},
      {R"({"event":"end_pass","pass":1,"scheduled":[{"request":"r","computed":0,"tokens":1,"drafts":0}]})",
       "end_pass.scheduled[0]: missing field 'placeholders'"},
      {R"({"event":"end_pass","pass":1,"scheduled":[],"encode":{"r":[0],"r":[1]}})",
       "end_pass.encode: key 'r' appears twice"},
      {R"({"event":"end_pass","pass":1,"scheduled":[],"encode":{"r":[-1]}})",
       "end_pass.encode.r[0]: expected a whole number from 0 to 2^40 - 1, found -1"},
      {R"({"event":"end_pass","pass":1,"scheduled":[],"encode":{"":[]}})",
       "end_pass.encode: expected ids as keys, found ''"},
      {R"({"event":"state","cached":{"h":["r",null]}})",
       "state.cached.h[1]: expected an id (a string that is not empty), found null"},
      {R"({"event":"draft","proposed":{"r":true}})",
       "draft.proposed.r: expected a whole number from 0 to 2^40 - 1, found true"},
      {R"({"event":"gather","pass":1,"request":"r","start":0,"tokens":1,"lookahead":0,"miss":7})",
       "gather.miss: expected a hash or null, found 7"},
      {R"({"event":"add_request","request":"r","prompt_tokens":1099511627776,"max_tokens":1,"priority":0,"features":[]})",
       "add_request.prompt_tokens: expected a whole number from 1 to 2^40 - 1, found "
       "1099511627776"},
      {R"({"event":"add_request","request":"r","prompt_tokens":9,"max_tokens":1,"priority":0,"features":[{"hash":"h","offset":0,"length":4,"embeds":1,"mask":[[0]]}]})",
       "add_request.features[0].mask[0]: expected a run [first, count], found an array"},
      {R"({"event":"add_request","request":"r","prompt_tokens":9,"max_tokens":1,"priority":0,"features":[{"hash":"h","offset":0,"length":4,"embeds":1,"mask":[[[],0]]}]})",
       "add_request.features[0].mask[0][0]"},
      {R"({"event":"add_request","request":"r","prompt_tokens":9,"max_tokens":1,"priority":0,"features":[{"hash":"h","offset":0,"length":4,"embeds":1,"mask":[[[1]]]}]})",
       "add_request.features[0].mask[0]: expected a run [first, count], found an array"},
      {R"({"event":"add_request","request":"r","prompt_tokens":9,"max_tokens":1,"priority":0,"features":[{"hash":"h","offset":0,"length":4,"embeds":1,"mask":[[0,0]]}]})",
       "add_request.features[0].mask[0][1]: expected a whole number from 1 to 2^40 - 1, found 0"},
      {R"({"event":"add_request","request":"r","prompt_tokens":9,"max_tokens":1,"priority":0,"features":[{"hash":"h","offset":0,"length":4,"embeds":1,"msk":[]}]})",
       "add_request.features[0]: unknown field 'msk'; did you mean 'mask'?"},
      {R"({"event":"header","format":"other","version":2,"new":1})",
       "header.format: expected 'holdfast-trace', found the string 'other'"},
      {R"({"event":"header","format":"holdfast-trace","version":2,"new":1})",
       "header.version: expected 1, found 2"},
      {R"({"event":"header","format":"holdfast-trace","version":1.0})",
       "header.version: expected 1, found 1.0"},
      {R"({"event":"header","format":"holdfast-trace","version":-1})",
       "header.version: expected 1, found -1"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(fault(c.line), HasSubstr(c.message)) << c.line.substr(0, 200);
}

TEST(Form, MessagesWhereItIsNoJson) {
  const Case cases[] = {
      {"{", "malformed JSON at column 2"},
      {R"({"event":"check",})", "malformed JSON at column"},
      {R"({"event":"check"}{})", "malformed JSON at column 18"},
      {R"({'event':'check'})", "malformed JSON at column 2"},
      {R"({"event":NaN})", "malformed JSON at column"},
      {R"({"event":01})", "malformed JSON at column"},
      {R"({"event":1e999})", "number overflow"},
      {"{\"event\":\"a\tb\"}", "malformed JSON at column"},
      {"{\"event\":\"\xff\"}", "malformed JSON at column"},
      {"{\"event\":\"\xc3(\"}", "malformed JSON at column"},
      {"{\"event\":\"\xed\xa0\x80\"}", "malformed JSON at column"},
      {R"({"event":"\ud800"})", "malformed JSON at column"},
      {std::string("{\"event\":\"check\"\0}", 18), "NUL byte at column 17"},
      {std::string("{}\0{}", 5), "NUL byte at column 3"},
      {R"([[[[[[[[[]]]]]]]]])", "JSON nested more than 8 deep"},
      {std::string(1U << 20U, '['), "JSON nested more than 8 deep"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(fault(c.line), HasSubstr(c.message)) << c.line.substr(0, 200);
}

TEST(Form, MessagesFitOneTerminalLine) {
  const std::string long_word(100'000, 'x');
  for (const std::string& line :
       {"{\"event\":\"" + long_word + "\"}", "{\"event\":\"check\",\"" + long_word + "\":1}",
        "{\"event\":\"check\",\"request\":\"r\",\"input\":" + std::string(10'000, '1') + "}",
        "{\"event\":\"check\",\"request\":\"r\",\"input\":\"" + long_word + "\"}",
        "{\"event\":\"draft\",\"proposed\":{\"" + long_word + "\":-1}}",
        "{\"event\":\"" + long_word, std::string("{\"event\":\"a\\nb\\u001b[2J\"}")}) {
    const std::string message = fault(line);
    EXPECT_NE(message, "");
    EXPECT_LT(message.size(), 600U);
    for (const char c : message) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << message;
  }
}

TEST(Form, TooManyValuesInALine) {
  std::string line = R"({"event":"take_freed","hashes":[0)";
  for (std::size_t i = 0; i < (std::size_t{1} << 20U); ++i) line += ",0";
  EXPECT_THAT(fault(line + "]}"), HasSubstr("more than 1048576 JSON values in one line"));
}

}  // namespace
}  // namespace holdfast::verify::trace
