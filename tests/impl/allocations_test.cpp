// No memory is allocated once everything has been as large before.
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "holdfast/encoder_cache.hpp"
#include "holdfast/encoder_decoder_cache.hpp"
#include "impl/assert.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* found = std::malloc(size == 0 ? 1 : size)) return found;
  throw std::bad_alloc();
}
void operator delete(void* there) noexcept { std::free(there); }
void operator delete(void* there, std::size_t) noexcept { std::free(there); }

namespace holdfast::impl {
namespace {

// With expensive checks on, those allocate.
constexpr bool is_counted = !expensive_checks;

/// Requests come and go, with ids and hashes that are new each time, and passes order for them.
template <class Cache>
class Traffic {
 public:
  void pass() {
    cache_.begin_pass();
    for (auto& live : live_) plan(live);
    cache_.end_pass();
    for (auto& live : live_) release(live);
    cache_.get_freed_mm_hashes();
    come_and_go();
  }

 private:
  struct Live {
    RequestHandle handle;
    bool is_there = false;
  };
  static constexpr std::size_t inputs = 8;

  void plan(const Live& live) {
    if (!live.is_there) return;
    for (InputId i = 0; i < inputs; ++i) {
      if (*cache_.check_and_update_cache(live.handle, i)) continue;
      if (cache_.can_allocate(live.handle, i, 1'000, 0).value) cache_.choose(live.handle, i);
    }
    if (draw_() % 8 == 0)
      cache_.forget_chosen(live.handle);
    else
      cache_.allocate_chosen(live.handle);
    if (draw_() % 8 == 0) cache_.free(live.handle);
  }
  void release(const Live& live) {
    for (InputId i = 0; live.is_there && i < inputs; ++i)
      if (draw_() % 2 == 0) cache_.free_encoder_input(live.handle, i);
  }
  void come_and_go() {
    Live& live = live_[draw_() % live_.size()];
    if (live.is_there) {
      cache_.remove_request(live.handle);
      live.is_there = false;
      return;
    }
    for (std::size_t i = 0; i < inputs; ++i) {
      write(hashes_[i], draw_() % 400);
      features_[i] = {hashes_[i], 16};
    }
    write(id_, ++come_);
    live = {cache_.add_request(id_, features_).value, true};
  }
  static void write(std::string& text, std::uint64_t number) {
    text.assign(64, '0');
    for (std::size_t at = 0; number > 0; number /= 10) text[at++] += static_cast<char>(number % 10);
  }

  Cache cache_ = std::move(Cache::make(4'096).value);
  std::mt19937_64 draw_{1};
  std::array<Live, 16> live_;
  std::array<std::string, inputs> hashes_;
  std::array<EncoderCache::Feature, inputs> features_;
  std::string id_;
  std::uint64_t come_ = 0;
};

template <class Cache>
std::size_t allocations_of_many_passes() {
  const auto traffic = std::make_unique<Traffic<Cache>>();
  const int passes = is_counted ? 20'000 : 50;
  for (int n = 0; n < passes; ++n) traffic->pass();
  allocations = 0;
  for (int n = 0; n < passes / 8; ++n) traffic->pass();
  return allocations;
}

TEST(Allocations, AreCounted) {
  allocations = 0;
  static_cast<void>(std::make_unique<std::string>(100, 'x'));
  EXPECT_EQ(allocations, 2U);
}

TEST(Allocations, EncoderCacheMakesNoneInTheSteadyState) {
  const std::size_t found = allocations_of_many_passes<EncoderCache>();
  EXPECT_TRUE(found == 0 || !is_counted) << found;
}

TEST(Allocations, EncoderDecoderCacheMakesNoneInTheSteadyState) {
  const std::size_t found = allocations_of_many_passes<EncoderDecoderCache>();
  EXPECT_TRUE(found == 0 || !is_counted) << found;
}

}  // namespace
}  // namespace holdfast::impl
