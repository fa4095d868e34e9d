#include "verify/replay/replay.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "verify/replay/driven.hpp"
#include "verify/replay/recorded.hpp"

namespace holdfast::verify {
namespace {

constexpr std::uint64_t progress_every = 1U << 14U;

bool is_driven(const trace::Header& header) { return header.source.starts_with("holdfast"); }

std::string property_to_check(const trace::Header& header, const spec::Profile& profile,
                              const ReplaySettings& settings) {
  if (!settings.property.empty()) return settings.property;
  const auto* fault = spec::find_fault(profile.name);
  const bool own =
      fault != nullptr && header.source == "holdfast refute " + std::string(profile.name);
  return own ? std::string(fault->property) : std::string();
}

/// Feeds `next()`'s events, with their lines, to the replay that the header asks for.
template <class Next>
ReplayResult replay_all(std::string file, const spec::Profile& profile,
                        const ReplaySettings& settings, Next next) {
  const auto begun = std::chrono::steady_clock::now();
  ReplayResult result;
  result.file = std::move(file);
  const auto run = [&](auto& replay) {
    while (const auto event = next()) {
      ++result.events;
      replay.take(event->first, event->second);
      if (settings.progress && result.events % progress_every == 0)
        settings.progress(result.events);
    }
  };
  const auto first = next();
  if (!first) return result;
  const auto& header = std::get<trace::Header>(first->first);
  result.events = 1;
  try {
    if (is_driven(header)) {
      DrivenReplay replay(profile, header, property_to_check(header, profile, settings));
      try {
        run(replay);
        replay.finish();
      } catch (const Divergence&) {
        result.declined = replay.declined();
        throw;
      }
      result.declined = replay.declined();
    } else {
      RecordedReplay replay(profile, header);
      run(replay);
    }
  } catch (Divergence& found) {
    result.status = ReplayStatus::diverges;
    result.line = found.line;
    result.rule = std::move(found.rule);
    result.property = std::move(found.property);
    result.expected = std::move(found.expected);
    result.observed = std::move(found.observed);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return result;
}

using Numbered = std::pair<trace::Event, std::uint64_t>;

}  // namespace

ReplayResult replay(const std::string& file, const spec::Profile& profile,
                    const ReplaySettings& settings) {
  trace::TraceReader reader(file, settings.reader);
  return replay_all(file, profile, settings, [&]() -> std::optional<Numbered> {
    auto event = reader.next();
    if (!event) return std::nullopt;
    return Numbered{std::move(*event), reader.line()};
  });
}

ReplayResult replay_events(const std::vector<trace::Event>& events, const spec::Profile& profile) {
  std::size_t n = 0;
  return replay_all("memory", profile, {}, [&]() -> std::optional<Numbered> {
    if (n == events.size()) return std::nullopt;
    const auto& event = events[n++];
    return Numbered{event, n};
  });
}

}  // namespace holdfast::verify
