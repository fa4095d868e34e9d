// What is run beside the model.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/hunt/outcome.hpp"

namespace holdfast::verify::diff {

/// One thread's. Where it does otherwise than the model, the run ends with hunt::Differs.
class Implementation {
 public:
  virtual ~Implementation() = default;

  /// The next run of a script is made beside it.
  virtual void joins(hunt::Watch& watch) = 0;
  /// What was compared so far: events, or answers.
  [[nodiscard]] virtual std::uint64_t events() const = 0;

  // -- of one that is in another process --

  /// The lines it was given in the last run.
  [[nodiscard]] virtual std::vector<std::string> asked() const { return {}; }
  /// It is started afresh before the next run, so that nothing of the runs before is left.
  virtual void restarts() {}
  /// From now on, or no longer, it need not be waited for as long: what comes of it is looked at
  /// again.
  virtual void hurries(bool) {}
  /// Whether a run can take so long that shrinking has to end at some time.
  [[nodiscard]] virtual bool is_slow() const { return false; }
};

using MakeImplementation = std::function<std::unique_ptr<Implementation>()>;

/// Thrown where a person has interrupted a wait for it.
struct Interrupted {};

}  // namespace holdfast::verify::diff
