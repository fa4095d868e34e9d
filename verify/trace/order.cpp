#include "verify/trace/order.hpp"

#include <type_traits>

#include "verify/trace/line_error.hpp"
#include "verify/trace/rule_form.hpp"

namespace holdfast::verify::trace {
namespace {

enum class Place { anywhere, inside, outside };

/// The worker runs beside the scheduler; a request may lose what it holds in and out of a pass.
template <class E>
constexpr Place place = Place::anywhere;

template <>
constexpr Place place<Check> = Place::inside;
template <>
constexpr Place place<CanAllocate> = Place::inside;
template <>
constexpr Place place<Allocate> = Place::inside;
template <>
constexpr Place place<TakeFreed> = Place::inside;
template <>
constexpr Place place<EndPass> = Place::inside;
template <>
constexpr Place place<AddRequest> = Place::outside;
template <>
constexpr Place place<BeginPass> = Place::outside;
template <>
constexpr Place place<Reset> = Place::outside;
template <>
constexpr Place place<Deliver> = Place::outside;
template <>
constexpr Place place<Draft> = Place::outside;
template <>
constexpr Place place<Finish> = Place::outside;

std::string pass_text(std::int64_t pass) { return "pass " + std::to_string(pass); }

}  // namespace

void OrderCheck::take(const Event& event) {
  std::visit(
      [this](const auto& e) {
        using E = std::decay_t<decltype(e)>;
        const std::string_view name = E::name;
        if constexpr (!std::is_same_v<E, Header>) {
          if (!manager_) {
            throw LineError("expected a header as the first line, found " + std::string(name));
          }
        }
        if (place<E> == Place::inside && !inside_pass_) {
          throw LineError(std::string(name) + " outside a pass; expected begin_pass first");
        }
        if (place<E> == Place::outside && inside_pass_) {
          throw LineError(std::string(name) + " inside " + pass_text(last_begun_) +
                          "; expected its end_pass first");
        }
        check(e);
        if constexpr (!std::is_same_v<E, Header>) {
          if constexpr (requires { e.rules; })
            check_rules(name, e.rules);
          else
            check_rules(name, {});
        }
      },
      event);
}

/// The first event says whether the file names rules: then one without any stands for none.
void OrderCheck::check_rules(std::string_view event, const Rules& rules) {
  if (!names_rules_) names_rules_ = rules.has_value();
  if (!rules) return;
  if (!*names_rules_)
    throw LineError(std::string(event) +
                    ".rules: the first event of the file names no rules; expected none here");
  std::size_t n = 0;
  for (const Taken& taken : *rules) {
    expect_rule_form(taken, *manager_, std::string(event) + ".rules[" + std::to_string(n++) + "]");
    if (taken.request) {
      const Request& request = known(*taken.request);
      if (taken.input) expect_input(*taken.request, request, *taken.input);
    }
    if (taken.hash) expect_hash(*taken.hash);
    if (taken.pass && *taken.pass > last_begun_)
      throw LineError(pass_text(*taken.pass) + " has not begun; expected one that has");
  }
}

OrderCheck::Request& OrderCheck::known(const std::string& id) {
  const auto found = requests_.find(id);
  if (found == requests_.end()) {
    throw LineError("unknown request " + in_quotes(id) +
                    "; expected one named by an add_request before");
  }
  return found->second;
}

OrderCheck::Request& OrderCheck::live(const std::string& id) {
  Request& request = known(id);
  if (request.finished) {
    throw LineError("request " + in_quotes(id) + " has finished; expected one that has not");
  }
  return request;
}

void OrderCheck::expect_input(const std::string& id, const Request& request,
                              std::int64_t input) const {
  if (input < request.inputs) return;
  throw LineError("input " + std::to_string(input) + " is out of range: request " + in_quotes(id) +
                  " was added with " + std::to_string(request.inputs) + " features");
}

void OrderCheck::expect_hash(const std::string& hash) const {
  if (hashes_.contains(hash)) return;
  throw LineError("unknown hash " + in_quotes(hash) + "; expected one of a feature added before");
}

void OrderCheck::expect_hashes(const std::optional<std::vector<std::string>>& hashes) const {
  if (!hashes) return;
  for (const std::string& hash : *hashes) expect_hash(hash);
}

void OrderCheck::check(const Header& e) {
  if (manager_) throw LineError("a second header; expected it on the first line alone");
  manager_ = e.manager;
  // What we search has spans in any order.
  if (e.source.starts_with("holdfast ")) spans_.allow_unsorted = true;
}

void OrderCheck::check(const AddRequest& e) {
  check_features(e, *manager_, spans_);
  const auto [added, is_new] = requests_.try_emplace(e.request);
  if (!is_new) {
    throw LineError("request " + in_quotes(e.request) + " was added before; expected a new id");
  }
  added->second.inputs = static_cast<std::int64_t>(e.features.size());
  for (const Feature& feature : e.features) hashes_.insert(feature.hash);
}

void OrderCheck::check(const BeginPass& e) {
  if (e.pass != last_begun_ + 1) {
    throw LineError("begin_pass of " + pass_text(e.pass) + "; expected " +
                    pass_text(last_begun_ + 1));
  }
  last_begun_ = e.pass;
  inside_pass_ = true;
}

void OrderCheck::check(const Check& e) { expect_input(e.request, live(e.request), e.input); }

void OrderCheck::check(const CanAllocate& e) {
  expect_input(e.request, live(e.request), e.input);
  expect_hashes(e.evicted);
}

void OrderCheck::check(const Allocate& e) { expect_input(e.request, live(e.request), e.input); }

void OrderCheck::check(const FreeInput& e) { expect_input(e.request, known(e.request), e.input); }

void OrderCheck::check(const FreeRequest& e) {
  const Request& request = known(e.request);
  if (!e.held) return;
  for (const std::int64_t input : *e.held) expect_input(e.request, request, input);
}

void OrderCheck::check(const TakeFreed& e) { expect_hashes(e.hashes); }

void OrderCheck::check(const Reset&) {}

void OrderCheck::check(const WorkerReset&) {}

void OrderCheck::check(const Preempt& e) { live(e.request); }

void OrderCheck::check(const EndPass& e) {
  if (e.pass != last_begun_) {
    throw LineError("end_pass of " + pass_text(e.pass) + "; expected " + pass_text(last_begun_) +
                    ", which is open");
  }
  for (const Scheduled& s : e.scheduled) {
    Request& request = live(s.request);
    if (request.last_scheduled == e.pass) {
      throw LineError("request " + in_quotes(s.request) + " is scheduled twice in one pass");
    }
    request.last_scheduled = e.pass;
  }
  if (e.encode) {
    for (const auto& [id, inputs] : *e.encode) {
      const Request& request = live(id);
      for (const std::int64_t input : inputs) expect_input(id, request, input);
    }
  }
  expect_hashes(e.notices);
  inside_pass_ = false;
  ended_.insert(e.pass);
}

void OrderCheck::check(const Execute& e) {
  if (!ended_.contains(e.pass)) {
    const bool open = inside_pass_ && e.pass == last_begun_;
    throw LineError("execute of " + pass_text(e.pass) +
                    (open                    ? ", which has not ended; expected its end_pass first"
                     : e.pass <= last_begun_ ? ", which was executed before"
                                             : ", which has not begun; expected its begin_pass and "
                                               "end_pass first"));
  }
  ended_.erase(e.pass);
  executed_.insert(e.pass);
  last_executed_ = e.pass;
}

void OrderCheck::check(const Gather& e) {
  if (e.pass != last_executed_ || !executed_.contains(e.pass)) {
    throw LineError("gather of " + pass_text(e.pass) + "; expected " +
                    (executed_.contains(last_executed_)
                         ? pass_text(last_executed_) + ", the last one executed"
                         : "an execute of it first"));
  }
  known(e.request);
  if (e.miss && e.miss->hash) expect_hash(*e.miss->hash);
}

void OrderCheck::check(const Deliver& e) {
  if (!executed_.contains(e.pass)) {
    throw LineError("deliver of " + pass_text(e.pass) +
                    (ended_.contains(e.pass) || e.pass > last_begun_
                         ? ", which was not executed; expected its execute first"
                         : ", which was delivered before"));
  }
  executed_.erase(e.pass);
  for (const Output& output : e.outputs) {
    Request& request = known(output.request);
    if (request.last_delivered == e.pass) {
      throw LineError("request " + in_quotes(output.request) + " has two outputs in one pass");
    }
    request.last_delivered = e.pass;
  }
}

void OrderCheck::check(const Draft& e) {
  for (const auto& [id, count] : e.proposed) live(id);
}

void OrderCheck::check(const Finish& e) { live(e.request).finished = true; }

void OrderCheck::check(const State& e) {
  if (e.cached) {
    for (const auto& [hash, requests] : *e.cached) {
      expect_hash(hash);
      for (const std::string& id : requests) known(id);
    }
  }
  expect_hashes(e.lru);
}

}  // namespace holdfast::verify::trace
