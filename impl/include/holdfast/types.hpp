// Words that all of holdfast's library speaks: sizes, handles, and what a refused call says.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>

namespace holdfast {

/// Positions and counts in tokens (`num_computed_tokens`, `num_tokens`).
using Tokens = std::int64_t;
/// Rows of encoder output, which are the slots of the encoder cache (`get_num_encoder_embeds`).
using Embeds = std::int64_t;

/// No size, position or count that is handed in may be larger; sums of them then stay far inside 64
/// bits.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 40;

/// An interned mm_hash. Valid while the entry is cached, a request has a feature of it, or what was
/// last said of it (a notice, an order in flight) may still be read; what is said of a handle that
/// is valid no more is refused. `index` is dense, for tables beside the library's own.
struct HashHandle {
  std::uint32_t index = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  auto operator<=>(const HashHandle&) const = default;
};

/// An interned request id, from `add_request` until the request is gone.
struct RequestHandle {
  std::uint32_t index = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  auto operator<=>(const RequestHandle&) const = default;
};

/// Which feature of its request, in the order of their positions (`input_id`).
using InputId = std::uint32_t;

/// Which precondition a refused call broke. Nothing has changed then.
enum class Error : std::uint8_t {
  none,
  size_out_of_range,  ///< a size, position or count below its least value or above `largest_size`
  duplicate_request,  ///< a request of that id is there already
  unknown_request,    ///< no request has that id, or the handle is of one that is gone
  unknown_input,      ///< the request has no feature of that number
  not_cached,         ///< the entry is not cached
  already_cached,     ///< the entry is cached already, or promised: a hit, not a miss
  not_held,           ///< the request does not hold that feature
  already_held,       ///< the request holds that feature already
  wrong_size,         ///< the entry of that hash has another size than the feature
  no_room,            ///< too few free slots: `can_allocate` was not asked, or said no
  bad_feature,        ///< features out of order, empty, past the prompt's end, or masks that lie
  wrong_time,         ///< inside or outside a pass, or out of the order of steps
  pipeline_full,      ///< as many passes are in flight as may be
  too_large,          ///< the request could never run within the budgets
};

/// For messages: "unknown_request: no request has that id, ...".
[[nodiscard]] std::string_view to_string(Error error);

/// A value, or why there is none.
template <class T>
struct Result {
  T value{};
  Error error = Error::none;

  constexpr Result(T v) : value(std::move(v)) {}
  constexpr Result(Error e) : error(e) {}
  [[nodiscard]] constexpr bool ok() const { return error == Error::none; }
  constexpr explicit operator bool() const { return ok(); }
  constexpr const T& operator*() const& { return value; }
  constexpr T operator*() && { return std::move(value); }
  constexpr const T* operator->() const { return &value; }
};

}  // namespace holdfast
