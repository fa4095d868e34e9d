// The answers of a recorded file, in their order, between what drives it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "verify/replay/divergence.hpp"
#include "verify/replay/model.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline recorded {

/// The rule that the model is at, and the property at stake where the file goes another way.
struct At {
  std::string_view rule = "initial";
  std::string_view stake = spec::Progress::info.name;
};

class AnswerQueue {
 public:
  explicit AnswerQueue(const Model& m) : m_(m) {}

  /// The next answer, to what was driven last or is driven next.
  void read(trace::Event event, std::uint64_t line) { read_.push_back({std::move(event), line}); }
  /// Behind the answers read so far, the file goes on with `event`. Before that it may end.
  void close(const trace::Event& event, std::uint64_t line);
  /// What is driven next stands on that line.
  void drive(const trace::Event& event, std::uint64_t line);
  /// What was driven has taken its answers. Those left over are the next one's, if it has any
  /// before it.
  void settle();

  /// The answer that is next; null if none is left. What is compared where it stands is passed.
  const trace::Event* peek();
  /// The one `after` it, not looked at before its turn; null if there is none.
  [[nodiscard]] const trace::Event* ahead(std::size_t after) const;
  /// peek() is taken: it is an E.
  template <class E>
  const E& take();

  /// The file goes another way than the model. Throws Divergence, or EndOfFile where it ends.
  [[noreturn]] void differ(const At& at, const std::string& expected);
  /// The file ends where an answer was due. Thrown.
  struct EndOfFile {};

  /// Compared so far, by the event's place in trace::Event; what drives is counted too.
  using Counts = std::array<std::uint64_t, std::variant_size_v<trace::Event>>;
  [[nodiscard]] const Counts& compared() const { return compared_; }

  /// Where the model is in the file, and in its rules.
  void at(const At& now) { at_ = now; }
  [[nodiscard]] const At& at() const { return at_; }
  [[nodiscard]] Place place(std::string about = {}) const {
    return {line_, at_.rule, std::move(about)};
  }

 private:
  struct Read {
    trace::Event event;
    std::uint64_t line;
  };

  void pass(const Read& read);

  const Model& m_;
  std::vector<Read> read_;
  std::size_t next_ = 0;                                          // of read_
  std::optional<std::pair<std::string, std::uint64_t>> follows_;  // the event behind them, its line
  Counts compared_{};
  std::uint64_t line_ = 0;
  At at_;
};

template <class E>
const E& AnswerQueue::take() {
  const auto& read = read_[next_++];
  pass(read);
  return std::get<E>(read.event);
}

}  // namespace holdfast::verify::replay::inline recorded
