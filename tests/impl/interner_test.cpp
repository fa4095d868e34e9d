#include "impl/interner.hpp"

#include <cstdint>
#include <cstring>
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

TEST(Interner, ANameThatWasFoundLastIsNotMistakenForOneWithTheSameEnd) {
  Names names;
  const std::string end = "the same end";
  const Index a = names.add("a " + end);
  EXPECT_EQ(names.find("a " + end), a);
  EXPECT_EQ(names.find("b " + end), none);
  const Index b = names.add("b " + end);
  EXPECT_EQ(names.find("b " + end), b);
  EXPECT_EQ(names.find("a " + end), a);
  names.forget(a);
  EXPECT_EQ(names.find("a " + end), none);
  EXPECT_EQ(names.add("c " + end), a);
  EXPECT_EQ(names.find("a " + end), none);
  EXPECT_EQ(names.find("c " + end), a);
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

/// Pairs of names of 8 to 80 bytes that differ in one word, beside which stands one that makes a
/// factor of the hash 0, where that has no secret or this one: nothing is left of the other word.
std::set<std::string> names_made_for(std::uint64_t secret) {
  std::set<std::string> names;
  for (std::uint64_t size = 8; size <= 80; size += 8)
    for (std::size_t at = 0; at < size; at += 8)
      for (const std::uint64_t word : {std::uint64_t{0}, size, secret, secret ^ size})
        for (const char differs : {'a', 'b'}) {
          std::string name(size, '0');
          std::memcpy(&name[at], &word, 8);
          name[at / 8 % 2 == 0 ? (at + 8) % size : at - 8] = differs;
          names.insert(name);
        }
  return names;
}

TEST(BytesHash, NobodyCanChooseNamesThatCollide) {
  const std::uint64_t secret = 0x9e3779b97f4a7c15;
  const auto names = names_made_for(secret);
  const auto different = [&](const BytesHash& hash) {
    std::set<std::size_t> hashes;
    for (const auto& name : names) hashes.insert(hash(name));
    return hashes.size();
  };
  EXPECT_LT(different(BytesHash({secret, secret, secret, secret})), names.size());
  EXPECT_EQ(different(BytesHash()), names.size());
}

TEST(BytesHash, IsOneInAProcess) {
  EXPECT_EQ(BytesHash()("a name of some length"), BytesHash()("a name of some length"));
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
