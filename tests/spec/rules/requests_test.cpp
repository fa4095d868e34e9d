#include "spec/rules/requests.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using RequestsTest = MachineTest<>;

TEST_F(RequestsTest, WhatCouldNeverRunIsRejected) {
  start({.capacity = 8, .encoder_budget = 6});
  const Request fits = new_request(20, {feature(hash(), 0, 6)});
  const Request too_large_for_a_pass = new_request(20, {feature(hash(), 0, 7)});
  EXPECT_FALSE(can<Reject>(fits));
  take<Add>(fits);
  EXPECT_FALSE(can<Add>(too_large_for_a_pass));
  take<Reject>(too_large_for_a_pass);
  EXPECT_TRUE(has_status<D>(s(), too_large_for_a_pass, Status::finished));
}

TEST_F(RequestsTest, WhatCouldNeverRunIsQueuedUnderTheFault) {
  start({.capacity = 8, .encoder_budget = 6}, "oversized-queued");
  const Request r = new_request(20, {feature(hash(), 0, 7)});
  EXPECT_FALSE(can<Reject>(r));
  Add::effect<D>(d(), s(), r);
  EXPECT_EQ(violated(), RefusesImpossible::info.name);
}

TEST_F(RequestsTest, AbortReturnsEverything) {
  start({.capacity = 200, .encoder_budget = 200});
  const Hash image = hash();
  const Request r = request(200, {feature(image, 50, 100)});
  run(r, 149);
  take<AbortRequest>(r);
  drain();
  EXPECT_EQ(s().reclaimable(), 200);
  EXPECT_TRUE(cached(image));
}

}  // namespace
}  // namespace holdfast::spec_test
