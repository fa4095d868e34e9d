// `holdfast explore`.
#include "spec/faults.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::cli {

report::Report run_explore(const ExploreOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  explore::ExploreSizes sizes;
  sizes.manager =
      asked.encoder_decoder ? spec::Manager::encoder_decoder : spec::Manager::decoder_only;
  sizes.requests = static_cast<int>(asked.requests);
  sizes.features = static_cast<int>(asked.features);
  sizes.hashes = static_cast<int>(asked.hashes);
  sizes.capacity = static_cast<int>(asked.capacity);
  sizes.encoder_budget = static_cast<int>(asked.budget);
  sizes.lookahead = static_cast<int>(asked.lookahead);
  sizes.depth = static_cast<int>(asked.depth);
  sizes.drafts = static_cast<int>(asked.drafts);
  sizes.tokens = static_cast<int>(asked.tokens);
  sizes.token_budget = static_cast<int>(asked.token_budget);
  sizes.hits = static_cast<int>(asked.hits);
  sizes.text = static_cast<int>(asked.text);
  sizes.span = static_cast<int>(asked.span);
  sizes.overlap = static_cast<int>(asked.overlap);
  sizes.beyond = static_cast<int>(asked.beyond);
  sizes.tail = static_cast<int>(asked.tail);
  sizes.whole_items = asked.whole_items;
  sizes.disagree = asked.disagree;
  sizes.ranked = asked.ranked;
  auto options = explore::options_for(sizes, *spec::profile_named(asked.profile));
  options.assumptions = assumptions_of(asked.assumptions);
  options.property = asked.property;
  options.check_lemmas = asked.lemmas;
  options.symmetry = asked.symmetry;
  options.max_states = asked.max_states;
  std::uint64_t told = 0;
  options.on_states = [&](std::uint64_t states) {
    status.advance(states - std::min(told, states));
    told = states;
  };
  status.start("exploring, states", 0);
  auto exploration = explore::explore(options);
  if (!exploration.note.empty()) exploration.result.trace.push_back(exploration.note);
  report::Report report;
  report.command = "explore";
  report.profile = asked.profile;
  report.solver = solver_version();
  report.results.emplace_back(std::move(exploration.result));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
