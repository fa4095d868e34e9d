// Caches with requests to call, and how their answers are compared.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "holdfast/encoder_cache.hpp"

namespace holdfast {

inline void PrintTo(Error error, std::ostream* out) { *out << to_string(error); }

}  // namespace holdfast

namespace holdfast::impl {

template <class Cache>
class CacheFixture : public ::testing::Test {
 protected:
  using Strings = std::vector<std::string>;
  using Features = std::vector<EncoderCache::Feature>;

  explicit CacheFixture(Embeds size) : cache(std::move(Cache::make(size).value)) {}

  RequestHandle add(std::string_view id, const Features& features) {
    const auto added = cache.add_request(id, features);
    EXPECT_EQ(added.error, Error::none);
    return added.value;
  }
  bool fits(std::string_view id, InputId i) {
    const auto answer = cache.can_allocate(id, i, largest_size, 0);
    EXPECT_EQ(answer.error, Error::none);
    return answer.value;
  }
  bool hits(std::string_view id, InputId i) {
    const auto answer = cache.check_and_update_cache(id, i);
    EXPECT_EQ(answer.error, Error::none);
    return answer.value;
  }
  void take(std::string_view id, InputId i) {
    EXPECT_TRUE(fits(id, i));
    EXPECT_EQ(cache.allocate(id, i), Error::none);
  }
  void give_back(std::string_view id, InputId i) {
    EXPECT_EQ(cache.free_encoder_input(id, i), Error::none);
  }
  Strings freed() {
    const auto answer = cache.get_freed_mm_hashes();
    EXPECT_EQ(answer.error, Error::none);
    Strings names;
    for (const auto& f : answer.value) {
      EXPECT_EQ(*cache.mm_hash(f.handle), f.mm_hash);
      names.emplace_back(f.mm_hash);
    }
    return names;
  }
  std::vector<InputId> cached(std::string_view id) {
    const auto answer = cache.get_cached_input_ids(id);
    EXPECT_EQ(answer.error, Error::none);
    return {answer.value.begin(), answer.value.end()};
  }
  /// "a/1 sees h" for each order, then "a/0 gave h to b/2" for each hand-over.
  Strings end_pass() {
    const auto pass = cache.end_pass();
    EXPECT_EQ(pass.error, Error::none);
    Strings said;
    for (const auto& o : pass->orders) said.push_back(who(o.request, o.input) + " sees " + hash(o));
    for (const auto& h : pass->hand_overs)
      said.push_back(who(h.from, h.from_input) + " gave " + hash(h.order) + " to " +
                     who(h.order.request, h.order.input));
    return said;
  }
  /// Free slots, freeable ones, promised ones, embeds that are ordered.
  [[nodiscard]] std::tuple<Embeds, Embeds, Embeds, Embeds> slots() const {
    return {cache.num_free_slots(), cache.num_freeable_slots(), cache.num_promised_slots(),
            cache.num_ordered_embeds()};
  }

  Cache cache;

 private:
  std::string who(RequestHandle r, InputId i) {
    return std::string(*cache.request_id(r)) + "/" + std::to_string(i);
  }
  std::string hash(const EncoderCache::Order& o) { return std::string(*cache.mm_hash(o.mm_hash)); }
};

}  // namespace holdfast::impl
