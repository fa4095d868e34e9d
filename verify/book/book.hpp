// The spec as a Markdown book, from the same source that is proved and run.
#pragma once

#include <string>

#include "spec/profiles/profile.hpp"

namespace holdfast::verify::book {

/// The rules as `profile` has them. The same text every time. Throws std::logic_error if the
/// catalogue has a rule that is in no chapter.
std::string spec_book(const spec::Profile& profile = {});

}  // namespace holdfast::verify::book
