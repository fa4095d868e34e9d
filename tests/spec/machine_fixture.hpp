// Stories told with the spec's rules, on the dynamic reading.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "verify/readings/dynamic_machine.hpp"

namespace holdfast::spec_test {

using namespace spec;
using D = verify::dynamic::Reading;
using verify::dynamic::Budgets;
using verify::dynamic::FeatureConfig;
// Not the spec's templates of these names:
using Hash = verify::dynamic::Hash;
using Int = verify::dynamic::Int;
using Request = verify::dynamic::Request;

/// A machine, and the steps of a story. Every rule must be allowed where it is taken, and every
/// property must hold after it.
template <class System = DecoderOnly>
class MachineTest : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;
  static constexpr bool decoder_only = System::manager == Manager::decoder_only;

  void start(const Budgets& budgets, std::string_view profile = "holdfast") {
    machine_ = std::make_unique<verify::dynamic::Machine>(profile_named(profile).value());
    machine_->start(budgets);
  }
  D& d() { return machine_->d; }
  State<D>& s() { return machine_->s; }

  Hash hash() { return machine_->new_hash(); }

  /// A feature without a mask: as many slots as positions.
  static FeatureConfig feature(Hash h, Int start, Int length) {
    return {h, start, start + length, length, {}};
  }

  /// A request that may come.
  Request new_request(Int prompt, const std::vector<FeatureConfig>& features, Int priority = 0) {
    return machine_->new_request(prompt, prompt + 100, features, priority);
  }
  /// A request that was added.
  Request request(Int prompt, const std::vector<FeatureConfig>& features, Int priority = 0) {
    const Request r = new_request(prompt, features, priority);
    take<Add>(r);
    return r;
  }

  template <class Rule, class... Arguments>
  bool can(Arguments... arguments) {
    return Rule::template guard<D>(d(), s(), arguments...);
  }
  template <class Rule, class... Arguments>
  void take(Arguments... arguments) {
    EXPECT_TRUE(can<Rule>(arguments...)) << Rule::info.name;
    Rule::template effect<D>(d(), s(), arguments...);
    EXPECT_EQ(violated(), "") << "after " << Rule::info.name;
  }
  std::string violated() {
    std::string name;
    System::Properties::each([&]<class P>() {
      if (name.empty() && !P::template holds<D>(d(), s())) name = P::info.name;
    });
    return name;
  }

  /// Plans n tokens for r, feature by feature: the rules taken, "skip" left out.
  Words plan(Request r, Int n, Int hit = 0) {
    Words taken;
    take<Plan>(r, n, hit);
    while (looking_at_feature(d(), s())) {
      const auto name = plan_feature();
      if (name.empty()) {
        ADD_FAILURE() << "no rule deals with feature " << s().cursor();
        break;
      }
      if (name != Skip::info.name && name != EncdecSkip::info.name) taken.push_back(name);
    }
    return taken;
  }
  /// KV blocks are found: allocates what the turn has chosen, in order.
  void allocate() {
    const Request r = s().plan_request();
    for (Int i = 0; i < d().config.features(r); ++i)
      if (can<Allocate>(i)) take<Allocate>(i);
  }
  /// Plans, allocates and admits.
  Words schedule(Request r, Int n, Int drafts = 0, Int owed = 0) {
    auto taken = plan(r, n);
    if constexpr (decoder_only) allocate();
    take<Commit>(drafts, owed);
    return taken;
  }
  void drain() {
    for (const Int i : held(s().drain_request())) {
      if constexpr (decoder_only)
        take<Drop>(i);
      else
        take<EncdecDrop>(i);
    }
    take<Drained>();
  }
  void preempt(Request r) {
    take<Preempt>(r);
    drain();
  }
  void end_pass() {
    if constexpr (decoder_only)
      take<EndPass>();
    else
      take<EncdecEndPass>();
  }
  void execute() {
    take<DropNotices>();
    take<Encode>();
  }
  /// The outputs of the oldest step, none rejected.
  void deliver(const std::vector<Request>& requests) {
    for (const auto r : requests) take<Deliver>(s().delivered() + 1, r, Int{0});
    take<EndDeliver>();
  }
  /// Releases every input of r that may be.
  void release(Request r) {
    for (const Int i : held(r))
      if (can<ReleaseInput>(r, i)) take<ReleaseInput>(r, i);
  }
  /// A pass with one request, to its end; nothing is released.
  Words run(Request r, Int n) {
    take<BeginPass>();
    auto taken = schedule(r, n);
    end_pass();
    execute();
    deliver({r});
    return taken;
  }

  /// What the last step tells the worker to drop.
  std::vector<Hash> notices() {
    std::vector<Hash> all;
    s().step_notices.each(s().issued(), [&](Hash h) { all.push_back(h); });
    return all;
  }
  std::vector<Hash> encodes() {
    std::vector<Hash> all;
    s().step_encodes.each(s().issued(), [&](Hash h) { all.push_back(h); });
    return all;
  }
  std::vector<Int> held(Request r) {
    std::vector<Int> all;
    s().held.each(r, [&](Int i) { all.push_back(i); });
    return all;
  }
  bool cached(Hash h) { return is_cached<D>(s(), h); }

  /// Deals with the feature at the cursor: the rule taken, empty if none may be.
  std::string plan_feature() {
    if constexpr (!decoder_only)
      return take_first(List<EncdecSkip, EncdecAllocate, EncdecAbandon>{});
    for (const auto h : d().universe.hashes)
      if (can<Evict>(h)) return take<Evict>(h), "evict";
    return take_first(List<Grow, RollBack, Skip, Touch, Share, Refuse, Order, Clip, Abandon>{});
  }

 private:
  template <class... Rules>
  std::string take_first(List<Rules...>) {
    std::string name;
    ((name.empty() && can<Rules>() ? (take<Rules>(), void(name = Rules::info.name)) : void()), ...);
    return name;
  }

  std::unique_ptr<verify::dynamic::Machine> machine_;
};

}  // namespace holdfast::spec_test

namespace holdfast::verify::dynamic {

template <class Sort>
void PrintTo(const Name<Sort>& name, std::ostream* out) {
  *out << '#' << name.id;
}

}  // namespace holdfast::verify::dynamic
