#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/hunt/scripts.hpp"
#include "verify/base/errors.hpp"
#include "verify/hunt/breeder.hpp"
#include "verify/hunt/enumeration.hpp"
#include "verify/hunt/known_scripts.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::hunt {
namespace {

TEST(Script, SaysWhatItsGenesSay) {
  const auto script = script_of(genes_of({{OfScript::requests, 2},
                                          {OfScript::lookahead, 2},
                                          {OfScript::capacity, 3},
                                          {0, OfRequest::features, 2},
                                          {0, OfRequest::text, 1},
                                          {0, OfRequest::outputs, 2},
                                          {0, 0, OfFeature::gap, 1},
                                          {0, 1, OfFeature::length, 3},
                                          {0, 1, OfFeature::mask, 3},
                                          {1, OfRequest::features, 1},
                                          {1, OfRequest::arrives, 2},
                                          {1, 0, OfFeature::hash, 2}}));
  EXPECT_EQ(script.workload.capacity, 3);
  EXPECT_EQ(script.workload.tail, 2) << "a drafter of several modules";
  EXPECT_EQ(script.workload.encoder_budget, roomy_slots);
  EXPECT_EQ(script.workload.hashes, 2);
  ASSERT_EQ(script.requests.size(), 2U);
  const auto& first = script.requests[0].request;
  EXPECT_EQ(first.prompt, 6);
  EXPECT_EQ(first.limit, 6 + 2 + 1) << "an output may be in flight";
  EXPECT_EQ(first.features[0].start, 1);
  EXPECT_EQ(first.features[1].start, 2);
  EXPECT_EQ(first.features[1].end, 5);
  EXPECT_EQ(first.features[1].embeds, 2) << "both ends";
  EXPECT_EQ(script.requests[1].arrives, 3);
  EXPECT_EQ(script.requests[1].request.features[0].hash, first.features[0].hash)
      << "two items back";
  EXPECT_EQ(script.last_tick(), 3);
}

TEST(Bounds, AreSaidByName) {
  const Bounds bounds("requests=4,length=2");
  EXPECT_EQ(bounds[place_of(OfScript::requests)], 3);
  EXPECT_EQ(bounds[place_of(3, 3, OfFeature::length)], 1);
  EXPECT_EQ(bounds[place_of(0, OfRequest::features)], Bounds()[place_of(0, OfRequest::features)]);
  for (const char* wrong :
       {"requests", "requests=", "requests=0", "requests=5", "request=2", "length=x", "=2"})
    EXPECT_THROW(Bounds{wrong}, InputError) << wrong;
}

TEST(Bounds, LeaveNothingThatHasNoEffect) {
  const Bounds bounds;
  std::mt19937 random(1);
  for (int n = 0; n < 1000; ++n) {
    Genes genes{};
    for (auto& gene : genes) gene = static_cast<std::uint8_t>(random() % 4);
    const auto inside = bounds.inside(genes);
    EXPECT_EQ(bounds.inside(inside), inside);
    for (std::size_t place = 0; place < inside.size(); ++place)
      EXPECT_LE(inside[place], bounds.most(inside, place));
    const auto script = script_of(inside);
    for (const auto& r : script.requests)
      EXPECT_LT(r.request.limit, compact::most_positions) << "n = " << n;
  }
}

TEST(Enumeration, GivesEveryScriptOnceTheSmallerOnesFirst) {
  const Bounds bounds(
      "requests=2,features=1,text=1,outputs=1,priority=0,hit=0,arrives=0,aborted=0,again=0,accepts="
      "0,"
      "proposes=0,gap=0,overlap=0,length=2,mask=0,hash=1,encoder_decoder=0,priority_policy=0,depth="
      "1,"
      "drafts=0,lookahead=0,whole_items=0,token_budget=0,encoder_budget=0,capacity=2,threshold=0,"
      "kv_blocks=0,"
      "max_num_seqs=0,model_len=0,reset=0,preempt_all=0");
  Enumeration all(bounds);
  std::set<Genes> seen;
  int size = 0;
  while (const Genes* genes = all.next()) {
    EXPECT_GE(size_of(*genes), size);
    EXPECT_EQ(size_of(*genes), all.size());
    EXPECT_EQ(bounds.inside(*genes), *genes);
    EXPECT_TRUE(seen.insert(*genes).second);
    size = size_of(*genes);
  }
  // Of a request 2 texts and no item, or one of 2 lengths: 6 ways; with two, and items in both, 2
  // hashes.
  EXPECT_EQ(seen.size(), 3U * (6 + 6 * 6 + 4 * 4));
}

TEST(Enumeration, CountsWhatThereIs) {
  const Bounds bounds;
  Enumeration all(bounds);
  std::vector<std::size_t> counts;
  while (all.next() != nullptr && all.size() < 5) {
    counts.resize(static_cast<std::size_t>(all.size()) + 1);
    ++counts.back();
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 20, 221, 1840, 13121}));
}

// A gene without effect would say what is not so.
TEST(KnownScripts, SayWhatHasAnEffect) {
  for (const auto& genes : known_scripts()) EXPECT_EQ(Bounds().inside(genes), genes);
}

// What they are for happens, and holdfast copes.
TEST(KnownScripts, TakeBackWhatWasScheduled) {
  for (const auto& genes : known_scripts()) {
    Story story;
    Watch watch;
    watch.story = &story;
    const auto outcome = run_script(script_of(genes), {}, watch);
    EXPECT_TRUE(outcome.broken.empty());
    EXPECT_THAT(story.lines, testing::Contains(testing::HasSubstr("is retracted")));
  }
}

TEST(Breeder, IsTheSameForASeedAndStaysInside) {
  const Bounds bounds;
  Breeder one(bounds, 7), same(bounds, 7), other(bounds, 8);
  bool differs = false;
  for (int n = 0; n < 2000; ++n) {
    const auto genes = one.next();
    EXPECT_EQ(same.next(), genes);
    EXPECT_EQ(bounds.inside(genes), genes);
    differs |= other.next() != genes;
    if (n % 7 == 0)
      for (auto* breeder : {&one, &same, &other}) breeder->keep(genes);
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace holdfast::verify::hunt
