// The turns of a pass in a scenario, and what comes of them.
#include <algorithm>

#include "verify/replay/driven/scenario_replay.hpp"

namespace holdfast::verify {

/// Who plans no input has its turn first: nothing shows when it was. So has who waits, plans no
/// input and is preempted: it must have been scheduled.
void ScenarioReplay::admit_unplanned() {
  for (const auto& entry : scheduled_)
    if (!planning_.contains(entry.request)) admit(entry);
  for (const auto& request : std::exchange(unplanned_, {}))
    if (const auto r = m_.find(request);
        r && spec::has_status(m_.s, *r, spec::Status::waiting) && open_turn(request))
      admit_to_retract(*r);
}

// -- turns --

bool ScenarioReplay::has_turn(Request r) const {
  return m_.s.planning() && !m_.s.draining() && m_.s.plan_request() == r;
}

/// Tokens that a waiting request has from the prefix cache, as the list says.
Int ScenarioReplay::hit_of(const std::string& request) const {
  const auto r = m_.find(request);
  if (!r || !spec::has_status(m_.s, *r, spec::Status::waiting)) return 0;
  for (const auto& entry : scheduled_)
    if (entry.request == request) return entry.computed;
  return 0;
}

/// It is r's turn, with every token in view that it may get; the cursor is behind its inputs.
bool ScenarioReplay::open_turn(const std::string& request) {
  const auto r = m_.find(request);
  if (!r || has_turn(*r)) return r.has_value();
  if (m_.s.planning()) admit_to_retract(m_.s.plan_request());
  const Int hit = hit_of(request);
  const Int n =
      std::min(m_.d.config.limit(*r) - m_.s.computed(*r) - hit, spec::tokens_left<D>(m_.d, m_.s));
  if (!take_rule<spec::Plan>(*r, n, hit)) return false;
  m_.s.cursor.set(m_.d.config.features(*r));
  last_.reset();
  return true;
}

/// It is the request's turn, and the cursor is at input i.
bool ScenarioReplay::look_at(const std::string& request, Int i) {
  if (!open_turn(request)) return false;
  m_.s.cursor.set(i);
  last_ = i;
  return true;
}

/// What was chosen and not allocated was not in view: the file says only at the end how many tokens
/// were.
void ScenarioReplay::leave_out_chosen() {
  auto& s = m_.s;
  const Request r = s.plan_request();
  for (Int i = 0; i < m_.d.config.features(r); ++i) s.chosen.set(r, i, false);
  s.promised.fill(0);
}

void ScenarioReplay::close_turn(Next next) {
  const Request r = m_.s.plan_request();
  const bool waiting = spec::has_status(m_.s, r, spec::Status::waiting);
  if (next == Next::admit) {
    for (const auto& entry : scheduled_)
      if (m_.find(entry.request) == r)
        admit(entry);  // if it fails, the end of the pass will find so
  } else if (next == Next::admit_to_retract) {
    bool ordered = false;
    m_.s.pending.each([&](Hash h) { ordered |= m_.s.ordered_by(h) == r; });
    if (waiting || ordered) admit_to_retract(r);
  } else {
    give_up();
  }
}

/// The turn is admitted with the fewest tokens that cut no item: how many it got, the file does not
/// say.
bool ScenarioReplay::commit_least() {
  const Request r = m_.s.plan_request();
  const auto cuts = [&](Int n) {
    return m_.d.any_feature(r, [&](Int i) { return spec::is_cut<D>(m_.d, m_.s, r, i, n); });
  };
  const Int most = spec::tokens_left<D>(m_.d, m_.s);
  Int n = 1;
  while (n < most && cuts(n)) ++n;
  m_.s.plan_tokens.set(n);
  return take_rule<spec::Commit>(Int{0}, Int{0});
}

/// Its tokens are taken back later in the pass.
bool ScenarioReplay::admit_to_retract(Request r) {
  if (!has_turn(r)) return false;
  if (commit_least()) return true;
  give_up();
  return false;
}

/// The turn ends without tokens: an input cannot get in, or, for a waiting request, there are no KV
/// blocks. Where it has allocated, it had blocks, whatever the file says.
void ScenarioReplay::give_up() {
  auto& s = m_.s;
  if (s.granted()) {
    leave_out_chosen();
    commit_least();
    return;
  }
  abandon_if_blocked();
  if (s.planning() && !take_rule<spec::PutBack>()) spec::end_planning(s);
  drain();
}

/// Whether the input looked at last cannot get in may depend on the tokens in view, which the file
/// does not say.
void ScenarioReplay::abandon_if_blocked() {
  auto& s = m_.s;
  const Request r = s.plan_request();
  const Int most = s.plan_tokens();
  if (m_.is_decoder_only() && m_.d.profile.tail == spec::Tail::cut_after_planning &&
      m_.d.config.tail() > 1) {
    s.plan_tokens.set(std::min(most, m_.d.config.tail() - 1));
    if (take_rule<spec::Abandon>()) return;
    s.plan_tokens.set(most);
  }
  const auto is_had = [&](Int i) {
    return s.held(r, i) && (!m_.is_decoder_only() || spec::is_cached<D>(s, m_.d.config.hash(r, i)));
  };
  if (!last_ || is_had(*last_)) return;
  const Int cut = spec::item_end<D>(m_.d, r, *last_) - s.computed(r) - 1;
  s.cursor.set(*last_);
  for (const Int n : {most, std::min(most, cut), Int{1}}) {
    if (n < 1) continue;
    s.plan_tokens.set(n);
    if (m_.is_decoder_only() ? take_rule<spec::Abandon>() : take_rule<spec::EncdecAbandon>())
      return;
  }
  s.plan_tokens.set(most);
  s.cursor.set(m_.d.config.features(r));
}

/// The input before which a rule of the profile ends a chunk of n tokens, since it cannot get in or
/// not whole: it, and those behind it, are not looked at. None: their number.
Int ScenarioReplay::stopped_at(Request r, Int n) const {
  const auto& d = m_.d;
  const auto ends_before = [&](Int i, bool keeps_lookahead_out) {
    return n == spec::item_start<D>(d, r, i) - m_.s.computed(r) -
                    (keeps_lookahead_out ? d.config.lookahead() : 0);
  };
  for (Int i = 0; i < d.config.features(r); ++i)
    if (ends_before(i, d.profile.clip == spec::ClipTo::before_lookahead) ||
        (spec::rolls_back_lookahead(d.profile) && ends_before(i, true)))
      return i;
  return d.config.features(r);
}

/// What planning n tokens would have got: every feature that starts in them and touches the window,
/// and of an item none that is cut, unless a rule ends the chunk where it is.
bool ScenarioReplay::holds_needs(Request r, Int n) const {
  const auto& d = m_.d;
  const auto& s = m_.s;
  const Int stop = m_.is_decoder_only() ? stopped_at(r, n) : 0;
  const bool may_cut =
      stop < d.config.features(r) || d.profile.tail == spec::Tail::cut_after_planning;
  return d.all_features(r, [&](Int i) {
    if (!m_.is_decoder_only()) return s.computed(r) > 0 || s.held(r, i);
    const bool needed =
        i < stop && d.config.start(r, i) < s.computed(r) + n && spec::is_wanted<D>(d, s, r, i, n);
    return (!needed || s.held(r, i)) && (may_cut || !spec::is_cut<D>(d, s, r, i, n));
  });
}

bool ScenarioReplay::admit(const trace::Scheduled& entry) {
  auto& s = m_.s;
  const auto r = m_.find(entry.request);
  if (!r || !open_turn(entry.request)) return false;
  // Without async scheduling vLLM counts no placeholders, and releases nothing before it has
  // delivered; the model's placeholders cover the drafts in any case.
  const Int owed = std::max<Int>(entry.placeholders - s.placeholders(*r), entry.drafts);
  const bool fits = s.computed(*r) == entry.computed && entry.tokens <= s.plan_tokens();
  s.plan_tokens.set(entry.tokens);
  leave_out_chosen();
  if (fits && holds_needs(*r, entry.tokens) && take_rule<spec::Commit>(entry.drafts, owed))
    return true;
  give_up();
  return false;
}

// -- the events of a turn --

bool ScenarioReplay::take(const trace::Check& e) {
  if (!m_.is_decoder_only()) return open_turn(e.request);
  // Inputs are looked up in their order: this is another turn of a request that got nothing in the
  // last.
  if (const auto r = m_.find(e.request);
      r && has_turn(*r) && !m_.s.granted() && last_ && e.input <= *last_)
    give_up();
  if (!look_at(e.request, e.input)) return false;
  const Request r = m_.s.plan_request();
  using enum Model::LookUp;
  const auto found = m_.look_up();
  const bool wanted = found != miss || spec::wants_feature<D>(m_.d, m_.s);
  if (found == touch) take_rule<spec::Touch>();
  if (found == share) take_rule<spec::Share>();
  if (found == refuse) take_rule<spec::Refuse>();
  if (found == miss) rule_ = spec::Order::info.name;
  if (m_.s.planning()) m_.s.cursor.set(m_.d.config.features(r));
  m_.expect_hit(place(rule_, "check of " + m_.text(r, e.input)), e.hit,
                found == touch || found == share);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return wanted;
}

bool ScenarioReplay::take(const trace::CanAllocate& e) {
  if (!look_at(e.request, e.input)) return false;
  const Request r = m_.s.plan_request();
  const bool cut = m_.is_decoder_only() && spec::cuts_item<D>(m_.d, m_.s);
  m_.s.cursor.set(m_.d.config.features(r));
  if (m_.is_decoder_only() && spec::is_cached<D>(m_.s, m_.d.config.hash(r, e.input))) return false;
  Model::Room room;
  if (!cut) room = m_.make_room(r, e.input, e.compute_budget, e.scheduled_embeds);
  rule_ = room.evicted.empty() ? spec::Order::info.name : spec::Evict::info.name;
  check(rule_);
  if (room.ok && m_.is_decoder_only()) {
    m_.s.cursor.set(e.input);
    take_rule<spec::Order>();
    m_.s.cursor.set(m_.d.config.features(r));
  }
  m_.expect_room(place(rule_), e, room);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::take(const trace::Allocate& e) {
  if (!look_at(e.request, e.input)) return false;
  const Request r = m_.s.plan_request();
  bool taken = false;
  if (!m_.is_decoder_only()) {
    taken = take_rule<spec::EncdecAllocate>();
    m_.s.cursor.set(m_.d.config.features(r));
  } else {
    // Upstream allocates a second occurrence without a look-up.
    const bool again = m_.s.ordered_by(m_.d.config.hash(r, e.input)) == r && !m_.s.held(r, e.input);
    if (!m_.s.chosen(r, e.input) && !take_rule<spec::Order>() && !take_rule<spec::Share>() && again)
      taken = take_rule<spec::Touch>();
    m_.s.cursor.set(m_.d.config.features(r));
    if (!taken) taken = take_rule<spec::Allocate>(Int{e.input});
  }
  if (taken) m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return taken;
}

bool ScenarioReplay::take(const trace::Preempt& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  auto& s = m_.s;
  if (!s.scheduled(*r)) return take_rule<spec::Preempt>(*r);
  if (take_rule<spec::Retract>(*r)) return true;
  // Whose turn needs its blocks, the file does not say.
  spec::Retract::effect<D>(m_.d, s, *r);
  check(spec::Retract::info.name);
  return true;
}

bool ScenarioReplay::take(const trace::TakeFreed& e) {
  if (!m_.s.in_pass()) return false;
  taken_freed_.emplace_back(line_, e);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::take(const trace::EndPass& e) {
  auto& s = m_.s;
  if (!s.in_pass()) return false;
  if (s.planning()) close_turn(Next::give_up);
  bool all = true;
  for (const auto& entry : e.scheduled) {
    const auto r = m_.find(entry.request);
    if (!r || !s.scheduled(*r)) all = admit(entry) && all;
  }
  const bool ended =
      m_.is_decoder_only() ? take_rule<spec::EndPass>() : take_rule<spec::EncdecEndPass>();
  if (!ended) return false;
  const Int k = s.issued();
  step_of_[e.pass] = k;
  for (const auto& [line, freed] : taken_freed_)
    m_.expect_notices({line, rule_, {}}, freed.hashes, noticed(k));
  m_.expect_notices(place(rule_), e.notices, noticed(k));
  std::vector<Hash> ordered;
  s.step_encodes.each(k, [&](Hash h) { ordered.push_back(h); });
  m_.expect_encodes(place(rule_), e, ordered);
  return all;
}

std::vector<Hash> ScenarioReplay::noticed(Int k) const {
  std::vector<Hash> all;
  m_.s.step_notices.each(k, [&](Hash h) { all.push_back(h); });
  return all;
}

}  // namespace holdfast::verify
