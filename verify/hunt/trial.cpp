#include "verify/hunt/trial.hpp"

namespace holdfast::verify::hunt {

Outcome run_script(const Script& script, const spec::Profile& profile, Watch& watch) {
  return Trial<Reading>(script, profile, watch).run();
}

}  // namespace holdfast::verify::hunt
