// The entries of the encoder cache and who holds them: what `EncoderCache` and `Scheduler` are made
// of. Nothing is validated here, all of it asserted: callers have checked.
//
// Representation. A feature of a request is an occurrence of its hash there; occurrences of one
// hash in one request share a *reference*, which lives while one of them is held; the first counts
// them. An entry is
//   - absent: embeds = 0;
//   - held: embeds > 0, references > 0; in no list;
//   - freeable: embeds > 0, references = 0; in the list of freeable entries, oldest first.
// free = C - the embeds of all entries; reclaimable = free + those of the freeable ones. An order
// of this pass stands for an entry that is held, and names an occurrence that is held; those that
// came to share it in this pass are chained behind it. See `check_invariants()`, which says all of
// it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "holdfast/types.hpp"
#include "impl/index_list.hpp"
#include "impl/interner.hpp"

namespace holdfast::impl {

struct Entry {
  Embeds embeds = 0;        ///< slots that it takes; 0: not cached [spec: weight]
  Embeds promised = 0;      ///< slots that this turn will take for it [spec: promised]
  Index references = 0;     ///< requests that hold an occurrence of it [spec: refs]
  Index features = 0;       ///< features of requests that have this hash
  Index pins = 0;           ///< notices and orders that still name it
  Index order = none;       ///< its order in this pass [spec: pending]
  Links freeable;           ///< [spec: freeable, order]
  bool is_evicted = false;  ///< since the last notice [spec: evicted]
};

struct Feature {
  Embeds embeds = 0;
  Index entry = none;
  InputId first = 0;  ///< the first of its request that has its hash
  Index held = 0;     ///< of the first: how many occurrences of that hash are held, the reference
  bool is_held = false;    ///< [spec: held]
  bool is_chosen = false;  ///< this turn will allocate it [spec: chosen]
};

/// What a request holds of the cache.
struct Holder {
  std::unique_ptr<Feature[]> features;
  Index size = 0;  ///< how many features
  Index room = 0;  ///< for so many
  Index held = 0;  ///< features that are

  [[nodiscard]] std::span<const Feature> all() const { return {features.get(), size}; }
  [[nodiscard]] std::span<Feature> all() { return {features.get(), size}; }
};

/// An encode that this pass orders (`scheduled_encoder_inputs`).
struct Order {
  Index entry = none;
  Index request = none;
  InputId input = 0;
  Index next = none;  ///< the next that shares it, in `sharers`
  Index last = none;  ///< the last of them
  bool is_withdrawn = false;
};
struct Sharer {
  Index request = none;
  InputId input = 0;
  Index next = none;
};
/// An order that went to another request, as who gave it was taken back.
struct HandOver {
  Index order = none;
  Index from = none;
  InputId from_input = 0;
};

enum class Lookup : std::uint8_t { miss, hit, wrong_size };

class Entries {
 public:
  explicit Entries(Embeds capacity)
      : free_(capacity), reclaimable_(capacity), capacity_(capacity) {}

  // -- requests --

  /// The record of request n with these features. `hashes` and `embeds` are as long.
  template <class Features>
  void add_holder(Index n, const Features& features) {
    if (n >= holders_.size()) holders_.resize(n + 1);
    Holder& holder = holders_[n];
    holder.size = 0;
    if (features.size() > holder.room) {
      holder.room = static_cast<Index>(features.size());
      holder.features = std::make_unique<Feature[]>(holder.room);
    }
    for (const auto& f : features) {
      const InputId i = holder.size++;
      const Index entry = intern(f.mm_hash);
      if (seen_[entry].first != n + 1) seen_[entry] = {n + 1, i};
      ++entries_[entry].features;
      holder.features[i] = {f.embeds, entry, seen_[entry].second};
    }
    for (const auto& feature : holder.all()) seen_[feature.entry] = {};
  }
  /// Requires: it holds nothing.
  void remove_holder(Index n) {
    Holder& holder = holders_[n];
    HOLDFAST_ASSERT(holder.held == 0, "who leaves holds nothing");
    for (const auto& feature : holder.all()) {
      --entries_[feature.entry].features;
      forget_if_unused(feature.entry);
    }
    holder.size = 0;
  }
  [[nodiscard]] const Holder& holder(Index n) const { return holders_[n]; }
  /// Numbers of requests are below it.
  [[nodiscard]] std::size_t num_holders() const { return holders_.size(); }
  [[nodiscard]] Index entry_of(Index request, InputId i) const {
    return holders_[request].features[i].entry;
  }

  // -- the cache --

  [[nodiscard]] Embeds capacity() const { return capacity_; }
  [[nodiscard]] Embeds free() const { return free_; }                // num_free_slots
  [[nodiscard]] Embeds reclaimable() const { return reclaimable_; }  // num_freeable_slots
  [[nodiscard]] const Entry& entry(Index n) const { return entries_[n]; }
  [[nodiscard]] std::size_t bound() const { return entries_.size(); }
  [[nodiscard]] const Interner<HashHandle>& hashes() const { return hashes_; }
  [[nodiscard]] Index oldest() const { return freeable_.front(); }
  [[nodiscard]] Index next_oldest(Index n) const { return Freeable::after(entries_, n); }

  /// What a look-up would find; takes nothing.
  [[nodiscard]] Lookup look_up(Index request, InputId i) const {
    const Feature& feature = holders_[request].features[i];
    const Entry& e = entries_[feature.entry];
    if (e.embeds + e.promised == 0) return Lookup::miss;
    return e.embeds + e.promised == feature.embeds ? Lookup::hit : Lookup::wrong_size;
  }
  /// A hit: the request holds the feature [spec: Touch]. Requires: the entry is cached.
  [[gnu::always_inline]] void hold(Index request, InputId i) {
    Feature& feature = holders_[request].features[i];
    if (feature.is_held) return;
    Entry& e = entries_[feature.entry];
    HOLDFAST_ASSERT(e.embeds != 0, "what is held is cached");
    if (refer(holders_[request], feature) && e.references++ == 0) {
      reclaimable_ -= e.embeds;
      freeable_.remove(entries_, feature.entry);
    }
    if (e.order != none) share_order(e.order, request, i);
  }
  /// Whether that entry is in the list of freeable ones.
  [[nodiscard]] bool is_freeable(Index n) const {
    return freeable_.front() == n || entries_[n].freeable.before != none;
  }
  /// The oldest freeable entry goes [spec: Evict]. Requires: there is one.
  void evict_oldest() {
    const Index n = freeable_.front();
    HOLDFAST_ASSERT(n != none, "something is freeable");
    Entry& e = entries_[n];
    freeable_.remove(entries_, n);
    free_ += e.embeds;
    e.embeds = 0;
    if (!e.is_evicted) {
      e.is_evicted = true;
      evicted_.push_back(n);
    }
  }
  /// Slots for a feature, which the request holds. Requires: its entry is not cached, and `embeds`
  /// slots are free.
  [[gnu::always_inline]] void take_slots(Index request, InputId i) {
    Feature& feature = holders_[request].features[i];
    Entry& e = entries_[feature.entry];
    HOLDFAST_ASSERT(e.embeds == 0 && feature.embeds <= free_,
                    "there is room, and it is not cached");
    free_ -= feature.embeds;
    reclaimable_ -= feature.embeds;
    e.embeds = feature.embeds;
    refer(holders_[request], feature);
    ++e.references;
  }
  /// So, and its encode is ordered [spec: Allocate].
  void allocate(Index request, InputId i) {
    take_slots(request, i);
    const Index n = entry_of(request, i);
    Entry& e = entries_[n];
    e.order = static_cast<Index>(orders_.size());
    ordered_ += e.embeds;
    orders_.push_back({n, request, i});
  }
  /// The request does not hold the feature any more [spec: drop_occurrence]: the reference goes
  /// with its last occurrence, and what nobody references is freeable, or, if it was ordered in
  /// this pass, gone. Requires: it is held.
  [[gnu::always_inline]] void drop(Index request, InputId i) {
    Holder& holder = holders_[request];
    Feature& feature = holder.features[i];
    HOLDFAST_ASSERT(feature.is_held, "what is dropped is held");
    feature.is_held = false;
    --holder.held;
    Entry& e = entries_[feature.entry];
    const bool is_last = --holder.features[feature.first].held == 0;
    if (is_last && --e.references == 0) {
      if (e.order != none) {
        withdraw(feature.entry);
      } else {
        reclaimable_ += e.embeds;
        freeable_.push_back(entries_, feature.entry);
      }
    } else if (e.order != none && orders_[e.order].request == request &&
               orders_[e.order].input == i) {
      hand_over(e.order);
    }
  }
  void drop_all(Index request) {
    Holder& holder = holders_[request];
    for (InputId i = 0; holder.held > 0; ++i)
      if (holder.features[i].is_held) drop(request, i);
  }
  /// Everything is forgotten [spec: forget_everything]. Requires: no order stands, none is chosen.
  void reset() {
    for (auto& holder : holders_) {
      if (holder.held == 0) continue;
      for (auto& feature : holder.all()) {
        feature.is_held = false;
        feature.held = 0;
      }
      holder.held = 0;
    }
    freeable_.clear();
    for (Index n : evicted_) entries_[n].is_evicted = false;
    evicted_.clear();
    for (Index n = 0; n < entries_.size(); ++n) {
      Entry& e = entries_[n];
      e.embeds = 0;
      e.references = 0;
      e.freeable = {};
      if (is_in_use_[n]) forget_if_unused(n);
    }
    free_ = reclaimable_ = capacity_;
  }

  // -- the promise: what a turn has chosen, until KV blocks are found --

  [[nodiscard]] Embeds promised() const { return promised_; }
  [[nodiscard]] std::span<const InputId> chosen() const { return chosen_; }
  /// [spec: Order, Share]
  void choose(Index request, InputId i) {
    Feature& feature = holders_[request].features[i];
    Entry& e = entries_[entry_of(request, i)];
    feature.is_chosen = true;
    chosen_.push_back(i);
    if (e.embeds == 0 && e.promised == 0) {
      e.promised = feature.embeds;
      promised_ += feature.embeds;
    }
  }
  /// The promise is kept, once KV blocks are found (`_allocate_encoder_inputs`).
  void allocate_chosen(Index request) {
    allocate_chosen(request, [](InputId, bool) {});
  }
  /// `each` is told of every input once it is held, and whether its slots were taken for it.
  template <class Each>
  void allocate_chosen(Index request, Each&& each) {
    for (const InputId i : chosen_) {
      Entry& e = entries_[entry_of(request, i)];
      holders_[request].features[i].is_chosen = false;
      if (e.promised > 0) {
        promised_ -= e.promised;
        e.promised = 0;
        allocate(request, i);
        each(i, true);
      } else {
        hold(request, i);
        each(i, false);
      }
    }
    chosen_.clear();
  }
  void forget_chosen(Index request) {
    for (const InputId i : chosen_) {
      Entry& e = entries_[entry_of(request, i)];
      promised_ -= e.promised;
      e.promised = 0;
      holders_[request].features[i].is_chosen = false;
    }
    chosen_.clear();
  }

  // -- the pass --

  [[nodiscard]] std::span<const Order> orders() const { return orders_; }
  [[nodiscard]] std::span<const HandOver> hand_overs() const { return hand_overs_; }
  /// Embeds of the orders that stand: the compute budget that this pass has spent.
  [[nodiscard]] Embeds ordered() const { return ordered_; }
  /// From here on orders are not withdrawn (`EndPass`).
  void end_orders() {
    for (const auto& order : orders_)
      if (!order.is_withdrawn) entries_[order.entry].order = none;
    orders_.clear();
    sharers_.clear();
    hand_overs_.clear();
    ordered_ = 0;
  }
  /// What was evicted since the last time and is not cached again (`get_freed_mm_hashes`), each
  /// once, oldest first. They are pinned: `unpin` them when nobody reads their names any more.
  template <class Use>
  void take_freed(Use&& use) {
    for (const Index n : evicted_) {
      Entry& e = entries_[n];
      e.is_evicted = false;
      if (e.embeds == 0) {
        ++e.pins;
        use(n);
      } else {
        forget_if_unused(n);
      }
    }
    evicted_.clear();
  }
  void pin(Index n) { ++entries_[n].pins; }
  void unpin(Index n) {
    HOLDFAST_ASSERT(entries_[n].pins > 0, "what is unpinned was pinned");
    --entries_[n].pins;
    forget_if_unused(n);
  }

  /// O(everything). Aborts with what is broken.
  void check_invariants() const;

 private:
  using Freeable = IndexList<Entry, &Entry::freeable>;

  void check_holders() const;
  void check_slots() const;
  void check_freeable() const;
  void check_orders() const;
  void check_names() const;

  Index intern(std::string_view hash) {
    if (const Index known = hashes_.find(hash); known != none) return known;
    const Index n = hashes_.add(hash);
    if (n >= entries_.size()) {
      entries_.resize(n + 1);
      seen_.resize(n + 1);
      is_in_use_.resize(n + 1);
    }
    entries_[n] = {};
    is_in_use_[n] = true;
    return n;
  }
  void forget_if_unused(Index n) {
    const Entry& e = entries_[n];
    if (e.features > 0 || e.pins > 0 || e.embeds > 0 || e.is_evicted || !is_in_use_[n]) return;
    is_in_use_[n] = false;
    hashes_.forget(n);
  }
  /// The holder holds one feature more. Whether that is its first of that hash.
  static bool refer(Holder& holder, Feature& feature) {
    feature.is_held = true;
    ++holder.held;
    return holder.features[feature.first].held++ == 0;
  }
  // What is rare stays out of line, so that what is not needs no frame.
  [[gnu::noinline]] void share_order(Index order, Index request, InputId i) {
    Order& o = orders_[order];
    const auto sharer = static_cast<Index>(sharers_.size());
    sharers_.push_back({request, i, none});
    (o.last == none ? o.next : sharers_[o.last].next) = sharer;
    o.last = sharer;
  }
  /// Nobody wants what this pass ordered: the slots and the compute budget are given back.
  [[gnu::noinline]] void withdraw(Index n) {
    Entry& e = entries_[n];
    free_ += e.embeds;
    reclaimable_ += e.embeds;
    ordered_ -= e.embeds;
    orders_[e.order].is_withdrawn = true;
    e.order = none;
    e.embeds = 0;
    // Its feature still names it, so that it is not forgotten.
  }
  /// The order goes to the next occurrence that is held. There is one.
  [[gnu::noinline]] void hand_over(Index order) {
    Order& o = orders_[order];
    const HandOver from{order, o.request, o.input};
    while (true) {
      HOLDFAST_ASSERT(o.next != none, "who references an entry of this pass shares its order");
      const Sharer& sharer = sharers_[o.next];
      o.request = sharer.request;
      o.input = sharer.input;
      o.next = sharer.next;
      if (o.next == none) o.last = none;
      if (holders_[o.request].features[o.input].is_held) break;
    }
    if (o.request != from.from) hand_overs_.push_back(from);
  }

  std::vector<Entry> entries_;
  Interner<HashHandle> hashes_;
  std::vector<bool> is_in_use_;
  std::vector<std::pair<Index, Index>>
      seen_;  ///< while a request is added: 1 + it, the first input
  std::vector<Holder> holders_;
  Freeable freeable_;
  std::vector<Index> evicted_;
  Embeds free_, reclaimable_, capacity_;
  Embeds promised_ = 0;
  std::vector<InputId> chosen_;
  std::vector<Order> orders_;
  std::vector<Sharer> sharers_;
  std::vector<HandOver> hand_overs_;
  Embeds ordered_ = 0;
};

}  // namespace holdfast::impl
