// Who goes through a script beside the model, told of every driving event once the model has taken
// it.
#pragma once

#include <string>
#include <vector>

#include "spec/schedule/outputs.hpp"
#include "verify/hunt/script.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::hunt {

/// The model as a script runs it.
using Reading = compact::Reading<most_requests, most_features, most_hashes, most_depth + 2>;

struct Model {
  const Reading& d;
  const spec::State<Reading>& s;
  const spec::Queues<Reading>& queues;
};

/// Thrown by a companion that does otherwise than the model: the run ends there.
struct Differs {
  std::string what;
};

class Companion {
 public:
  using Request = spec::Request<Reading>;

  virtual ~Companion() = default;
  virtual void begins(const Script& script) = 0;
  /// `taken`: it waits now; else it was refused.
  virtual void adds(const Model& model, Request r, bool taken) = 0;
  virtual void aborts(const Model& model, Request r) = 0;
  virtual void preempts(const Model& model, Request r) = 0;
  /// `taken`: a clearing step was issued, or one is the last in flight.
  virtual void resets(const Model& model, bool taken) = 0;
  virtual void passes(const Model& model) = 0;
  virtual void executes(const Model& model) = 0;
  virtual void delivers(const Model& model, const std::vector<spec::Output<Reading>>& outputs) = 0;
  virtual void proposes(const Model& model, Request r, int drafts) = 0;
};

}  // namespace holdfast::verify::hunt
