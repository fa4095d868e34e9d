#include "verify/replay/recorded/manager_replay.hpp"

#include <algorithm>
#include <stdexcept>

#include "verify/replay/recorded/manager_calls.hpp"

namespace holdfast::verify::replay::inline recorded {

void ManagerReplay::take(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  std::visit([this](const auto& e) { take(e); }, event);
}

/// The reader lets an event of the planning through only for a request that has not finished.
Request ManagerReplay::live(const std::string& request) {
  const auto r = woken(request);
  if (!r) throw std::logic_error("replay: a live request is unknown");
  return *r;
}

std::optional<Request> ManagerReplay::woken(const std::string& request) {
  const auto r = m_.find(request);
  if (r) m_.machine.wake(*r);
  return r;
}

void ManagerReplay::take(const trace::AddRequest& e) {
  m_.sweep_sometimes();
  spec::Add::effect<D>(m_.d, m_.s, m_.define(e, true));
}

void ManagerReplay::take(const trace::BeginPass&) {
  m_.sweep_sometimes();
  preempted_.clear();
  spec::BeginPass::effect<D>(m_.d, m_.s);
}

void ManagerReplay::take(const trace::Check& e) {
  const Request r = live(e.request);
  at_cursor(m_, r, e.input, [&] {
    using enum LookUp;
    const auto found = look_up(m_);
    rule_ = found == touch    ? spec::Touch::info.name
            : found == share  ? spec::Share::info.name
            : found == refuse ? spec::Refuse::info.name
                              : spec::Order::info.name;
    const bool hit = found == touch || found == share;
    if (e.hit && *e.hit != hit)
      m_.expect_hit(place(rule_, "check of " + m_.text(r, e.input)), e.hit, hit);
    if (found == touch) spec::Touch::effect<D>(m_.d, m_.s);
    if (found == share) spec::Share::effect<D>(m_.d, m_.s);
  });
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::CanAllocate& e) {
  const Request r = live(e.request);
  if (m_.is_decoder_only() && spec::is_cached<D>(m_.s, m_.d.config.hash(r, e.input)))
    diverge(place(spec::Order::info.name, "can_allocate of " + m_.text(r, e.input)),
            spec::ExactSlots::info.name, "nothing to allocate, as it is cached", "asked for");
  const Int left = m_.s.compute() - e.scheduled_embeds;
  if (left != e.compute_budget)
    diverge(place(spec::Order::info.name, pass_text("can_allocate")), spec::ExactBudget::info.name,
            "compute budget " + std::to_string(left),
            "compute budget " + std::to_string(e.compute_budget));
  const auto room = make_room(m_, r, e.input, e.compute_budget, e.scheduled_embeds);
  rule_ = room.evicted.empty() ? spec::Order::info.name : spec::Evict::info.name;
  m_.expect_room(place(rule_), e, room);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::Allocate& e) {
  const Request r = live(e.request);
  const Hash h = m_.d.config.hash(r, e.input);
  rule_ = m_.is_decoder_only() ? spec::Allocate::info.name : spec::EncdecAllocate::info.name;
  const auto here = [&] { return place(rule_, "allocate of " + m_.text(r, e.input)); };
  // Upstream also calls allocate for a second occurrence of what the request has ordered in this
  // pass.
  const bool again = m_.is_decoder_only() && m_.s.pending(h) > 0 && m_.s.ordered_by(h) == r &&
                     !m_.s.held(r, e.input);
  if (again) {
    rule_ = spec::Share::info.name;
  } else if (spec::is_cached<D>(m_.s, h)) {
    diverge(here(), spec::ExactSlots::info.name, "nothing to allocate, as it is cached",
            "allocated");
  } else if (!spec::fits_free<D>(m_.s, m_.d.config.embeds(r, e.input), 0)) {
    diverge(here(), spec::ExactSlots::info.name,
            std::to_string(m_.d.config.embeds(r, e.input)) + " slots do not fit in " +
                std::to_string(m_.s.free()),
            "allocated");
  }
  at_cursor(m_, r, e.input, [&] {
    if (!m_.is_decoder_only()) return spec::EncdecAllocate::effect<D>(m_.d, m_.s);
    if (again)
      spec::Share::effect<D>(m_.d, m_.s);
    else
      spec::Order::effect<D>(m_.d, m_.s);
    spec::Allocate::effect<D>(m_.d, m_.s, Int{e.input});
  });
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::FreeInput& e) {
  rule_ = m_.is_decoder_only() ? spec::ReleaseInput::info.name : spec::EncdecRelease::info.name;
  const auto r = woken(e.request);
  if (!m_.is_decoder_only()) {
    // Every delivery asks again for every input.
    if (r) spec::EncdecRelease::effect<D>(m_.d, m_.s, *r, e.input);
  } else if (!r || !m_.s.held(*r, e.input)) {
    const std::string input = "input " + std::to_string(e.input) + " of " + e.request;
    diverge(place(rule_), spec::NoFreedWhileReferenced::info.name, input + " is not held",
            input + " is released");
  } else if (m_.s.in_pass()) {
    spec::drop_occurrence<D>(m_.d, m_.s, *r, e.input);  // an undone look-up
  } else {
    spec::ReleaseInput::effect<D>(m_.d, m_.s, *r, e.input);
  }
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::FreeRequest& e) {
  auto& s = m_.s;
  rule_ = m_.is_decoder_only() ? spec::Drop::info.name : spec::EncdecDrop::info.name;
  const auto r = woken(e.request);
  if (!r) {
    if (e.held && !e.held->empty())
      diverge(place(rule_), spec::NoFreedWhileReferenced::info.name,
              e.request + " has finished and holds nothing", e.request + " holds something");
    m_.expect_slots(place(rule_), e.free, e.reclaimable);
    return;
  }
  if (e.held) m_.expect_held(place(rule_), *r, *e.held);
  const auto held = e.held ? *e.held : m_.held(*r);
  const bool retracted =
      s.in_pass() && std::find(preempted_.begin(), preempted_.end(), *r) != preempted_.end();
  spec::begin_draining<D>(s, *r);
  s.retracting.set(retracted);
  std::vector<Hash> withdrawn;
  for (const auto i : held) {
    const Hash h = m_.d.config.hash(*r, i);
    const bool was_cached = spec::is_cached<D>(s, h);
    if (m_.is_decoder_only())
      spec::Drop::effect<D>(m_.d, s, i);
    else
      spec::EncdecDrop::effect<D>(m_.d, s, i);
    if (was_cached && !spec::is_cached<D>(s, h)) withdrawn.push_back(h);
  }
  spec::Drained::effect<D>(m_.d, s);
  if (!e.free && !e.reclaimable) return;
  auto about = place(rule_);
  if (e.free != s.free() || e.reclaimable != s.reclaimable())
    about.about = free_request_text(*r, retracted, withdrawn);
  m_.expect_slots(about, e.free, e.reclaimable);
}

std::string ManagerReplay::free_request_text(Request r, bool retracted,
                                             const std::vector<Hash>& withdrawn) const {
  const std::string text = "free_request of " + m_.text(r);
  return text + (retracted ? ", retracted in this pass" : "") + m_.withdrawn_text(withdrawn);
}

void ManagerReplay::take(const trace::TakeFreed& e) {
  auto& s = m_.s;
  std::vector<Hash> noticed;
  if (m_.is_decoder_only()) {
    rule_ = spec::EndPass::info.name;
    s.evicted.each([&](Hash h) {
      if (spec::is_noticed<D>(m_.d, s, h)) noticed.push_back(h);
    });
    s.evicted.fill(false);
  } else {
    rule_ = spec::EncdecEndPass::info.name;
    // Which orders to tell of next is decided here; the rule's other effects only come a little
    // early.
    spec::EncdecEndPass::effect<D>(m_.d, s);
    s.step_notices.each(s.issued(), [&](Hash h) { noticed.push_back(h); });
  }
  m_.expect_notices(place(rule_), e.hashes, noticed);
  noticed_ = std::move(noticed);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::Reset& e) {
  if (m_.is_decoder_only()) {
    rule_ = spec::Reset::info.name;
    spec::forget_everything<D>(m_.d, m_.s);
  } else {
    rule_ = spec::EncdecReset::info.name;
    spec::EncdecReset::effect<D>(m_.d, m_.s);
    forget_steps();
  }
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
}

void ManagerReplay::take(const trace::Preempt& e) { preempted_.push_back(live(e.request)); }

/// "end_pass, with r1 and r2 preempted in this pass": what a difference in the orders may come
/// from.
std::string ManagerReplay::pass_text(std::string_view event) const {
  std::string text(event);
  for (const auto r : preempted_)
    text += (r == preempted_.front() ? ", with " : " and ") + m_.text(r);
  return preempted_.empty() ? text : text + " preempted in this pass";
}

void ManagerReplay::take(const trace::EndPass& e) {
  auto& s = m_.s;
  if (m_.is_decoder_only()) rule_ = spec::EndPass::info.name;
  if (s.in_pass()) {
    std::vector<Hash> ordered;
    s.pending.each([&](Hash h) { ordered.push_back(h); });
    m_.expect_encodes(place(rule_, pass_text("end_pass")), e, ordered);
  }
  if (noticed_) m_.expect_notices(place(rule_), e.notices, *noticed_);
  noticed_.reset();
  // No request is scheduled as far as the model is told, so that the step remembers nothing.
  if (s.in_pass()) spec::issue_step<D>(m_.d, s, s.issued() + 1);
  forget_steps();
  preempted_.clear();
}

/// The worker and its steps are not looked at here.
void ManagerReplay::forget_steps() {
  auto& s = m_.s;
  s.executed.set(s.issued());
  s.delivered.set(s.issued());
  m_.machine.forget_old_steps();
}

void ManagerReplay::take(const trace::Finish& e) {
  spec::end_request<D>(m_.d, m_.s, live(e.request));
}

void ManagerReplay::take(const trace::State& e) { m_.expect_state(place(rule_), e); }

}  // namespace holdfast::verify::replay::inline recorded
