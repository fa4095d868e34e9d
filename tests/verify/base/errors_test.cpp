#include "verify/base/errors.hpp"

#include <gtest/gtest.h>

namespace holdfast::verify::inline base {
namespace {

TEST(InputError, SaysWhere) {
  EXPECT_STREQ(InputError("no such word").what(), "no such word");
  EXPECT_STREQ(InputError("a.jsonl", "is empty").what(), "a.jsonl: is empty");
  const InputError error("a.jsonl", 12, "unknown event 'alocate'");
  EXPECT_STREQ(error.what(), "a.jsonl:12: unknown event 'alocate'");
  EXPECT_EQ(error.file(), "a.jsonl");
  EXPECT_EQ(error.line(), 12U);
  EXPECT_EQ(error.message(), "unknown event 'alocate'");
}

}  // namespace
}  // namespace holdfast::verify::inline base
