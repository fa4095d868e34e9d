// What came of a script under a profile.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/hunt/script.hpp"
#include "verify/liveness/progress_monitor.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::hunt {

/// A property's first violation.
struct Broken {
  std::string_view property;
  std::uint64_t steps = 0;        ///< small steps up to it
  std::string_view rule;          ///< the last of them; where it is refused, what was
  bool is_contradiction = false;  ///< the scheduler needs a rule whose guard is false
};

struct Outcome {
  std::vector<Broken> broken;  ///< in their order
  std::uint64_t steps = 0;
  std::uint64_t passes = 0;
  bool overflows = false;  ///< a number left its range: the script was given up there
  std::string differs;     ///< what the companion did otherwise; empty: nothing

  [[nodiscard]] const Broken* find(std::string_view property) const {
    for (const auto& b : broken)
      if (b.property == property) return &b;
    return nullptr;
  }
};

/// Which paths of rules were taken, in which situations.
class Coverage {
 public:
  /// Whether it is new.
  bool add(std::uint64_t situation) {
    situation *= 0x9e3779b97f4a7c15U;
    auto bit = bits_[situation >> (64U - log_size)];
    if (bit) return false;
    bit = true;
    return true;
  }
  [[nodiscard]] std::size_t count() const { return bits_.count(); }

 private:
  static constexpr unsigned log_size = 18;
  std::bitset<(std::size_t{1} << log_size)> bits_;
};

/// What happened, for people and as a file.
struct Story {
  std::string source = "holdfast hunt";  ///< of the file
  std::vector<std::string> lines;
  std::vector<trace::Event> events;
};

class Companion;

/// Hears each call of the encoder cache's manager, with the model's answer. It may throw Differs.
using CallListener = std::function<void(const trace::Event&)>;

/// What else is wanted of a run.
struct Watch {
  std::string_view until;  ///< the run ends when this property breaks; empty: it goes on
  Coverage* coverage = nullptr;
  bool covers_more = false;  ///< set where the coverage grew
  Story* story = nullptr;
  Companion* companion = nullptr;  ///< goes through the script too
  CallListener on_call;            ///< of a decoder-only model; may be empty
  bool expects_turns = false;  ///< of every pass in which nothing moves; of `holdfast` in any case
};

/// Runs the script under the profile, every property checked after every small step.
Outcome run_script(const Script& script, const spec::Profile& profile, Watch& watch);

}  // namespace holdfast::verify::hunt
