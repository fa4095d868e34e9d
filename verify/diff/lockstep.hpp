// The implementation beside the model, script by script: after every driving event both states are
// compared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "holdfast/scheduler.hpp"
#include "holdfast/worker.hpp"
#include "verify/diff/comparison.hpp"
#include "verify/hunt/companion.hpp"

namespace holdfast::verify::diff {

class Lockstep : public hunt::Companion {
 public:
  void begins(const hunt::Script& script) override;
  void adds(const hunt::Model& model, Request r, bool taken) override;
  void aborts(const hunt::Model& model, Request r) override;
  void preempts(const hunt::Model& model, Request r) override;
  void resets(const hunt::Model& model, bool taken) override;
  void passes(const hunt::Model& model) override;
  void executes(const hunt::Model& model) override;
  void delivers(const hunt::Model& model,
                const std::vector<spec::Output<hunt::Reading>>& outputs) override;
  void proposes(const hunt::Model& model, Request r, int drafts) override;

  /// Goes the same way without comparing anything, until told otherwise: for what was compared
  /// before. Models that it is told of need not be there then.
  void compares(bool on) { compares_ = on; }

  /// Driving events whose states were compared.
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  /// The implementation did it, or refused; then the states are compared.
  void after(const char* event, Error error, const hunt::Model& model);
  void stop_if(const char* event, const Comparison& comparison);
  [[nodiscard]] RequestHandle handle(Request r) const;

  /// A step as the worker gets it, with the features of its requests as they were.
  struct Issued {
    Step step;
    std::vector<std::shared_ptr<const RequestFeatures>> features;
  };
  void keep_features(RequestHandle request, const std::vector<WorkloadFeature>& features);
  void execute(const Issued& issued);
  void read_inputs(const Issued& issued);
  void gather(const Issued& issued, Tokens lookahead);
  void compare_worker(const hunt::Model& model);

  const hunt::Script* script_ = nullptr;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::shared_ptr<const RequestFeatures>> features_;  ///< by the request's index
  std::vector<Issued> steps_;                                     ///< not executed
  holdfast::Worker<int> worker_;  ///< an output is its hash's number
  std::vector<Embeds> store_;     ///< what it should hold, by the number of the hash
  GatherPlan plan_;
  bool compares_ = true;
  bool missed_ = false;  ///< a gather has missed what it must not
  std::uint64_t events_ = 0;
};

}  // namespace holdfast::verify::diff
