// What a hunt tries: a configuration, the requests, and what happens around the scheduler. None of
// it depends on what the scheduler does, so that the same script runs under any profile.
//
// A script is kept as a list of small numbers, its genes. Zero is always the simplest: nothing
// scarce, nothing special. The sum of all is the script's size; a hunt enumerates scripts by it,
// changes genes at random, and shrinks what it found by lowering them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/schedule/queues.hpp"
#include "verify/readings/workload.hpp"

namespace holdfast::verify::hunt {

struct ScriptRequest {
  WorkloadRequest request;  ///< `limit` leaves room for what may be in flight
  int max_tokens = 1;
  int hit = 0;                   ///< tokens that the prefix cache has of it
  int arrives = 1;               ///< before that tick
  int aborted = 0;               ///< before that tick; 0: never
  bool again = false;            ///< whenever it has ended, a fresh copy of it arrives
  std::vector<int> accepted{0};  ///< of the drafts of an output, in turn; no more than there are
  std::vector<int> proposed{0};  ///< drafts after an output, in turn, without async scheduling
};

struct Script {
  Workload workload;  ///< without its requests
  spec::Policy policy = spec::Policy::fcfs;
  int draft_tokens = 0;
  int kv_blocks = 0;
  int kv_block_size = 1;
  int kv_watermark_blocks = 0;
  int threshold = 0;
  int max_num_seqs = 0;
  int max_model_len = 0;
  std::vector<ScriptRequest> requests;
  int reset = 0;        ///< of the encoder cache, before that tick; 0: never
  int preempt_all = 0;  ///< of all that run, before that tick, as by `reset_prefix_cache`
  std::vector<int> left_in_flight{0};  ///< passes that stay in flight behind a tick, in turn
  bool executes_late = false;  ///< a step is executed when its outputs are wanted, not at once

  /// Behind that tick nothing happens but what follows from the requests.
  [[nodiscard]] int last_tick() const;
};

/// All requests of the script, for the reading.
inline Workload workload_of(const Script& script) {
  Workload w = script.workload;
  for (const auto& r : script.requests) w.requests.push_back(r.request);
  return w;
}

template <class D>
spec::Sizes<D> sizes_of(const Script& script) {
  return {.manager = script.workload.manager,
          .policy = script.policy,
          .draft_tokens = script.draft_tokens,
          .kv_blocks = script.kv_blocks,
          .kv_block_size = script.kv_block_size,
          .kv_watermark_blocks = script.kv_watermark_blocks,
          .long_prefill_threshold = script.threshold,
          .max_num_seqs = script.max_num_seqs,
          .max_model_len = script.max_model_len};
}

/// Sizes without a limit.
inline constexpr int roomy_slots = 50, roomy_tokens = 50, roomy_blocks = 100, roomy_seqs = 16,
                     roomy_length = 100;

inline constexpr int most_requests = 4, most_features = 4, most_hashes = 8, most_depth = 4;

/// What a gene says.
struct Gene {
  std::string_view name;  ///< as in `--sizes`
  std::string_view says;
  int least;  ///< what zero stands for
  int most;   ///< where `--sizes` does not say otherwise
  int bound;  ///< the largest that `--sizes` may say
};

// In the order of the tables below. The effect of a gene depends on those before it alone.
enum class OfScript : std::uint8_t {
  requests,
  encoder_decoder,
  priority_policy,
  depth,
  drafts,
  lookahead,
  whole_items,
  token_budget,
  encoder_budget,
  capacity,
  threshold,
  kv_blocks,
  kv_block_size,
  kv_watermark,
  max_num_seqs,
  model_len,
  reset,
  preempt_all,
  delivery,
  late
};
enum class OfRequest : std::uint8_t {
  features,
  text,
  outputs,
  priority,
  hit,
  arrives,
  aborted,
  again,
  accepts,
  proposes
};
enum class OfFeature : std::uint8_t { gap, overlap, length, mask, hash };

inline constexpr std::array configuration_genes = {
    Gene{"requests", "requests", 1, 3, most_requests},
    Gene{"encoder_decoder", "1: the manager of encoder-decoder models", 0, 1, 1},
    Gene{"priority_policy", "1: policy `priority`", 0, 1, 1},
    Gene{"depth", "passes in flight", 1, 3, most_depth},
    Gene{"drafts", "draft tokens of a step", 0, 2, 4},
    Gene{"lookahead", "positions that the drafter reads ahead", 0, 3, 4},
    Gene{"whole_items", "1: items must not be split", 0, 1, 1},
    Gene{"token_budget", "tokens of a pass", 0, 8, 20},
    Gene{"encoder_budget", "embeds that a pass may order", 0, 4, 16},
    Gene{"capacity", "slots of the encoder cache", 0, 4, 16},
    Gene{"threshold", "most tokens of a turn where others are there too", 0, 3, 8},
    Gene{"kv_blocks", "KV blocks", 0, 8, 40},
    Gene{"kv_block_size", "tokens of a KV block", 1, 3, 8},
    Gene{"kv_watermark", "KV blocks that an admission leaves", 0, 2, 4},
    Gene{"max_num_seqs", "running requests", 0, 2, 4},
    Gene{"model_len", "tokens that a request may have beyond the longest prompt", 0, 4, 16},
    Gene{"reset", "tick of a reset of the encoder cache", 0, 4, 8},
    Gene{"preempt_all", "tick at which all that run are preempted", 0, 4, 8},
    Gene{"delivery", "how many passes stay in flight: all that may, none, or in turn", 0, 3, 3},
    Gene{"late", "1: steps are executed when their outputs are wanted", 0, 1, 1},
};
inline constexpr std::array request_genes = {
    Gene{"features", "features of a request", 0, 2, most_features},
    Gene{"text", "tokens of the prompt behind its items", 0, 3, 8},
    Gene{"outputs", "tokens to generate", 1, 3, 6},
    Gene{"priority", "of a request: the smaller, the more urgent", 0, 2, 3},
    Gene{"hit", "tokens of the prompt that the prefix cache has", 0, 3, 8},
    Gene{"arrives", "ticks before a request arrives", 0, 4, 8},
    Gene{"aborted", "tick of an abort", 0, 5, 8},
    Gene{"again", "1: fresh copies keep coming", 0, 1, 1},
    Gene{"accepts", "drafts accepted: none, all, or in turn", 0, 3, 3},
    Gene{"proposes", "drafts proposed: all, none, or in turn", 0, 2, 2},
};
inline constexpr std::array feature_genes = {
    Gene{"gap", "tokens before an item", 0, 2, 8},
    Gene{"overlap", "positions that an item shares with the one before", 0, 2, 4},
    Gene{"length", "positions of an item", 1, 3, 6},
    Gene{"mask", "embeddings: everywhere, first, last, or both ends", 0, 3, 3},
    Gene{"hash", "items back to one of the same hash", 0, 3, 8},
};

inline constexpr std::size_t genes_of_a_request =
    request_genes.size() + most_features * feature_genes.size();
inline constexpr std::size_t genes_of_a_script =
    configuration_genes.size() + most_requests * genes_of_a_request;

/// What the gene at that place says.
const Gene& gene_at(std::size_t place);
// Where a gene is.
constexpr std::size_t place_of(OfScript gene) { return static_cast<std::size_t>(gene); }
constexpr std::size_t place_of(std::size_t request, OfRequest gene) {
  return configuration_genes.size() + request * genes_of_a_request + static_cast<std::size_t>(gene);
}
constexpr std::size_t place_of(std::size_t request, std::size_t feature, OfFeature gene) {
  return place_of(request, OfRequest{}) + request_genes.size() + feature * feature_genes.size() +
         static_cast<std::size_t>(gene);
}

using Genes = std::array<std::uint8_t, genes_of_a_script>;

/// The largest value that each gene may have.
class Bounds {
 public:
  Bounds();
  /// "requests=2,length=3": throws InputError for what is no gene, or is out of its range.
  explicit Bounds(const std::string& sizes);

  [[nodiscard]] int operator[](std::size_t place) const { return most_[place]; }
  /// The same for the gene at `place` in the light of those before it: 0 where it would have no
  /// effect.
  [[nodiscard]] int most(const Genes& genes, std::size_t place) const;
  /// Every gene inside its bounds.
  [[nodiscard]] Genes inside(Genes genes) const;

 private:
  void set(std::string_view name, const std::string& value);
  std::array<int, genes_of_a_script> most_;
};

int size_of(const Genes& genes);

Script script_of(const Genes& genes);

}  // namespace holdfast::verify::hunt
