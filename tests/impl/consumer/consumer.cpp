// Uses every public header of the installed library.
#include <array>
#include <holdfast/encoder_cache.hpp>
#include <holdfast/encoder_decoder_cache.hpp>
#include <holdfast/types.hpp>
#include <utility>

namespace {

template <class Cache>
bool works() {
  Cache cache = std::move(Cache::make(16).value);
  const std::array<typename Cache::Feature, 1> features{{{"cat", 16}}};
  const auto request = cache.add_request("request", features);
  return request.ok() && *cache.can_allocate("request", 0, 16, 0) &&
         cache.allocate(*request, 0) == holdfast::Error::none && cache.num_free_slots() == 0;
}

}  // namespace

int main() {
  const bool all = works<holdfast::EncoderCache>() && works<holdfast::EncoderDecoderCache>();
  return all ? 0 : 1;
}
