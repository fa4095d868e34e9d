#include "verify/book/markdown.hpp"

#include <gtest/gtest.h>

namespace holdfast::verify::book {
namespace {

TEST(Markdown, Sentences) {
  EXPECT_EQ(sentence("a request arrives"), "A request arrives.");
  EXPECT_EQ(sentence("Done."), "Done.");
  EXPECT_EQ(sentence(""), "");
}

TEST(Markdown, Functions) {
  EXPECT_EQ(functions("Scheduler.schedule (waiting queue), _preempt_request"),
            "`Scheduler.schedule` (waiting queue), `_preempt_request`");
}

TEST(Markdown, References) {
  EXPECT_EQ(references("vLLM #1, #2"),
            "[vLLM #1](https://github.com/vllm-project/vllm/issues/1), "
            "[#2](https://github.com/vllm-project/vllm/issues/2)");
  EXPECT_EQ(references("vllm-ascend #3"),
            "[vllm-ascend #3](https://github.com/vllm-project/vllm-ascend/issues/3)");
  EXPECT_EQ(references("reproduced on vLLM 0.33.0"), "reproduced on vLLM 0.33.0");
}

TEST(Markdown, BulletsAndTheSameWithoutMarkdown) {
  const std::vector<text::Item> items = {{"If it is (`a > 0`):", {{"`a := 0`"}}}, {"`b := 1`"}};
  EXPECT_EQ(bullets(items), "- If it is (`a > 0`):\n  - `a := 0`\n- `b := 1`\n");
  std::vector<std::string> lines;
  add_plain(items, 0, lines);
  EXPECT_EQ(lines, (std::vector<std::string>{"If it is (a > 0):", "  a := 0", "b := 1"}));
}

TEST(Markdown, Tables) {
  EXPECT_EQ(table({"a", "b"}, {{"1", "2"}}), "| a | b |\n|---|---|\n| 1 | 2 |\n\n");
}

}  // namespace
}  // namespace holdfast::verify::book
