// One state to stand for all that no rule and no property can tell apart.
//
// Of every variable, whatever it is called:
// - Steps are numbered from the last one delivered: rows of steps move up, step numbers go down.
// - What is never read again of a step is zero: see `Row`.
// - Of the states that differ by a symmetry of the workload, the smallest: keys that are requests
//   or hashes are renamed, and values that are requests (`names_one`).
//
// Of these, by name:
// - `held_back`, that somebody was held back, is forgotten while something is in flight or
//   scheduled: nobody asks for it then. `opened`, which feature a turn took last, is forgotten once
//   it has looked at all.
// - `order` is the rank among the freeable entries, `clock` their number.
// - `epoch` is 1 if an older output of the request is in flight, else 0: they are only compared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "verify/explore/symmetry.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::explore {

template <class D>
class CanonicalForm {
 public:
  using State = spec::State<D>;

  explicit CanonicalForm(const std::vector<Renaming>& group) {
    for (std::size_t n = 1; n < group.size(); ++n) group_.emplace_back(group[n]);
  }

  /// What is never read again goes. Returns how many steps the numbers went down.
  static int settle(const D& d, State& s) {
    const int delivered = s.delivered();
    for (int n = 0; n < delivered; ++n) deliver(s);
    settle_pipeline(s);
    settle_pass(d, s);
    settle_order(s);
    return delivered;
  }

  /// Requires: `s` is settled.
  void choose(State& s) const {
    HOLDFAST_EXPENSIVELY_REQUIRE(s.delivered() == 0, "a settled state");
    if (group_.empty()) return;
    const auto own = signatures(s);
    auto least = own;
    State renamed;
    State chosen = s;
    for (const auto& g : group_) {
      const auto candidate = g.rename(own);
      if (least < candidate) continue;
      g.rename(s, renamed);
      if (candidate < least || std::memcmp(&renamed, &chosen, sizeof(State)) < 0) {
        chosen = renamed;
        least = candidate;
      }
    }
    s = chosen;
  }

  /// Requires: `s` is canonical: settled, and chosen, it is itself.
  void require_form(const D& d, const State& s) const {
    State again = s;
    settle(d, again);
    choose(again);
    HOLDFAST_REQUIRE(std::memcmp(&again, &s, sizeof s) == 0,
                     "a canonical form is its own canonical form");
  }

 private:
  static constexpr int R = D::Size::requests, H = D::Size::hashes, K = D::Size::steps;
  using Request = typename D::Request;
  using Hash = typename D::Hash;

  using Variables = spec::VariablesOf<State>;
  template <class>
  static constexpr bool is_settled = false;  // for what must not compile

  static void deliver(State& s) {
    Variables::each([&]<class V>() {
      auto& variable = V::of(s);
      if constexpr (compact::by_step<typename V::Type>)
        variable.shift_rows();
      else if constexpr (std::is_same_v<typename V::Type::ValueSort, spec::StepSort>)
        variable.set(std::max(0, variable() - 1));
    });
  }

  /// Until when a variable's row of a step is read.
  enum class Row : std::int8_t {
    until_executed,       ///< until the worker has executed the step
    until_next_executed,  ///< until it has executed the next one
    until_delivered,      ///< until its outputs are processed; of a request, until its own is
  };
  template <class V>
  static consteval Row row_of() {
    if constexpr (V::name == "step_notices" || V::name == "step_encodes")
      return Row::until_executed;
    else if constexpr (V::name == "available" || V::name == "step_confirmed" ||
                       V::name == "step_computed")
      return Row::until_next_executed;
    else if constexpr (V::name == "step_tokens" || V::name == "step_drafts" ||
                       V::name == "step_owed" || V::name == "step_epoch")
      return Row::until_delivered;
    else
      static_assert(is_settled<V>,
                    "a new variable of spec::State has rows of steps: say here until when one is "
                    "read; until_delivered if in doubt");
  }
  /// Calls f.template operator()<V>(variable) for each that has rows of steps.
  template <class F>
  static void each_with_rows(State& s, F&& f) {
    Variables::each([&]<class V>() {
      if constexpr (compact::by_step<typename V::Type>) f.template operator()<V>(V::of(s));
    });
  }

  /// What a step keeps of a request is read as long as its output is to come.
  static void clear_output(State& s, int k, Request r) {
    each_with_rows(s, [&]<class V>(auto& variable) {
      if constexpr (requires { variable.reset(k, r); }) variable.reset(k, r);
    });
  }

  static void settle_pipeline(State& s) {
    const int executed = s.executed();
    for (int k = 0; k <= executed; ++k)
      each_with_rows(s, [&]<class V>(auto& variable) {
        constexpr Row row = row_of<V>();
        constexpr bool per_request = requires { variable.reset(k, Request{}); };
        if (row == Row::until_executed || (row == Row::until_next_executed && k < executed) ||
            (row == Row::until_delivered && !per_request && k == 0))
          variable.clear_row(k);
      });
    bool older[R] = {};
    const int issued = s.issued();
    for (int k = 0; k <= issued; ++k)
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) {
        if (k == 0 || s.step_tokens(k, {r}) == 0)
          clear_output(s, k, {r});
        else
          older[r] |= s.step_epoch(k, {r}) != s.epoch({r});
      }
    for (int k = 1; k <= issued; ++k)
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) {
        const bool current = s.step_tokens(k, {r}) > 0 && s.step_epoch(k, {r}) == s.epoch({r});
        s.step_epoch.set(k, {r}, current && older[r]);
      }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) s.epoch.set({r}, older[r]);
  }

  /// A cached entry's encode is ordered, and who ordered it is retracted.
  static bool any_orphan(const State& s) {
    bool any = false;
#pragma GCC unroll 8
    for (int h = 0; h < H; ++h) {
      const Request r = s.ordered_by({h});
      const bool stands =
          s.refs({h}, r) && (s.scheduled(r) || (s.granted() && s.plan_request() == r));
      any |= s.pending({h}) > 0 && s.weight({h}) > 0 && !stands;
    }
    return any;
  }

  static void settle_pass(const D& d, State& s) {
    bool any_scheduled = false;
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) any_scheduled |= s.scheduled({r});
    // Whoever is scheduled stays so, or is retracted, and then it is said again: of a pass in which
    // nothing moves, and where who ordered an encode has left.
    if ((any_scheduled || s.issued() > 0) && !any_orphan(s)) s.held_back.set(false);
    if (s.cursor() >= d.config.features(s.plan_request())) s.opened.set(0);
  }

  static void settle_order(State& s) {
    int freeable = 0;
#pragma GCC unroll 8
    for (int h = 0; h < H; ++h) freeable += s.freeable({h}) > 0;
    s.order.assign([&](Hash h) {
      int rank = 0;
#pragma GCC unroll 8
      for (int g = 0; g < H; ++g) rank += s.freeable({g}) > 0 && s.order({g}) < s.order(h);
      return s.freeable(h) > 0 ? rank : 0;
    });
    s.clock.set(freeable);
  }

  /// What a request looks like whatever it and its hashes are called. A renaming permutes these, so
  /// most comparisons of whole states are saved.
  using Signatures = std::array<std::uint64_t, R>;
  static Signatures signatures(const State& s) {
    Signatures all;
    for (int r = 0; r < R; ++r) {
      std::uint64_t x = static_cast<std::uint64_t>(s.status({r}));
      const auto add = [&x](int value) { x = (x << 6) + static_cast<std::uint64_t>(value); };
      add(s.computed({r}));
      add(s.placeholders({r}));
      add(s.tokens({r}));
      for (int k = 1; k < K && k < 4; ++k) add(s.step_tokens(k, {r}));
      int held = 0;
      for (int i = 0; i < D::Size::features; ++i) held = 2 * held + s.held({r}, i);
      add(held);
      all[r] = x;
    }
    return all;
  }

  /// A renaming as a permutation of bytes, and of the values that are requests.
  class Permutation {
   public:
    explicit Permutation(const Renaming& renaming) {
      for (int r = 0; r < R; ++r)
        request_[r] = r < std::ssize(renaming.requests) ? renaming.requests[r] : r;
      for (int h = 0; h < H; ++h)
        hash_[h] = h < std::ssize(renaming.hashes) ? renaming.hashes[h] : h;
      State layout;
      const auto* origin = reinterpret_cast<const unsigned char*>(&layout);
      State::visit(layout, [&](std::string_view, auto& variable, std::string_view) {
        fill(variable,
             static_cast<int>(reinterpret_cast<const unsigned char*>(&variable) - origin));
      });
    }

    Signatures rename(const Signatures& from) const {
      Signatures to;
      for (int r = 0; r < R; ++r) to[request_[r]] = from[r];
      return to;
    }

    void rename(const State& from, State& to) const {
      const auto* source = reinterpret_cast<const unsigned char*>(&from);
      auto* target = reinterpret_cast<unsigned char*>(&to);
      for (std::size_t n = 0; n < sizeof(State); ++n) target[n] = source[from_[n]];
      Variables::each([&]<class V>() { rename_values<V>(V::of(from), from, V::of(to)); });
    }

   private:
    /// Whether the variable, at that key if it has one, names a request; where it does not, it is
    /// nobody, and stays as it is.
    template <class V, class... Key>
    static bool names_one(const State& s, Key... key) {
      if constexpr (V::name == "plan_request")
        return s.planning();
      else if constexpr (V::name == "drain_request")
        return s.draining();
      else if constexpr (V::name == "ordered_by")
        return s.pending(key...) > 0;
      else
        static_assert(is_settled<V>,
                      "a new variable of spec::State has values that are requests, or hashes: say "
                      "here when it names one");
    }
    template <class V, class Value>
    void rename_values(const compact::Var<Value>& from, const State& s,
                       compact::Var<Value>& to) const {
      if constexpr (is_name<Value>)
        if (names_one<V>(s)) to.set({renamed<Value>(from().id)});
    }
    template <class V, class Size, class Value, class Key>
    void rename_values(const compact::Map<Size, Value, Key>& from, const State& s,
                       compact::Map<Size, Value, Key>& to) const {
      if constexpr (is_name<Value>)
        for (int x = 0; x < from.size; ++x)
          if (names_one<V>(s, compact::Term<Key>{x}))
            to.set({renamed<Key>(x)}, {renamed<Value>(from({x}).id)});
    }
    template <class V, class Size, class Value, class First, class Second>
    void rename_values(const compact::Map<Size, Value, First, Second>&, const State&,
                       compact::Map<Size, Value, First, Second>&) const {
      static_assert(!is_name<Value>, "a map of two keys to names: rename its values here");
    }
    template <class Key>
    int renamed(int x) const {
      if constexpr (std::is_same_v<Key, spec::RequestSort>) return request_[x];
      if constexpr (std::is_same_v<Key, spec::HashSort>) return hash_[x];
      return x;
    }
    template <class Value>
    void fill(const compact::Var<Value>&, int at) {
      from_[at] = static_cast<std::uint16_t>(at);
    }
    template <class Size, class Value, class Key>
    void fill(const compact::Map<Size, Value, Key>& map, int at) {
      for (int x = 0; x < map.size; ++x)
        from_[at + renamed<Key>(x)] = static_cast<std::uint16_t>(at + x);
    }
    template <class Size, class Value, class First, class Second>
    void fill(const compact::Map<Size, Value, First, Second>& map, int at) {
      for (int x = 0; x < map.rows; ++x)
        for (int y = 0; y < map.columns; ++y)
          from_[at + renamed<First>(x) * map.columns + renamed<Second>(y)] =
              static_cast<std::uint16_t>(at + x * map.columns + y);
    }

    int request_[R];
    int hash_[H];
    std::uint16_t from_[sizeof(State)];
  };

  template <class Sort>
  static constexpr bool is_name =
      std::is_same_v<Sort, spec::RequestSort> || std::is_same_v<Sort, spec::HashSort>;

  std::vector<Permutation> group_;
};

}  // namespace holdfast::verify::explore
