#include "verify/replay/driven/workload_events.hpp"

#include <utility>

#include "verify/trace/form.hpp"

namespace holdfast::verify::replay::inline driven {

trace::Header header_of(const Workload& w, std::string source, const Scale& scale) {
  trace::Header h;
  h.format = trace::format_name;
  h.version = trace::format_version;
  h.source = std::move(source);
  h.manager = w.manager == spec::Manager::decoder_only ? trace::Manager::decoder_only
                                                       : trace::Manager::encoder_decoder;
  h.pipeline_depth = w.depth;
  h.capacity = w.capacity * scale.slots;
  h.encoder_budget = w.encoder_budget * scale.slots;
  h.lookahead = w.lookahead * scale.positions;
  h.token_budget = w.token_budget * scale.positions;
  h.chunked_mm_input = !w.whole_items;
  return h;
}

trace::AddRequest add_event(const WorkloadRequest& request, std::string name, const Scale& scale) {
  trace::AddRequest e;
  e.request = std::move(name);
  e.priority = request.priority;
  for (const auto& f : request.features) e.features.push_back(scaled_feature(f, scale));
  return e;
}

}  // namespace holdfast::verify::replay::inline driven
