// What a hunt has found so far: one finding for each cause of each property, shrunk.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/hunt/cause.hpp"
#include "verify/hunt/hunt.hpp"
#include "verify/hunt/outcome.hpp"

namespace holdfast::verify::hunt {

/// Any thread may call.
class Findings {
 public:
  explicit Findings(const Options& options) : options_(options), relieved_(options.profile) {}

  /// What of a script's outcome is new, under the profile, is shrunk and kept.
  void consider(const Genes& genes, const Outcome& outcome);

  /// The profile with the way of `holdfast` in place of every cause found: what it does wrong is
  /// new.
  spec::Profile relieved();
  std::size_t count();
  /// At the end, in the order of the properties.
  std::vector<Finding> take();

 private:
  /// What a script is to do.
  struct Target {
    std::string_view property;            ///< break it
    Cause cause;                          ///< because of that
    std::vector<spec::Profile> profiles;  ///< under each of these; the first one counts the steps
  };

  void consider(const Genes& genes, std::string_view property);
  Genes shrink_for(const Genes& genes, const Target& target) const;
  static std::optional<std::uint64_t> cost_of(const Genes& genes, const Target& target);

  std::vector<Cause> causes_known_for(std::string_view property);
  bool may_try(std::string_view property, const Variants& cause);
  void keep(const Finding& finding);
  bool merge(const Finding& finding);
  void relieve();

  const Options& options_;
  std::mutex mutex_;
  std::vector<Finding> found_;
  spec::Profile relieved_;
  std::map<std::pair<std::string_view, Variants>, int> tries_;
};

}  // namespace holdfast::verify::hunt
