#include <algorithm>
#include <cstdlib>
#include <string>

#include "spec/faults.hpp"
#include "spec/profiles/releases.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "verify/base/errors.hpp"
#include "verify/diff/lockstep.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/replay/replay.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::fuzz {
namespace {

using namespace verify;

/// A gene a byte; what comes behind them is left over.
hunt::Genes genes_of(Bytes& bytes) {
  const hunt::Bounds bounds;
  hunt::Genes genes{};
  const std::size_t count = std::min(bytes.size(), genes.size());
  for (std::size_t place = 0; place < count; ++place) {
    const int values = bounds.most(genes, place) + 1;
    genes[place] = static_cast<std::uint8_t>(bytes[place] % values);
  }
  bytes = bytes.subspan(count);
  return genes;
}

report::ReplayResult replay_text(const std::string& text, const spec::Profile& profile) {
  const InputFile file({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return replay::replay(file.path(), profile);
}

/// Each three bytes say where, and what stands there instead.
std::string damaged(std::string text, Bytes bytes) {
  for (; bytes.size() >= 3; bytes = bytes.subspan(3))
    text[(bytes[0] * 256U + bytes[1]) % text.size()] = static_cast<char>(bytes[2]);
  return text;
}

}  // namespace

void script(Bytes bytes) {
  const auto genes = genes_of(bytes);
  const auto holdfast = *spec::find_profile("holdfast");
  diff::Lockstep lockstep;
  hunt::Story story;
  hunt::Watch watch;
  watch.companion = &lockstep;
  watch.story = &story;
  const auto outcome = hunt::run_script(hunt::script_of(genes), holdfast, watch);
  if (!outcome.differs.empty() || !outcome.broken.empty()) std::abort();
  // What is written is read, and goes the same way; under a release it goes some way.
  const std::string text = trace::to_lines(story.events);
  for (const auto& profile : spec::known_profiles) {
    const auto result = replay_text(text, profile);
    if (profile.name == holdfast.name && result.status != report::ReplayStatus::conforms)
      std::abort();
  }
  try {
    replay_text(damaged(text, bytes), holdfast);
  } catch (const InputError&) {
  }
}

}  // namespace holdfast::fuzz
