// Every path that `prove` has an obligation for is taken at the standard sizes, except those that
// raise.
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/explore/workloads.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::explore {
namespace {

/// "rule: path" of every path that may be taken.
std::set<std::string> paths_of(spec::Manager manager) {
  std::set<std::string> all;
  z3::context context;
  const auto& catalogue = prove::catalogue(manager);
  prove::System system(context, std::nullopt, catalogue, {}, {});
  for (std::size_t n = 0; n < catalogue.outline.rules.size(); ++n)
    for (const auto& path : catalogue.paths(system.reading, system.pre, n))
      if (!path.path.forbidden) all.insert(path.rule + ": " + path.path.name());
  return all;
}

std::set<std::string> paths_taken(spec::Manager manager) {
  std::set<std::string> all;
  for (const auto& sizes : standard_sizes()) {
    if (sizes.manager != manager) continue;
    auto options = options_for(sizes);
    options.check_lemmas = true;
    const auto found = explore(options);
    EXPECT_EQ(found.result.status, report::ExplorationStatus::holds) << found.result.property;
    for (const auto& [rule, paths] : found.coverage)
      for (const auto& path : paths) all.insert(rule + ": " + path);
  }
  return all;
}

std::set<std::string> without(std::set<std::string> all, const std::set<std::string>& some) {
  std::erase_if(all, [&](const std::string& path) { return some.contains(path); });
  return all;
}

class Coverage : public testing::TestWithParam<spec::Manager> {};

TEST_P(Coverage, EveryPathIsTakenAndNoOther) {
  const auto paths = paths_of(GetParam()), taken = paths_taken(GetParam());
  EXPECT_THAT(without(paths, taken), testing::IsEmpty()) << "never taken";
  EXPECT_THAT(without(taken, paths), testing::IsEmpty()) << "unknown to prove";
}

INSTANTIATE_TEST_SUITE_P(Managers, Coverage,
                         testing::Values(spec::Manager::decoder_only,
                                         spec::Manager::encoder_decoder),
                         [](const auto& test) {
                           return test.param == spec::Manager::decoder_only ? "decoder_only"
                                                                            : "encoder_decoder";
                         });

}  // namespace
}  // namespace holdfast::verify::explore
