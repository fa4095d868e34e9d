// Breadth-first search over the states of one workload.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/explore/canonical.hpp"
#include "verify/explore/packing.hpp"
#include "verify/explore/shapes.hpp"
#include "verify/explore/state_table.hpp"
#include "verify/explore/steps.hpp"
#include "verify/explore/walk.hpp"

namespace holdfast::verify::explore {

template <class D, class System, Cells cells>
class Search {
 public:
  using State = spec::State<D>;

  Search(Arena& arena, const Workload& workload, const WorkloadOptions& options)
      : d_(workload, options.profile, options.assumptions),
        options_(options),
        walk_(d_, options.choices),
        canonical_(options.symmetry ? symmetries(workload) : std::vector<Renaming>{}),
        table_(arena, most_states(options)),
        parents_(arena.parents.at_least<Number>(most_states(options))) {
    select_checks();
  }

  /// Throws compact::Overflow, with the variable's name.
  SearchOutcome run() {
    try {
      return search();
    } catch (compact::Overflow& overflow) {
      if (overflow.variable.empty()) overflow.variable = compact::variable_at(next_, overflow.cell);
      throw;
    }
  }

 private:
  SearchOutcome search() {
    State s;
    spec::initialise(d_, s);
    add(s, none);
    flush();
    // Everything before `level_end` is at most `depth` steps from the initial state.
    Number level_end = 1;
    for (Number n = 0; !ended_; ++n) {
      if (n == level_end) {
        flush();
        if (ended_ || n == table_.size()) break;
        ++outcome_.depth;
        level_end = static_cast<Number>(table_.size());
        if (outcome_.depth == options_.max_depth) end(SearchEnd::out_of_depth);
      }
      if (n % ticks == 0) tick();
      if (!ended_) expand(n);
    }
    outcome_.states = table_.size();
    return std::move(outcome_);
  }

  using Packed = Packing<D, cells>;
  using Key = typename Packed::Key;
  using Table = StateTable<Packed::words>;
  using Number = typename Table::Number;
  using Rules = typename System::Rules;
  static constexpr Number none = 0;
  static constexpr Number ticks = 1u << 16;

  static std::size_t most_states(const WorkloadOptions& options) {
    constexpr std::size_t bytes = Table::bytes_per_state + sizeof(Number);
    return std::min({options.max_states, options.max_bytes / bytes,
                     std::uint64_t{std::numeric_limits<Number>::max() - 1}});
  }

  /// A successor on its way into the table: memory is asked for what it needs some time before.
  struct Waiting {
    Key key;
    std::uint64_t hash;
    Number parent;
  };
  static constexpr std::size_t most_waiting = 32;

  void expand(Number n) {
    State s;
    Packed::unpack(table_[n], s);
    Rules::each([&]<class Rule>() {
      walk_.template each_choice<Rule>(s, [&]<class R>(auto... arguments) {
        ++outcome_.transitions;
        d_.path = 1;
        next_ = s;
        R::template effect<D>(d_, next_, arguments...);
        cover<R>(s, arguments...);
        if (checks_steps_) check_step(n, s, next_);
        if (ended_) return;
        if constexpr (is_gather<R>)
          if (next_.missed() == s.missed()) return;
        add(next_, n);
      });
    });
  }

  [[gnu::noinline]] void add(State& s, Number parent) {
    canonical_.settle(d_, s);
    canonical_.choose(s);
    if constexpr (spec::expensive_checks) canonical_.require_form(d_, s);
    auto& w = waiting_[waiting_count_++];
    w.key = Packed::pack(s);
    HOLDFAST_EXPENSIVELY_REQUIRE(Packed::gives_back(w.key, s), "a state's key gives it back");
    w.hash = Table::hash(w.key);
    w.parent = parent;
    table_.prefetch_slot(w.hash);
    if (waiting_count_ == most_waiting) flush();
  }

  void flush() {
    const std::span waiting(waiting_.data(), waiting_count_);
    waiting_count_ = 0;
    for (const auto& w : waiting) table_.prefetch_key(w.hash);
    for (const auto& w : waiting) {
      if (ended_) return;
      if (table_.full()) return end(SearchEnd::out_of_states);
      const auto [n, fresh] = table_.insert(w.key, w.hash);
      if (!fresh) continue;
      parents_[n] = w.parent;
      check(n);
    }
  }

  void end(SearchEnd how) {
    outcome_.end = how;
    ended_ = true;
  }

  void tick() {
    if (options_.on_states) options_.on_states(table_.size());
    if (std::chrono::steady_clock::now() >= options_.deadline) end(SearchEnd::out_of_time);
  }

  // -- properties --

  template <class Property>
  bool selected(bool is_lemma) const {
    return is_lemma ? options_.check_lemmas
                    : options_.property.empty() || options_.property == Property::info.name;
  }
  void select_checks() {
    std::size_t n = 0;
    System::Properties::each([&]<class P>() { selected_[n++] = selected<P>(false); });
    System::Lemmas::each([&]<class P>() { selected_[n++] = selected<P>(true); });
    checks_steps_ = options_.check_lemmas;
    System::Rankings::each(
        [&]<class Claim>() { checks_steps_ |= options_.property == Claim::info.name; });
  }

  /// The first selected property or lemma that is violated; empty if none is.
  std::string_view first_violated(const State& s) const {
    std::string_view name;
    std::size_t n = 0;
    const auto look = [&]<class P>() {
      if (selected_[n++] && name.empty() && !P::template holds<D>(d_, s)) [[unlikely]]
        name = P::info.name;
    };
    System::Properties::each(look);
    if (options_.check_lemmas) System::Lemmas::each(look);
    return name;
  }

  void check(Number n) {
    State s;
    Packed::unpack(table_[n], s);
    if (const auto name = first_violated(s); !name.empty()) violated(name, actions_to(n));
  }

  /// The claims about what a step may change: all, or the one that is asked for.
  void check_step(Number n, const State& before, const State& after) {
    std::string_view broken;
    System::Rankings::each([&]<class Claim>() {
      if (!options_.check_lemmas && options_.property != Claim::info.name) return;
      if (broken.empty() && !Claim::template holds<D>(d_, before, after)) [[unlikely]]
        broken = Claim::info.name;
    });
    if (broken.empty() || ended_) return;
    State last = after;
    canonical_.settle(d_, last);
    canonical_.choose(last);
    violated(broken, actions_to(n, Packed::pack(last)));
  }

  void violated(std::string_view name, std::vector<Action> actions) {
    outcome_.property = name;
    outcome_.actions = std::move(actions);
    outcome_.depth = outcome_.actions.size();
    end(SearchEnd::violated);
  }

  // -- the way to a state --

  std::vector<Action> actions_to(Number n, std::optional<Key> last = {}) {
    std::vector<Key> way;
    if (last) way.push_back(*last);
    for (; n != none; n = parents_[n]) way.push_back(table_[n]);
    Steps<D, System> steps(d_);
    std::vector<Action> actions;
    for (; !way.empty(); way.pop_back()) {
      actions.push_back(action_to(steps, way.back()));
      steps.take(actions.back());
    }
    return actions;
  }

  /// States on the way are known only up to renaming: from the real one, an action to the next.
  Action action_to(const Steps<D, System>& steps, const Key& next) {
    Action found;
    const State& s = steps.state();
    Rules::each([&]<class Rule>() {
      walk_.template each_choice<Rule>(s, [&]<class R>(auto... arguments) {
        if (!found.rule.empty()) return;
        State t = s;
        R::template effect<D>(d_, t, arguments...);
        canonical_.settle(d_, t);
        canonical_.choose(t);
        if (Packed::pack(t) == next) found = steps.template name<R>(arguments...);
      });
    });
    return found;
  }

  // -- coverage --

  template <class Rule, class... Arguments>
  void cover(const State& s, Arguments... arguments) {
    constexpr std::size_t rule = index_in<Rule>(Rules{});
    const std::uint64_t path = std::uint64_t{1} << (d_.path & 63);
    if ((covered_[rule] & path) == 0) [[unlikely]] {
      covered_[rule] |= path;
      name_path<Rule>(s, arguments...);
    }
  }

  template <class Rule, class... Arguments>
  [[gnu::noinline]] void name_path(const State& s, Arguments... arguments) {
    compact::Labels labels;
    d_.labels = &labels;
    State next = s;
    Rule::template effect<D>(d_, next, arguments...);
    d_.labels = nullptr;
    outcome_.coverage[std::string(Rule::info.name)].insert(compact::path_name(labels));
  }

  D d_;
  WorkloadOptions options_;
  Walk<D> walk_;
  CanonicalForm<D> canonical_;
  Table table_;
  State next_;  // what the rule makes that is being taken
  Number* parents_;
  std::array<Waiting, most_waiting> waiting_;
  std::size_t waiting_count_ = 0;
  std::array<bool, System::Properties::size + System::Lemmas::size> selected_ = {};
  bool checks_steps_ = false;
  std::array<std::uint64_t, Rules::size> covered_ = {};
  SearchOutcome outcome_;
  bool ended_ = false;
};

}  // namespace holdfast::verify::explore
