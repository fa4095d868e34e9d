// The first reading, for exploration: a state is a few dozen bytes that are copied, hashed and
// compared as bytes.
//
// Sizes are compile-time: R requests, F features each, H hashes, steps numbered 0..K-1. Every
// variable is a plain array of one-byte cells, so a state has no pointers and no padding. Steps are
// numbered from the last one delivered (see explore/canonical.hpp), so K = depth + 2 rows suffice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "spec/require.hpp"
#include "spec/state.hpp"
#include "verify/readings/groups.hpp"
#include "verify/readings/workload.hpp"

namespace holdfast::verify::inline readings::compact {

/// A value left the range of its cell. No search may go on as if it had not.
struct Overflow {
  const void* cell = nullptr;
  std::string_view variable = {};  ///< which one it is of, where that is known
};

struct Request {
  int id = 0;
  friend bool operator==(const Request&, const Request&) = default;
};
struct Hash {
  int id = 0;
  friend bool operator==(const Hash&, const Hash&) = default;
};

inline int index_of(int x) { return x; }
inline int index_of(Request r) { return r.id; }
inline int index_of(Hash h) { return h.id; }

struct SlotsSort {};  ///< the values of a SlotMap

// How the values of a sort are used, and how they are kept.
template <class Sort>
struct Cell {
  using Term = int;
  using Stored = std::int8_t;
  static Term load(Stored x) { return x; }
  /// What the cell is to hold.
  static Stored store(Term x, const Stored& cell) {
    const auto kept = static_cast<Stored>(x);
    if (kept != x) [[unlikely]]
      throw Overflow{&cell};
    return kept;
  }
};
template <>
struct Cell<spec::BoolSort> {
  using Term = bool;
  using Stored = bool;
  static Term load(Stored x) { return x; }
  static Stored store(Term x, const Stored&) { return x; }
};
template <class Name>
struct NameCell {
  using Term = Name;
  using Stored = std::int8_t;
  static Term load(Stored x) { return {x}; }
  static Stored store(Term x, const Stored&) {
    HOLDFAST_REQUIRE(0 <= x.id && x.id <= 127, "a request or hash that there is");
    return static_cast<Stored>(x.id);
  }
};
template <>
struct Cell<spec::RequestSort> : NameCell<Request> {};
template <>
struct Cell<spec::HashSort> : NameCell<Hash> {};

template <class Sort>
using Term = typename Cell<Sort>::Term;
template <class Sort>
using Stored = typename Cell<Sort>::Stored;

/// Whether a variable has a row for every step.
template <class Variable>
inline constexpr bool by_step = false;

template <int R, int F, int H, int K>
struct Sizes {
  static constexpr int requests = R, features = F, hashes = H, steps = K;
};

/// How many keys of a sort there are.
template <class Size, class Key>
constexpr int extent() {
  if constexpr (std::is_same_v<Key, spec::RequestSort>) return Size::requests;
  if constexpr (std::is_same_v<Key, spec::HashSort>) return Size::hashes;
  if constexpr (std::is_same_v<Key, spec::StepSort>) return Size::steps;
  if constexpr (std::is_same_v<Key, spec::FeatureSort>) return Size::features;
}

/// The keys of a sort, as places in an array.
template <class Size, class Key>
struct Places {
  static constexpr int size = extent<Size, Key>();
  /// Requests and hashes are handed out. Numbers are calculated, so that rules may ask for a
  /// feature or a step that there is not, in vain: it has the default.
  static constexpr bool are_numbers =
      std::is_same_v<Key, spec::FeatureSort> || std::is_same_v<Key, spec::StepSort>;

  static bool has(Term<Key> key) {
    return !are_numbers || static_cast<unsigned>(index_of(key)) < unsigned{size};
  }
  static int at(Term<Key> key) {
    const int place = index_of(key);
    HOLDFAST_EXPENSIVELY_REQUIRE(0 <= place && place < size, "a request, hash, feature or step");
    return place;
  }
  /// To write to. Requires that there is one.
  static int to_write(Term<Key> key) {
    HOLDFAST_REQUIRE(has(key), "a feature or a step that there is");
    return at(key);
  }
};

/// A scalar. Nobody, the default of a request variable, is request 0: no rule looks at it then.
template <class Value>
class Var {
 public:
  using ValueSort = Value;

  Term<Value> operator()() const { return Cell<Value>::load(cell_); }
  void set(Term<Value> value) { cell_ = Cell<Value>::store(value, cell_); }
  void reset() { cell_ = {}; }

 private:
  Stored<Value> cell_;
};

/// A function from one key or two.
template <class Size, class Value, class... Keys>
class Map;

template <class Size, class Value, class Key>
class Map<Size, Value, Key> {
 public:
  using ValueSort = Value;
  using Place = Places<Size, Key>;
  static constexpr int size = Place::size;

  Term<Value> operator()(Term<Key> key) const {
    return Place::has(key) ? Cell<Value>::load(cells_[Place::at(key)]) : Term<Value>{};
  }
  void set(Term<Key> key, Term<Value> value) {
    auto& cell = cells_[Place::to_write(key)];
    cell = Cell<Value>::store(value, cell);
  }
  void reset(Term<Key> key) { cells_[Place::to_write(key)] = {}; }
  void reset() { fill({}); }
  void fill(Term<Value> value) {
    assign([&](Term<Key>) { return value; });
  }
  /// The body may read the variable itself: it sees the old values.
  template <class Body>
  void assign(Body&& body) {
    Stored<Value> fresh[size];
#pragma GCC unroll 8
    for (int x = 0; x < size; ++x) fresh[x] = Cell<Value>::store(body(Term<Key>{x}), cells_[x]);
#pragma GCC unroll 8
    for (int x = 0; x < size; ++x) cells_[x] = fresh[x];
  }

 protected:
  Stored<Value> cells_[size];
};

template <class Size, class Value, class First, class Second>
class Map<Size, Value, First, Second> {
 public:
  using ValueSort = Value;
  using Row = Places<Size, First>;
  using Column = Places<Size, Second>;
  static constexpr int rows = Row::size;
  static constexpr int columns = Column::size;

  Term<Value> operator()(Term<First> x, Term<Second> y) const {
    if (!Row::has(x) || !Column::has(y)) return {};
    return Cell<Value>::load(cells_[Row::at(x)][Column::at(y)]);
  }
  void set(Term<First> x, Term<Second> y, Term<Value> value) {
    auto& cell = cells_[Row::to_write(x)][Column::to_write(y)];
    cell = Cell<Value>::store(value, cell);
  }
  void reset(Term<First> x, Term<Second> y) { cells_[Row::to_write(x)][Column::to_write(y)] = {}; }
  void reset() { fill({}); }
  void fill(Term<Value> value) {
    const auto stored = Cell<Value>::store(value, cells_[0][0]);
#pragma GCC unroll 8
    for (auto& row : cells_)
#pragma GCC unroll 8
      for (auto& cell : row) cell = stored;
  }
  template <class Body>
  void assign_row(Term<First> key, Body&& body) {
    auto& cells = cells_[Row::to_write(key)];
    Stored<Value> fresh[columns];
#pragma GCC unroll 8
    for (int y = 0; y < columns; ++y)
      fresh[y] = Cell<Value>::store(body(Term<Second>{y}), cells[y]);
#pragma GCC unroll 8
    for (int y = 0; y < columns; ++y) cells[y] = fresh[y];
  }
  template <class Other>
  void copy_row(Term<First> key, const Other& other) {
    assign_row(key, [&](Term<Second> y) { return other(y); });
  }
  void clear_row(Term<First> key) {
    assign_row(key, [](Term<Second>) { return Term<Value>{}; });
  }
  /// Every row moves one up; the last one is cleared.
  void shift_rows() {
#pragma GCC unroll 8
    for (int x = 0; x + 1 < rows; ++x)
#pragma GCC unroll 8
      for (int y = 0; y < columns; ++y) cells_[x][y] = cells_[x + 1][y];
#pragma GCC unroll 8
    for (int y = 0; y < columns; ++y) cells_[rows - 1][y] = {};
  }
  bool none(Term<First> key) const {
    if (!Row::has(key)) return true;
    bool any = false;
#pragma GCC unroll 8
    for (const auto& cell : cells_[Row::at(key)]) any |= cell;
    return !any;
  }

 protected:
  Stored<Value> cells_[rows][columns];
};

template <class Size, class... Keys>
class SlotMap;

template <class Size, class Key>
class SlotMap<Size, Key> : public Map<Size, SlotsSort, Key> {
 public:
  int sum() const {
    int total = 0;
#pragma GCC unroll 8
    for (const auto cell : this->cells_) total += cell;
    return total;
  }
};

template <class Size, class First, class Second>
class SlotMap<Size, First, Second> : public Map<Size, SlotsSort, First, Second> {
 public:
  int sum() const {
    int total = 0;
    for (int x = 0; x < this->rows; ++x) total += row_sum(x);
    return total;
  }
  int sum(Term<First> key) const {
    return Places<Size, First>::has(key) ? row_sum(Places<Size, First>::at(key)) : 0;
  }

 private:
  int row_sum(int x) const {
    int total = 0;
#pragma GCC unroll 8
    for (const auto cell : this->cells_[x]) total += cell;
    return total;
  }
};

template <class Size, class Value, class Second>
inline constexpr bool by_step<Map<Size, Value, spec::StepSort, Second>> = true;
template <class Size, class Second>
inline constexpr bool by_step<SlotMap<Size, spec::StepSort, Second>> = true;

/// The variable that has a cell; empty if the cell lies elsewhere.
template <class State>
std::string_view variable_at(const State& s, const void* cell) {
  std::string_view found;
  State::visit(s, [&](std::string_view name, const auto& variable, std::string_view) {
    const auto* first = reinterpret_cast<const unsigned char*>(&variable);
    const auto* at = static_cast<const unsigned char*>(cell);
    if (!std::less{}(at, first) && std::less{}(at, first + sizeof variable)) found = name;
  });
  return found;
}

/// The condition labels and answers of one path through an effect.
using Labels = std::vector<std::pair<std::string_view, bool>>;
/// As symbolic::Path::name() puts it.
inline std::string path_name(const Labels& labels) {
  std::string text;
  for (const auto& [label, yes] : labels) {
    if (!text.empty()) text += "; ";
    if (!yes) text += "not: ";
    text += label;
  }
  return text.empty() ? "always" : text;
}

/// Positions that are embeddings, as bits.
using Positions = std::uint64_t;
inline constexpr int most_positions = 63;
constexpr Positions below(int position) {
  return (Positions{1} << std::clamp(position, 0, most_positions)) - 1;
}

/// The domain object. The workload must fit the sizes, its positions stay below `most_positions`.
template <int R, int F, int H, int K>
class Reading {
 public:
  using Size = Sizes<R, F, H, K>;
  using Bool = bool;
  using Int = int;
  using Request = compact::Request;
  using Hash = compact::Hash;
  template <class Value>
  using Var = compact::Var<Value>;
  template <class Value, class... Keys>
  using Map = compact::Map<Size, Value, Keys...>;
  template <class... Keys>
  using SlotMap = compact::SlotMap<Size, Keys...>;

  Reading(const Workload& workload, const spec::Profile& p, const spec::Assumptions& a);

  spec::Profile profile;
  spec::Assumptions assumptions;
  spec::Config<Reading> config;
  int requests = 0;  ///< of the workload: at most R
  int hashes = 0;    ///< at most H

  /// The answers so far on the path that runs, a bit each, behind a leading one: with the rule they
  /// name the path.
  unsigned path = 1;
  Labels* labels = nullptr;  ///< where labels are wanted too

  bool test(std::string_view label, bool condition) {
    path = 2 * path + condition;
    if (labels) [[unlikely]]
      labels->emplace_back(label, condition);
    return condition;
  }
  void raises(std::string_view) {}
  static bool implies(bool a, bool b) { return !a || b; }
  static int ite(bool c, int a, int b) { return c ? a : b; }
  static int min(int a, int b) { return std::min(a, b); }
  bool touches(Request r, int i, int lo, int hi) const {
    return (embedded_[r.id][i] & below(hi) & ~below(lo)) != 0;
  }

  /// Calls use(first, count) for each run of embeddings, from the feature's start.
  template <class Use>
  void each_run(Request r, int i, Use&& use) const {
    const int start = config.start(r, i), end = config.end(r, i);
    for (int p = start; p < end; ++p) {
      if (!touches(r, i, p, p + 1)) continue;
      const int first = p;
      while (p < end && touches(r, i, p, p + 1)) ++p;
      use(first - start, p - first);
    }
  }

  // A request or hash that the workload lacks is absent for ever and no rule is tried with it, so
  // that quantifiers may run over the compile-time sizes.
  template <class Body>
  bool all_requests(Body&& body) const {
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
      if (!body(Request{r})) return false;
    return true;
  }
  template <class Body>
  bool all_hashes(Body&& body) const {
#pragma GCC unroll 8
    for (int h = 0; h < H; ++h)
      if (!body(Hash{h})) return false;
    return true;
  }
  template <class Body>
  bool all_features(Request r, Body&& body) const {
    const int features = config.features(r);
#pragma GCC unroll 8
    for (int i = 0; i < F; ++i)
      if (i < features && !body(i)) return false;
    return true;
  }
  template <class Body>
  bool any_feature(Request r, Body&& body) const {
    return !all_features(r, [&](int i) { return !body(i); });
  }
  template <class Body>
  bool all_indices(Body&& body) const {
#pragma GCC unroll 8
    for (int i = 0; i < F; ++i)
      if (!body(i)) return false;
    return true;
  }
  template <class Body>
  bool all_steps(int after, int upto, Body&& body) const {
    for (int k = after + 1; k <= upto; ++k)
      if (!body(k)) return false;
    return true;
  }

 private:
  Positions embedded_[R][F + 1] = {};
};

template <int R, int F, int H, int K>
Reading<R, F, H, K>::Reading(const Workload& workload, const spec::Profile& p,
                             const spec::Assumptions& a)
    : profile(p),
      assumptions(a),
      requests(static_cast<int>(workload.requests.size())),
      hashes(workload.hashes) {
  using Settings = spec::Config<Reading>;
  Settings::reset(config);
  config.capacity.set(workload.capacity);
  config.encoder_budget.set(workload.encoder_budget);
  config.lookahead.set(workload.lookahead);
  config.depth.set(workload.depth);
  config.token_budget.set(workload.token_budget);
  config.tail.set(workload.tail);
  config.whole_items.set(workload.whole_items);
  for (int r = 0; r < requests; ++r) {
    const auto& request = workload.requests[r];
    config.features.set({r}, static_cast<int>(request.features.size()));
    config.prompt.set({r}, request.prompt);
    config.limit.set({r}, request.limit);
    config.priority.set({r}, request.priority);
    const auto groups =
        groups_of(request.features, workload.manager == spec::Manager::encoder_decoder);
    int i = 0;
    for (const auto& feature : request.features) {
      config.start.set({r}, i, feature.start);
      config.end.set({r}, i, feature.end);
      config.embeds.set({r}, i, feature.embeds);
      config.hash.set({r}, i, {feature.hash});
      const auto& group = groups[static_cast<std::size_t>(i)];
      config.grouped.set({r}, i, group.grouped);
      config.group_start.set({r}, i, static_cast<int>(group.start));
      config.group_end.set({r}, i, static_cast<int>(group.end));
      config.group_embeds.set({r}, i, static_cast<int>(group.embeds));
      auto& embedded = embedded_[r][i];
      if (feature.mask.empty()) embedded = below(feature.end) & ~below(feature.start);
      for (const auto& [first, count] : feature.mask)
        embedded |= below(feature.start + first + count) & ~below(feature.start + first);
      ++i;
    }
  }
}

static_assert(spec::Domain<Reading<2, 2, 2, 3>>);
static_assert(std::has_unique_object_representations_v<spec::State<Reading<2, 2, 2, 3>>>);
static_assert(spec::is_complete<spec::State<Reading<2, 2, 2, 3>>>,
              "a member of spec::State is not declared with VARIABLE: nothing would copy, reset, "
              "rename or print it");
static_assert(spec::is_complete<spec::Config<Reading<2, 2, 2, 3>>>,
              "a member of spec::Config is not declared with VARIABLE");

}  // namespace holdfast::verify::inline readings::compact
