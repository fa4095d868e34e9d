// How many bytes an entry, a reference, a feature and a request take: every allocation is counted,
// with what the allocator adds to it. Tables double, so that a row has the least and the most of
// sizes from N to 2 N.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <malloc.h>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "holdfast/encoder_cache.hpp"
#include "holdfast/scheduler.hpp"

namespace holdfast::impl {
namespace {

std::size_t live = 0;

void* counted(std::size_t size) {
  void* place = std::malloc(size);
  if (place == nullptr) std::abort();
  live += malloc_usable_size(place);
  return place;
}
void uncounted(void* place) {
  live -= malloc_usable_size(place);
  std::free(place);
}

/// 64 characters, as of a SHA-256.
std::string name_of(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(64 - digits.size(), '0') + digits;
}
std::string id_of(std::size_t number) { return "chatcmpl-" + name_of(number).substr(32); }

void must(bool holds) {
  if (!holds) std::abort();
}

/// Bytes that `count` of them take, beyond those of none.
using Measure = std::function<std::size_t(std::size_t count)>;

template <class Make, class Add>
std::size_t bytes_of(std::size_t count, Make&& make, Add&& add) {
  auto it = make();
  const std::size_t before = live;
  for (std::size_t n = 0; n < count; ++n) add(it, n);
  return live - before;
}

EncoderCache roomy_cache() { return std::move(EncoderCache::make(largest_size).value); }

/// Entries that are cached, and of which no request knows.
std::size_t entries(std::size_t count) {
  return bytes_of(count, roomy_cache, [](EncoderCache& cache, std::size_t n) {
    const std::string hash = name_of(n);
    const std::array features{EncoderCache::Feature{hash, 1}};
    const RequestHandle r = cache.add_request("the same", features).value;
    must(cache.can_allocate(r, 0, 1, 0).value && cache.allocate(r, 0) == Error::none);
    must(cache.remove_request(r) == Error::none);
  });
}
std::size_t requests(std::size_t count) {
  return bytes_of(count, roomy_cache, [](EncoderCache& cache, std::size_t n) {
    must(cache.add_request(id_of(n), {}).ok());
  });
}
/// Features of one request, each the only one of its hash there, all held: each is a reference.
std::size_t references(std::size_t count) {
  EncoderCache cache = roomy_cache();
  std::vector<std::string> hashes;
  for (std::size_t n = 0; n < count; ++n) hashes.push_back(name_of(n));
  std::vector<EncoderCache::Feature> features;
  for (const auto& hash : hashes) features.push_back({hash, 1});
  const auto take_all = [&](const std::string& id) {
    const RequestHandle r = cache.add_request(id, features).value;
    for (InputId i = 0; i < count; ++i)
      if (!cache.check_and_update_cache(r, i).value) must(cache.allocate(r, i) == Error::none);
  };
  take_all("who makes the entries");
  take_all("who is as large");
  must(cache.remove_request(std::string_view("who is as large")) == Error::none);
  const RequestHandle none = cache.add_request("none", {}).value;
  must(cache.remove_request(none) == Error::none);
  take_all("a");
  const std::size_t before = live;
  take_all("b");
  return live - before;
}

std::unique_ptr<Scheduler> scheduler() {
  SchedulerConfig config;
  config.encoder_cache_size = config.max_num_encoder_input_tokens = largest_size;
  config.max_num_batched_tokens = config.num_gpu_blocks = config.max_num_seqs = largest_size;
  config.max_model_len = 4096;
  config.block_size = 16;
  return std::move(Scheduler::create(config).value);
}
template <Tokens images>
std::size_t scheduled_requests(std::size_t count) {
  auto engine = scheduler();
  const std::string hash = name_of(0);
  std::vector<FeatureSpec> features;
  for (Tokens i = 0; i < images; ++i)
    features.push_back({hash, Mask::whole(i * 16, i * 16 + 16).value});
  const std::size_t before = live;
  for (std::size_t n = 0; n < count; ++n)
    must(engine->add_request({id_of(n), 2048, 64, 0, 0, features}).ok());
  std::vector<Output> outputs;
  const PassOutput& out = **engine->schedule();
  for (const Allotment& a : out.scheduled) outputs.push_back({a.samples ? 1 : 0, 0});
  must(out.scheduled.size() == count);
  must(engine->update_from_output(out.step.number, outputs) == Error::none);
  return live - before;
}

void tell(const char* what, const Measure& measure, std::size_t from) {
  double least = 1e18, most = 0;
  for (const std::size_t count : {from, from + 1, from * 5 / 4, from * 3 / 2, from * 7 / 4}) {
    const double bytes = static_cast<double>(measure(count)) / static_cast<double>(count);
    least = std::min(least, bytes);
    most = std::max(most, bytes);
  }
  std::printf("| %s | %zu | %.0f | %.0f |\n", what, from, least, most);
}

}  // namespace
}  // namespace holdfast::impl

void* operator new(std::size_t size) { return holdfast::impl::counted(size); }
void operator delete(void* place) noexcept { holdfast::impl::uncounted(place); }
void operator delete(void* place, std::size_t) noexcept { holdfast::impl::uncounted(place); }

int main() {
  using namespace holdfast::impl;
  std::printf("| bytes of | N | least | most |\n|---|---|---|---|\n");
  tell("an entry, its hash of 64 characters with it", entries, std::size_t{1} << 16U);
  tell("a feature of a request of a known hash, held: a reference", references,
       std::size_t{1} << 12U);
  tell("a request of the cache, its id of 41 characters with it", requests, std::size_t{1} << 16U);
  tell("a running request of the scheduler, text only", scheduled_requests<0>,
       std::size_t{1} << 12U);
  tell("the same with 8 features", scheduled_requests<8>, std::size_t{1} << 12U);
}
