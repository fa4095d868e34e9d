// Which attribute of vLLM and which key of a trace each variable of the spec is. The table is data,
// so that a test can see that nothing is left out; docs/field-map.md is printed from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast::verify::trace {

/// A variable of spec::Config or spec::State, in the order of their visit().
struct Field {
  std::string_view variable;
  std::string_view vllm;   ///< empty: no program stores it
  std::string_view trace;  ///< keys as event.field, comma-separated; empty: no event says it
};

/// A key of the format that is no state of this model.
struct OtherKey {
  std::string_view trace;
  std::string_view is;
};

std::span<const Field> configuration_fields();
std::span<const Field> state_fields();
std::span<const OtherKey> other_keys();

/// Names of vLLM or of a trace, comma-separated, as Markdown.
std::string as_code(std::string_view list);

/// docs/field-map.md.
std::string field_map_page();

}  // namespace holdfast::verify::trace
