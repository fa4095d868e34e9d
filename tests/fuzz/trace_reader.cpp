#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "verify/base/errors.hpp"
#include "verify/trace/reader.hpp"

namespace holdfast::fuzz {

void trace_reader(Bytes bytes) {
  const InputFile file(bytes);
  try {
    verify::trace::TraceReader reader(file.path());
    while (reader.next()) {
    }
  } catch (const verify::InputError&) {
  }
}

}  // namespace holdfast::fuzz
