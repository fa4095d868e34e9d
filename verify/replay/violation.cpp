#include "verify/replay/violation.hpp"

#include <vector>

namespace holdfast::verify::replay {
namespace {

using Kind = dynamic::Witness::Kind;

std::string number(Int n) { return std::to_string(n); }

/// The names that the property failed for.
struct About {
  std::optional<Request> request;
  std::optional<Hash> hash;
  std::optional<Int> feature;
  std::optional<Int> step;
};

About about(const Model& m) {
  About a;
  for (const auto& [kind, value] : m.d.witness()) {
    const auto id = static_cast<std::int32_t>(value);
    if (kind == Kind::request) a.request = Request{id};
    if (kind == Kind::hash) a.hash = Hash{id};
    if (kind == Kind::feature) a.feature = value;
    if (kind == Kind::step) a.step = value;
  }
  if (a.request && a.feature && !a.hash) a.hash = m.d.config.hash(*a.request, *a.feature);
  return a;
}

std::string on_references(const Model& m, const About& a) {
  const auto& s = m.s;
  if (!a.feature)
    return m.text(*a.request) + " references " + m.text(*a.hash) + ", which is not cached";
  const auto input = m.text(*a.request, *a.feature);
  if (s.held(*a.request, *a.feature))
    return input + " is held, but " + m.text(*a.request) + " does not reference " + m.text(*a.hash);
  return input + " is released, but of its " + number(s.computed(*a.request)) +
         " computed tokens only " + number(spec::confirmed(s, *a.request)) +
         " are confirmed, and it ends at " + number(m.d.config.end(*a.request, *a.feature));
}

std::string on_notice(const Model& m, const About& a) {
  const Int k = *a.step;
  return "step " + number(k) + " tells the worker to drop " + m.text(*a.hash) +
         (m.s.step_encodes(k, *a.hash) > 0 ? ", which it encodes" : ", which is cached");
}

std::string on_ghost(const Model& m, const About& a) {
  const auto& s = m.s;
  const auto slots = [](Int n) { return n == 1 ? number(n) + " slot" : number(n) + " slots"; };
  if (!a.step)
    return "the worker holds " + slots(s.worker(*a.hash)) + " of " + m.text(*a.hash) +
           ", the scheduler counts on " + slots(s.available(s.executed(), *a.hash));
  const Int k = *a.step;
  std::string text = "after step " + number(k) + " the scheduler counts on " +
                     slots(s.available(k, *a.hash)) + " of " + m.text(*a.hash) +
                     "; the worker will hold ";
  if (s.step_encodes(k, *a.hash) > 0)
    return text + slots(s.step_encodes(k, *a.hash)) + ", encoded by that step";
  if (s.step_notices(k, *a.hash)) return text + "none, told to drop it by that step";
  return text + slots(s.available(k - 1, *a.hash)) + ", as before that step";
}

std::string on_slots(const Model& m) {
  const auto& s = m.s;
  std::string text = "capacity " + number(m.d.config.capacity()) + ", free " + number(s.free());
  if (!m.is_decoder_only()) return text + ", charged " + number(s.charged.sum());
  return text + ", reclaimable " + number(s.reclaimable()) + ", cached " + number(s.weight.sum()) +
         ", freeable " + number(s.freeable.sum());
}

std::string on_cut(const Model& m, Request r, Int i) {
  const Int end = m.s.computed(r) + m.s.tokens(r);
  return "the chunk [" + number(m.s.computed(r)) + ", " + number(end) + ") ends inside " +
         m.text(r, i) + " at [" + number(m.d.config.start(r, i)) + ", " +
         number(m.d.config.end(r, i)) + ")";
}

std::string describe(const Model& m, std::string_view property) {
  const auto a = about(m);
  const auto& s = m.s;
  if (property == spec::NoFreedWhileReferenced::info.name && a.request) return on_references(m, a);
  if (property == spec::NoStaleNotice::info.name && a.step && a.hash) return on_notice(m, a);
  if (property == spec::NoInteriorMiss::info.name && m.gathering) {
    const auto& [r, i] = *m.gathering;
    return "the gather of " + m.text(r) + " in step " + number(s.executed()) + " misses " +
           m.text(m.d.config.hash(r, i)) + ", its input " + number(i);
  }
  if (property == spec::NoGhostEntry::info.name && a.hash) return on_ghost(m, a);
  if (property == spec::ExactSlots::info.name || property == spec::AllReturned::info.name)
    return on_slots(m);
  if (property == spec::BoundedWorkerMemory::info.name)
    return "the worker holds " + number(s.worker.sum()) + " slots, capacity " +
           number(m.d.config.capacity());
  if (property == spec::ExactBudget::info.name)
    return "left " + number(s.compute()) + " of " + number(m.d.config.encoder_budget()) +
           ", ordered " + number(s.pending.sum());
  if (property == spec::WholeItemsKept::info.name && a.request && a.feature)
    return on_cut(m, *a.request, *a.feature);
  if (property == spec::NoHoldAndWait::info.name && a.request && a.feature)
    return m.text(*a.request) + " does not run and holds " + m.text(*a.request, *a.feature);
  if (property == spec::RefusesImpossible::info.name && a.request)
    return m.text(*a.request) + " can never run and is queued";
  if (property == spec::SameSize::info.name && a.request && a.feature)
    return m.text(*a.request, *a.feature) + " needs " +
           number(m.d.config.embeds(*a.request, *a.feature)) + " slots, the entry has " +
           number(s.weight(*a.hash));
  return "it does not hold";
}

template <class Properties>
std::optional<Violation> find_in(const Model& m, std::string_view only) {
  std::optional<Violation> found;
  Properties::each([&]<class P>() {
    if (found || (!only.empty() && only != P::info.name)) return;
    m.d.clear_witness();
    if (!P::template holds<D>(m.d, m.s))
      found = Violation{P::info.name, P::info.says, describe(m, P::info.name)};
  });
  return found;
}

std::string counts(const Model& m, const dynamic::State& s, Request r) {
  return number(spec::confirmed(s, r)) + " confirmed, " + number(s.computed(r)) +
         " computed of at most " + number(m.d.config.limit(r)) + " tokens";
}

std::string describe_step(const Model& m, const dynamic::State& before, std::string_view ranking) {
  const auto a = about(m);
  if (!a.request) return "it does not hold";
  const Request r = *a.request;
  if (ranking == spec::NobodyOvertakes::info.name)
    return m.text(r) + " could not get in, and another is admitted";
  return m.text(r) + ": " + counts(m, before, r) + " before, " + counts(m, m.s, r) + " behind it";
}

}  // namespace

bool is_ranking(std::string_view name) {
  bool found = false;
  spec::DecoderOnly::Rankings::each([&]<class Claim>() { found |= Claim::info.name == name; });
  return found;
}

bool is_property(std::string_view name) {
  bool found = false;
  const auto look = [&]<class P>() { found |= P::info.name == name; };
  spec::DecoderOnly::Properties::each(look);
  spec::EncoderDecoder::Properties::each(look);
  return found;
}

std::optional<Violation> find_step_violation(const Model& m, const dynamic::State& before,
                                             std::string_view only) {
  std::optional<Violation> found;
  spec::DecoderOnly::Rankings::each([&]<class Claim>() {
    if (found || Claim::info.name != only) return;
    m.d.clear_witness();
    if (!Claim::template holds<D>(m.d, before, m.s))
      found = Violation{Claim::info.name, Claim::info.says, describe_step(m, before, only)};
  });
  return found;
}

std::optional<Violation> find_violation(const Model& m, std::string_view only) {
  return m.is_decoder_only() ? find_in<spec::DecoderOnly::Properties>(m, only)
                             : find_in<spec::EncoderDecoder::Properties>(m, only);
}

}  // namespace holdfast::verify::replay
