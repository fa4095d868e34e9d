#include "verify/replay/recorded/answer_queue.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

/// "check of r2, input 1".
std::string describe(const trace::Event& event) {
  std::string text(trace::name_of(event));
  std::visit(
      [&](const auto& e) {
        if constexpr (requires { e.request; }) text += " of " + e.request;
        if constexpr (requires { e.input; }) text += ", input " + std::to_string(e.input);
      },
      event);
  return text;
}

}  // namespace

void AnswerQueue::close(const trace::Event& event, std::uint64_t line) {
  follows_.emplace(describe(event), line);
}

void AnswerQueue::drive(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  ++compared_[event.index()];
}

void AnswerQueue::settle() {
  peek();
  read_.erase(read_.begin(), read_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  follows_.reset();
}

void AnswerQueue::pass(const Read& read) {
  line_ = read.line;
  ++compared_[read.event.index()];
}

/// A `state` may stand anywhere, and is compared where it stands.
const trace::Event* AnswerQueue::peek() {
  for (; next_ < read_.size(); ++next_) {
    const auto* state = std::get_if<trace::State>(&read_[next_].event);
    if (state == nullptr) return &read_[next_].event;
    pass(read_[next_]);
    m_.expect_state(place(), *state);
  }
  return nullptr;
}

const trace::Event* AnswerQueue::ahead(std::size_t after) const {
  return next_ + after < read_.size() ? &read_[next_ + after].event : nullptr;
}

void AnswerQueue::differ(const At& at, const std::string& expected) {
  const auto* event = peek();
  if (event == nullptr && !follows_) throw EndOfFile{};
  const auto line = event != nullptr ? read_[next_].line : follows_->second;
  diverge({line, at.rule, {}}, at.stake, expected,
          event != nullptr ? describe(*event) : follows_->first);
}

}  // namespace holdfast::verify::replay::inline recorded
