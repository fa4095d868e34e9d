// `holdfast explore`.
#include "spec/faults.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/cli/engines.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify {

Report run_explore(const ExploreArguments& arguments, StatusLine& status) {
  const Stopwatch watch;
  ExploreSizes sizes;
  sizes.manager =
      arguments.encoder_decoder ? spec::Manager::encoder_decoder : spec::Manager::decoder_only;
  sizes.requests = static_cast<int>(arguments.requests);
  sizes.features = static_cast<int>(arguments.features);
  sizes.hashes = static_cast<int>(arguments.hashes);
  sizes.capacity = static_cast<int>(arguments.capacity);
  sizes.encoder_budget = static_cast<int>(arguments.budget);
  sizes.lookahead = static_cast<int>(arguments.lookahead);
  sizes.depth = static_cast<int>(arguments.depth);
  sizes.drafts = static_cast<int>(arguments.drafts);
  sizes.tokens = static_cast<int>(arguments.tokens);
  sizes.token_budget = static_cast<int>(arguments.token_budget);
  sizes.hits = static_cast<int>(arguments.hits);
  sizes.text = static_cast<int>(arguments.text);
  sizes.span = static_cast<int>(arguments.span);
  sizes.overlap = static_cast<int>(arguments.overlap);
  sizes.beyond = static_cast<int>(arguments.beyond);
  sizes.tail = static_cast<int>(arguments.tail);
  sizes.whole_items = arguments.whole_items;
  sizes.disagree = arguments.disagree;
  sizes.ranked = arguments.ranked;
  auto options = options_for(sizes, *spec::profile_named(arguments.profile));
  options.assumptions = assumptions_of(arguments.assumptions);
  options.property = arguments.property;
  options.check_lemmas = arguments.lemmas;
  options.symmetry = arguments.symmetry;
  options.max_states = arguments.max_states;
  std::uint64_t told = 0;
  options.on_states = [&](std::uint64_t states) {
    status.advance(states - std::min(told, states));
    told = states;
  };
  status.start("exploring, states", 0);
  auto exploration = explore(options);
  if (!exploration.note.empty()) exploration.result.trace.push_back(exploration.note);
  Report report;
  report.command = "explore";
  report.profile = arguments.profile;
  report.solver = solver_version();
  report.results.emplace_back(std::move(exploration.result));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify
