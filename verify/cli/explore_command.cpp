#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_explore_command(CommandLine& line) {
  Command command = line.add("explore", "Visit every state at small sizes");
  const auto options = std::make_shared<ExploreOptions>();
  command.profile(options->profile);
  command.name("--property", options->property, {NameKind::property}, "Only this property");
  command.number("--requests", options->requests, 1, 4, "Requests");
  command.number("--features", options->features, 1, 4, "Features of each request");
  command.number("--hashes", options->hashes, 1, 4, "Different hashes");
  command.number("--capacity", options->capacity, 1, 16, "Slots of the cache");
  command.number("--budget", options->budget, 1, 16, "Embeds that a pass may order");
  command.number("--depth", options->depth, 1, 4, "Steps in flight");
  command.number("--lookahead", options->lookahead, 0, 8, "Positions that the drafter reads ahead");
  command.number("--drafts", options->drafts, 0, 8, "Most draft tokens of a step");
  command.number("--tokens", options->tokens, 1, 8, "Most tokens of a step");
  command.number("--token-budget", options->token_budget, 0, 60,
                 "Tokens of a pass; 0: as many as its requests like");
  command.number("--hits", options->hits, 0, 8,
                 "Most tokens that the prefix cache gives a request");
  command.number("--text", options->text, 0, 8, "Tokens before each feature");
  command.number("--span", options->span, 1, 8, "Tokens of each feature");
  command.number("--overlap", options->overlap, 0, 8,
                 "Tokens that every other feature shares with the one before it");
  command.number("--beyond", options->beyond, 0, 8, "Tokens after the last feature");
  command.number("--tail", options->tail, 0, 8,
                 "Tokens at the prompt's end in which no chunk may end");
  command.flag("--whole-items", options->whole_items, "Items must not be split");
  command.flag("--disagree", options->disagree, "Requests disagree about the size of a hash");
  command.flag("--ranked", options->ranked, "The first request is the most urgent");
  command.flag("--encoder-decoder", options->encoder_decoder,
               "The manager of encoder-decoder models");
  command.flag("--lemmas", options->lemmas, "Check the lemmas of the proofs too");
  command.assumptions(options->assumptions);
  command.number("--max-states", options->max_states, 1, 10'000'000'000,
                 "Give up, undecided, past this many states");
  command.flag_without("--no-symmetry", options->symmetry,
                       "Count states that differ by renaming requests or hashes apart");
  command.output();
  command.runs(options, run_explore);
}

}  // namespace holdfast::verify::cli
