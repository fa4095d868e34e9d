#include "impl/interner.hpp"

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "holdfast/types.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

using Names = Interner<HashHandle>;

TEST(Interner, AHandleIsGoodUntilItsNameIsForgotten) {
  Names names;
  EXPECT_EQ(names.find("a"), none);
  EXPECT_FALSE(names.is_known(HashHandle{}));
  const Index a = names.add("a");
  const HashHandle first = names.handle(a);
  EXPECT_TRUE(names.is_known(first));
  EXPECT_EQ(names.find("a"), a);
  EXPECT_EQ(names.name(a), "a");
  names.forget(a);
  EXPECT_FALSE(names.is_known(first));
  EXPECT_FALSE(names.is_known(names.handle(a)));
  EXPECT_EQ(names.find("a"), none);
  EXPECT_EQ(names.add("b"), a);  // the number again, another handle
  EXPECT_FALSE(names.is_known(first));
  EXPECT_TRUE(names.is_known(names.handle(a)));
}

TEST(Interner, NamesAreCopiedAndStayWhereTheyAreWhenItMoves) {
  Names names;
  std::string text = "short";
  const Index n = names.add(text);
  text = "other";
  const Names moved = std::move(names);
  EXPECT_EQ(moved.find("short"), n);
  EXPECT_EQ(moved.name(n), "short");
}

TEST(Interner, TellsAllLengthsAndBytesApart) {
  Names names;
  std::map<std::string, Index> naive;
  std::string name;
  for (int length = 0; length < 70; ++length) {
    naive[name] = names.add(name);
    if (length > 0) {
      std::string other = name;
      other.front() = '\xff';
      naive[other] = names.add(other);
    }
    name += '\0';
  }
  for (const auto& [text, n] : naive) {
    EXPECT_EQ(names.find(text), n);
    EXPECT_EQ(names.name(n), text);
  }
  EXPECT_EQ(names.size(), naive.size());
}

TEST(Interner, IsAMapOfStrings) {
  const tests::RandomRounds random(1, 20'000);
  std::mt19937_64 draw(random.seed);
  Names names;
  std::map<std::string, HashHandle> naive;
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const std::string name(draw() % 40, static_cast<char>(draw() % 3 + 254));
    if (const auto known = naive.find(name); known == naive.end()) {
      ASSERT_EQ(names.find(name), none);
      naive[name] = names.handle(names.add(name));
    } else {
      ASSERT_EQ(names.find(name), known->second.index);
      ASSERT_TRUE(names.is_known(known->second));
      names.forget(known->second.index);
      ASSERT_FALSE(names.is_known(known->second));
      naive.erase(known);
    }
    ASSERT_EQ(names.size(), naive.size());
  }
}

TEST(BytesHash, SpreadsNamesThatDifferInOneByte) {
  std::set<std::size_t> low_bits;
  const BytesHash hash;
  std::string name(64, '0');
  for (std::size_t at = 0; at < name.size(); ++at) {
    for (char c = '1'; c <= '9'; ++c) {
      name[at] = c;
      low_bits.insert(hash(name) % (1U << 20));
    }
    name[at] = '0';
  }
  EXPECT_GT(low_bits.size(), 570U);  // of 576
}

}  // namespace
}  // namespace holdfast::impl
