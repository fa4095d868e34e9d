// One run, step by step, from the initial state: actions by name, step numbers as people count
// them.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "verify/explore/canonical.hpp"
#include "verify/explore/run.hpp"
#include "verify/explore/walk.hpp"

namespace holdfast::verify::explore {

/// The position of a type in a list.
template <class T, class... All>
constexpr std::size_t index_in(spec::List<All...>) {
  std::size_t n = 0;
  ((std::is_same_v<T, All> || (++n, false)) || ...);
  return n;
}

template <class D, class System>
class Steps {
 public:
  using State = spec::State<D>;

  explicit Steps(const D& d) : d_(d) { spec::initialise(d_, state_); }

  /// Its steps are numbered from the last one delivered.
  const State& state() const { return state_; }
  /// As the last action left it, its steps numbered as before that.
  const State& left() const { return left_; }

  /// The action that takes Rule with these arguments in state().
  template <class Rule, class... Arguments>
  Action name(Arguments... arguments) const {
    Action action{std::string(Rule::info.name), {compact::index_of(arguments)...}};
    number_steps(typename Rule::Parameters{}, action.arguments, delivered_);
    return action;
  }

  /// Takes the action; if it cannot be taken, says why and changes nothing.
  std::string take(const Action& action) {
    std::string problem = "there is no such rule";
    spec::with_rule<typename System::Rules>(action.rule, [&]<class Rule>() {
      problem = take<Rule>(typename Rule::Parameters{}, action);
    });
    return problem;
  }

 private:
  template <spec::Role... R>
  static void number_steps(spec::Roles<R...>, std::vector<int>& arguments, int by) {
    std::size_t n = 0;
    ((arguments[n] += R == spec::Role::step ? by : 0, ++n), ...);
  }

  template <class Rule, spec::Role... R>
  std::string take(spec::Roles<R...> roles, const Action& action) {
    if (action.arguments.size() != sizeof...(R)) return "it has the wrong number of arguments";
    auto arguments = action.arguments;
    number_steps(roles, arguments, -delivered_);
    std::size_t n = 0;
    if (!(is_in_range<R>(arguments[n++]) && ...)) return "an argument is out of range";
    return spec::with_arguments<D>(roles, arguments,
                                   [&](auto... typed) { return take_typed<Rule>(typed...); });
  }

  template <class Rule, class... Arguments>
  std::string take_typed(Arguments... arguments) {
    if (!Rule::template guard<D>(d_, state_, arguments...)) return "its guard is false";
    Rule::template effect<D>(d_, state_, arguments...);
    left_ = state_;
    delivered_ += CanonicalForm<D>::settle(d_, state_);
    return {};
  }

  template <spec::Role role>
  bool is_in_range(int x) const {
    using enum spec::Role;
    const int size = role == request   ? d_.requests
                     : role == hash    ? d_.hashes
                     : role == feature ? D::Size::features
                     : role == step    ? D::Size::steps
                                       : compact::most_positions;
    return 0 <= x && x < size;
  }

  D d_;
  State state_;
  State left_;
  int delivered_ = 0;
};

}  // namespace holdfast::verify::explore
