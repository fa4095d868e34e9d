// What is dropped in one row of the matrix.
#pragma once

#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::verify::ablate {

struct Dropped {
  std::string guard;
  std::string option;  ///< what takes its place; "dropped" for an assumption
  std::string says;
  spec::Profile profile;
  spec::Assumptions assumptions;
  spec::Manager manager = spec::Manager::decoder_only;
  bool of_the_pass = false;  ///< as of spec::Variant
  bool is_extra =
      false;  ///< the other way asks for more than `holdfast`: it is that which is judged
};

/// Every row, in the order of spec::variants, then the assumptions that are made by default.
std::vector<Dropped> all_dropped();

/// The names of the assumptions made in `a`.
std::vector<std::string> names_of(const spec::Assumptions& a);

}  // namespace holdfast::verify::ablate
