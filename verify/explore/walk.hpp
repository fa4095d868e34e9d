// Every rule that may be taken in a state, with every choice of its parameters.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "spec/catalogue.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::explore {

/// How far choices go that the state does not bound.
struct Choices {
  int tokens = 1;  ///< most tokens that a pass gives a request
  int drafts = 0;  ///< most drafts among them
  int hits = 0;    ///< most tokens that the prefix cache gives a request
};

/// Rules that change nothing but, perhaps, `missed`.
template <class Rule>
inline constexpr bool is_gather =
    std::is_same_v<Rule, spec::GatherTarget> || std::is_same_v<Rule, spec::GatherDraft> ||
    std::is_same_v<Rule, spec::EncdecRead>;

template <class D>
class Walk {
 public:
  using State = spec::State<D>;

  Walk(const D& d, const Choices& choices) : d_(d), choices_(choices) {}

  /// Calls visit.template operator()<Rule>(arguments...) for every choice that Rule's guard
  /// permits.
  template <class Rule, class Visit>
  void each_choice(const State& s, Visit&& visit) const {
    choose<Rule>(typename Rule::Parameters{}, s, visit, std::tuple<>{});
  }

 private:
  struct Range {
    int first = 0, last = 0;
  };

  template <class Rule, spec::Role... R, class Visit, class... Chosen>
  void choose(spec::Roles<R...> roles, const State& s, Visit& visit,
              const std::tuple<Chosen...>& chosen) const {
    constexpr std::size_t next = sizeof...(Chosen);
    if constexpr (next == sizeof...(R)) {
      std::apply(
          [&](auto... arguments) {
            if (Rule::template guard<D>(d_, s, arguments...))
              visit.template operator()<Rule>(arguments...);
          },
          chosen);
    } else {
      constexpr spec::Role role = std::array{R...}[next];
      const Range range = range_of<role>(s, chosen);
      for (int x = range.first; x <= range.last; ++x)
        choose<Rule>(roles, s, visit,
                     std::tuple_cat(chosen, std::tuple(spec::as_argument<D, role>(x))));
    }
  }

  /// A range outside which every guard is false, or that bounds the search.
  template <spec::Role role, class Chosen>
  Range range_of(const State& s, const Chosen& chosen) const {
    using enum spec::Role;
    if constexpr (role == request) return {0, d_.requests - 1};
    if constexpr (role == feature) return {0, D::Size::features - 1};
    if constexpr (role == hash) return {0, d_.hashes - 1};
    if constexpr (role == step) return {s.delivered() + 1, s.issued()};
    if constexpr (role == tokens) return {1, choices_.tokens};
    if constexpr (role == hit) return {0, choices_.hits};
    if constexpr (role == drafts) return {0, choices_.drafts};
    if constexpr (role == owed) return {std::get<0>(chosen), std::get<0>(chosen) + 1};
    if constexpr (role == rejected) return {0, choices_.drafts};
    if constexpr (role == position) {
      const auto r = std::get<0>(chosen);
      return {s.step_confirmed(s.executed(), r), s.step_computed(s.executed(), r)};
    }
  }

  const D& d_;
  Choices choices_;
};

}  // namespace holdfast::verify::explore
