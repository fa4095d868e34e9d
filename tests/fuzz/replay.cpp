#include "verify/replay/replay.hpp"

#include "spec/profiles/releases.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "verify/base/errors.hpp"

namespace holdfast::fuzz {

void replay(Bytes bytes) {
  const InputFile file(bytes);
  for (const bool against_library : {false, true})
    for (const auto& profile : spec::known_profiles) try {
        verify::replay::Options options;
        options.against_library = against_library;
        verify::replay::replay(file.path(), profile, options);
      } catch (const verify::InputError&) {
      }
}

}  // namespace holdfast::fuzz
