#include "holdfast/types.hpp"

namespace holdfast {

std::string_view to_string(Error error) {
  switch (error) {
    case Error::none: return "none";
    case Error::size_out_of_range: return "size_out_of_range: a size is out of its range";
    case Error::duplicate_request:
      return "duplicate_request: a request of that id is there already";
    case Error::unknown_request: return "unknown_request: no such request, or it is gone";
    case Error::unknown_input: return "unknown_input: the request has no feature of that number";
    case Error::not_cached: return "not_cached: the entry is not cached";
    case Error::already_cached: return "already_cached: the entry is cached or promised already";
    case Error::not_held: return "not_held: the request does not hold that feature";
    case Error::already_held: return "already_held: the request holds that feature already";
    case Error::wrong_size: return "wrong_size: the entry of that hash has another size";
    case Error::no_room: return "no_room: too few free slots";
    case Error::bad_feature:
      return "bad_feature: features out of order, empty, or not what they say";
    case Error::wrong_time: return "wrong_time: not now: inside or outside a pass, or out of order";
    case Error::pipeline_full: return "pipeline_full: as many passes are in flight as may be";
    case Error::too_large: return "too_large: the request could never run within the budgets";
  }
  return "unknown error";
}

}  // namespace holdfast
