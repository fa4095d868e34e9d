// Replays what a system has recorded against the library: its scheduler, worker and gather plan go
// by what drives the file, and what a pass gave, ordered and told, what was gathered, who ended and
// what is cached must be the same. What happens inside of a pass is not seen: it shows at its end.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "holdfast/scheduler.hpp"
#include "holdfast/worker.hpp"
#include "verify/replay/divergence.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline library {

class PassReplay {
 public:
  /// Requires: the header says all that a pass goes by. Throws InputError where the library has no
  /// scheduler of those sizes.
  PassReplay(const std::string& file, const trace::Header& header);

  /// Throws Divergence.
  void take(const trace::Event& event, std::uint64_t line);

 private:
  struct Known {
    std::string id;
    RequestFeatures features;
    std::vector<std::string> hashes;  ///< by input
  };
  /// A step for the worker, with its requests as they were: some may have ended since.
  struct Issued {
    Step step;
    std::int64_t pass = 0;  ///< as the file counts
    std::vector<std::shared_ptr<const Known>> requests;
  };
  struct Flight {
    StepNumber number = 0;
    std::int64_t pass = 0;
    std::vector<std::string> requests;
  };
  /// Who reads embeddings in the step that was executed, for which look-ahead.
  using Reading = std::pair<std::string, std::int64_t>;

  void on(const trace::AddRequest& e);
  void on(const trace::BeginPass& e);
  void on(const trace::Preempt& e);
  void on(const trace::EndPass& e);
  void on(const trace::Execute& e);
  void on(const trace::WorkerReset& e);
  void on(const trace::Gather& e);
  void on(const trace::Deliver& e);
  void on(const trace::Draft& e);
  void on(const trace::Reset& e);
  void on(const trace::Finish& e);
  void on(const trace::State& e);
  /// What the pass asked of its manager.
  template <class Other>
  void on(const Other&) {}

  [[nodiscard]] Place place(std::string about = {}) const {
    return {line_, event_, std::move(about)};
  }
  void expect_taken(std::string about, std::string_view property, Error error) const;
  [[nodiscard]] RequestHandle handle(const std::string& request) const;
  void expect_scheduled(const trace::EndPass& e) const;
  void expect_told(const trace::EndPass& e) const;
  void execute(Issued issued);
  GatherError plan(std::size_t place, Tokens start, Tokens lookahead);
  void expect_gathered();
  void expect_ended();

  std::uint64_t line_ = 0;
  std::string_view event_;
  std::unique_ptr<Scheduler> scheduler_;
  holdfast::Worker<int> worker_;  ///< nothing looks at an output
  const Tokens lookahead_;
  const bool in_turn_;  ///< one pass at a time: then a step starts where the scheduler said
  std::map<std::string, std::shared_ptr<const Known>> known_;  ///< the requests that there are
  std::deque<Issued> steps_;
  std::deque<Flight> flights_;
  Issued executed_;
  std::set<Reading> readings_;          ///< of `executed_`, which the file is still to tell of
  const PassOutput* pass_ = nullptr;    ///< while its answers are read
  std::vector<std::string> preempted_;  ///< by the file, in this pass
  std::set<std::string, std::less<>> ended_;  ///< in the library, not yet in the file
  GatherPlan plan_;
};

}  // namespace holdfast::verify::replay::inline library
