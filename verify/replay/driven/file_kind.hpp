// What an event says beside what is to be done.
#pragma once

#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline driven {

/// Which rules it stands for. The first event behind the header says it for the file.
bool names_rules(const trace::Event& event);

/// What came of it.
bool carries_answers(const trace::Event& event);

/// The same, or what a pass has scheduled: what the reference pass decides by itself.
bool says_what_follows(const trace::Event& event);

}  // namespace holdfast::verify::replay::inline driven
