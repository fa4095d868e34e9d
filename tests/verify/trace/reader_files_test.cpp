// Files as they come: line ends, compression, damage, very long lines, no file at all.
#include <filesystem>
#include <string>
#include <vector>
#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/verify/trace/trace_files.hpp"
#include "verify/base/errors.hpp"
#include "verify/trace/reader.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::trace {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string good_header =
    R"({"event":"header","format":"holdfast-trace","version":1,"source":"test","manager":"decoder_only","pipeline_depth":1,"capacity":8,"encoder_budget":8,"lookahead":0})";
const std::string reset = R"({"event":"reset"})";

/// What the file at `path` is read as: the number of events, or the error without the path.
std::string outcome(const std::string& path, const ReaderOptions& options = {}) {
  try {
    TraceReader reader(path, options);
    int events = 0;
    while (reader.next()) ++events;
    EXPECT_FALSE(reader.next()) << "the end stays the end";
    return std::to_string(events) + " events";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), StartsWith(path + ":"));
    return std::string(error.what()).substr(path.size() + 1);
  }
}

std::string outcome_of(const std::string& content, const ReaderOptions& options = {}) {
  const TemporaryFile file(content);
  return outcome(file.path(), options);
}

TEST(ReaderFiles, LineEnds) {
  EXPECT_EQ(outcome_of(good_header + "\n" + reset + "\n"), "2 events");
  EXPECT_EQ(outcome_of(good_header + "\n" + reset), "2 events") << "no line end on the last";
  EXPECT_EQ(outcome_of(good_header + "\r\n" + reset + "\r\n"), "2 events") << "CRLF";
  EXPECT_EQ(outcome_of(good_header + "\r\n" + reset + "\r"), "2 events");
  EXPECT_THAT(outcome_of(good_header + "\r" + reset + "\r"), StartsWith("1: malformed JSON"))
      << "CR";
}

TEST(ReaderFiles, BlankLines) {
  const std::string blank = "blank line; expected one JSON object a line";
  EXPECT_EQ(outcome_of("\n"), "1: " + blank);
  EXPECT_EQ(outcome_of("\n" + good_header), "1: " + blank);
  EXPECT_EQ(outcome_of(good_header + "\n\n" + reset + "\n"), "2: " + blank);
  EXPECT_EQ(outcome_of(good_header + "\n \t\r\n" + reset + "\n"), "2: " + blank);
  EXPECT_EQ(outcome_of(good_header + "\n" + reset + "\n\n"), "3: " + blank);
}

TEST(ReaderFiles, WhatIsNotPlainText) {
  EXPECT_EQ(outcome_of("\xEF\xBB\xBF" + good_header),
            "1: byte order mark; expected UTF-8 without one");
  EXPECT_EQ(outcome_of(good_header + "\n\xEF\xBB\xBF" + reset),
            "2: byte order mark; expected UTF-8 without one");
  EXPECT_EQ(outcome_of(good_header + "\n" + std::string("{\"event\":\0}", 11)),
            "2: NUL byte at column 10; expected JSON text");
  EXPECT_EQ(outcome_of(std::string(4096, '\0')), "1: NUL byte at column 1; expected JSON text");
  EXPECT_THAT(outcome_of(good_header + "\n{\"event\":\"\xff\"}\n"),
              StartsWith("2: malformed JSON at column 11"));
  EXPECT_THAT(outcome_of("\xff\xfe{\0"), StartsWith("1: malformed JSON"));
}

TEST(ReaderFiles, NoFile) {
  EXPECT_EQ(outcome_of(""), "1: empty file; expected a header");
  EXPECT_EQ(outcome("/nowhere/trace.jsonl"), " cannot be opened: No such file or directory");
  EXPECT_EQ(outcome(std::filesystem::temp_directory_path().string()),
            " is a directory; expected a file");
  EXPECT_EQ(outcome("/proc/self/mem"), "1: cannot be read: Input/output error");
}

TEST(ReaderFiles, Unreadable) {
  const TemporaryFile file(good_header);
  ASSERT_EQ(::chmod(file.path().c_str(), 0), 0);
  if (::access(file.path().c_str(), R_OK) == 0) GTEST_SKIP() << "root may read everything";
  EXPECT_EQ(outcome(file.path()), " cannot be opened: Permission denied");
}

TEST(ReaderFiles, NothingComesAfterAnError) {
  const TemporaryFile file(good_header + "\n{}\n" + reset + "\n");
  TraceReader reader(file.path());
  EXPECT_EQ(reader.line(), 0U);
  EXPECT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 1U);
  EXPECT_THROW(reader.next(), InputError);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(ReaderFiles, LongLines) {
  ReaderOptions options;
  options.max_line_bytes = 1000;
  const auto padded = [](std::size_t bytes) {
    return reset + std::string(bytes - reset.size(), ' ');
  };
  EXPECT_EQ(outcome_of(good_header + "\n" + padded(1000) + "\n", options), "2 events");
  EXPECT_EQ(outcome_of(good_header + "\n" + padded(1000), options), "2 events");
  const std::string message =
      "2: the line is longer than 1000 bytes; expected one JSON object a line";
  EXPECT_EQ(outcome_of(good_header + "\n" + padded(1001) + "\n", options), message);
  EXPECT_EQ(outcome_of(good_header + "\n" + padded(1001), options), message);
  EXPECT_EQ(outcome_of(good_header + "\n" + padded(5'000'000) + "\n", options), message);
  // Around the size of the buffer, and up to the default limit.
  for (const std::size_t bytes : {262'143U, 262'144U, 262'145U, 3'000'000U, 16U << 20U}) {
    EXPECT_EQ(outcome_of(good_header + "\n" + padded(bytes) + "\n" + reset + "\n"), "3 events");
  }
  EXPECT_EQ(outcome_of(good_header + "\n" + padded((16U << 20U) + 1)),
            "2: the line is longer than 16 MiB; expected one JSON object a line");
}

std::string compressed(const std::string& content) {
  const TemporaryFile file;
  gzFile out = ::gzopen(file.path().c_str(), "wb");
  EXPECT_EQ(::gzwrite(out, content.data(), static_cast<unsigned>(content.size())),
            static_cast<int>(content.size()));
  ::gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReaderFiles, Compressed) {
  std::string content = good_header + "\n";
  for (int i = 0; i < 20'000; ++i) content += reset + "\n";
  const std::string gz = compressed(content);
  EXPECT_LT(gz.size(), content.size() / 10);
  EXPECT_EQ(outcome_of(gz), "20001 events");
  EXPECT_EQ(outcome_of(compressed(good_header + "\n") + compressed(reset + "\n")), "2 events");
}

TEST(ReaderFiles, DamagedCompression) {
  std::string content = good_header + "\n";
  for (int i = 0; i < 50'000; ++i) {
    content += R"({"event":"reset","free":)" + std::to_string(i * 7919L % 100'003) + "}\n";
  }
  const std::string gz = compressed(content);
  for (const std::size_t bytes : {3UL, 11UL, gz.size() / 2, gz.size() - 9, gz.size() - 1}) {
    EXPECT_THAT(outcome_of(gz.substr(0, bytes)), HasSubstr(": the gzip data is damaged: "))
        << bytes << " of " << gz.size();
  }
  std::string wrong_sum = gz;
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  EXPECT_THAT(outcome_of(wrong_sum), HasSubstr("the gzip data is damaged: "));
}

}  // namespace
}  // namespace holdfast::verify::trace
