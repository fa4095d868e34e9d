#include "verify/hunt/known_scripts.hpp"

#include <array>
#include <initializer_list>

namespace holdfast::verify::hunt {
namespace {

struct Said {
  std::size_t place;
  int value;
};

Genes genes_of(std::initializer_list<Said> said) {
  Genes genes{};
  for (const auto& [place, value] : said)
    genes[place] = static_cast<std::uint8_t>(value - gene_at(place).least);
  return genes;
}

/// Its tokens go to a third.
Genes tokens_come_back() {
  using enum OfScript;
  using enum OfRequest;
  return genes_of({{place_of(requests), 3},
                   {place_of(priority_policy), 1},
                   {place_of(token_budget), 4},
                   {place_of(kv_blocks), 4},
                   {place_of(kv_block_size), 2},
                   {place_of(0, text), 2},
                   {place_of(0, outputs), 2},
                   {place_of(0, arrives), 1},
                   {place_of(1, features), 1},
                   {place_of(1, text), 2},
                   {place_of(1, outputs), 3},
                   {place_of(1, arrives), 1},
                   {place_of(1, 0, OfFeature::length), 2},
                   {place_of(2, features), 1},
                   {place_of(2, outputs), 3},
                   {place_of(2, priority), 1}});
}

/// What it has ordered goes to one that shares it.
Genes order_is_handed_over() {
  using enum OfScript;
  using enum OfRequest;
  return genes_of({{place_of(requests), 2},
                   {place_of(priority_policy), 1},
                   {place_of(depth), 2},
                   {place_of(capacity), 1},
                   {place_of(kv_blocks), 3},
                   {place_of(kv_block_size), 2},
                   {place_of(late), 1},
                   {place_of(0, features), 1},
                   {place_of(0, arrives), 1},
                   {place_of(0, 0, OfFeature::gap), 2},
                   {place_of(1, features), 2},
                   {place_of(1, priority), 1},
                   {place_of(1, 1, OfFeature::gap), 1},
                   {place_of(1, 1, OfFeature::hash), 2}});
}

/// The compute budget of what it has ordered goes to a third.
Genes compute_comes_back() {
  using enum OfScript;
  using enum OfRequest;
  return genes_of({{place_of(requests), 3},
                   {place_of(priority_policy), 1},
                   {place_of(token_budget), 4},
                   {place_of(encoder_budget), 3},
                   {place_of(threshold), 1},
                   {place_of(kv_blocks), 6},
                   {place_of(kv_block_size), 2},
                   {place_of(0, features), 2},
                   {place_of(0, text), 2},
                   {place_of(0, outputs), 2},
                   {place_of(0, priority), 2},
                   {place_of(0, 0, OfFeature::gap), 2},
                   {place_of(0, 0, OfFeature::length), 3},
                   {place_of(0, 1, OfFeature::gap), 1},
                   {place_of(1, features), 1},
                   {place_of(1, text), 3},
                   {place_of(1, outputs), 2},
                   {place_of(1, priority), 1},
                   {place_of(1, arrives), 1},
                   {place_of(1, 0, OfFeature::gap), 2},
                   {place_of(2, features), 1},
                   {place_of(2, text), 3},
                   {place_of(2, arrives), 1},
                   {place_of(2, 0, OfFeature::gap), 2},
                   {place_of(2, 0, OfFeature::length), 2}});
}

}  // namespace

std::span<const Genes> known_scripts() {
  static const std::array all = {tokens_come_back(), order_is_handed_over(), compute_comes_back()};
  return all;
}

}  // namespace holdfast::verify::hunt
