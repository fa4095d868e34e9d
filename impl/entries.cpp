// What holds of the entries between two calls, counted anew from the records.
#include "impl/entries.hpp"

#include <vector>

#include "impl/assert.hpp"

namespace holdfast::impl {

namespace {

// In every build that calls it, also without cheap assertions.
void check(bool holds, const char* says) {
  if (!holds) assertion_broken(__FILE__, __LINE__, "check_invariants", says);
}

}  // namespace

void Entries::check_invariants() const {
  check_holders();
  check_slots();
  check_freeable();
  check_orders();
  check_names();
}

void Entries::check_holders() const {
  std::vector<Index> features(entries_.size()), references(entries_.size());
  for (const auto& holder : holders_) {
    std::vector<Index> held(holder.size);
    Index all = 0;
    for (const auto& f : holder.all()) {
      check(f.first < held.size() && holder.features[f.first].entry == f.entry &&
                holder.features[f.first].first == f.first,
            "the first occurrence is of that hash");
      check(f.embeds > 0, "a feature has embeds");
      check(!f.is_held || entries_[f.entry].embeds == f.embeds,
            "what is held is cached, at its size");
      ++features[f.entry];
      held[f.first] += f.is_held ? 1 : 0;
      all += f.is_held ? 1 : 0;
    }
    check(holder.held == all, "a holder counts what it holds");
    for (InputId i = 0; i < held.size(); ++i) {
      check(holder.features[i].held == held[i], "a reference counts its occurrences");
      references[holder.features[i].entry] += held[i] > 0 ? 1 : 0;
    }
  }
  for (Index n = 0; n < entries_.size(); ++n) {
    check(entries_[n].features == features[n], "an entry counts the features of its hash");
    check(entries_[n].references == references[n], "an entry counts its references");
  }
}

void Entries::check_slots() const {
  Embeds cached = 0, freeable = 0, promised = 0;
  for (const auto& e : entries_) {
    check(e.embeds >= 0 && e.promised >= 0, "no size is negative");
    check(e.embeds == 0 || e.promised == 0, "what is promised is not cached");
    check(e.embeds > 0 || e.references == 0, "what is referenced is cached");
    cached += e.embeds;
    freeable += e.references == 0 ? e.embeds : 0;
    promised += e.promised;
  }
  check(free_ == capacity_ - cached, "free slots are those that no entry has");
  check(reclaimable_ == free_ + freeable, "reclaimable ones are free, or of freeable entries");
  check(promised_ == promised && promised_ <= free_, "what is promised is free");
}

void Entries::check_freeable() const {
  std::size_t listed = 0, freeable = 0;
  Index before = none;
  for (Index n = freeable_.front(); n != none; n = Freeable::after(entries_, n)) {
    const Entry& e = entries_[n];
    check(e.embeds > 0 && e.references == 0, "what is listed is freeable");
    check(e.freeable.before == before, "the list is linked both ways");
    check(++listed <= entries_.size(), "the list ends");
    before = n;
  }
  check(freeable_.back() == before && freeable_.size() == listed, "the list knows its end");
  for (const auto& e : entries_) freeable += e.embeds > 0 && e.references == 0 ? 1 : 0;
  check(listed == freeable, "what is freeable is listed");
}

void Entries::check_orders() const {
  Embeds ordered = 0;
  std::size_t named = 0;
  for (Index n = 0; n < orders_.size(); ++n) {
    const Order& o = orders_[n];
    if (o.is_withdrawn) continue;
    const Entry& e = entries_[o.entry];
    ordered += e.embeds;
    check(e.order == n, "an order and its entry name each other");
    check(entry_of(o.request, o.input) == o.entry && holders_[o.request].features[o.input].is_held,
          "an order names an occurrence that is held");
    for (Index s = o.next; s != none; s = sharers_[s].next)
      check(entry_of(sharers_[s].request, sharers_[s].input) == o.entry &&
                (sharers_[s].next != none || o.last == s),
            "who shares an order has a feature of its entry");
    ++named;
  }
  check(ordered_ == ordered, "what is ordered is counted");
  for (const auto& e : entries_) named -= e.order != none ? 1 : 0;
  check(named == 0, "an entry's order stands");
}

void Entries::check_names() const {
  std::vector<bool> listed(entries_.size());
  for (const Index n : evicted_) {
    check(entries_[n].is_evicted && !listed[n], "an eviction is told once");
    listed[n] = true;
  }
  std::size_t in_use = 0;
  for (Index n = 0; n < entries_.size(); ++n) {
    const Entry& e = entries_[n];
    check(e.is_evicted == listed[n], "an eviction will be told");
    const bool is_needed = e.features > 0 || e.pins > 0 || e.embeds > 0 || e.is_evicted;
    check(is_in_use_[n] == is_needed, "a hash is known while something names it");
    check(hashes_.is_known(hashes_.handle(n)) == is_needed, "its handle is valid as long");
    check(seen_[n] == std::pair<Index, Index>{}, "what was seen is forgotten");
    in_use += is_needed ? 1 : 0;
  }
  check(hashes_.size() == in_use, "as many hashes are known as are in use");
}

}  // namespace holdfast::impl
