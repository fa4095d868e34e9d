// Before state.hpp, which takes the macros back.
#include "spec/variables.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace holdfast::spec {
namespace {

struct Number {
  signed char value = 0;
  void reset() { value = 0; }
};

template <class T>
struct Sample {
  BEGIN_VARIABLES();
  T VARIABLE(first, "the first one");
  SECTION(pass);
  T VARIABLE(second, "of the pass");
  T VARIABLE(third, "of the pass too, on two lines");
  SECTION(turn);
  T VARIABLE(fourth, "of the turn");
  END_VARIABLES();
};

template <class T>
struct Forgetful {
  BEGIN_VARIABLES();
  T VARIABLE(declared, "a variable");
  T member;
  END_VARIABLES();
};

// A member that nothing walks over would be copied by some readings and reset by none.
static_assert(is_complete<Sample<Number>>);
static_assert(!is_complete<Forgetful<Number>>);
static_assert(VariablesOf<Sample<Number>>::size == 4);

TEST(Variables, AreVisitedInOrderByNameWithWhatTheyAre) {
  const Sample<Number> sample{{1}, {2}, {3}, {4}};
  std::vector<std::string> seen;
  Sample<Number>::visit(sample, [&](std::string_view name, const Number& x, std::string_view says) {
    seen.push_back(std::string(name) + std::to_string(x.value) + ": " + std::string(says));
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"first1: the first one", "second2: of the pass",
                                            "third3: of the pass too, on two lines",
                                            "fourth4: of the turn"}));
}

TEST(Variables, ASectionEndsWhereTheNextOneBegins) {
  Sample<Number> sample{{1}, {2}, {3}, {4}};
  Sample<Number>::reset_pass(sample);
  EXPECT_EQ(sample.first.value, 1);
  EXPECT_EQ(sample.second.value, 0);
  EXPECT_EQ(sample.third.value, 0);
  EXPECT_EQ(sample.fourth.value, 4);
  Sample<Number>::reset_turn(sample);
  EXPECT_EQ(sample.fourth.value, 0);
  Sample<Number>::reset(sample);
  EXPECT_EQ(sample.first.value, 0);
}

}  // namespace
}  // namespace holdfast::spec
