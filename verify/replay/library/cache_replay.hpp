// Replays what a cache manager has done against the library's: each of its calls is made there, and
// every answer must be the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "holdfast/encoder_cache.hpp"
#include "holdfast/encoder_decoder_cache.hpp"
#include "verify/replay/divergence.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline library {

/// `EncoderCache` or `EncoderDecoderCache`.
template <class Cache>
class CacheReplay {
 public:
  /// With `in_passes` orders can be taken back, as profile `holdfast` does; without it the cache is
  /// vLLM's manager, call by call. Throws InputError where the library has no such cache.
  CacheReplay(const std::string& file, const trace::Header& header, bool in_passes);

  /// Throws Divergence.
  void take(const trace::Event& event, std::uint64_t line);

 private:
  void on(const trace::AddRequest& e);
  void on(const trace::BeginPass& e);
  void on(const trace::Check& e);
  void on(const trace::CanAllocate& e);
  void on(const trace::Allocate& e);
  void on(const trace::FreeInput& e);
  void on(const trace::FreeRequest& e);
  void on(const trace::TakeFreed& e);
  void on(const trace::Reset& e);
  void on(const trace::EndPass& e);
  void on(const trace::Finish& e);
  void on(const trace::State& e);
  /// What the worker does, and what drives a scheduler, asks nothing of the manager.
  template <class Other>
  void on(const Other&) {}

  static constexpr bool is_decoder_only = std::is_same_v<Cache, EncoderCache>;

  [[nodiscard]] Place place(std::string_view call, std::string about = {}) const {
    return {line_, call, std::move(about)};
  }
  /// It must have been taken.
  void expect_taken(const Place& place, std::string_view property, Error error) const;
  void expect_slots(std::string_view call, const std::optional<std::int64_t>& free,
                    const std::optional<std::int64_t>& reclaimable) const;
  void expect_evicted(const trace::CanAllocate& e, const std::vector<HashHandle>& before) const;
  /// Of this pass, if they were taken.
  void expect_notices(std::string_view call,
                      const std::optional<std::vector<std::string>>& file) const;
  void end_pass(std::string_view call);
  [[nodiscard]] std::vector<std::string> names(const std::vector<HashHandle>& hashes) const;

  Cache cache_;
  const bool in_passes_;
  const Embeds encoder_budget_;
  std::uint64_t line_ = 0;
  /// Of the requests that there are: mm_hash by input.
  std::map<std::string, std::vector<std::string>, std::less<>> hashes_;
  std::vector<std::string> ordered_;                 ///< in this pass, once it has ended
  std::optional<std::vector<std::string>> noticed_;  ///< in this pass
};

extern template class CacheReplay<EncoderCache>;
extern template class CacheReplay<EncoderDecoderCache>;

}  // namespace holdfast::verify::replay::inline library
