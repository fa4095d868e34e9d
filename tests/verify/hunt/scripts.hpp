// Scripts by hand, for the tests of the hunt.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "verify/hunt/outcome.hpp"
#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

/// A value as `--sizes` counts it, at its place.
struct Value {
  Value(OfScript gene, int v) : place(place_of(gene)), value(v) {}
  Value(std::size_t r, OfRequest gene, int v) : place(place_of(r, gene)), value(v) {}
  Value(std::size_t r, std::size_t i, OfFeature gene, int v)
      : place(place_of(r, i, gene)), value(v) {}
  std::size_t place;
  int value;
};

inline Genes genes_of(std::initializer_list<Value> values) {
  Genes genes{};
  for (const auto& v : values)
    genes[v.place] = static_cast<std::uint8_t>(v.value - gene_at(v.place).least);
  return genes;
}

inline Outcome run(const Genes& genes, const spec::Profile& profile) {
  Watch watch;
  return run_script(script_of(genes), profile, watch);
}

/// Two adjacent items of one token and one slot each, a look-ahead of one, and room for one of
/// them.
inline Genes one_at_a_time() {
  return genes_of({{OfScript::lookahead, 1}, {OfScript::capacity, 1}, {0, OfRequest::features, 2}});
}

}  // namespace holdfast::verify::hunt
