// A rule that a file names, as a type and its arguments in a model.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "spec/catalogue.hpp"
#include "verify/replay/model.hpp"
#include "verify/trace/rule_form.hpp"

namespace holdfast::verify::replay::inline driven {

/// The steps that passes became, and resets. Those that are delivered are forgotten.
class StepNames {
 public:
  void issue_pass(std::int64_t pass, Int step) { step_of_[pass] = step; }
  void issue_reset(Int step) { resets_.insert(step); }
  [[nodiscard]] std::optional<Int> step_of(std::int64_t pass) const {
    const auto found = step_of_.find(pass);
    return found == step_of_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::optional<std::int64_t> pass_of(Int step) const {
    for (const auto& [pass, k] : step_of_)
      if (k == step) return pass;
    return std::nullopt;
  }
  [[nodiscard]] bool is_reset(Int step) const { return resets_.contains(step); }
  void forget_delivered(Int delivered) {
    std::erase_if(step_of_, [&](const auto& entry) { return entry.second <= delivered; });
    std::erase_if(resets_, [&](Int step) { return step <= delivered; });
  }

 private:
  std::unordered_map<std::int64_t, Int> step_of_;
  std::unordered_set<Int> resets_;
};

/// The argument of that role; none where the model knows nothing of that name (any more).
template <spec::Role R>
auto find_argument(const Model& m, const StepNames& steps, const trace::Taken& taken) {
  const auto& value = trace::argument<R>(taken);
  if constexpr (R == spec::Role::request)
    return value ? m.find(*value) : std::nullopt;
  else if constexpr (R == spec::Role::hash)
    return value ? m.hashes.find(*value) : std::nullopt;
  else if constexpr (R == spec::Role::step)
    return value ? steps.step_of(*value) : std::nullopt;
  else
    return value ? std::optional<Int>(*value) : std::nullopt;
}

/// Whether act(arguments...) says that it took Rule. False too where an argument is unknown.
template <class Rule, spec::Role... R, class Act>
bool take_named(spec::Roles<R...>, const Model& m, const StepNames& steps,
                const trace::Taken& taken, Act&& act) {
  return [&](const auto&... found) {
    return (found.has_value() && ...) && act.template operator()<Rule>(*found...);
  }(find_argument<R>(m, steps, taken)...);
}

/// The same for the rule that `taken` names. False too where the manager has none of that name.
template <class Act>
bool take_named(const Model& m, const StepNames& steps, const trace::Taken& taken, Act&& act) {
  bool done = false;
  const auto look = [&]<class Rule>() {
    done = take_named<Rule>(typename Rule::Parameters{}, m, steps, taken, act);
  };
  if (m.is_decoder_only())
    spec::with_rule<spec::DecoderOnly::Rules>(taken.rule, look);
  else
    spec::with_rule<spec::EncoderDecoder::Rules>(taken.rule, look);
  return done;
}

}  // namespace holdfast::verify::replay::inline driven
