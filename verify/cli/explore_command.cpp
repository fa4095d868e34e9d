#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_explore_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand("explore", "Visit every state at small sizes");
  const auto options = std::make_shared<ExploreOptions>();
  add_profile_option(*command, options->profile);
  add_name_option(*command, "--property", options->property, {NameKind::property},
                  "Only this property");
  add_number_option(*command, "--requests", options->requests, 1, 4, "Requests");
  add_number_option(*command, "--features", options->features, 1, 4, "Features of each request");
  add_number_option(*command, "--hashes", options->hashes, 1, 4, "Different hashes");
  add_number_option(*command, "--capacity", options->capacity, 1, 16, "Slots of the cache");
  add_number_option(*command, "--budget", options->budget, 1, 16, "Embeds that a pass may order");
  add_number_option(*command, "--depth", options->depth, 1, 4, "Steps in flight");
  add_number_option(*command, "--lookahead", options->lookahead, 0, 8,
                    "Positions that the drafter reads ahead");
  add_number_option(*command, "--drafts", options->drafts, 0, 8, "Most draft tokens of a step");
  add_number_option(*command, "--tokens", options->tokens, 1, 8, "Most tokens of a step");
  add_number_option(*command, "--token-budget", options->token_budget, 0, 60,
                    "Tokens of a pass; 0: as many as its requests like");
  add_number_option(*command, "--hits", options->hits, 0, 8,
                    "Most tokens that the prefix cache gives a request");
  add_number_option(*command, "--text", options->text, 0, 8, "Tokens before each feature");
  add_number_option(*command, "--span", options->span, 1, 8, "Tokens of each feature");
  add_number_option(*command, "--overlap", options->overlap, 0, 8,
                    "Tokens that every other feature shares with the one before it");
  add_number_option(*command, "--beyond", options->beyond, 0, 8, "Tokens after the last feature");
  add_number_option(*command, "--tail", options->tail, 0, 8,
                    "Tokens at the prompt's end in which no chunk may end");
  command->add_flag("--whole-items", options->whole_items, "Items must not be split");
  command->add_flag("--disagree", options->disagree, "Requests disagree about the size of a hash");
  command->add_flag("--ranked", options->ranked, "The first request is the most urgent");
  command->add_flag("--encoder-decoder", options->encoder_decoder,
                    "The manager of encoder-decoder models");
  command->add_flag("--lemmas", options->lemmas, "Check the lemmas of the proofs too");
  add_assumption_options(*command, options->assumptions);
  add_number_option(*command, "--max-states", options->max_states, 1, 10'000'000'000,
                    "Give up, undecided, past this many states");
  command->add_flag_callback(
      "--no-symmetry", [options] { options->symmetry = false; },
      "Count states that differ by renaming requests or hashes apart");
  add_output_options(*command, common);
  command->callback([options, &common] {
    deliver(common, [&](StatusLine& status) { return run_explore(*options, status); });
  });
}

}  // namespace holdfast::verify
