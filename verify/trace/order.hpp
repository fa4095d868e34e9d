// Whether each event makes sense after the ones before it: what was added, which pass is open, how
// far each pass has come. Only that: whether a system may do it is the model's business, and a
// trace of a faulty system must get through here to diverge there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verify/trace/events.hpp"
#include "verify/trace/pass_set.hpp"
#include "verify/trace/spans.hpp"

namespace holdfast::verify::trace {

/// Ids stay known after the request finished, and hashes for good, as late releases, outputs and
/// references may name them: some 100 bytes for each different id.
class OrderCheck {
 public:
  explicit OrderCheck(const SpanOptions& spans) : spans_(spans) {}

  /// Throws LineError where `event` cannot come next; then the check is of no further use.
  void take(const Event& event);

 private:
  struct Request {
    std::int64_t inputs = 0;
    bool finished = false;
    std::int64_t last_scheduled = 0;  ///< pass
    std::int64_t last_delivered = 0;  ///< pass
  };

  void check(const Header& e);
  void check(const AddRequest& e);
  void check(const BeginPass& e);
  void check(const Check& e);
  void check(const CanAllocate& e);
  void check(const Allocate& e);
  void check(const FreeInput& e);
  void check(const FreeRequest& e);
  void check(const TakeFreed& e);
  void check(const Reset& e);
  void check(const WorkerReset& e);
  void check(const Preempt& e);
  void check(const EndPass& e);
  void check(const Execute& e);
  void check(const Gather& e);
  void check(const Deliver& e);
  void check(const Draft& e);
  void check(const Finish& e);
  void check(const State& e);

  void check_rules(std::string_view event, const Rules& rules);

  Request& known(const std::string& id);  ///< added, perhaps finished
  Request& live(const std::string& id);   ///< added and not finished
  void expect_input(const std::string& id, const Request& request, std::int64_t input) const;
  void expect_hash(const std::string& hash) const;
  void expect_hashes(const std::optional<std::vector<std::string>>& hashes) const;

  SpanOptions spans_;
  std::optional<Manager> manager_;   // the header's, once it was seen
  std::optional<bool> names_rules_;  // whether the first event behind the header does
  std::unordered_map<std::string, Request> requests_;
  std::unordered_set<std::string> hashes_;
  std::int64_t last_begun_ = 0;
  bool inside_pass_ = false;
  std::int64_t last_executed_ = 0;
  PassSet ended_;     // and not yet executed
  PassSet executed_;  // and not yet delivered
};

}  // namespace holdfast::verify::trace
