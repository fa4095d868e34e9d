// Scripts at random: fresh ones, and changed copies of those that had led somewhere new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

class Breeder {
 public:
  Breeder(const Bounds& bounds, std::uint64_t seed) : bounds_(bounds), random_(seed) {}

  /// First those that are known.
  Genes next();
  /// `genes` led somewhere new.
  void keep(const Genes& genes);

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((random_() >> 11U) % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void begin_round();
  Genes fresh();
  Genes changed();
  void change_one(Genes& genes);
  void copy_request(Genes& genes);
  void mix(Genes& genes);
  void share_hash(Genes& genes);
  void draw(Genes& genes, std::size_t place);

  const Bounds& bounds_;
  std::mt19937_64 random_;
  std::size_t known_ = 0;  ///< how many of them were had
  std::vector<Genes> kept_;
  std::size_t replaced_ = 0;

  // What is drawn differs from round to round ("swarm"): in each, many kinds of genes stay as they
  // are.
  std::size_t left_in_round_ = 0;
  unsigned density_ = 10;  // of genes that are drawn, in percent
  std::array<bool, genes_of_a_script> is_drawn_{};
};

}  // namespace holdfast::verify::hunt
