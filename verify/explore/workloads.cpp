#include "verify/explore/workloads.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace holdfast::verify::explore {
namespace {

/// The hash of each feature, request after request.
using Hashes = std::vector<int>;

/// Hashes named in the order in which they are met.
Hashes in_order(const Hashes& hashes) {
  std::map<int, int> names;
  Hashes renamed;
  for (const int h : hashes)
    renamed.push_back(names.try_emplace(h, static_cast<int>(names.size())).first->second);
  return renamed;
}

/// The least of those that differ by renaming. Requests may change places if they agree on sizes
/// and urgency.
Hashes least(const Hashes& hashes, const ExploreSizes& sizes) {
  std::vector<int> order(sizes.requests);
  std::iota(order.begin(), order.end(), 0);
  Hashes chosen;
  do {
    bool allowed = true;
    Hashes moved;
    for (int at = 0; at < sizes.requests; ++at) {
      allowed &= !sizes.disagree || order[at] % 2 == at % 2;
      allowed &= !sizes.ranked || order[at] == at;
      const auto from = hashes.begin() + order[at] * sizes.features;
      moved.insert(moved.end(), from, from + sizes.features);
    }
    if (!allowed) continue;
    moved = in_order(moved);
    if (chosen.empty() || moved < chosen) chosen = moved;
  } while (std::ranges::next_permutation(order).found);
  return chosen;
}

std::set<Hashes> assignments(const ExploreSizes& sizes) {
  const int features = sizes.requests * sizes.features;
  std::set<Hashes> all;
  Hashes hashes(features, 0);
  while (true) {
    all.insert(least(hashes, sizes));
    int n = 0;
    while (n < features && ++hashes[n] == sizes.hashes) hashes[n++] = 0;
    if (n == features) return all;
  }
}

/// Where the features of a request lie, in their order.
std::vector<std::pair<int, int>> spans(const ExploreSizes& sizes) {
  std::vector<std::pair<int, int>> all;
  for (int i = 0, end = 0; i < sizes.features; ++i) {
    const int start = end + (i % 2 == 1 && sizes.overlap > 0 ? -sizes.overlap : sizes.text);
    end = start + sizes.span;
    all.emplace_back(start, end);
  }
  return all;
}

Workload make_workload(const ExploreSizes& sizes, const Hashes& hashes) {
  Workload w;
  w.manager = sizes.manager;
  w.capacity = sizes.capacity;
  w.encoder_budget = sizes.encoder_budget;
  w.lookahead = sizes.lookahead;
  w.depth = sizes.depth;
  w.hashes = sizes.hashes;
  if (sizes.token_budget > 0) w.token_budget = sizes.token_budget;
  w.tail = sizes.tail;
  w.whole_items = sizes.whole_items;
  const auto places = spans(sizes);
  const int prompt = places.empty() ? sizes.text : places.back().second;
  auto hash = hashes.begin();
  for (int r = 0; r < sizes.requests; ++r) {
    WorkloadRequest request{prompt, prompt + sizes.beyond, {}, sizes.ranked ? r : 0};
    for (const auto& [start, end] : places)
      request.features.push_back({start, end, sizes.disagree ? r % 2 + 1 : 1, *hash++});
    w.requests.push_back(request);
  }
  return w;
}

}  // namespace

std::vector<Workload> workloads(const ExploreSizes& sizes) {
  std::vector<Workload> all;
  for (const auto& hashes : assignments(sizes)) all.push_back(make_workload(sizes, hashes));
  return all;
}

SearchOptions options_for(const ExploreSizes& sizes, const spec::Profile& profile) {
  SearchOptions options;
  options.profile = profile;
  options.workloads = workloads(sizes);
  options.choices = {sizes.tokens, sizes.drafts, sizes.hits};
  options.sizes = {{"requests", sizes.requests},
                   {"features", sizes.features},
                   {"hashes", sizes.hashes},
                   {"capacity", sizes.capacity},
                   {"budget", sizes.encoder_budget},
                   {"lookahead", sizes.lookahead},
                   {"depth", sizes.depth},
                   {"drafts", sizes.drafts},
                   {"tokens", sizes.tokens},
                   {"text", sizes.text},
                   {"span", sizes.span},
                   {"beyond", sizes.beyond},
                   {"workloads", std::ssize(options.workloads)}};
  const auto add = [&](const char* name, int value) {
    if (value != 0) options.sizes[name] = value;
  };
  add("token-budget", sizes.token_budget);
  add("hits", sizes.hits);
  add("overlap", sizes.overlap);
  add("tail", sizes.tail);
  add("whole-items", sizes.whole_items);
  add("disagree", sizes.disagree);
  add("ranked", sizes.ranked);
  if (sizes.manager == spec::Manager::encoder_decoder) options.sizes["encoder-decoder"] = 1;
  return options;
}

const std::vector<ExploreSizes>& standard_sizes() {
  constexpr auto encoder_decoder = spec::Manager::encoder_decoder;
  static const std::vector<ExploreSizes> all = {
      {},
      {.capacity = 1, .encoder_budget = 1},
      {.features = 1, .capacity = 3, .disagree = true},
      {.features = 1, .capacity = 1, .disagree = true},
      {.features = 1, .depth = 2, .beyond = 0},
      {.features = 1, .hits = 1, .ranked = true},
      {.overlap = 1},
      {.features = 1,
       .tokens = 3,
       .token_budget = 3,
       .text = 1,
       .span = 2,
       .tail = 1,
       .whole_items = true},
      {.tokens = 3, .token_budget = 3, .hits = 1, .span = 2, .overlap = 1, .whole_items = true},
      {.manager = encoder_decoder},
      {.manager = encoder_decoder, .features = 1, .depth = 2, .beyond = 0},
      {.manager = encoder_decoder, .features = 1, .capacity = 1, .disagree = true},
  };
  return all;
}

}  // namespace holdfast::verify::explore
