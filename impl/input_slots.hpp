// The slots of the inputs of encoder-decoder models: what `EncoderDecoderCache`, and `Scheduler`
// where it is one's, are made of. Nothing is validated here, all of it asserted: callers have
// checked.
//
// Representation. Nothing is shared: what is held is an input of a request, with slots of its own.
//   - free = C - the embeds of all inputs that are held; promised = those of the inputs chosen.
//   - An order of this pass stands while its input is held. A reference (all occurrences of one
//     hash in one request) is `of_pass` from its first order of this pass until its last occurrence
//     is dropped; an entry counts those references, and `pending` is its embeds as ordered last, 0
//     once nobody references it.
//   - `ordered` is what the pass has spent of its budget: every order costs its embeds, and the
//     last one that leaves gives `pending` back.
//   - `allocated`: hashes that were ordered since the last notice, each once; `due`: those of which
//     the next notice tells, unless they are `allocated` again.
//   - A hash is known while a feature has it, `allocated` or `due` list it, or it is pinned.
// See `check_invariants()`.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "holdfast/types.hpp"
#include "impl/assert.hpp"
#include "impl/interner.hpp"

namespace holdfast::impl {

class InputSlots {
 public:
  struct Entry {
    Index features = 0;         ///< features of requests that have this hash
    Index pins = 0;             ///< notices and orders that still name it
    Index references = 0;       ///< requests that ordered it in this pass [spec: refs]
    Embeds pending = 0;         ///< [spec: pending]
    bool is_allocated = false;  ///< since the last notice
    bool is_due = false;        ///< the next notice tells of it [spec: evicted]
  };
  struct Reference {
    Index entry = none;
    Index held = 0;  ///< occurrences that are
    bool is_of_pass = false;
  };
  struct Input {
    Embeds embeds = 0;
    Index entry = none, reference = none;
    Index order = none;      ///< of this pass, while it stands
    bool is_held = false;    ///< it has its slots [spec: held, charged]
    bool is_chosen = false;  ///< they are promised
  };
  struct Holder {
    std::vector<Input> inputs;
    std::vector<Reference> references;
  };
  /// An encode that this pass orders. Each input has one of its own.
  struct Order {
    Index request = none;
    InputId input = 0;
    bool is_withdrawn = false;
  };

  explicit InputSlots(Embeds capacity) : capacity_(capacity), free_(capacity) {}

  // -- requests --

  /// The record of request n with these features: each has an `mm_hash` and its `embeds`.
  /// O(features, times the different hashes among them), which are few.
  template <class Features>
  void add_holder(Index n, const Features& features) {
    if (n >= holders_.size()) holders_.resize(n + 1);
    Holder& holder = holders_[n];
    for (const auto& f : features) {
      const Index entry = intern(f.mm_hash);
      ++entries_[entry].features;
      holder.inputs.push_back({f.embeds, entry, reference_of(holder, entry)});
    }
  }
  /// Requires: it holds nothing.
  void remove_holder(Index n) {
    Holder& holder = holders_[n];
    for (const auto& input : holder.inputs) {
      HOLDFAST_ASSERT(!input.is_held && !input.is_chosen, "who leaves holds nothing");
      --entries_[input.entry].features;
      forget_if_unused(input.entry);
    }
    holder.inputs.clear();
    holder.references.clear();
  }
  [[nodiscard]] const Holder& holder(Index n) const { return holders_[n]; }
  /// Numbers of requests are below it.
  [[nodiscard]] std::size_t num_holders() const { return holders_.size(); }
  [[nodiscard]] const Input& input(Index request, InputId i) const {
    return holders_[request].inputs[i];
  }

  // -- the slots --

  [[nodiscard]] Embeds capacity() const { return capacity_; }
  [[nodiscard]] Embeds free() const { return free_; }
  [[nodiscard]] const Entry& entry(Index n) const { return entries_[n]; }
  [[nodiscard]] const Interner<HashHandle>& hashes() const { return hashes_; }

  /// The input takes its slots, and its encode is ordered [spec: EncdecAllocate]. Requires: it is
  /// not held, and they are free.
  void take(Index request, InputId i) {
    Input& input = holders_[request].inputs[i];
    HOLDFAST_ASSERT(!input.is_held && input.embeds <= free_, "there is room, and it has none yet");
    Reference& reference = holders_[request].references[input.reference];
    Entry& e = entries_[input.entry];
    free_ -= input.embeds;
    input.is_held = true;
    ++reference.held;
    if (!reference.is_of_pass) ++e.references;
    reference.is_of_pass = true;
    e.pending = input.embeds;
    ordered_ += input.embeds;
    input.order = static_cast<Index>(orders_.size());
    orders_.push_back({request, i});
  }
  /// It gives them back; an order of this pass is withdrawn [spec: EncdecDrop, EncdecRelease].
  /// Requires: it is held, so that nothing is given back twice.
  void drop(Index request, InputId i) {
    Input& input = holders_[request].inputs[i];
    HOLDFAST_ASSERT(input.is_held, "what is dropped is held");
    Reference& reference = holders_[request].references[input.reference];
    Entry& e = entries_[input.entry];
    free_ += input.embeds;
    input.is_held = false;
    if (input.order != none) orders_[input.order].is_withdrawn = true;
    input.order = none;
    if (--reference.held > 0 || !reference.is_of_pass) return;
    reference.is_of_pass = false;
    if (--e.references > 0) return;
    ordered_ -= e.pending;
    e.pending = 0;
  }
  void drop_all(Index request) {
    const auto& inputs = holders_[request].inputs;
    for (InputId i = 0; i < inputs.size(); ++i)
      if (inputs[i].is_held) drop(request, i);
  }
  /// Everything is forgotten [spec: EncdecReset]. Requires: no order stands, none is chosen.
  void reset() {
    HOLDFAST_ASSERT(orders_.empty() && chosen_.empty(), "nothing is half done");
    for (auto& holder : holders_) {
      for (auto& input : holder.inputs) input.is_held = false;
      for (auto& reference : holder.references) reference.held = 0;
    }
    forget_listed(allocated_, &Entry::is_allocated);
    forget_listed(due_, &Entry::is_due);
    free_ = capacity_;
  }

  // -- the promise --

  [[nodiscard]] Embeds promised() const { return promised_; }
  [[nodiscard]] std::span<const InputId> chosen() const { return chosen_; }
  void choose(Index request, InputId i) {
    Input& input = holders_[request].inputs[i];
    input.is_chosen = true;
    promised_ += input.embeds;
    chosen_.push_back(i);
  }
  /// What is chosen takes its slots, or, if not `is_taken`, is given up.
  void settle(Index request, bool is_taken) {
    for (const InputId i : chosen_) {
      Input& input = holders_[request].inputs[i];
      input.is_chosen = false;
      promised_ -= input.embeds;
      if (is_taken) take(request, i);
    }
    chosen_.clear();
  }

  // -- the pass --

  [[nodiscard]] std::span<const Order> orders() const { return orders_; }
  /// The compute budget that this pass has spent.
  [[nodiscard]] Embeds ordered() const { return ordered_; }
  /// From here on orders are not withdrawn; what they encode is told of one notice later
  /// [spec: EncdecEndPass].
  void end_orders() {
    for (const auto& order : orders_) {
      Input& input = holders_[order.request].inputs[order.input];
      Entry& e = entries_[input.entry];
      // What was taken back may leave a reference of the pass: another occurrence of its hash.
      if (e.pending > 0 && !e.is_allocated) {
        e.is_allocated = true;
        allocated_.push_back(input.entry);
      }
      input.order = none;
      holders_[order.request].references[input.reference].is_of_pass = false;
      e.references = 0;
      e.pending = 0;
    }
    orders_.clear();
    ordered_ = 0;
  }
  /// What was ordered before the last two calls of this, and not since: the worker has read it and
  /// is to drop it. Each is pinned: `unpin` it when nobody reads its name any more. Requires: no
  /// order stands.
  template <class Use>
  void take_freed(Use&& use) {
    for (const Index n : due_) {
      entries_[n].is_due = false;
      if (entries_[n].is_allocated) continue;
      ++entries_[n].pins;
      use(n);
    }
    due_.clear();
    std::swap(due_, allocated_);
    for (const Index n : due_) {
      entries_[n].is_allocated = false;
      entries_[n].is_due = true;
    }
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
  void check_holders() const;
  void check_entries() const;

  Index intern(std::string_view hash) {
    if (const Index known = hashes_.find(hash); known != none) return known;
    const Index n = hashes_.add(hash);
    if (n >= entries_.size()) entries_.resize(n + 1);
    entries_[n] = {};
    return n;
  }
  void forget_if_unused(Index n) {
    const Entry& e = entries_[n];
    if (e.features == 0 && e.pins == 0 && !e.is_allocated && !e.is_due) hashes_.forget(n);
  }
  void forget_listed(std::vector<Index>& list, bool Entry::* is_listed) {
    for (const Index n : list) {
      entries_[n].*is_listed = false;
      forget_if_unused(n);
    }
    list.clear();
  }
  /// Which reference of the holder is of that entry; a new one if none is.
  static Index reference_of(Holder& holder, Index entry) {
    for (Index n = 0; n < holder.references.size(); ++n)
      if (holder.references[n].entry == entry) return n;
    holder.references.push_back({entry});
    return static_cast<Index>(holder.references.size() - 1);
  }

  Embeds capacity_, free_, promised_ = 0, ordered_ = 0;
  std::vector<InputId> chosen_;
  std::vector<Order> orders_;
  std::vector<Index> allocated_, due_;
  Interner<HashHandle> hashes_;
  std::vector<Holder> holders_;
  std::vector<Entry> entries_;
};

}  // namespace holdfast::impl
