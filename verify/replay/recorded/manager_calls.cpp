#include "verify/replay/recorded/manager_calls.hpp"

#include <stdexcept>

namespace holdfast::verify::replay::inline recorded {
namespace {

/// The freeable entry that the spec calls the oldest.
Hash oldest(const Model& m) {
  Hash best;
  m.s.freeable.each([&](Hash h) {
    if (best == Hash{} || m.s.order(h) < m.s.order(best)) best = h;
  });
  if (!spec::is_oldest<D>(m.d, m.s, best)) throw std::logic_error("oldest: the spec disagrees");
  return best;
}

}  // namespace

LookUp look_up(const Model& m) {
  if (!m.is_decoder_only()) return LookUp::miss;
  if (spec::Touch::guard<D>(m.d, m.s)) return LookUp::touch;
  if (spec::Share::guard<D>(m.d, m.s)) return LookUp::share;
  if (spec::Refuse::guard<D>(m.d, m.s)) return LookUp::refuse;
  return LookUp::miss;
}

Model::Room make_room(Model& m, Request r, Int i, Int budget, Int planned) {
  const Int embeds = m.d.config.embeds(r, i);
  Model::Room room;
  if (embeds > budget) return room;
  if (m.is_decoder_only() && spec::fits_reclaimable<D>(m.s, embeds, planned)) {
    while (!spec::fits_free<D>(m.s, embeds, planned)) {
      room.evicted.push_back(oldest(m));
      spec::evict_entry<D>(m.d, m.s, room.evicted.back());
    }
  }
  room.ok = spec::fits_free<D>(m.s, embeds, planned);
  return room;
}

}  // namespace holdfast::verify::replay::inline recorded
