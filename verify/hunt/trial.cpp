#include "verify/hunt/trial.hpp"

namespace holdfast::verify::hunt {

Outcome run_script(const Script& script, const spec::Profile& profile, Watch& watch) {
  using D = compact::Reading<most_requests, most_features, most_hashes, most_depth + 2>;
  return Trial<D>(script, profile, watch).run();
}

}  // namespace holdfast::verify::hunt
