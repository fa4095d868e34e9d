// How terms are written: signs, what needs parentheses, and the words for what has some.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verify/readings/text_terms.hpp"

namespace holdfast::verify::inline readings::text {

// How tightly an operator binds; what binds less than its place asks for gets parentheses.
enum Tightness { loose, implication, disjunction, conjunction_, comparison, sum, atom };

Tightness tightness_of(Op op);
/// What stands between the parts of t, with spaces around it.
std::string sign(Op op);

/// What marks a variable of the state after a step; empty for one of the state before it.
std::string after_mark(const Term& t);
/// The request of `computed(r) - placeholders(r)`: the spec's confirmed(r).
std::optional<Term> confirmed_of(const Term& t);
/// The hash of `weight(h) > 0`, or of its opposite: the spec's is_cached(h).
std::optional<Term> cached_of(const Term& t, Op op);
/// The name of a number that stands for a status.
std::optional<std::string> status_of(const Term& variable, const Term& value);

/// a <= b and b < c is said as a <= b < c.
bool chains(const Term& a, const Term& b);
std::string_view noun(Kind kind);

}  // namespace holdfast::verify::inline readings::text
