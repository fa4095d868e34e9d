// What is fuzzed: any bytes come to an end, and what must hold holds. Else the program ends.
#pragma once

#include <cstdint>
#include <span>

namespace holdfast::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// Calls of `EncoderCache`, drawn by the bytes, beside a naive one.
void encoder_cache(Bytes bytes);
/// A trace file: events or one InputError.
void trace_reader(Bytes bytes);
/// A trace, scenario or script through the model, or, if it is recorded, through the library too.
void replay(Bytes bytes);
/// An answer of what is behind a pipe in `diff --against exec:COMMAND`; the first byte says to
/// what.
void exec_answer(Bytes bytes);
/// A script of `hunt`, drawn by the bytes: the model beside the library, the file of it read again,
/// and read where it is damaged.
void script(Bytes bytes);

}  // namespace holdfast::fuzz
