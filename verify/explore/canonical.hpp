// One state to stand for all that no rule and no property can tell apart.
//
// - Steps are numbered from the last one delivered. Rows of delivered steps are zero, and so is
// what
//   is never read again: notices and encodes of an executed step, what it left with the worker once
//   a later one was executed, the numbers of a request with no output to come.
// - That somebody was held back is forgotten while something is in flight or scheduled: nobody asks
// for
//   it then. Which feature a turn took last is forgotten once it has looked at all.
// - `order` is the rank among the freeable entries, `clock` their number.
// - An epoch is 1 if an older output of the request is in flight, else 0: they are only compared.
// - Of the states that differ by a symmetry of the workload, the smallest.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "verify/explore/symmetry.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify {

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

 private:
  static constexpr int R = D::Size::requests, H = D::Size::hashes, K = D::Size::steps;
  using Request = typename D::Request;
  using Hash = typename D::Hash;

  static void deliver(State& s) {
    s.step_notices.shift_rows();
    s.step_encodes.shift_rows();
    s.available.shift_rows();
    s.step_confirmed.shift_rows();
    s.step_computed.shift_rows();
    s.step_tokens.shift_rows();
    s.step_drafts.shift_rows();
    s.step_owed.shift_rows();
    s.step_epoch.shift_rows();
    s.issued.set(s.issued() - 1);
    s.executed.set(s.executed() - 1);
    s.delivered.set(s.delivered() - 1);
    s.reset_step.set(std::max(0, s.reset_step() - 1));
  }

  static void clear_output(State& s, int k, Request r) {
    s.step_tokens.set(k, r, 0);
    s.step_confirmed.set(k, r, 0);
    s.step_computed.set(k, r, 0);
    s.step_drafts.set(k, r, 0);
    s.step_owed.set(k, r, 0);
    s.step_epoch.set(k, r, 0);
  }

  static void settle_pipeline(State& s) {
    const int executed = s.executed();
    for (int k = 0; k <= executed; ++k) {
      s.step_notices.clear_row(k);
      s.step_encodes.clear_row(k);
      if (k == executed) break;
      s.available.clear_row(k);
      s.step_confirmed.clear_row(k);
      s.step_computed.clear_row(k);
    }
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
      // A request variable that names nobody stays as it is.
      if (to.planning()) to.plan_request.set({request_[from.plan_request().id]});
      if (to.draining()) to.drain_request.set({request_[from.drain_request().id]});
      for (int h = 0; h < H; ++h)
        if (from.pending({h}) > 0)
          to.ordered_by.set({hash_[h]}, {request_[from.ordered_by({h}).id]});
    }

   private:
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

  std::vector<Permutation> group_;
};

}  // namespace holdfast::verify
