// The model as a replay sees it: a machine, the file's names for what is in it, and the comparison
// of answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/catalogue.hpp"
#include "spec/schedule/queues.hpp"
#include "verify/readings/dynamic_machine.hpp"
#include "verify/replay/divergence.hpp"
#include "verify/replay/names.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay {

using dynamic::Hash;
using dynamic::Int;
using dynamic::Request;
using D = dynamic::Reading;

/// The sizes of a pass; what the header leaves out does not limit.
spec::Sizes<D> sizes_of(const trace::Header& header);
/// Tokens at a prompt's end in which no chunk may end: a drafter of one module copes with any end.
std::int64_t tail_of(const trace::Header& header);

class Model {
 public:
  /// A request may compute `limit_margin` tokens more than its prompt and its most outputs.
  Model(const spec::Profile& profile, const trace::Header& header, Int limit_margin = 0);

  dynamic::Machine machine;
  dynamic::Reading& d;
  dynamic::State& s;
  const spec::Manager manager;
  NameTable<Request> requests;
  NameTable<Hash> hashes;
  /// What is being gathered, for the text of a miss.
  std::optional<std::pair<Request, Int>> gathering = {};

  [[nodiscard]] bool is_decoder_only() const { return manager == spec::Manager::decoder_only; }

  /// A new request, with the features of the event; not yet added in the spec's sense. With
  /// `sleeps` it costs the passes nothing until it is woken (dynamic::Machine).
  Request define(const trace::AddRequest& e, bool sleeps = false);
  /// None where it has finished and was forgotten.
  [[nodiscard]] std::optional<Request> find(const std::string& request) const {
    return requests.find(request);
  }
  [[nodiscard]] const std::string& text(Request r) const { return requests.text(r); }
  [[nodiscard]] const std::string& text(Hash h) const { return hashes.text(h); }
  /// "input 1 (h3) of r2".
  [[nodiscard]] std::string text(Request r, Int i) const;
  /// "[h1, h2]".
  [[nodiscard]] std::string text(const std::vector<Hash>& hashes) const;

  /// ": its pending entry h1 is withdrawn", of a request that is leaving; of none nothing.
  [[nodiscard]] std::string withdrawn_text(const std::vector<Hash>& withdrawn) const;

  /// The freeable entries, oldest first.
  [[nodiscard]] std::vector<Hash> lru() const;
  [[nodiscard]] std::vector<Int> held(Request r) const;

  /// What `can_allocate` comes to.
  struct Room {
    bool ok = false;
    std::vector<Hash> evicted;
  };
  // Comparisons. `place` is where the file is.
  void expect_slots(const Place& place, const std::optional<std::int64_t>& free,
                    const std::optional<std::int64_t>& reclaimable) const;
  void expect_hit(const Place& place, const std::optional<bool>& hit, bool model) const;
  void expect_room(const Place& place, const trace::CanAllocate& e, const Room& room) const;
  void expect_state(const Place& place, const trace::State& e) const;
  /// In whatever order.
  void expect_notices(const Place& place, const std::optional<std::vector<std::string>>& hashes,
                      const std::vector<Hash>& model) const;
  void expect_notices_in_order(const Place& place,
                               const std::optional<std::vector<std::string>>& hashes,
                               const std::vector<Hash>& model) const;
  void expect_encodes(const Place& place, const trace::EndPass& e,
                      const std::vector<Hash>& ordered) const;
  /// In whatever order.
  void expect_held(const Place& place, Request r, std::vector<std::int64_t> listed) const;

  /// Forgets what can have no further effect, when much has gathered.
  void sweep_sometimes();

 private:
  [[nodiscard]] std::string slots() const;
  [[nodiscard]] std::vector<std::string> texts(const std::vector<Hash>& some) const;
  bool has_priorities_;
  Int limit_margin_;
  std::size_t sweep_above_ = 32;
};

/// The file lists other inputs, or in another order, than `request` holds.
[[noreturn]] void diverge_on_held(const Place& place, const std::string& request,
                                  const std::vector<Int>& model,
                                  const std::vector<std::int64_t>& listed);

}  // namespace holdfast::verify::replay
