// The reference pass on the dynamic reading, driven step by step.
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "spec/schedule/scheduler.hpp"
#include "verify/readings/dynamic_machine.hpp"

namespace holdfast::spec_test {

using namespace spec;
using D = verify::dynamic::Reading;
using verify::dynamic::FeatureConfig;
// Not the spec's templates of these names:
using Hash = verify::dynamic::Hash;
using Int = verify::dynamic::Int;
using Request = verify::dynamic::Request;

/// Drives the pass on a roomy machine; what is scarce, a test says.
class ScheduleTest : public ::testing::Test {
 protected:
  struct Given {
    int request;
    Int tokens;
    bool operator==(const Given&) const = default;
    friend void PrintTo(const Given& g, std::ostream* out) {
      *out << 'r' << g.request << ": " << g.tokens;
    }
  };
  using Pass = std::vector<Given>;

  verify::dynamic::Budgets budgets{.capacity = 100, .encoder_budget = 100, .token_budget = 100};
  Sizes<D> sizes;

  void start(std::string_view profile = "holdfast") {
    machine_ = std::make_unique<verify::dynamic::Machine>(*profile_named(profile));
    machine_->start(budgets);
    queues_ = std::make_unique<Queues<D>>(sizes);
    requests_.clear();
  }
  D& d() { return machine_->d; }
  State<D>& s() { return machine_->s; }
  Queues<D>& queues() { return *queues_; }
  Scheduler<D, Unobserved<D>> scheduler() { return {d(), s(), queues(), nobody_}; }

  Hash hash() { return machine_->new_hash(); }
  static FeatureConfig item(Hash h, Int start, Int length) {
    return {h, start, start + length, length, {}};
  }

  struct Asked {
    Int prompt = 0;
    std::vector<FeatureConfig> items = {};
    Int max_tokens = 10;
    Int priority = 0;
    Int hit = 0;
  };
  bool add(const Asked& a) {
    const Int limit = a.prompt + a.max_tokens + limit_margin<D>(budgets.depth, sizes.draft_tokens);
    requests_.push_back(machine_->new_request(a.prompt, limit, a.items, a.priority));
    auto x = scheduler();
    return add_request(x, {requests_.back(), a.max_tokens, a.hit});
  }
  Request request(int n) { return requests_.at(static_cast<std::size_t>(n)); }

  /// One pass: who got how many tokens.
  Pass pass() {
    auto x = scheduler();
    EXPECT_TRUE(schedule_pass(x, ++passes_));
    Pass given;
    for (const auto& entry : last().scheduled)
      given.push_back({number_of(entry.request), entry.tokens});
    return given;
  }
  const Flight<D>& last() { return queues().in_flight.back(); }
  /// The oldest step is executed and delivered: a token of each request that is due one, and of its
  /// drafts all but `rejected`.
  void deliver(Int rejected = 0) {
    auto x = scheduler();
    EXPECT_TRUE(execute_model(x));
    std::vector<Output<D>> outputs;
    for (const auto& entry : queues().in_flight.front().scheduled) {
      const Int lost = std::min(rejected, entry.drafts);
      outputs.push_back({entry.samples ? 1 + entry.drafts - lost : 0, lost});
    }
    EXPECT_TRUE(update_from_output(x, outputs));
  }
  Pass whole_pass() {
    auto given = pass();
    deliver();
    return given;
  }
  void propose(int r, Int drafts) {
    auto x = scheduler();
    update_draft_tokens(x, request(r), drafts);
  }
  std::vector<int> names(const Queues<D>::Sequences& queue) {
    std::vector<int> all;
    for (const auto& q : queue) all.push_back(number_of(q.request));
    return all;
  }

 private:
  int number_of(Request r) const {
    for (std::size_t n = 0; n < requests_.size(); ++n)
      if (requests_[n] == r) return static_cast<int>(n);
    return -1;
  }

  std::unique_ptr<verify::dynamic::Machine> machine_;
  std::unique_ptr<Queues<D>> queues_;
  std::vector<Request> requests_;
  Unobserved<D> nobody_;
  Int passes_ = 0;
};

}  // namespace holdfast::spec_test
