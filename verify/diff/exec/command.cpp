#include "verify/diff/exec/command.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/errors.hpp"
#include "verify/diff/exec/process.hpp"
#include "verify/diff/exec/questions.hpp"
#include "verify/hunt/companion.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using std::chrono::milliseconds;

class Command : public Implementation {
 public:
  explicit Command(CommandOptions options) : options_(std::move(options)) {}

  void joins(hunt::Watch& watch) override {
    asked_.clear();
    watch.on_call = [this](const trace::Event& event) { ask(event); };
  }
  [[nodiscard]] std::uint64_t events() const override { return answers_; }
  [[nodiscard]] std::vector<std::string> asked() const override { return asked_; }
  void restarts() override { process_.reset(); }
  void hurries(bool on) override { hurries_ = on; }
  [[nodiscard]] bool is_slow() const override { return true; }

 private:
  void ask(const trace::Event& event) {
    const auto& line = asked_.emplace_back(question(event));
    if (!process_) process_.emplace(options_.command, options_.interrupted);
    const auto start = std::chrono::steady_clock::now();
    std::string answer;
    try {
      answer = process_->ask(line, patience());
    } catch (const NoAnswer& none) {
      process_.reset();
      if (none.never_ran && answers_ == 0)
        throw InputError(fmt::format("exec:{}: {}", options_.command, none.why));
      differs(none.why);
    }
    ++answers_;
    slowest_ = std::max(slowest_,
                        std::chrono::ceil<milliseconds>(std::chrono::steady_clock::now() - start));
    if (const auto faults = reader_.faults(event, answer); !faults.empty()) {
      process_.reset();  // which state it is in nobody knows
      differs(fmt::format("{}", fmt::join(faults, "\n  ")));
    }
  }

  [[noreturn]] void differs(const std::string& what) const {
    std::string line = asked_.back();
    line.pop_back();
    throw hunt::Differs{fmt::format("line {}: {}\n  {}", asked_.size(), line, what)};
  }

  [[nodiscard]] milliseconds patience() const {
    constexpr milliseconds least{250};
    constexpr int times_the_slowest = 20;
    if (!hurries_) return options_.answer_time;
    return std::min(options_.answer_time, std::max(least, times_the_slowest * slowest_));
  }

  CommandOptions options_;
  std::optional<Process> process_;
  AnswerReader reader_;
  std::vector<std::string> asked_;
  std::uint64_t answers_ = 0;
  milliseconds slowest_{0};  ///< answer so far
  bool hurries_ = false;
};

}  // namespace

MakeImplementation make_command(CommandOptions options) {
  return [options = std::move(options)] { return std::make_unique<Command>(options); };
}

}  // namespace holdfast::verify::diff::exec
