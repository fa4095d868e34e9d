// How many calls a second: the trace of vLLM's manager, replayed by string and by handle.
//
//   holdfast_bench TRACE... [--benchmark_...]   or the path in HOLDFAST_MANAGER_TRACE
//
// A trace begins with `capacity N`, `H hash embeds` for each hash and `R request n hashes...` for
// each request; then one call a line:
//   C request input -> answer                   check_and_update_cache
//   A request input budget planned -> answer    can_allocate
//   L request input                             allocate
//   F request input                             free_encoder_input
//   G -> n hashes...                            get_freed_mm_hashes
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "holdfast/encoder_cache.hpp"

namespace holdfast::impl::bench {
namespace {

/// Small, so that what is measured is not how fast calls are read.
struct Call {
  std::uint32_t request = 0;  ///< or which list of what is freed
  InputId input = 0;
  std::int32_t budget = 0, planned = 0;
  char kind = 0;
  bool answer = false;
};

struct Trace {
  Embeds capacity = 0;
  std::vector<Embeds> embeds;
  std::vector<std::string> hashes, requests;
  std::vector<std::vector<EncoderCache::Feature>> features;
  std::vector<Call> calls;
  std::vector<std::vector<std::string>> freed;
};

/// 64 hexadecimal characters that look like a SHA-256.
std::string name_of_hash(std::size_t n) {
  std::uint64_t state = n + 1;
  std::string name;
  for (int i = 0; i < 64; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    name += "0123456789abcdef"[state >> 60U];
  }
  return name;
}

void read_call(Trace& trace, std::istringstream& words, char kind) {
  Call call;
  call.kind = kind;
  std::string arrow;
  if (kind == 'G') {
    std::size_t n = 0;
    words >> arrow >> n;
    call.request = static_cast<std::uint32_t>(trace.freed.size());
    auto& freed = trace.freed.emplace_back();
    for (std::size_t h; words >> h;) freed.push_back(trace.hashes.at(h));
  } else {
    words >> call.request >> call.input;
    if (kind == 'A') words >> call.budget >> call.planned;
    words >> arrow >> call.answer;
  }
  trace.calls.push_back(call);
}

Trace read_trace(const char* path) {
  Trace trace;
  std::ifstream file(path);
  for (std::string line, kind; std::getline(file, line);) {
    std::istringstream words(line);
    words >> kind;
    std::size_t n = 0, size = 0;
    if (kind == "capacity") {
      words >> trace.capacity;
    } else if (kind == "H") {
      Embeds embeds = 0;
      words >> n >> embeds;
      trace.embeds.resize(std::max(trace.embeds.size(), n + 1));
      trace.embeds[n] = embeds;
    } else if (kind == "R") {
      while (trace.hashes.size() < trace.embeds.size())
        trace.hashes.push_back(name_of_hash(trace.hashes.size()));
      words >> n >> size;
      trace.requests.push_back("chatcmpl-" + name_of_hash(~n).substr(0, 32));
      auto& features = trace.features.emplace_back();
      for (std::size_t h; words >> h;) features.push_back({trace.hashes.at(h), trace.embeds[h]});
    } else {
      read_call(trace, words, kind.at(0));
    }
  }
  return trace;
}

/// Makes all calls. How many answers differ from the recorded ones.
template <class Ids>
std::size_t replay(EncoderCache& cache, const Trace& trace, const Ids& ids) {
  std::size_t differ = 0;
  for (const Call& c : trace.calls) {
    const auto request = ids.begin() + c.request;
    switch (c.kind) {
      case 'C': differ += cache.check_and_update_cache(*request, c.input).value != c.answer; break;
      case 'A':
        differ += cache.can_allocate(*request, c.input, c.budget, c.planned).value != c.answer;
        break;
      case 'L': differ += cache.allocate(*request, c.input) != Error::none; break;
      case 'F': differ += cache.free_encoder_input(*request, c.input) != Error::none; break;
      default: {
        const auto told = cache.get_freed_mm_hashes();
        differ += told.value.size() != trace.freed[c.request].size();
      }
    }
  }
  return differ;
}

std::vector<RequestHandle> add_requests(EncoderCache& cache, const Trace& trace) {
  std::vector<RequestHandle> handles;
  for (std::size_t n = 0; n < trace.requests.size(); ++n)
    handles.push_back(cache.add_request(trace.requests[n], trace.features[n]).value);
  return handles;
}

/// The answers, notices among them in their order, and not only as many.
bool answers_are_the_same(const Trace& trace) {
  EncoderCache cache = std::move(EncoderCache::make(trace.capacity).value);
  const auto handles = add_requests(cache, trace);
  Trace one = trace;
  for (const Call& c : trace.calls) {
    if (c.kind != 'G') {
      one.calls = {c};
      if (replay(cache, one, handles) > 0) return false;
      continue;
    }
    std::vector<std::string> here;
    const auto told = cache.get_freed_mm_hashes();
    for (const auto& f : told.value) here.emplace_back(f.mm_hash);
    if (here != trace.freed[c.request]) return false;
  }
  return true;
}

template <bool by_handle>
void replay_trace(benchmark::State& state, const Trace& trace) {
  EncoderCache cache = std::move(EncoderCache::make(trace.capacity).value);
  const auto handles = add_requests(cache, trace);
  std::size_t differ = 0;
  double best = 1;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if constexpr (by_handle)
      differ = replay(cache, trace, handles);
    else
      differ = replay(cache, trace, trace.requests);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
    if (cache.reset() != Error::none) state.SkipWithError("the trace can't be replayed again");
  }
  state.counters["calls/s"] = benchmark::Counter(
      static_cast<double>(trace.calls.size()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
  state.counters["best"] = static_cast<double>(trace.calls.size()) / best;
  state.counters["answers that differ"] = static_cast<double>(differ);
}

bool add_trace(const char* path) {
  static std::vector<std::unique_ptr<Trace>> traces;
  const Trace& trace = *traces.emplace_back(std::make_unique<Trace>(read_trace(path)));
  if (trace.calls.empty() || !answers_are_the_same(trace)) {
    std::fprintf(stderr, "%s: %s\n", path, trace.calls.empty() ? "no trace" : "answers differ");
    return false;
  }
  std::printf("%s: %zu calls, all answers the same\n", path, trace.calls.size());
  const std::string name = std::string(path).substr(std::string(path).rfind('/') + 1);
  benchmark::RegisterBenchmark((name + "/by string").c_str(), [&trace](benchmark::State& state) {
    replay_trace<false>(state, trace);
  })->UseManualTime();
  benchmark::RegisterBenchmark((name + "/by handle").c_str(), [&trace](benchmark::State& state) {
    replay_trace<true>(state, trace);
  })->UseManualTime();
  return true;
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<const char*> paths(argv + 1, argv + argc);
  if (const char* path = std::getenv("HOLDFAST_MANAGER_TRACE"); path != nullptr && paths.empty())
    paths.push_back(path);
  if (paths.empty()) std::fprintf(stderr, "no trace: holdfast_bench TRACE...\n");
  for (const char* path : paths)
    if (!add_trace(path)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return paths.empty() ? 2 : 0;
}

}  // namespace
}  // namespace holdfast::impl::bench

int main(int argc, char** argv) { return holdfast::impl::bench::run(argc, argv); }
