#include "verify/hunt/breeder.hpp"

#include <algorithm>
#include <array>

#include "verify/hunt/known_scripts.hpp"

namespace holdfast::verify::hunt {
namespace {

constexpr std::size_t most_kept = 4096;
constexpr std::size_t scripts_in_a_round = 50;

}  // namespace

Genes Breeder::next() {
  if (known_ < known_scripts().size()) return bounds_.inside(known_scripts()[known_++]);
  if (left_in_round_ == 0) begin_round();
  --left_in_round_;
  return bounds_.inside(kept_.empty() || chance(30) ? fresh() : changed());
}

void Breeder::keep(const Genes& genes) {
  if (kept_.size() < most_kept)
    kept_.push_back(genes);
  else
    kept_[replaced_++ % most_kept] = genes;
}

void Breeder::begin_round() {
  left_in_round_ = scripts_in_a_round;
  constexpr std::array<unsigned, 6> densities = {5, 10, 20, 30, 50, 70};
  density_ = densities[below(densities.size())];
  const unsigned drawn = 30 + static_cast<unsigned>(below(71));
  const auto draw_kinds = [&](std::size_t first, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) is_drawn_[first + n] = chance(drawn);
  };
  draw_kinds(0, configuration_genes.size());
  // The same kinds for every request and feature; how many there are is always open.
  draw_kinds(place_of(0, OfRequest{}), request_genes.size());
  draw_kinds(place_of(0, 0, OfFeature{}), feature_genes.size());
  is_drawn_[place_of(OfScript::requests)] = true;
  is_drawn_[place_of(0, OfRequest::features)] = true;
  for (std::size_t r = 0; r < most_requests; ++r) {
    for (std::size_t n = 0; n < request_genes.size(); ++n)
      is_drawn_[place_of(r, OfRequest{}) + n] = is_drawn_[place_of(0, OfRequest{}) + n];
    for (std::size_t i = 0; i < most_features; ++i)
      for (std::size_t n = 0; n < feature_genes.size(); ++n)
        is_drawn_[place_of(r, i, OfFeature{}) + n] = is_drawn_[place_of(0, 0, OfFeature{}) + n];
  }
}

void Breeder::draw(Genes& genes, std::size_t place) {
  const int most = bounds_.most(genes, place);
  if (most > 0) genes[place] = static_cast<std::uint8_t>(1 + below(static_cast<std::size_t>(most)));
}

Genes Breeder::fresh() {
  Genes genes{};
  for (std::size_t place = 0; place < genes.size(); ++place)
    if (is_drawn_[place] && chance(density_)) draw(genes, place);
  if (chance(50)) share_hash(genes);
  return genes;
}

Genes Breeder::changed() {
  Genes genes = kept_[below(kept_.size())];
  const std::size_t changes = std::size_t{1} << below(4);
  for (std::size_t n = 0; n < changes; ++n) {
    const auto kind = below(10);
    if (kind == 0)
      copy_request(genes);
    else if (kind == 1)
      mix(genes);
    else if (kind == 2)
      share_hash(genes);
    else
      change_one(genes);
  }
  return genes;
}

/// Up, down, or back to nothing.
void Breeder::change_one(Genes& genes) {
  for (int tries = 0; tries < 20; ++tries) {
    const std::size_t place = below(genes.size());
    if (!is_drawn_[place] || bounds_.most(genes, place) == 0) continue;
    if (genes[place] > 0 && chance(40))
      genes[place] = 0;
    else
      draw(genes, place);
    return;
  }
}

/// One request becomes like another.
void Breeder::copy_request(Genes& genes) {
  const std::size_t requests = 1U + genes[place_of(OfScript::requests)];
  const auto from =
      genes.begin() + static_cast<std::ptrdiff_t>(place_of(below(requests), OfRequest{}));
  std::copy_n(from, genes_of_a_request,
              genes.begin() + static_cast<std::ptrdiff_t>(place_of(below(requests), OfRequest{})));
}

/// A request, or the configuration, comes from another script.
void Breeder::mix(Genes& genes) {
  const Genes& other = kept_[below(kept_.size())];
  if (chance(30)) {
    std::copy_n(other.begin() + 1, configuration_genes.size() - 1, genes.begin() + 1);
    return;
  }
  const auto place = static_cast<std::ptrdiff_t>(place_of(below(most_requests), OfRequest{}));
  std::copy_n(other.begin() + place, genes_of_a_request, genes.begin() + place);
}

/// A feature gets the hash, and the size, of one before it.
void Breeder::share_hash(Genes& genes) {
  std::vector<std::size_t> features;  // the places of their first genes
  for (std::size_t r = 0; r <= genes[place_of(OfScript::requests)] && r < most_requests; ++r)
    for (std::size_t i = 0; i < genes[place_of(r, OfRequest::features)] && i < most_features; ++i)
      features.push_back(place_of(r, i, OfFeature{}));
  if (features.size() < 2) return;
  const std::size_t later = 1 + below(features.size() - 1);
  const std::size_t back = 1 + below(later);
  const auto gene = [&](std::size_t n, OfFeature which) -> std::uint8_t& {
    return genes[features[n] + static_cast<std::size_t>(which)];
  };
  gene(later, OfFeature::hash) = static_cast<std::uint8_t>(back);
  if (chance(20)) return;
  gene(later, OfFeature::length) = gene(later - back, OfFeature::length);
  gene(later, OfFeature::mask) = gene(later - back, OfFeature::mask);
}

}  // namespace holdfast::verify::hunt
