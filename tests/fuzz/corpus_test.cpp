// Every input that the fuzzers keep: what they found once stays mended.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.hpp"

namespace holdfast::fuzz {
namespace {

struct Target {
  const char* name;
  void (*run)(Bytes);
};

class Corpus : public ::testing::TestWithParam<Target> {};

TEST_P(Corpus, ComesToItsEnd) {
  std::size_t inputs = 0;
  const auto folder =
      std::filesystem::path(HOLDFAST_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    GetParam().run({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    ++inputs;
  }
  EXPECT_GT(inputs, 10U);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus,
                         ::testing::Values(Target{"encoder_cache", encoder_cache},
                                           Target{"trace_reader", trace_reader},
                                           Target{"replay", replay},
                                           Target{"exec_answer", exec_answer},
                                           Target{"script", script}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace holdfast::fuzz
