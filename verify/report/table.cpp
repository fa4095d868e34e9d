#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/report/report.hpp"
#include "verify/report/text.hpp"
#include "verify/report/version.hpp"
#include "verify/report/words.hpp"

namespace holdfast::verify {
namespace {

enum class Mood { good, bad, unsure };
enum class Align { left, right };

class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return with("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return with("2", text); }
  [[nodiscard]] std::string in(Mood mood, std::string_view text) const {
    return with(mood == Mood::good ? "32" : mood == Mood::bad ? "31" : "33", text);
  }
  [[nodiscard]] std::string mark(Mood mood) const {
    return in(mood, mood == Mood::good ? "✓" : mood == Mood::bad ? "✗" : "?");
  }

 private:
  [[nodiscard]] std::string with(std::string_view code, std::string_view text) const {
    return color_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }

  bool color_;
};

struct Column {
  std::string title;
  Align align = Align::left;
};

/// A titled block of aligned rows, each with its mark.
class Grid {
 public:
  Grid(std::string title, std::vector<Column> header)
      : title_(std::move(title)), header_(std::move(header)) {}

  void add(Mood mood, std::vector<std::string> cells) {
    rows_.emplace_back(mood, std::move(cells));
  }

  void print(std::ostream& out, const Paint& paint) const {
    if (rows_.empty()) return;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      widths.push_back(columns(header_[i].title));
      for (const auto& [mood, cells] : rows_) widths[i] = std::max(widths[i], columns(cells[i]));
    }
    std::vector<std::string> titles;
    for (const Column& column : header_) titles.push_back(column.title);
    out << '\n' << paint.bold(title_) << '\n';
    out << "    " << paint.faint(aligned(titles, widths)) << '\n';
    for (const auto& [mood, cells] : rows_) {
      out << "  " << paint.mark(mood) << ' ' << aligned(cells, widths) << '\n';
    }
  }

 private:
  [[nodiscard]] std::string aligned(const std::vector<std::string>& cells,
                                    const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - columns(cells[i]), ' ');
      if (i > 0) line += "   ";
      line += header_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  std::string title_;
  std::vector<Column> header_;
  std::vector<std::pair<Mood, std::vector<std::string>>> rows_;
};

template <class Kind>
std::vector<const Kind*> of_kind(const Report& report) {
  std::vector<const Kind*> found;
  for (const Result& result : report.results) {
    if (const auto* kind = std::get_if<Kind>(&result)) found.push_back(kind);
  }
  return found;
}

Mood mood(ProofStatus status) {
  return status == ProofStatus::proved   ? Mood::good
         : status == ProofStatus::failed ? Mood::bad
                                         : Mood::unsure;
}
Mood mood(const ReachabilityResult& path) {
  if (path.status == ReachabilityStatus::unknown) return Mood::unsure;
  return path.as_expected() ? Mood::good : Mood::bad;
}
Mood mood(RefutationStatus status) {
  return status == RefutationStatus::refuted  ? Mood::good
         : status == RefutationStatus::missed ? Mood::bad
                                              : Mood::unsure;
}
Mood mood(ExplorationStatus status) {
  return status == ExplorationStatus::holds      ? Mood::good
         : status == ExplorationStatus::violated ? Mood::bad
                                                 : Mood::unsure;
}
Mood mood(ReplayStatus status) { return status == ReplayStatus::conforms ? Mood::good : Mood::bad; }

Mood mood(const AblationResult& ablation) {
  return ablation.is_decided() ? Mood::good : Mood::unsure;
}

Mood worse(Mood a, Mood b) {
  if (a == Mood::bad || b == Mood::bad) return Mood::bad;
  return a == Mood::unsure || b == Mood::unsure ? Mood::unsure : Mood::good;
}

/// The sizes that people think of first come first, the rest by their letters in the spec. How
/// spans are laid out is left to JSON.
std::string sizes_of(const ExplorationResult& exploration) {
  constexpr std::pair<const char*, const char*> shown[] = {
      {"requests", "requests"}, {"features", "features"}, {"hashes", "hashes"},
      {"capacity", "C"},        {"budget", "E"},          {"lookahead", "L"},
      {"depth", "depth"},       {"tokens", "tokens"},     {"drafts", "drafts"},
      {"token-budget", "B"},    {"hits", "hits"},         {"overlap", "overlap"},
      {"tail", "tail"}};
  std::vector<std::string> sizes;
  for (const auto& [name, label] : shown) {
    const auto found = exploration.sizes.find(name);
    if (found != exploration.sizes.end())
      sizes.push_back(fmt::format("{} {}", label, found->second));
  }
  for (const char* flag : {"whole-items", "disagree", "ranked", "encoder-decoder"}) {
    if (exploration.sizes.contains(flag)) sizes.emplace_back(flag);
  }
  return fmt::format("{}", fmt::join(sizes, " · "));
}

std::string cause_of(const FindingResult& finding) {
  if (finding.cause.empty()) return "the profile itself";
  return fmt::format("{}{}", fmt::join(finding.cause, " and "),
                     finding.is_part ? " and others" : "");
}

/// What limits; the rest is roomy.
std::string configuration_of(const FindingResult& finding) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : finding.configuration)
    parts.push_back(fmt::format("{} {}", name, value));
  return parts.empty() ? std::string("roomy") : fmt::format("{}", fmt::join(parts, " · "));
}

std::string rate(const ExplorationResult& exploration) {
  if (exploration.seconds <= 0) return "–";
  return grouped(
      static_cast<std::uint64_t>(static_cast<double>(exploration.states) / exploration.seconds));
}

// -- the tables --

void print_proofs(const std::vector<const ProofResult*>& proofs, std::ostream& out,
                  const Paint& paint) {
  struct Group {
    std::string property;
    Mood mood = Mood::good;
    std::uint64_t obligations = 0;
    std::uint64_t proved = 0;
    double slowest = 0;
    double seconds = 0;
  };
  std::vector<Group> groups;  // in the order of their first obligation
  for (const ProofResult* proof : proofs) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.property == proof->property; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), Group{});
      group->property = proof->property;
    }
    group->mood = worse(group->mood, mood(proof->status));
    ++group->obligations;
    group->proved += proof->status == ProofStatus::proved ? 1 : 0;
    group->slowest = std::max(group->slowest, proof->seconds);
    group->seconds += proof->seconds;
  }
  Grid grid("Proofs, for any size", {{"property"},
                                     {"obligations", Align::right},
                                     {"proved", Align::right},
                                     {"slowest", Align::right},
                                     {"solver time", Align::right}});
  for (const Group& group : groups) {
    grid.add(group.mood, {group.property, grouped(group.obligations), grouped(group.proved),
                          duration(group.slowest), duration(group.seconds)});
  }
  grid.print(out, paint);
}

void print_reachability(const std::vector<const ReachabilityResult*>& paths, std::ostream& out,
                        const Paint& paint) {
  struct Group {
    std::string manager;
    Mood mood = Mood::good;
    std::uint64_t paths = 0;
    std::uint64_t modelled = 0;
    std::uint64_t explored = 0;
    std::uint64_t forbidden = 0;
  };
  std::vector<Group> groups;
  for (const ReachabilityResult* path : paths) {
    if (groups.empty() || groups.back().manager != path->manager) groups.push_back({path->manager});
    Group& group = groups.back();
    group.mood = worse(group.mood, mood(*path));
    ++group.paths;
    group.modelled += path->modelled ? 1 : 0;
    group.explored += path->explored ? 1 : 0;
    group.forbidden += path->forbidden && path->as_expected() ? 1 : 0;
  }
  Grid grid("Rule paths, each possible together with every invariant",
            {{"manager"},
             {"paths", Align::right},
             {"with a model", Align::right},
             {"taken by a run", Align::right},
             {"rightly impossible", Align::right}});
  for (const Group& group : groups) {
    grid.add(group.mood, {group.manager, grouped(group.paths), grouped(group.modelled),
                          grouped(group.explored), grouped(group.forbidden)});
  }
  grid.print(out, paint);
}

void print_refutations(const std::vector<const RefutationResult*>& refutations, std::ostream& out,
                       const Paint& paint) {
  Grid grid("Refutations, by a shortest run", {{"fault"},
                                               {"property"},
                                               {"steps", Align::right},
                                               {"states", Align::right},
                                               {"Z3"},
                                               {"scenario"}});
  for (const RefutationResult* refutation : refutations) {
    const bool found = refutation->status == RefutationStatus::refuted;
    grid.add(mood(refutation->status),
             {refutation->fault, refutation->property,
              found ? grouped(refutation->steps) : std::string(word(refutation->status)),
              grouped(refutation->states), refutation->bmc, refutation->scenario});
  }
  grid.print(out, paint);
}

void print_explorations(const std::vector<const ExplorationResult*>& explorations,
                        std::ostream& out, const Paint& paint) {
  Grid grid("Explorations, every state at these sizes", {{"sizes"},
                                                         {"states", Align::right},
                                                         {"transitions", Align::right},
                                                         {"depth", Align::right},
                                                         {"time", Align::right},
                                                         {"states/s", Align::right}});
  for (const ExplorationResult* exploration : explorations) {
    grid.add(
        mood(exploration->status),
        {sizes_of(*exploration), grouped(exploration->states), grouped(exploration->transitions),
         grouped(exploration->depth), duration(exploration->seconds), rate(*exploration)});
  }
  grid.print(out, paint);
}

void print_replays(const std::vector<const ReplayResult*>& replays, std::ostream& out,
                   const Paint& paint) {
  Grid grid("Replays of recorded runs",
            {{"file"}, {"profile"}, {"events", Align::right}, {"time", Align::right}, {"outcome"}});
  for (const ReplayResult* replay : replays) {
    std::string outcome = "conforms";
    if (replay->status == ReplayStatus::diverges) {
      outcome = fmt::format("diverges at line {}", replay->line);
    }
    if (replay->declined > 0) outcome += fmt::format(", {} declined", grouped(replay->declined));
    grid.add(mood(replay->status), {replay->file, replay->profile, grouped(replay->events),
                                    duration(replay->seconds), outcome});
  }
  grid.print(out, paint);
}

void print_ablations(const std::vector<const AblationResult*>& ablations, std::ostream& out,
                     const Paint& paint) {
  Grid grid("Guards, each in another way than holdfast's", {{"guard"},
                                                            {"instead"},
                                                            {"safety"},
                                                            {"progress"},
                                                            {"needed for"},
                                                            {"harmful to"},
                                                            {"proved without it", Align::right},
                                                            {"assumptions"}});
  const auto list = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("–") : fmt::format("{}", fmt::join(names, ", "));
  };
  const auto progress_of = [](const AblationResult& ablation) {
    std::string text(word(ablation.progress));
    if (!ablation.progress_assumes.empty()) text += " (" + ablation.progress_assumes + ")";
    return text;
  };
  for (const AblationResult* ablation : ablations) {
    const auto all = ablation->redundant_for.size() + ablation->needed_for.size() +
                     ablation->harmful_to.size() + ablation->open.size();
    grid.add(mood(*ablation),
             {ablation->guard, ablation->option, std::string(word(ablation->safety)),
              progress_of(*ablation), list(ablation->needed_for), list(ablation->harmful_to),
              fmt::format("{} of {}", ablation->redundant_for.size(), all),
              list(ablation->assumptions)});
  }
  grid.print(out, paint);
  Grid runs(
      "Shortest runs that break something; `holdfast replay FILE --profile GUARD=OPTION` ends "
      "there (of an assumption: without --profile)",
      {{"guard"}, {"breaks"}, {"steps", Align::right}, {"scenario"}});
  bool is_any = false;
  for (const AblationResult* ablation : ablations) {
    if (ablation->scenario.empty()) continue;
    is_any = true;
    const auto& broken = ablation->needed_for.empty() ? ablation->harmful_to : ablation->needed_for;
    runs.add(Mood::good, {ablation->guard + "=" + ablation->option, list(broken),
                          grouped(ablation->steps), ablation->scenario});
  }
  if (is_any) runs.print(out, paint);
}

void print_findings(const std::vector<const FindingResult*>& findings, std::ostream& out,
                    const Paint& paint) {
  Grid grid("Findings, each by a short scenario",
            {{"property"}, {"cause"}, {"steps", Align::right}, {"scenario"}});
  for (const FindingResult* finding : findings)
    grid.add(finding->unconfirmed.empty() ? Mood::bad : Mood::unsure,
             {finding->property, cause_of(*finding), grouped(finding->steps), finding->scenario});
  grid.print(out, paint);
}

void print_hunts(const std::vector<const HuntResult*>& hunts, std::ostream& out,
                 const Paint& paint) {
  Grid grid("Hunts, every property after every small step", {{"profile"},
                                                             {"scripts", Align::right},
                                                             {"passes", Align::right},
                                                             {"small steps", Align::right},
                                                             {"all up to size", Align::right},
                                                             {"seed", Align::right},
                                                             {"time", Align::right}});
  for (const HuntResult* hunt : hunts)
    grid.add(Mood::good, {hunt->profile, grouped(hunt->scripts), grouped(hunt->passes),
                          grouped(hunt->steps), std::to_string(hunt->exhausted),
                          std::to_string(hunt->seed), duration(hunt->seconds)});
  grid.print(out, paint);
}

// -- what went wrong, in full --

void indented(std::string_view text, std::ostream& out) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out << "    " << text.substr(0, end) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void print_trace(const std::vector<std::string>& trace, std::ostream& out, const Paint& paint) {
  std::size_t number = 0;
  for (const std::string& step : trace) {
    out << "    " << paint.faint(fmt::format("{:>3}", ++number)) << "  " << step << '\n';
  }
}

struct Detail {
  std::ostream& out;
  const Paint& paint;
  bool only_refutation;

  void title(Mood mood, std::string_view text) const {
    out << '\n' << paint.mark(mood) << ' ' << paint.in(mood, text) << '\n';
  }

  void operator()(const ProofResult& proof) const {
    if (proof.status == ProofStatus::proved) return;
    title(mood(proof.status), proof.status == ProofStatus::failed
                                  ? fmt::format("{} is not kept by {}", proof.property, proof.rule)
                                  : fmt::format("{} undecided for {}", proof.property, proof.rule));
    if (!proof.manager.empty()) out << "    manager: " << proof.manager << '\n';
    out << "    path: " << proof.path << '\n';
    indented(proof.counterexample, out);
  }

  void operator()(const ReachabilityResult& path) const {
    if (path.as_expected()) return;
    title(mood(path), fmt::format("{} [{}] is {}", path.rule, path.path, word(path.status)));
    out << fmt::format("    manager: {}\n    model: {}, run: {}\n", path.manager, path.modelled,
                       path.explored);
  }

  void operator()(const RefutationResult& refutation) const {
    switch (refutation.status) {
      case RefutationStatus::missed:
        title(Mood::bad, fmt::format("{} was not refuted: nothing breaks {}", refutation.fault,
                                     refutation.property));
        break;
      case RefutationStatus::unknown:
        title(Mood::unsure, fmt::format("{} undecided: {}", refutation.fault, refutation.bmc));
        break;
      case RefutationStatus::refuted:
        if (!only_refutation || refutation.trace.empty()) return;
        title(Mood::good, fmt::format("{} breaks {} in {} steps", refutation.fault,
                                      refutation.property, refutation.steps));
        break;
    }
    print_trace(refutation.trace, out, paint);
  }

  void operator()(const ExplorationResult& exploration) const {
    if (exploration.status == ExplorationStatus::holds) return;
    title(mood(exploration.status),
          exploration.status == ExplorationStatus::violated
              ? fmt::format("{} is violated at {}", exploration.property, sizes_of(exploration))
              : fmt::format("undecided at {}", sizes_of(exploration)));
    print_trace(exploration.trace, out, paint);
  }

  void operator()(const FindingResult& finding) const {
    title(Mood::bad, fmt::format("{}: {}", finding.property, finding.observed));
    const std::pair<std::string_view, std::string> fields[] = {
        {"cause", cause_of(finding)},
        {"configuration", configuration_of(finding)},
        {"scenario", finding.scenario},
        {"unconfirmed", finding.unconfirmed}};
    for (const auto& [name, value] : fields) {
      if (!value.empty()) out << fmt::format("    {:<13} {}\n", name, value);
    }
    for (const auto& request : finding.requests) out << "    " << request << '\n';
    for (const auto& line : finding.trace) out << "      " << line << '\n';
  }

  void operator()(const HuntResult&) const {}

  void operator()(const AblationResult& ablation) const {
    if (mood(ablation) == Mood::good) return;
    title(Mood::unsure,
          fmt::format("{}={} is undecided: neither proved nor broken: {}", ablation.guard,
                      ablation.option, fmt::join(ablation.open, ", ")));
  }

  void operator()(const ReplayResult& replay) const {
    if (replay.status == ReplayStatus::conforms) return;
    title(Mood::bad, fmt::format("{}:{} diverges", replay.file, replay.line));
    const std::pair<std::string_view, const std::string&> fields[] = {
        {"rule", replay.rule},
        {"property", replay.property},
        {"expected", replay.expected},
        {"observed", replay.observed}};
    for (const auto& [name, value] : fields) {
      if (!value.empty()) out << fmt::format("    {:<9} {}\n", name, value);
    }
  }
};

void print_summary(const Report& report, std::ostream& out, const Paint& paint) {
  const Summary summary = summarize(report);
  std::uint64_t held = 0;
  std::uint64_t conforming = 0;
  std::uint64_t paths = 0;
  for (const auto* path : of_kind<ReachabilityResult>(report)) paths += path->as_expected() ? 1 : 0;
  for (const auto* exploration : of_kind<ExplorationResult>(report)) {
    held += exploration->status == ExplorationStatus::holds ? 1 : 0;
  }
  for (const auto* replay : of_kind<ReplayResult>(report)) {
    conforming += replay->status == ReplayStatus::conforms ? 1 : 0;
  }
  std::vector<std::string> parts;
  const auto part = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", grouped(count), what));
  };
  part(summary.proved, "proved");
  part(paths, paths == 1 ? "rule path as it should be" : "rule paths as they should be");
  part(summary.refuted, "refuted");
  part(held, held == 1 ? "exploration holds" : "explorations hold");
  part(conforming, conforming == 1 ? "replay conforms" : "replays conform");
  const auto ablations = of_kind<AblationResult>(report).size();
  part(ablations, ablations == 1 ? "guard judged" : "guards judged");
  const auto findings = of_kind<FindingResult>(report).size();
  part(findings, findings == 1 ? "finding" : "findings");
  if (findings == 0) part(of_kind<HuntResult>(report).size(), "hunt without a finding");
  part(summary.violated - findings, "not as expected");
  part(summary.unknown, "undecided");
  if (parts.empty()) parts.emplace_back("nothing was checked");
  const Mood overall = summary.violated > 0  ? Mood::bad
                       : summary.unknown > 0 ? Mood::unsure
                                             : Mood::good;
  out << '\n'
      << paint.mark(overall) << ' ' << paint.in(overall, fmt::format("{}", fmt::join(parts, ", ")))
      << paint.faint("  in ") << paint.faint(duration(report.seconds)) << '\n';
}

}  // namespace

void print_table(const Report& report, std::ostream& out, bool color) {
  const Paint paint(color);
  out << paint.bold(fmt::format("holdfast {}", report.command));
  std::vector<std::string> facts{fmt::format("version {}", version())};
  if (!report.profile.empty()) facts.push_back(fmt::format("profile {}", report.profile));
  if (!report.solver.empty()) facts.push_back(report.solver);
  out << paint.faint(fmt::format("  {}", fmt::join(facts, " · "))) << '\n';

  const auto refutations = of_kind<RefutationResult>(report);
  print_proofs(of_kind<ProofResult>(report), out, paint);
  print_reachability(of_kind<ReachabilityResult>(report), out, paint);
  print_refutations(refutations, out, paint);
  print_explorations(of_kind<ExplorationResult>(report), out, paint);
  print_replays(of_kind<ReplayResult>(report), out, paint);
  print_ablations(of_kind<AblationResult>(report), out, paint);
  print_hunts(of_kind<HuntResult>(report), out, paint);
  print_findings(of_kind<FindingResult>(report), out, paint);

  const Detail detail{out, paint, refutations.size() == 1};
  for (const Result& result : report.results) std::visit(detail, result);
  print_summary(report, out, paint);
}

}  // namespace holdfast::verify
