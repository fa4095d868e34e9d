#include "verify/ablate/dropped.hpp"

#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/variants.hpp"

namespace holdfast::verify::ablate {

std::vector<Dropped> all_dropped() {
  std::vector<Dropped> all;
  for (const auto& v : spec::variants) {
    Dropped row{std::string(v.guard), std::string(v.option), std::string(v.says), {}, {}};
    v.set(row.profile);
    row.is_extra = v.is_extra;
    row.of_the_pass = v.of_the_pass;
    row.manager = v.manager;
    all.push_back(row);
  }
  for (const auto& assumption : spec::assumptions) {
    Dropped row{std::string(assumption.name),
                "dropped",
                "not taken for granted: " + std::string(assumption.says),
                {},
                {}};
    if (!(row.assumptions.*assumption.made)) continue;
    row.assumptions.*assumption.made = false;
    all.push_back(row);
  }
  return all;
}

std::vector<std::string> names_of(const spec::Assumptions& a) {
  std::vector<std::string> names;
  for (const auto& assumption : spec::assumptions)
    if (a.*assumption.made) names.emplace_back(assumption.name);
  return names;
}

}  // namespace holdfast::verify::ablate
