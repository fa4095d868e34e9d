// What never changes in a run, with machine values.
#pragma once

#include <utility>
#include <vector>

#include "spec/state.hpp"

namespace holdfast::verify::inline readings {

struct WorkloadFeature {
  int start = 0;   ///< first position
  int end = 0;     ///< position after the last
  int embeds = 1;  ///< slots
  int hash = 0;    ///< 0-based
  /// Embeddings: runs [first, count] inside the feature; empty: all of it.
  std::vector<std::pair<int, int>> mask = {};
};

struct WorkloadRequest {
  int prompt = 0;  ///< tokens
  int limit = 0;   ///< most tokens it may ever compute
  std::vector<WorkloadFeature> features;
  int priority = 0;  ///< the smaller, the more urgent
};

/// What never changes in a run: spec::Config with machine values.
struct Workload {
  spec::Manager manager = spec::Manager::decoder_only;
  int capacity = 1;
  int encoder_budget = 1;
  int lookahead = 0;
  int depth = 1;
  int hashes = 1;
  std::vector<WorkloadRequest> requests;
  int token_budget = 60;
  int tail = 0;
  bool whole_items = false;
};

}  // namespace holdfast::verify::inline readings
