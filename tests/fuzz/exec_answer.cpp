// What a command behind a pipe answers: any bytes are told as a fault, in words that print, or say
// what the model says.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/targets.hpp"
#include "verify/diff/exec/questions.hpp"

namespace holdfast::fuzz {

void exec_answer(Bytes bytes) {
  using Words = std::vector<std::string>;
  namespace trace = verify::trace;
  static const std::vector<trace::Event> events = {
      trace::Check{"r0", 1, false, 3, 5},
      trace::CanAllocate{"r0", 1, 9, 2, true, Words{"h1", "h2"}, 3, 5},
      trace::TakeFreed{Words{"h1"}, 3, 5},
      trace::State{trace::ById<Words>{{"h1", {"r0"}}, {"h2", {}}}, Words{"h2"}, 3, 5},
      trace::BeginPass{1}};
  if (bytes.empty()) return;
  const auto& event = events[bytes[0] % events.size()];
  const std::string_view answer(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  for (const auto& fault : verify::diff::exec::AnswerReader().faults(event, answer))
    for (const char c : fault)
      if (c < 0x20 || c == 0x7f) std::abort();
}

}  // namespace holdfast::fuzz
