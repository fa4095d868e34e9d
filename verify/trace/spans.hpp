#pragma once

#include "verify/trace/events.hpp"

namespace holdfast::verify::trace {

/// Which spans of features a file may hold beyond those sorted by offset inside the prompt. Sorted
/// ones may overlap, as those of audio in a video do.
struct SpanOptions {
  bool allow_unsorted = false;     ///< any order
  bool allow_past_prompt = false;  ///< a feature that ends after the prompt
};

/// Throws LineError where a mask or the spans of the request's features do not fit together. An
/// encoder-decoder model's features lie in the encoder's own input, so its prompt does not bound
/// them.
void check_features(const AddRequest& added, Manager manager, const SpanOptions& options);

}  // namespace holdfast::verify::trace
