#include "impl/index_list.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

struct Record {
  Links links;
};
using List = IndexList<Record, &Record::links>;

std::vector<Index> read(const List& list, const std::vector<Record>& table) {
  std::vector<Index> found;
  for (Index n = list.front(); n != none; n = List::after(table, n)) found.push_back(n);
  return found;
}

TEST(IndexList, KeepsTheOrderInWhichTheyCame) {
  std::vector<Record> table(4);
  List list;
  EXPECT_TRUE(list.empty());
  for (const Index n : {2U, 0U, 3U}) list.push_back(table, n);
  EXPECT_EQ(read(list, table), (std::vector<Index>{2, 0, 3}));
  EXPECT_EQ(list.back(), 3U);
  list.clear();
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.size(), 0U);
}

TEST(IndexList, IsThatOfAVector) {
  const tests::RandomRounds random(1, 10'000);
  std::mt19937_64 draw(random.seed);
  std::vector<Record> table(8);
  std::vector<Index> naive;
  List list;
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const auto n = static_cast<Index>(draw() % table.size());
    const auto at = std::find(naive.begin(), naive.end(), n);
    if (at == naive.end()) {
      list.push_back(table, n);
      naive.push_back(n);
    } else {
      list.remove(table, n);
      naive.erase(at);
      EXPECT_EQ(table[n].links.before, none);
      EXPECT_EQ(table[n].links.after, none);
    }
    ASSERT_EQ(read(list, table), naive);
    ASSERT_EQ(list.back(), naive.empty() ? none : naive.back());
    ASSERT_EQ(list.size(), naive.size());
  }
}

}  // namespace
}  // namespace holdfast::impl
