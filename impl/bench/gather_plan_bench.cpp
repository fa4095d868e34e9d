// What a gather plan costs: 64 requests, 8192 tokens, half of them image rows; goal 20
// microseconds. The layouts are those of shared/vllm-testbed/bench_gather.py, and the requests
// decode.
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "impl/include/holdfast/gather_plan.hpp"
#include "impl/include/holdfast/mask.hpp"
#include "impl/include/holdfast/request_features.hpp"

namespace holdfast::impl {
namespace {

constexpr std::uint32_t requests = 64;
constexpr Tokens chunk = 8192 / requests;

/// A step with a window of each request, and a store that has all that is read.
struct Workload {
  std::vector<RequestFeatures> features;
  std::vector<GatherWindow> windows;
  std::vector<StoredEntry> stored;

  void add(Tokens start, Tokens tokens, const std::vector<Mask>& masks) {
    std::vector<MaskedFeature> own;
    for (const Mask& mask : masks) {
      own.push_back({{static_cast<std::uint32_t>(stored.size()), 1}, mask});
      stored.push_back({1, mask.embeds()});
    }
    const auto n = static_cast<std::uint32_t>(features.size());
    features.push_back(RequestFeatures::of(std::move(own)).value);
    windows.push_back({{n, 1}, nullptr, start, tokens});
    for (std::size_t r = 0; r < windows.size(); ++r) windows[r].features = &features[r];
  }
};

std::vector<MaskRun> every_second(Tokens length) {
  std::vector<MaskRun> runs;
  for (Tokens p = 0; p < length; p += 2) runs.push_back({p, 1});
  return runs;
}

Workload one_run() {
  Workload w;
  for (std::uint32_t r = 0; r < requests; ++r) w.add(0, chunk, {Mask::whole(32, 96).value});
  return w;
}
Workload four_runs() {
  Workload w;
  std::vector<Mask> masks;
  for (Tokens i = 0; i < 4; ++i) masks.push_back(Mask::whole(8 + i * 32, 24 + i * 32).value);
  for (std::uint32_t r = 0; r < requests; ++r) w.add(0, chunk, masks);
  return w;
}
Workload masked() {
  Workload w;
  const Mask mask = Mask::of_runs(0, chunk, every_second(chunk)).value;
  for (std::uint32_t r = 0; r < requests; ++r) w.add(0, chunk, {mask});
  return w;
}
/// The window starts inside the image.
Workload ragged() {
  Workload w;
  for (std::uint32_t r = 0; r < requests; ++r)
    w.add(512, chunk, {Mask::whole(100, 512 + chunk / 2).value});
  return w;
}
/// A window in the middle of a mask of 65536 runs, of which it needs few.
Workload long_mask() {
  Workload w;
  const Mask mask = Mask::of_runs(0, 131072, every_second(131072)).value;
  for (std::uint32_t r = 0; r < requests; ++r) w.add(65000, chunk, {mask});
  return w;
}
/// All decode: eight images each, and all of them have ended.
Workload decode() {
  Workload w;
  std::vector<Mask> masks;
  for (Tokens i = 0; i < 8; ++i) masks.push_back(Mask::whole(i * 600, i * 600 + 576).value);
  for (std::uint32_t r = 0; r < requests; ++r) w.add(5000, 1, masks);
  return w;
}

template <Workload (*make)(), Tokens lookahead>
void plan(benchmark::State& state) {
  const Workload w = make();
  GatherPlan plan;
  for (auto _ : state) {
    const GatherError error = plan_gather({1, lookahead, w.windows, w.stored}, plan);
    if (!error.ok()) return state.SkipWithError("no plan");
    benchmark::DoNotOptimize(plan.runs.data());
    benchmark::ClobberMemory();
  }
  state.counters["runs"] = static_cast<double>(plan.runs.size());
  state.counters["rows"] = static_cast<double>(plan.rows);
}

BENCHMARK(plan<one_run, 0>)->Name("gather_plan/one_run")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<four_runs, 0>)->Name("gather_plan/four_runs")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<masked, 0>)->Name("gather_plan/masked")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<masked, 3>)->Name("gather_plan/masked_drafter")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<ragged, 0>)->Name("gather_plan/ragged")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<long_mask, 0>)->Name("gather_plan/long_mask")->Unit(benchmark::kMicrosecond);
BENCHMARK(plan<decode, 0>)->Name("gather_plan/decode")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace holdfast::impl

BENCHMARK_MAIN();
