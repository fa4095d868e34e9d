// The workloads of given sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/explore/explore.hpp"

namespace holdfast::verify::explore {

/// What `holdfast explore` is told. Every request has the same spans: `text` tokens, a feature of
/// `span` tokens, and so on; its limit is `beyond` tokens past its last feature. Every way to give
/// the features hashes is a workload of its own, but for renaming of requests and hashes.
struct ExploreSizes {
  spec::Manager manager = spec::Manager::decoder_only;
  int requests = 2;
  int features = 2;  ///< of each request
  int hashes = 2;
  int capacity = 2;        ///< slots
  int encoder_budget = 2;  ///< embeds a pass
  int lookahead = 1;
  int depth = 1;  ///< steps in flight
  int drafts = 1;
  int tokens = 2;        ///< most that a pass gives a request
  int token_budget = 0;  ///< most that a pass gives all requests; 0: as many as they like
  int hits = 0;          ///< most that the prefix cache gives a request
  int text = 0;
  int span = 1;
  int overlap = 0;  ///< tokens that an odd feature shares with the one before it: they are a group
  int beyond = 1;
  int tail = 0;              ///< tokens at the prompt's end in which no chunk may end
  bool whole_items = false;  ///< items must not be split
  /// A feature of request r takes 1 slot, or r % 2 + 1: then requests disagree about a hash.
  bool disagree = false;
  bool ranked = false;  ///< the earlier a request's number, the more urgent; else all are alike
};

std::vector<Workload> workloads(const ExploreSizes& sizes);

/// Options for these sizes under a profile.
SearchOptions options_for(const ExploreSizes& sizes, const spec::Profile& profile = {});

/// Sizes at which, taken together, every path of every rule is taken that can be taken at all.
const std::vector<ExploreSizes>& standard_sizes();

}  // namespace holdfast::verify::explore
