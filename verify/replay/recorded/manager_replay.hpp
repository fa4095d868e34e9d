// Replays what a cache manager has done: its events have their meaning, and every answer must be
// the model's. For files that do not say all that a pass goes by.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verify/replay/model.hpp"

namespace holdfast::verify::replay::inline recorded {

class ManagerReplay {
 public:
  ManagerReplay(const spec::Profile& profile, const trace::Header& header) : m_(profile, header) {}

  /// Throws Divergence.
  void take(const trace::Event& event, std::uint64_t line);

 private:
  void take(const trace::Header&) {}
  void take(const trace::AddRequest& e);
  void take(const trace::BeginPass& e);
  void take(const trace::Check& e);
  void take(const trace::CanAllocate& e);
  void take(const trace::Allocate& e);
  void take(const trace::FreeInput& e);
  void take(const trace::FreeRequest& e);
  void take(const trace::TakeFreed& e);
  void take(const trace::Reset& e);
  void take(const trace::WorkerReset&) {}
  void take(const trace::Preempt& e);
  void take(const trace::EndPass& e);
  void take(const trace::Execute&) {}
  void take(const trace::Gather&) {}
  void take(const trace::Deliver&) {}
  void take(const trace::Draft&) {}
  void take(const trace::Finish& e);
  void take(const trace::State& e);

  [[nodiscard]] Place place(std::string_view rule, std::string about = {}) const {
    return {line_, rule, std::move(about)};
  }
  void forget_steps();
  /// Something happens to it. None where it has finished and was forgotten.
  std::optional<Request> woken(const std::string& request);
  Request live(const std::string& request);
  std::string free_request_text(Request r, bool retracted,
                                const std::vector<Hash>& withdrawn) const;

  std::string pass_text(std::string_view event) const;

  Model m_;
  std::uint64_t line_ = 0;
  std::string_view rule_ = "initial";         // taken last
  std::vector<Request> preempted_;            // in this pass
  std::optional<std::vector<Hash>> noticed_;  // in this pass, as take_freed found
};

}  // namespace holdfast::verify::replay::inline recorded
