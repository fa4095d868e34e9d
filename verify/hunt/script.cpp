#include "verify/hunt/script.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <stdexcept>

#include "verify/base/errors.hpp"
#include "verify/base/nearest.hpp"

namespace holdfast::verify::hunt {
namespace {

/// Whose gene a place is, and which.
struct Where {
  enum class Whose { script, request, feature } whose = Whose::script;
  std::uint8_t request = 0;
  std::uint8_t feature = 0;
  std::uint8_t index = 0;  ///< in its table
};

constexpr Where where(std::size_t place) {
  const auto small = [](std::size_t n) { return static_cast<std::uint8_t>(n); };
  if (place < configuration_genes.size()) return {Where::Whose::script, 0, 0, small(place)};
  place -= configuration_genes.size();
  const std::size_t request = place / genes_of_a_request;
  place %= genes_of_a_request;
  if (place < request_genes.size()) return {Where::Whose::request, small(request), 0, small(place)};
  place -= request_genes.size();
  return {Where::Whose::feature, small(request), small(place / feature_genes.size()),
          small(place % feature_genes.size())};
}

constexpr auto places = [] {
  std::array<Where, genes_of_a_script> all;
  for (std::size_t place = 0; place < all.size(); ++place) all[place] = where(place);
  return all;
}();

/// What the genes stand for.
class Values {
 public:
  explicit Values(const Genes& genes) : genes_(genes) {}
  int operator()(OfScript gene) const {
    return genes_[place_of(gene)] + configuration_genes[static_cast<std::size_t>(gene)].least;
  }
  int operator()(std::size_t r, OfRequest gene) const {
    return genes_[place_of(r, gene)] + request_genes[static_cast<std::size_t>(gene)].least;
  }
  int operator()(std::size_t r, std::size_t i, OfFeature gene) const {
    return genes_[place_of(r, i, gene)] + feature_genes[static_cast<std::size_t>(gene)].least;
  }
  [[nodiscard]] std::size_t requests() const {
    return static_cast<std::size_t>((*this)(OfScript::requests));
  }
  [[nodiscard]] std::size_t features(std::size_t r) const {
    return static_cast<std::size_t>((*this)(r, OfRequest::features));
  }
  [[nodiscard]] bool is_encoder_decoder() const { return (*this)(OfScript::encoder_decoder) == 1; }

 private:
  const Genes& genes_;
};

/// Items of the requests before r.
std::size_t items_before(const Values& v, std::size_t r) {
  std::size_t count = 0;
  for (std::size_t q = 0; q < r; ++q) count += v.features(q);
  return count;
}

int most_of(const Values& v, OfScript gene, int most) {
  using enum OfScript;
  const auto if_so = [most](bool has_effect) { return has_effect ? most : 0; };
  const bool alone = v(requests) == 1;
  switch (gene) {
    case priority_policy:
    case threshold:
    case max_num_seqs: return if_so(!alone);
    case lookahead:
    case whole_items: return if_so(!v.is_encoder_decoder());
    case kv_block_size: return if_so(v(kv_blocks) > 0);
    case kv_watermark: return if_so(v(kv_blocks) > 0 && !alone);
    case delivery:
    case late: return if_so(v(depth) > 1);
    default: return most;
  }
}

int most_of(const Values& v, std::size_t r, OfRequest gene, int most) {
  using enum OfRequest;
  const auto if_so = [most](bool has_effect) { return has_effect ? most : 0; };
  if (r >= v.requests()) return 0;
  switch (gene) {
    case priority: return if_so(v(OfScript::priority_policy) == 1);
    case features: return v.is_encoder_decoder() ? std::min(most, 1) : most;
    case hit: return if_so(!v.is_encoder_decoder());
    case accepts: return if_so(v(OfScript::drafts) > 0);
    case proposes: return if_so(v(OfScript::drafts) > 0 && v(OfScript::depth) == 1);
    default: return most;
  }
}

int most_of(const Values& v, std::size_t r, std::size_t i, OfFeature gene, int most) {
  using enum OfFeature;
  if (r >= v.requests() || i >= v.features(r)) return 0;
  switch (gene) {
    case overlap:
      if (i == 0 || v(r, i, gap) > 0 || v.is_encoder_decoder()) return 0;
      return std::min(most, v(r, i - 1, length));
    case mask:
      return v.is_encoder_decoder() ? 0
                                    : std::min({most, v(r, i, length) == 1 ? 0 : v(r, i, length)});
    case hash: return std::min(most, static_cast<int>(items_before(v, r) + i));
    default: return most;
  }
}

std::vector<std::pair<int, int>> mask_of(int kind, int length) {
  switch (kind) {
    case 1: return {{0, 1}};
    case 2: return {{length - 1, 1}};
    case 3: return {{0, 1}, {length - 1, 1}};
    default: return {};
  }
}

std::vector<int> in_turn(int kind, int all) {
  switch (kind) {
    case 1: return {all};
    case 2: return {0, all};
    case 3: return {all, 0, 0};
    default: return {0};
  }
}

WorkloadRequest workload_request(const Values& v, std::size_t r, std::vector<int>& hashes) {
  WorkloadRequest request;
  int end = 0;
  for (std::size_t i = 0; i < v.features(r); ++i) {
    WorkloadFeature f;
    f.start = end + v(r, i, OfFeature::gap) - v(r, i, OfFeature::overlap);
    f.end = f.start + v(r, i, OfFeature::length);
    f.mask = mask_of(v(r, i, OfFeature::mask), v(r, i, OfFeature::length));
    f.embeds = f.mask.empty() ? v(r, i, OfFeature::length) : static_cast<int>(f.mask.size());
    const int back = v(r, i, OfFeature::hash);
    const int fresh =
        hashes.empty() ? 0 : (1 + *std::max_element(hashes.begin(), hashes.end())) % most_hashes;
    f.hash = back == 0 ? fresh : hashes[hashes.size() - static_cast<std::size_t>(back)];
    hashes.push_back(f.hash);
    end = std::max(end, f.end);
    request.features.push_back(f);
  }
  // Inputs of an encoder-decoder model are not in the prompt.
  const int items = v.is_encoder_decoder() ? 0 : end;
  request.prompt = std::max(1, items + v(r, OfRequest::text));
  request.priority = v(r, OfRequest::priority);
  return request;
}

ScriptRequest script_request(const Values& v, std::size_t r, std::vector<int>& hashes) {
  ScriptRequest out;
  out.request = workload_request(v, r, hashes);
  out.max_tokens = v(r, OfRequest::outputs);
  out.request.limit =
      out.request.prompt + out.max_tokens + v(OfScript::depth) * (1 + v(OfScript::drafts));
  out.hit = v(r, OfRequest::hit);
  out.arrives = 1 + v(r, OfRequest::arrives);
  if (v(r, OfRequest::aborted) > 0) out.aborted = 1 + v(r, OfRequest::aborted);
  out.again = v(r, OfRequest::again) == 1;
  const int drafts = v(OfScript::drafts);
  out.accepted = in_turn(v(r, OfRequest::accepts), drafts);
  out.proposed = v(r, OfRequest::proposes) == 0
                     ? std::vector{drafts}
                     : in_turn(v(r, OfRequest::proposes) == 1 ? 0 : 2, drafts);
  return out;
}

int or_roomy(int value, int roomy) { return value == 0 ? roomy : value; }

std::vector<int> left_in_flight(int kind, int depth) {
  switch (kind) {
    case 1: return {0};
    case 2: return {depth - 1, 0};
    case 3: return {depth - 1, depth - 1, 0};
    default: return {depth - 1};
  }
}

}  // namespace

const Gene& gene_at(std::size_t place) {
  const Where& w = places[place];
  switch (w.whose) {
    case Where::Whose::request: return request_genes[w.index];
    case Where::Whose::feature: return feature_genes[w.index];
    case Where::Whose::script: break;
  }
  return configuration_genes[w.index];
}

Bounds::Bounds() {
  for (std::size_t place = 0; place < most_.size(); ++place)
    most_[place] = gene_at(place).most - gene_at(place).least;
}

Bounds::Bounds(const std::string& sizes) : Bounds() {
  std::set<std::string> said;
  for (std::size_t from = 0; from < sizes.size();) {
    const std::size_t end = std::min(sizes.find(',', from), sizes.size());
    const std::string part = sizes.substr(from, end - from);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) throw InputError("--sizes: '" + part + "' is not NAME=NUMBER");
    if (!said.insert(part.substr(0, equals)).second)
      throw InputError("--sizes: '" + part.substr(0, equals) + "' is said twice");
    set(part.substr(0, equals), part.substr(equals + 1));
    from = end + 1;
  }
}

void Bounds::set(std::string_view name, const std::string& text) {
  int value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool found = false;
  std::vector<std::string> names;
  for (std::size_t place = 0; place < most_.size(); ++place) {
    const Gene& gene = gene_at(place);
    if (std::find(names.begin(), names.end(), gene.name) == names.end())
      names.emplace_back(gene.name);
    if (gene.name != name) continue;
    found = true;
    if (error != std::errc{} || stopped != text.data() + text.size() || value < gene.least ||
        value > gene.bound)
      throw InputError("--sizes: " + std::string(name) + " is a whole number from " +
                       std::to_string(gene.least) + " to " + std::to_string(gene.bound) +
                       ", not '" + text + "'");
    most_[place] = value - gene.least;
  }
  if (found) return;
  std::string all;
  for (const auto& known : names) all += (all.empty() ? "" : ", ") + known;
  const auto meant = nearest(name, names);
  throw InputError("--sizes: unknown size '" + std::string(name) + "'; " +
                   (meant.empty() ? "there are: " + all : "did you mean '" + meant + "'?"));
}

int Bounds::most(const Genes& genes, std::size_t place) const {
  const Where& w = places[place];
  const Values v(genes);
  switch (w.whose) {
    case Where::Whose::request: return most_of(v, w.request, OfRequest{w.index}, most_[place]);
    case Where::Whose::feature:
      return most_of(v, w.request, w.feature, OfFeature{w.index}, most_[place]);
    case Where::Whose::script: break;
  }
  return most_of(v, OfScript{w.index}, most_[place]);
}

Genes Bounds::inside(Genes genes) const {
  for (std::size_t place = 0; place < genes.size(); ++place)
    if (genes[place] > 0)
      genes[place] = static_cast<std::uint8_t>(std::min<int>(genes[place], most(genes, place)));
  return genes;
}

int size_of(const Genes& genes) { return std::accumulate(genes.begin(), genes.end(), 0); }

int Script::last_tick() const {
  int last = std::max(reset, preempt_all);
  for (const auto& r : requests) last = std::max({last, r.arrives, r.aborted});
  return last;
}

Script script_of(const Genes& genes) {
  const Values v(genes);
  Script s;
  auto& w = s.workload;
  w.manager = v.is_encoder_decoder() ? spec::Manager::encoder_decoder : spec::Manager::decoder_only;
  w.capacity = or_roomy(v(OfScript::capacity), roomy_slots);
  w.encoder_budget = or_roomy(v(OfScript::encoder_budget), roomy_slots);
  w.token_budget = or_roomy(v(OfScript::token_budget), roomy_tokens);
  w.lookahead = v(OfScript::lookahead);
  // A drafter of one module copes with any end of a chunk.
  w.tail = w.lookahead > 1 ? w.lookahead : 0;
  w.whole_items = v(OfScript::whole_items) == 1;
  w.depth = v(OfScript::depth);
  s.policy = v(OfScript::priority_policy) == 1 ? spec::Policy::priority : spec::Policy::fcfs;
  s.draft_tokens = v(OfScript::drafts);
  s.kv_blocks = or_roomy(v(OfScript::kv_blocks), roomy_blocks);
  s.kv_block_size = v(OfScript::kv_block_size);
  s.kv_watermark_blocks = v(OfScript::kv_watermark);
  s.threshold = v(OfScript::threshold);
  s.max_num_seqs = or_roomy(v(OfScript::max_num_seqs), roomy_seqs);
  if (v(OfScript::reset) > 0) s.reset = 1 + v(OfScript::reset);
  if (v(OfScript::preempt_all) > 0) s.preempt_all = 1 + v(OfScript::preempt_all);
  s.left_in_flight = left_in_flight(v(OfScript::delivery), w.depth);
  s.executes_late = v(OfScript::late) == 1;
  std::vector<int> hashes;
  int longest = 0;
  for (std::size_t r = 0; r < v.requests(); ++r) {
    s.requests.push_back(script_request(v, r, hashes));
    longest = std::max(longest, s.requests.back().request.prompt);
  }
  s.max_model_len = v(OfScript::model_len) == 0 ? roomy_length : longest + v(OfScript::model_len);
  w.hashes = hashes.empty() ? 0 : 1 + *std::max_element(hashes.begin(), hashes.end());
  return s;
}

}  // namespace holdfast::verify::hunt
