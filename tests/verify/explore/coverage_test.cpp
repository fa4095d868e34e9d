// Every path that `prove` has an obligation for is taken at the standard sizes, except those that
// raise.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "verify/explore/workloads.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify {
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
    EXPECT_EQ(found.result.status, ExplorationStatus::holds) << found.result.property;
    for (const auto& [rule, paths] : found.coverage)
      for (const auto& path : paths) all.insert(rule + ": " + path);
  }
  return all;
}

TEST(Coverage, DecoderOnly) {
  EXPECT_EQ(paths_taken(spec::Manager::decoder_only), paths_of(spec::Manager::decoder_only));
}
TEST(Coverage, EncoderDecoder) {
  EXPECT_EQ(paths_taken(spec::Manager::encoder_decoder), paths_of(spec::Manager::encoder_decoder));
}

}  // namespace
}  // namespace holdfast::verify
