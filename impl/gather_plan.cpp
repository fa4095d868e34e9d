#include "holdfast/gather_plan.hpp"

#include <algorithm>

namespace holdfast {

namespace {

bool is_size(std::int64_t n) { return 0 <= n && n <= largest_size; }

/// One call of `plan_gather`.
class Planner {
 public:
  Planner(const GatherCall& call, GatherPlan& plan) : call_(call), plan_(plan) {}

  GatherError run() {
    plan_.clear();
    if (!is_size(call_.lookahead)) return refusal(Error::size_out_of_range, {});
    for (const GatherWindow& window : call_.windows) {
      if (const GatherError error = add(window); !error.ok()) {
        plan_.clear();
        return error;
      }
    }
    return {};
  }

 private:
  GatherError add(const GatherWindow& window) {
    const Tokens destination = plan_.tokens;
    if (!is_size(window.start) || !is_size(window.tokens) ||
        window.tokens > largest_size - destination)
      return refusal(Error::size_out_of_range, window.request);
    plan_.tokens += window.tokens;
    const Tokens from = window.start + call_.lookahead;
    if (window.features != nullptr && window.tokens > 0 && from < window.features->end()) {
      const std::size_t misses = plan_.boundary_misses.size();
      if (const GatherError error = look_up(window, from); !error.ok()) return error;
      add_runs(window, from, destination, plan_.boundary_misses.size() > misses);
    }
    plan_.ends.push_back(plan_.runs.size());
    return {};
  }

  /// Whether all that the window touches is there.
  GatherError look_up(const GatherWindow& window, Tokens from) {
    GatherError found;
    window.features->each_touching(from, from + window.tokens, [&](InputId i) {
      const auto& [hash, mask] = (*window.features)[i];
      const Embeds embeds = stored(hash);
      if (embeds == mask.embeds()) return true;
      // Nobody has planned it yet: of another size it is not this feature's either.
      if (mask.start() >= window.start + window.tokens) {
        plan_.boundary_misses.push_back({window.request, i, hash});
        return true;
      }
      found = refusal(embeds == 0 ? Error::not_cached : Error::wrong_size, window.request, i, hash);
      return false;
    });
    return found;
  }

  void add_runs(const GatherWindow& window, Tokens from, Tokens destination, bool has_misses) {
    const Tokens to = from + window.tokens, shift = destination - from;
    const RequestFeatures& features = *window.features;
    Embeds sum = 0;
    HashHandle hash;
    InputId last = ~InputId{0};
    bool is_present = true;
    for (const Piece& piece : features.pieces_from(from)) {
      if (piece.position >= to) break;
      if (piece.input != last) {
        last = piece.input;
        hash = features[last].hash;
        is_present = !has_misses || stored(hash) == features[last].mask.embeds();
      }
      if (!is_present) continue;
      const Tokens cut = std::max<Tokens>(from - piece.position, 0);
      const Tokens first = piece.position + cut;
      const Embeds rows = std::min(to - first, piece.rows - cut);
      plan_.runs.push_back({hash, piece.row + cut, first + shift, rows});
      sum += rows;
    }
    plan_.rows += sum;
  }

  [[nodiscard]] Embeds stored(HashHandle hash) const {
    if (hash.index >= call_.stored.size()) return 0;
    const StoredEntry& entry = call_.stored[hash.index];
    return entry.generation == hash.generation ? entry.embeds : 0;
  }
  [[nodiscard]] GatherError refusal(Error error, RequestHandle request, InputId input = 0,
                                    HashHandle hash = {}) const {
    return {error, call_.step, request, input, hash, call_.lookahead > 0};
  }

  const GatherCall& call_;
  GatherPlan& plan_;
};

template <class Handle>
std::string name(const char* noun, Handle handle) {
  return std::string(", ") + noun + " " + std::to_string(handle.index) + " (generation " +
         std::to_string(handle.generation) + ")";
}

}  // namespace

void GatherPlan::clear() {
  runs.clear();
  ends.clear();
  boundary_misses.clear();
  tokens = 0;
  rows = 0;
}

std::string to_string(const GatherError& error) {
  std::string says = "step " + std::to_string(error.step) + name("request", error.request);
  if (error.error == Error::not_cached || error.error == Error::wrong_size)
    says += ", input " + std::to_string(error.input) + name("hash", error.hash);
  says += error.is_draft ? ", drafter: " : ", target: ";
  return says.append(to_string(error.error));
}

GatherError plan_gather(const GatherCall& call, GatherPlan& plan) {
  return Planner(call, plan).run();
}

}  // namespace holdfast
