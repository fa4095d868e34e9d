// The implementation beside the model, script by script: after every driving event both states are
// compared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "holdfast/scheduler.hpp"
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

  /// Driving events whose states were compared.
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  /// The implementation did it, or refused; then the states are compared.
  void after(const char* event, Error error, const hunt::Model& model);
  void stop_if(const char* event, const Comparison& comparison);
  [[nodiscard]] RequestHandle handle(Request r) const;

  const hunt::Script* script_ = nullptr;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Step> steps_;          ///< issued, not executed
  std::vector<std::int64_t> store_;  ///< the worker's: embeds by number of the hash
  std::uint64_t events_ = 0;
};

}  // namespace holdfast::verify::diff
