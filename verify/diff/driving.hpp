// The driving events that a state of the model allows, and what the model comes to with one.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spec/schedule/scheduler.hpp"
#include "verify/hunt/checks.hpp"
#include "verify/hunt/companion.hpp"

namespace holdfast::verify::diff {

/// One event from outside.
struct Driving {
  enum class Kind : std::uint8_t { add, abort, preempt, reset, pass, execute, deliver };

  Kind kind = Kind::pass;
  int request = 0;
  bool taken = true;  ///< by the model, once it has been
  std::vector<spec::Output<hunt::Reading>> outputs = {};
  std::vector<std::pair<int, int>> drafts = {};  ///< request, drafts proposed after the outputs
};

std::string text_of(const Driving& event);

/// The model between two events, to be copied.
struct Standing {
  spec::State<hunt::Reading> s;
  spec::Queues<hunt::Reading> queues;
  unsigned came = 0;  ///< requests that did, by bit
};

class Machine : public spec::Unobserved<hunt::Reading> {
 public:
  Machine(const hunt::Script& script, const spec::Profile& profile);

  [[nodiscard]] Standing initial();
  /// Every event that can come, with every output that a worker can give. Each request comes once.
  [[nodiscard]] std::vector<Driving> enabled(const Standing& at) const;
  /// Takes it and tells who goes along; returns the number of small steps. Throws spec::Refused,
  /// and what the companion throws.
  std::uint64_t take(Standing& at, Driving& event, hunt::Companion& companion);
  /// Tells of an event that was taken before, wherever the model stands now.
  void tell(hunt::Companion& companion, const Driving& event, const Standing& now) const;
  /// What is never read again goes, as do numbers that only grow.
  void settle(Standing& at) const;
  /// Equal for states that are, once they are settled.
  [[nodiscard]] std::string key(const Standing& settled) const;
  /// A property that did not hold after a small step; empty: none.
  [[nodiscard]] const std::string& broken() const { return broken_; }

  // Of the observer.
  template <class Rule, class... Arguments>
  void before(Arguments...) {
    d_.path = 1;
  }
  template <class Rule, class... Arguments>
  void after(Arguments...) {
    ++steps_;
    checks_.check(d_, *s_, script_.workload.manager,
                  [this](std::string_view property) { broken_ = property; });
  }

 private:
  [[nodiscard]] std::vector<Driving> deliveries(const Standing& at) const;

  const hunt::Script& script_;
  hunt::Reading d_;
  const spec::State<hunt::Reading>* s_ = nullptr;  ///< that is being changed
  hunt::PropertyChecks<hunt::Reading> checks_;
  std::uint64_t steps_ = 0;
  std::string broken_;
};

}  // namespace holdfast::verify::diff
