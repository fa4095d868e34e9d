#include "verify/diff/sizes.hpp"

namespace holdfast::verify::diff {
namespace {

ExhaustionOptions two_of_each() {
  ExhaustionOptions options;
  options.sizes = {.requests = 2, .features = 2, .hashes = 2, .drafts = 0, .token_budget = 2};
  options.max_tokens = 2;
  return options;
}

template <class Change>
ExhaustionSizes with(std::string_view name, const Change& change, bool is_large = false) {
  ExhaustionSizes row{name, two_of_each(), is_large};
  change(row.options);
  return row;
}

using Given = ExhaustionOptions;

std::vector<ExhaustionSizes> one_pass_at_a_time() {
  return {
      with("one pass at a time", [](Given&) {}),
      with("drafts", [](Given& o) { o.sizes.drafts = 1; }),
      with("priority",
           [](Given& o) {
             o.policy = spec::Policy::priority;
             o.sizes.ranked = true;
             o.sizes.token_budget = 3;
           }),
      with("KV blocks are short, priority",
           [](Given& o) {
             o.policy = spec::Policy::priority;
             o.sizes.ranked = true;
             o.sizes.text = 1;
             o.sizes.lookahead = 0;
             o.threshold = 1;
             o.max_tokens = 1;
             o.kv_blocks = 6;
           }),
      with("whole items",
           [](Given& o) {
             o.sizes.span = 2;
             o.sizes.whole_items = true;
             o.sizes.token_budget = 3;
             o.max_tokens = 1;
           }),
      with("groups",
           [](Given& o) {
             o.sizes.span = 2;
             o.sizes.overlap = 1;
           }),
      with("requests disagree about a hash's size",
           [](Given& o) {
             o.sizes.span = 2;
             o.sizes.disagree = true;
           }),
      with("an item that is too large",
           [](Given& o) {
             o.sizes.span = 2;
             o.sizes.disagree = true;
             o.sizes.capacity = 1;
           }),
      with("look-ahead 2, a tail of 2",
           [](Given& o) {
             o.sizes.lookahead = o.sizes.tail = 2;
             o.sizes.token_budget = 3;
           }),
      with("encoder-decoder",
           [](Given& o) {
             o.sizes.manager = spec::Manager::encoder_decoder;
             o.sizes.token_budget = 3;
           }),
  };
}

std::vector<ExhaustionSizes> passes_in_flight() {
  return {
      with("two passes in flight",
           [](Given& o) {
             o.sizes.depth = 2;
             o.max_tokens = 1;
           }),
      with(
          "two passes in flight, two outputs", [](Given& o) { o.sizes.depth = 2; }, true),
      with(
          "two passes in flight, drafts",
          [](Given& o) {
            o.sizes.depth = 2;
            o.sizes.drafts = 1;
          },
          true),
      with(
          "three passes in flight",
          [](Given& o) {
            o.sizes.depth = 3;
            o.max_tokens = 1;
          },
          true),
      with("encoder-decoder, two passes in flight",
           [](Given& o) {
             o.sizes.manager = spec::Manager::encoder_decoder;
             o.sizes.depth = 2;
             o.sizes.token_budget = 3;
             o.max_tokens = 1;
           }),
  };
}

std::vector<ExhaustionSizes> one_size_more() {
  return {
      with("three requests",
           [](Given& o) {
             o.sizes.requests = 3;
             o.max_tokens = 1;
           }),
      with(
          "three features of three hashes",
          [](Given& o) {
            o.sizes.features = o.sizes.hashes = o.sizes.capacity = 3;
            o.max_tokens = 1;
          },
          true),
      with(
          "three requests of one feature, KV blocks are short",
          [](Given& o) {
            o.policy = spec::Policy::priority;
            o.sizes.ranked = true;
            o.sizes.requests = 3;
            o.sizes.features = 1;
            o.sizes.token_budget = 4;
            o.kv_blocks = 5;
          },
          true),
  };
}

}  // namespace

const std::vector<ExhaustionSizes>& exhaustion_sizes() {
  static const auto all = [] {
    auto rows = one_pass_at_a_time();
    for (const auto& more : {passes_in_flight(), one_size_more()})
      rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

}  // namespace holdfast::verify::diff
