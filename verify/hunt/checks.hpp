// What is asked after every small step: which properties do not hold, and whether the step is
// something new.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "spec/catalogue.hpp"
#include "spec/schedule/queues.hpp"
#include "verify/explore/steps.hpp"
#include "verify/hunt/outcome.hpp"

namespace holdfast::verify::hunt {

/// Of every property but `progress`, which no state can tell, the first time that it does not hold.
template <class D>
class PropertyChecks {
 public:
  /// Calls found(name) for each property that does not hold and has held so far.
  template <class Found>
  void check(const D& d, const spec::State<D>& s, spec::Manager manager, Found&& found) {
    if (manager == spec::Manager::decoder_only)
      check_all(spec::DecoderOnly::Properties{}, d, s, found);
    else
      check_all(spec::EncoderDecoder::Properties{}, d, s, found);
  }

 private:
  template <class... P, class Found>
  void check_all(spec::List<P...>, const D& d, const spec::State<D>& s, Found& found) {
    unsigned n = 0;
    (check_one<P>(n++, d, s, found), ...);
  }
  template <class P, class Found>
  void check_one(unsigned n, const D& d, const spec::State<D>& s, Found& found) {
    if constexpr (!std::is_same_v<P, spec::Progress>) {
      if ((broken_ >> n & 1U) != 0) return;
      if (P::template holds<D>(d, s)) [[likely]]
        return;
      broken_ |= 1U << n;
      found(P::info.name);
    }
  }

  unsigned broken_ = 0;
};

/// A number for the path that a rule has just taken, and for the situation in which it did.
template <class Rule, class D>
std::uint64_t situation_of(const D& d, const spec::State<D>& s, const spec::Queues<D>& queues) {
  using Rules = spec::DecoderOnly::Rules;
  constexpr std::size_t in_list = explore::index_in<Rule>(Rules{});
  constexpr std::size_t rule =
      in_list < Rules::size ? in_list
                            : in_list + explore::index_in<Rule>(spec::EncoderDecoder::Rules{});
  std::uint64_t number = rule * 4096 + (d.path & 4095U);
  const auto add = [&number](auto value, std::uint64_t most) {
    number = number * (most + 1) + std::min(static_cast<std::uint64_t>(value), most);
  };
  add(queues.running.size(), 2);
  add(queues.waiting.size(), 2);
  add(queues.scheduled.size(), 2);
  add(s.issued() - s.delivered(), 2);
  add(s.in_pass(), 1);
  add(d.config.lookahead(), 2);
  add(d.config.whole_items(), 1);
  add(queues.sizes.policy == spec::Policy::priority, 1);
  add(s.free() == 0 ? 0 : s.reclaimable() < d.config.capacity() ? 1 : 2, 2);
  return number;
}

}  // namespace holdfast::verify::hunt
