// Storage of the dynamic reading: functions without a size limit that keep only what is not
// default.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/domain.hpp"
#include "spec/require.hpp"
#include "verify/readings/sorts.hpp"

namespace holdfast::verify::inline readings::dynamic {

using Bool = bool;
using Int = std::int64_t;

/// A request or a hash: a small number, or nobody.
template <class Sort>
struct Name {
  std::int32_t id = -1;
  friend bool operator==(const Name&, const Name&) = default;
};
using Request = Name<spec::RequestSort>;
using Hash = Name<spec::HashSort>;

template <class Sort>
using Value = sorts::Of<Sort, Bool, Int, Request, Hash>;

/// Which requests and hashes exist: what quantifiers and bulk updates walk over.
struct Universe {
  std::vector<Request> requests;
  std::vector<Hash> hashes;
  /// Names walked over so far: the work of a run, on whatever machine.
  mutable std::uint64_t walked = 0;

  /// To walk over.
  template <class Sort>
  const auto& all() const {
    const auto& names = of<Sort>();
    walked += names.size();
    return names;
  }

 private:
  template <class Sort>
  const auto& of() const {
    if constexpr (std::is_same_v<Sort, spec::RequestSort>)
      return requests;
    else
      return hashes;
  }
};

/// Not bool, whose vector packs bits.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

/// By id: constant-time reads and writes, and the list of ids whose value is not the default.
template <class T>
class Column {
 public:
  using Key = std::int32_t;

  T get(Key id) const {
    const auto n = static_cast<std::size_t>(id);
    return id >= 0 && n < values_.size() ? static_cast<T>(values_[n]) : T{};
  }
  void set(Key id, T value) {
    HOLDFAST_REQUIRE(id >= 0, "a request or hash that there is: nobody has no values");
    const auto n = static_cast<std::size_t>(id);
    const bool is_default = value == T{};
    if (n >= values_.size()) {
      if (is_default) return;
      values_.resize(n + 1);
      place_.resize(n + 1, -1);
    }
    if constexpr (std::is_same_v<T, Int>) sum_ += value - values_[n];
    values_[n] = static_cast<Stored<T>>(value);
    if (is_default == (place_[n] < 0)) return;
    if (is_default) {
      const Key last = keys_.back();
      keys_[static_cast<std::size_t>(place_[n])] = last;
      place_[static_cast<std::size_t>(last)] = place_[n];
      place_[n] = -1;
      keys_.pop_back();
    } else {
      place_[n] = static_cast<Key>(keys_.size());
      keys_.push_back(id);
    }
  }
  void clear() {
    for (const Key id : keys_) {
      values_[static_cast<std::size_t>(id)] = Stored<T>{};
      place_[static_cast<std::size_t>(id)] = -1;
    }
    keys_.clear();
    sum_ = 0;
  }
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] Int sum() const {
    HOLDFAST_EXPENSIVELY_REQUIRE(sum_ == recomputed_sum(), "the sum of the values");
    return sum_;
  }

 private:
  [[nodiscard]] Int recomputed_sum() const {
    Int total = 0;
    for (const auto value : values_) total += value;
    return total;
  }

  std::vector<Stored<T>> values_;
  std::vector<Key> place_;  // in keys_, or -1
  std::vector<Key> keys_;
  Int sum_ = 0;
};

/// Few of many: sorted pairs. For references of an entry, and for what a step remembers.
template <class T>
class FlatRow {
 public:
  using Key = std::int32_t;

  T get(Key id) const {
    const auto at = find(id);
    return at != pairs_.end() && at->first == id ? static_cast<T>(at->second) : T{};
  }
  void set(Key id, T value) {
    HOLDFAST_REQUIRE(id >= 0, "a request or hash that there is: nobody has no values");
    const auto at = find(id);
    const bool found = at != pairs_.end() && at->first == id;
    const auto place = pairs_.begin() + (at - pairs_.cbegin());
    if (value == T{}) {
      if (found) pairs_.erase(place);
    } else if (found) {
      place->second = static_cast<Stored<T>>(value);
    } else {
      pairs_.insert(place, {id, static_cast<Stored<T>>(value)});
    }
  }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  [[nodiscard]] Int sum() const {
    Int total = 0;
    for (const auto& pair : pairs_) total += pair.second;
    return total;
  }
  template <class F>
  void each(F&& f) const {
    for (const auto& pair : pairs_) f(pair.first);
  }

 private:
  auto find(Key id) const {
    return std::lower_bound(pairs_.begin(), pairs_.end(), id,
                            [](const auto& pair, Key key) { return pair.first < key; });
  }
  std::vector<std::pair<Key, Stored<T>>> pairs_;
};

/// By small index, without holes: the features of a request.
template <class T>
class DenseRow {
 public:
  using Key = Int;

  T get(Key i) const {
    const auto n = static_cast<std::size_t>(i);
    return i >= 0 && n < values_.size() ? static_cast<T>(values_[n]) : T{};
  }
  void set(Key i, T value) {
    HOLDFAST_REQUIRE(i >= 0, "the index of a feature");
    const auto n = static_cast<std::size_t>(i);
    const bool is_default = value == T{};
    if (n >= values_.size()) {
      if (is_default) return;
      values_.resize(n + 1);
    }
    const bool was_default = values_[n] == Stored<T>{};
    used_ += (is_default ? 0U : 1U) - (was_default ? 0U : 1U);
    values_[n] = static_cast<Stored<T>>(value);
  }
  [[nodiscard]] bool empty() const {
    HOLDFAST_EXPENSIVELY_REQUIRE(used_ == recounted(), "the number of values that are not default");
    return used_ == 0;
  }
  [[nodiscard]] Int sum() const {
    Int total = 0;
    for (const auto value : values_) total += value;
    return total;
  }
  template <class F>
  void each(F&& f) const {
    for (std::size_t n = 0; n < values_.size(); ++n)
      if (values_[n] != Stored<T>{}) f(static_cast<Key>(n));
  }

 private:
  [[nodiscard]] std::size_t recounted() const {
    return values_.size() -
           static_cast<std::size_t>(std::count(values_.begin(), values_.end(), Stored<T>{}));
  }

  std::vector<Stored<T>> values_;
  std::size_t used_ = 0;
};

/// Rows by id. Clearing costs what was used since the last time, whatever the ids.
template <class Row>
class RowsById {
 public:
  [[nodiscard]] const Row* find(std::int32_t id) const {
    const auto n = static_cast<std::size_t>(id);
    return id >= 0 && n < rows_.size() ? &rows_[n] : nullptr;
  }
  Row& at(std::int32_t id) {
    HOLDFAST_REQUIRE(id >= 0, "a request or hash that there is: nobody has no row");
    const auto n = static_cast<std::size_t>(id);
    if (n >= rows_.size()) {
      rows_.resize(n + 1);
      is_used_.resize(n + 1);
    }
    if (!is_used_[n]) used_.push_back(id);
    is_used_[n] = true;
    return rows_[n];
  }
  void erase(std::int32_t id) {
    if (find(id) != nullptr) rows_[static_cast<std::size_t>(id)] = Row{};
  }
  void clear() {
    for (const auto id : used_) {
      rows_[static_cast<std::size_t>(id)] = Row{};
      is_used_[static_cast<std::size_t>(id)] = false;
    }
    used_.clear();
  }
  /// In the order of first use.
  template <class F>
  void each(F&& f) const {
    for (const auto id : used_) f(id, rows_[static_cast<std::size_t>(id)]);
  }

 private:
  std::vector<Row> rows_;
  std::vector<bool> is_used_;
  std::vector<std::int32_t> used_;
};

/// Rows by step: the few in flight, newest last. A step that was forgotten is not written again.
template <class Row>
class RowsByStep {
 public:
  [[nodiscard]] const Row* find(Int step) const {
    for (auto at = rows_.rbegin(); at != rows_.rend(); ++at)
      if (at->first == step) return &at->second;
    return nullptr;
  }
  Row& at(Int step) {
    HOLDFAST_REQUIRE(step >= oldest_, "a step that is not forgotten");
    if (const Row* row = find(step)) return const_cast<Row&>(*row);
    return rows_.emplace_back(step, Row{}).second;
  }
  void erase(Int step) {
    std::erase_if(rows_, [step](const auto& row) { return row.first == step; });
  }
  void erase_before(Int step) {
    oldest_ = std::max(oldest_, step);
    std::erase_if(rows_, [step](const auto& row) { return row.first < step; });
  }
  void clear() {
    rows_.clear();
    oldest_ = 0;
  }
  template <class F>
  void each(F&& f) const {
    for (const auto& [step, row] : rows_)
      if (!row.empty()) f(step, row);
  }

 private:
  std::vector<std::pair<Int, Row>> rows_;
  Int oldest_ = 0;
};

template <class Sort>
constexpr bool is_name =
    std::is_same_v<Sort, spec::RequestSort> || std::is_same_v<Sort, spec::HashSort>;

/// How a key is stored.
template <class Sort>
auto index_of(const Value<Sort>& key) {
  if constexpr (is_name<Sort>)
    return key.id;
  else
    return key;
}

template <class V>
class Var {
 public:
  Value<V> operator()() const { return value_; }
  void set(Value<V> value) { value_ = value; }
  void reset() { value_ = {}; }
  void bind(const Universe&) {}

 private:
  Value<V> value_{};
};

template <class V, class... Keys>
class Map;

/// A function of one request or hash.
template <class V, class K>
class Map<V, K> {
 public:
  using FirstKey = K;

  Value<V> operator()(Value<K> key) const { return column_.get(key.id); }
  void set(Value<K> key, Value<V> value) { column_.set(key.id, value); }
  void reset(Value<K> key) { set(key, {}); }
  void forget(Value<K> key) { reset(key); }
  void reset() { column_.clear(); }
  void fill(Value<V> value) {
    column_.clear();
    if (value != Value<V>{})
      for (const auto key : universe_->all<K>()) set(key, value);
  }
  /// f sees the state as it was: the new values are written when all are known.
  template <class F>
  void assign(F&& f) {
    const auto& keys = universe_->all<K>();
    scratch_.clear();
    for (const auto key : keys) scratch_.push_back(static_cast<Stored<Value<V>>>(f(key)));
    for (std::size_t n = 0; n < keys.size(); ++n) set(keys[n], static_cast<Value<V>>(scratch_[n]));
  }
  /// Calls f(key) for every key whose value is not the default.
  template <class F>
  void each(F&& f) const {
    for (const auto id : column_.keys()) f(Value<K>{id});
  }
  [[nodiscard]] bool empty() const { return column_.empty(); }
  void bind(const Universe& universe) { universe_ = &universe; }

 protected:
  Column<Value<V>> column_;
  std::vector<Stored<Value<V>>> scratch_;
  const Universe* universe_ = nullptr;
};

/// A function of (request, feature), (hash, request), (step, request) or (step, hash).
template <class V, class A, class B>
class Map<V, A, B> {
  using Row = std::conditional_t<is_name<B>, FlatRow<Value<V>>, DenseRow<Value<V>>>;
  using Rows = std::conditional_t<is_name<A>, RowsById<Row>, RowsByStep<Row>>;

 public:
  using FirstKey = A;
  static constexpr bool by_step = !is_name<A>;

  Value<V> operator()(Value<A> a, Value<B> b) const {
    const Row* row = rows_.find(index_of<A>(a));
    return row != nullptr ? row->get(index_of<B>(b)) : Value<V>{};
  }
  void set(Value<A> a, Value<B> b, Value<V> value) {
    if (value == Value<V>{} && rows_.find(index_of<A>(a)) == nullptr) return;
    auto& row = rows_.at(index_of<A>(a));
    if constexpr (has_sum) sum_ += value - row.get(index_of<B>(b));
    row.set(index_of<B>(b), value);
  }
  void reset() {
    rows_.clear();
    sum_ = 0;
  }
  void fill(Value<V> value) {
    HOLDFAST_REQUIRE(value == Value<V>{},
                     "only the default is filled in: anything else has no end");
    reset();
  }
  template <class F>
  void assign_row(Value<A> a, F&& f) {
    static_assert(is_name<B>, "nobody knows which features there are");
    Row row;
    for (const auto key : universe_->all<B>()) row.set(key.id, f(key));
    put_row(a, std::move(row));
  }
  template <class Other>
  void copy_row(Value<A> a, const Other& other) {
    Row row;
    other.each([&](Value<B> key) { row.set(key.id, other(key)); });
    put_row(a, std::move(row));
  }
  [[nodiscard]] bool none(Value<A> a) const {
    const Row* row = rows_.find(index_of<A>(a));
    return row == nullptr || row->empty();
  }
  /// Calls f(b) for every b whose value at a is not the default.
  template <class F>
  void each(Value<A> a, F&& f) const {
    if (const Row* row = rows_.find(index_of<A>(a)))
      row->each([&](auto key) {
        if constexpr (is_name<B>)
          f(Value<B>{key});
        else
          f(key);
      });
  }
  /// Calls f(a, b) for every point whose value is not the default, as stored keys.
  template <class F>
  void each_point(F&& f) const {
    const auto each_of = [&](auto a, const Row& row) { row.each([&](auto b) { f(a, b); }); };
    if constexpr (is_name<A>) {
      for (const auto a : universe_->all<A>())
        if (const Row* row = rows_.find(a.id)) each_of(a.id, *row);
    } else {
      rows_.each(each_of);
    }
  }
  void forget(Value<A> a) { put_row(a, Row{}); }
  void drop_rows_before(Int step) { rows_.erase_before(step); }
  void bind(const Universe& universe) { universe_ = &universe; }

 protected:
  // Steps have none of all rows: theirs come and go whole.
  static constexpr bool has_sum = std::is_same_v<Value<V>, Int> && !by_step;

  [[nodiscard]] Int recomputed_sum() const {
    Int total = 0;
    rows_.each([&](auto, const Row& row) { total += row.sum(); });
    return total;
  }

  Rows rows_;
  Int sum_ = 0;  // of all rows
  const Universe* universe_ = nullptr;

 private:
  void put_row(Value<A> a, Row row) {
    const auto key = index_of<A>(a);
    if constexpr (has_sum) {
      const Row* old = rows_.find(key);
      sum_ += row.sum() - (old != nullptr ? old->sum() : 0);
    }
    if (row.empty())
      rows_.erase(key);
    else
      rows_.at(key) = std::move(row);
  }
};

template <class... Keys>
class SlotMap : public Map<spec::IntSort, Keys...> {
  using Base = Map<spec::IntSort, Keys...>;

 public:
  [[nodiscard]] Int sum() const {
    if constexpr (sizeof...(Keys) == 1) {
      return this->column_.sum();
    } else {
      static_assert(!Base::by_step, "of steps, each has its sum");
      HOLDFAST_EXPENSIVELY_REQUIRE(this->sum_ == this->recomputed_sum(), "the sum of the values");
      return this->sum_;
    }
  }
  [[nodiscard]] Int sum(Int step) const {
    static_assert(Base::by_step, "only steps have sums of rows");
    const auto* row = this->rows_.find(step);
    return row != nullptr ? row->sum() : 0;
  }
};

}  // namespace holdfast::verify::inline readings::dynamic
