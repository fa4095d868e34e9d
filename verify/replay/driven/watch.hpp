// An observer of the reference that checks the properties after every small step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "spec/schedule/steps.hpp"
#include "verify/replay/model.hpp"
#include "verify/replay/violation.hpp"

namespace holdfast::verify::replay::inline driven {

class Watch : public spec::Unobserved<D> {
 public:
  /// Only `property` is checked, if it is not empty. What is driven stands on `line`.
  Watch(Model& m, std::string property) : m_(m), property_(std::move(property)) {}

  std::uint64_t line = 0;

  [[nodiscard]] bool checks(std::string_view property) const {
    return property_.empty() || property_ == property;
  }

  /// Rules taken so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  template <class Rule, class... Arguments>
  void before(Arguments... arguments) {
    if constexpr (reads<Rule>) note_read(arguments...);
  }
  /// Throws Divergence where a property is violated.
  template <class Rule, class... Arguments>
  void after(Arguments...) {
    ++steps_;
    // Whether something still happens is asked from pass to pass.
    if (property_ == spec::Progress::info.name) return;
    if (const auto v = find_violation(m_, property_))
      throw Divergence{line, std::string(Rule::info.name), std::string(v->property),
                       std::string(v->says), v->observed};
  }

 private:
  template <class Rule>
  static constexpr bool reads =
      std::is_same_v<Rule, spec::GatherTarget> || std::is_same_v<Rule, spec::GatherDraft> ||
      std::is_same_v<Rule, spec::EncdecRead>;
  /// For the text of a miss.
  void note_read(Request r, Int i, Int = 0) { m_.gathering.emplace(r, i); }

  Model& m_;
  std::string property_;
  std::uint64_t steps_ = 0;
};

}  // namespace holdfast::verify::replay::inline driven
