// How a random test is repeated, and made longer.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>

namespace holdfast::tests {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// HOLDFAST_SEED=N starts there, HOLDFAST_FUZZ_ROUNDS=N does N times the work. Both are printed.
struct RandomRounds {
  RandomRounds(std::uint64_t usual_seed, std::uint64_t usual_rounds)
      : seed(number_from("HOLDFAST_SEED", usual_seed)),
        rounds(usual_rounds * number_from("HOLDFAST_FUZZ_ROUNDS", 1)) {
    std::cout << "seed " << seed << ", " << rounds << " rounds\n";
  }

  std::uint64_t seed, rounds;
};

}  // namespace holdfast::tests
