#include "verify/replay/library/state.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/claims/properties.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

using Holders = std::map<std::string, std::vector<std::string>>;

std::string of_hash(const Holders& all, const std::string& hash) {
  const auto found = all.find(hash);
  if (found == all.end()) return hash + " is not cached";
  return fmt::format("{} is cached, held by [{}]", hash, fmt::join(found->second, ", "));
}

void expect_same_holders(const Place& place, Holders library,
                         const trace::ById<std::vector<std::string>>& said) {
  Holders file(said.begin(), said.end()), all;
  for (auto* holders : {&library, &file})
    for (auto& [hash, requests] : *holders) {
      std::sort(requests.begin(), requests.end());
      all[hash];
    }
  for (const auto& [hash, nobody] : all) {
    const auto ours = of_hash(library, hash), theirs = of_hash(file, hash);
    if (ours == theirs) continue;
    const bool one_is_absent = library.contains(hash) != file.contains(hash);
    diverge(place,
            one_is_absent ? spec::NoGhostEntry::info.name : spec::NoFreedWhileReferenced::info.name,
            ours, theirs);
  }
}

}  // namespace

void expect_same_slots(const Place& place, const Slots& library,
                       const std::optional<std::int64_t>& free,
                       const std::optional<std::int64_t>& reclaimable) {
  const auto same = [&](std::string_view what, const std::optional<std::int64_t>& file,
                        std::int64_t slots) {
    if (file && *file != slots)
      diverge(place, spec::ExactSlots::info.name, fmt::format("{} = {}", what, slots),
              fmt::format("{} = {}", what, *file));
  };
  same("free", free, library.free);
  same("reclaimable", reclaimable, library.reclaimable);
}

void expect_same(const Place& place, const CacheState& library, const trace::State& file) {
  if (library.cached && file.cached) expect_same_holders(place, *library.cached, *file.cached);
  if (library.lru && file.lru && *file.lru != *library.lru)
    diverge(place, spec::ExactSlots::info.name,
            fmt::format("freeable, oldest first: [{}]", fmt::join(*library.lru, ", ")),
            fmt::format("freeable, oldest first: [{}]", fmt::join(*file.lru, ", ")));
  expect_same_slots(place, library.slots, file.free, file.reclaimable);
}

}  // namespace holdfast::verify::replay::inline library
