// What holds of the inputs' slots between two calls, counted anew from the records.
#include "impl/input_slots.hpp"

#include <vector>

namespace holdfast::impl {

namespace {

// In every build that calls it, also without cheap assertions.
void check_inputs(bool holds, const char* says) {
  if (!holds) assertion_broken(__FILE__, __LINE__, "check_invariants", says);
}

}  // namespace

void InputSlots::check_invariants() const {
  check_holders();
  check_entries();
}

void InputSlots::check_holders() const {
  std::vector<Index> features(entries_.size()), references(entries_.size());
  Embeds held = 0, will_be = 0;
  std::size_t num_chosen = 0, num_orders = 0, standing = 0;
  for (const auto& holder : holders_) {
    std::vector<Index> occurrences(holder.references.size());
    for (const auto& input : holder.inputs) {
      check_inputs(!(input.is_held && input.is_chosen), "what is chosen is not held");
      check_inputs(input.order == none || input.is_held, "an order stands while it is held");
      ++features[input.entry];
      held += input.is_held ? input.embeds : 0;
      will_be += input.is_chosen ? input.embeds : 0;
      num_chosen += input.is_chosen ? 1 : 0;
      num_orders += input.order != none ? 1 : 0;
      occurrences[input.reference] += input.is_held ? 1 : 0;
    }
    for (Index n = 0; n < occurrences.size(); ++n) {
      const Reference& reference = holder.references[n];
      check_inputs(reference.held == occurrences[n], "a reference counts its occurrences");
      check_inputs(!reference.is_of_pass || (!orders_.empty() && reference.held > 0),
                   "who references it holds it, in a pass that ordered it");
      references[reference.entry] += reference.is_of_pass ? 1 : 0;
    }
  }
  check_inputs(free_ == capacity_ - held, "free slots are those that no input has");
  check_inputs(promised_ == will_be && promised_ <= free_, "what is promised is free");
  check_inputs(num_chosen == chosen_.size(), "what is chosen is listed");
  for (const auto& o : orders_) standing += o.is_withdrawn ? 0 : 1;
  check_inputs(standing == num_orders, "an order that stands is an input's");
  for (Index n = 0; n < entries_.size(); ++n) {
    check_inputs(entries_[n].features == features[n], "an entry counts the features of its hash");
    check_inputs(entries_[n].references == references[n],
                 "an entry counts its references of this pass");
  }
}

void InputSlots::check_entries() const {
  std::size_t num_allocated = 0, num_due = 0, in_use = 0;
  for (Index n = 0; n < entries_.size(); ++n) {
    const Entry& e = entries_[n];
    check_inputs((e.pending > 0) == (e.references > 0), "what is referenced is pending");
    const bool is_needed = e.features > 0 || e.pins > 0 || e.is_allocated || e.is_due;
    check_inputs(hashes_.is_known(hashes_.handle(n)) == is_needed,
                 "a hash is known while it is needed");
    in_use += is_needed ? 1 : 0;
    num_allocated += e.is_allocated ? 1 : 0;
    num_due += e.is_due ? 1 : 0;
  }
  check_inputs(hashes_.size() == in_use, "as many hashes are known as are in use");
  check_inputs(num_allocated == allocated_.size() && num_due == due_.size(), "each is listed once");
}

}  // namespace holdfast::impl
