#include "verify/replay/replay.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>

#include "spec/faults.hpp"
#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"
#include "verify/base/errors.hpp"
#include "verify/base/stopwatch.hpp"
#include "verify/replay/driven/file_kind.hpp"
#include "verify/replay/driven/scenario_replay.hpp"
#include "verify/replay/driven/script_replay.hpp"
#include "verify/replay/library/cache_replay.hpp"
#include "verify/replay/library/pass_replay.hpp"
#include "verify/replay/recorded/manager_replay.hpp"
#include "verify/replay/recorded/scheduler_replay.hpp"
#include "verify/replay/violation.hpp"

namespace holdfast::verify::replay {
namespace {

constexpr std::uint64_t progress_every = 1U << 14U;

using Numbered = std::pair<trace::Event, std::uint64_t>;
using Next = std::function<std::optional<Numbered>()>;
/// Begins at the first event again.
using Open = std::function<Next()>;

bool is_driven(const trace::Header& header) { return header.source.starts_with("holdfast"); }
bool is_script(const trace::Header& header) {
  return header.source.starts_with("holdfast hunt") || header.source.starts_with("holdfast diff");
}

/// "holdfast hunt PROFILE PROPERTY", "holdfast ablate GUARD=OPTION PROPERTY", "holdfast refute
/// FAULT": under that profile, only that property.
std::string property_to_check(const trace::Header& header, const spec::Profile& profile,
                              const Options& options) {
  if (!options.property.empty()) return options.property;
  const auto own = std::string(profile.name);
  for (const auto& named : {"holdfast hunt " + own + " ", "holdfast ablate " + own + " "})
    if (header.source.starts_with(named)) {
      auto name = header.source.substr(named.size());
      if (is_property(name) || is_ranking(name)) return name;
    }
  const auto* fault = spec::find_fault(own);
  if (fault != nullptr && header.source == "holdfast refute " + own)
    return std::string(fault->property);
  return {};
}

/// A file of a search may say which system and which property it is about. Throws InputError where
/// it names none that there is: it would be asked for something else.
void check_source(const std::string& file, const trace::Header& header) {
  std::istringstream words(header.source);
  std::string holdfast, kind, system, property, more;
  words >> holdfast >> kind >> system >> property;
  if (holdfast != "holdfast" || (kind != "hunt" && kind != "ablate") || system.empty()) return;
  const auto refuse = [&](const std::string& expected) {
    throw InputError(file, 1,
                     "header.source: expected '" + expected + "', found '" + header.source + "'");
  };
  const auto is_dropped = [&](const spec::Assumption& a) {
    return system == std::string(a.name) + "=dropped";
  };
  if (!spec::profile_named(system) &&
      !(kind == "ablate" &&
        std::any_of(spec::assumptions.begin(), spec::assumptions.end(), is_dropped)))
    refuse("holdfast " + kind + " PROFILE PROPERTY, of a profile that there is");
  if ((!is_property(property) && !is_ranking(property)) || words >> more)
    refuse("holdfast " + kind + " PROFILE PROPERTY, of a property that there is");
}

/// Feeds the events to a replay, and writes down what came of it. With `last_line` not beyond that
/// line.
template <class Replay>
void run(Replay& replay, const Next& next, const Options& options, std::uint64_t last_line,
         report::ReplayResult& result) {
  try {
    for (auto event = next(); event && event->second <= last_line; event = next()) {
      ++result.events;
      replay.take(std::move(event->first), event->second);
      if (options.progress && result.events % progress_every == 0) options.progress(result.events);
    }
    if constexpr (requires { replay.finish(); }) replay.finish();
  } catch (Divergence& found) {
    result.status = report::ReplayStatus::diverges;
    result.line = found.line;
    result.rule = std::move(found.rule);
    result.property = std::move(found.property);
    result.expected = std::move(found.expected);
    result.observed = std::move(found.observed);
  }
  if constexpr (requires { replay.declined(); }) result.declined = replay.declined();
}

constexpr std::uint64_t to_the_end = ~std::uint64_t{0};

/// The events of a scenario that names no rules. Throws InputError where one says what comes of it:
/// nothing says which rules that is to be compared with.
Next without_answers(const std::string& file, Next next) {
  return [&file, next = std::move(next)] {
    auto event = next();
    if (event && says_what_follows(event->first))
      throw InputError(file, event->second,
                       std::string(trace::name_of(event->first)) +
                           " says what comes of it, and not by which rules; expected the key "
                           "'rules' in each event, or in none what the model decides");
    return event;
  };
}

/// What `refute` and `ablate` write names its rules. Throws InputError.
void expect_written_by_hand(const std::string& file, const trace::Header& header) {
  for (const char* command : {"holdfast refute", "holdfast ablate"})
    if (header.source.starts_with(command))
      throw InputError(file, 2,
                       "expected the key 'rules', as `" + std::string(command) +
                           "` writes it; write the file anew");
}

report::ReplayResult replay_once(const std::string& file, const Open& open,
                                 const spec::Profile& profile, const Options& options,
                                 std::uint64_t last_line = to_the_end) {
  report::ReplayResult result;
  const auto events = open();
  const auto first = events();
  if (!first) return result;
  const auto& header = std::get<trace::Header>(first->first);
  result.events = 1;
  auto second = events();
  const bool has_rules = second && names_rules(second->first);
  const Next next = [&] { return second ? std::exchange(second, std::nullopt) : events(); };
  const auto go = [&](auto&& replay, const Next& from) {
    run(replay, from, options, last_line, result);
  };
  if (options.against_library) {
    const bool is_holdfast = spec::variants_in(profile).empty();
    if (is_driven(header))
      throw InputError(file, 1,
                       "header.source: expected a recorded file, which has answers to compare the "
                       "library with; `holdfast diff` drives it beside the model");
    if (is_holdfast && !options.manager_only && SchedulerReplay::can_replay(header))
      go(PassReplay(file, header), next);
    else if (header.manager == trace::Manager::decoder_only)
      go(CacheReplay<EncoderCache>(file, header, is_holdfast), next);
    else
      go(CacheReplay<EncoderDecoderCache>(file, header, is_holdfast), next);
    return result;
  }
  const auto property = property_to_check(header, profile, options);
  if (is_script(header)) {
    go(ScriptReplay(profile, header, property), next);
  } else if (is_driven(header) && has_rules) {
    go(ScenarioReplay(profile, header, property), next);
  } else if (is_driven(header)) {
    if (second) expect_written_by_hand(file, header);
    go(ScriptReplay(profile, header, property), without_answers(file, next));
  } else if (!options.manager_only && SchedulerReplay::can_replay(header)) {
    go(SchedulerReplay(profile, header), next);
  } else {
    go(ManagerReplay(profile, header), next);
  }
  return result;
}

/// The profile of the release that a recorded file comes from.
std::optional<spec::Profile> profile_of(const std::string& source) {
  auto name = source;
  std::replace(name.begin(), name.end(), ' ', '-');
  for (const auto& p : spec::known_profiles)
    if (p.name == name) return p;
  return std::nullopt;
}

/// Which of the guards that the release has and the profile has not lets the two go on together.
std::string cause_of(const std::string& file, const report::ReplayResult& result, const Open& open,
                     const spec::Profile& profile, const Options& options) {
  const auto first = open()();
  const auto& header = std::get<trace::Header>(first->first);
  const auto release = is_driven(header) ? std::nullopt : profile_of(header.source);
  if (!release) return {};
  auto quiet = options;
  quiet.progress = nullptr;
  for (const auto& v : spec::variants) {
    if (v.is_in(*release) == v.is_in(profile)) continue;
    auto other = profile;
    if (v.is_in(*release))
      v.set(other);
    else
      v.reset(other);
    const auto again = replay_once(file, open, other, quiet, result.line + 1);
    if (again.status == report::ReplayStatus::diverges && again.line <= result.line) continue;
    return " (" + std::string(profile.name) + " is not " + std::string(release->name) + " in `" +
           std::string(v.guard) + "`: " + (v.is_in(*release) ? "there it is " : "here it is ") +
           std::string(v.option) + ", " + std::string(v.says) + ")";
  }
  return {};
}

report::ReplayResult replay_all(std::string file, const Open& open, const spec::Profile& profile,
                                const Options& options) {
  const Stopwatch watch;
  if (const auto first = open()()) check_source(file, std::get<trace::Header>(first->first));
  auto result = replay_once(file, open, profile, options);
  result.seconds = watch.seconds();
  if (result.status == report::ReplayStatus::diverges && !options.against_library)
    result.expected += cause_of(file, result, open, profile, options);
  result.file = std::move(file);
  return result;
}

}  // namespace

report::ReplayResult replay(const std::string& file, const spec::Profile& profile,
                            const Options& options) {
  const auto open = [&]() -> Next {
    auto reader = std::make_shared<trace::TraceReader>(file, options.reader);
    return [reader]() -> std::optional<Numbered> {
      auto event = reader->next();
      if (!event) return std::nullopt;
      return Numbered{std::move(*event), reader->line()};
    };
  };
  return replay_all(file, open, profile, options);
}

report::ReplayResult replay_events(const std::vector<trace::Event>& events,
                                   const spec::Profile& profile, const Options& options) {
  const auto open = [&]() -> Next {
    return [&events, n = std::size_t{0}]() mutable -> std::optional<Numbered> {
      if (n == events.size()) return std::nullopt;
      const auto& event = events[n++];
      return Numbered{event, n};
    };
  };
  return replay_all("memory", open, profile, options);
}

}  // namespace holdfast::verify::replay
