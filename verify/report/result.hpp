// What each kind of result says of itself, once, and every printer prints.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::verify::report {

class Page;

/// How a result counts.
enum class Outcome : std::int8_t {
  proved,    ///< for any size
  refuted,   ///< a fault whose property was broken, as expected
  expected,  ///< as expected, and neither of these: a bounded result is never called a proof
  violated,  ///< not as expected
  found,     ///< violated too, but counted in its kind's own words
  unknown,   ///< no answer was found; never success
  account,   ///< says what was looked at, and can neither hold nor fail
};

/// A number with a fraction is a time in seconds.
using Value = std::variant<bool, std::int64_t, std::uint64_t, double, std::string,
                           std::vector<std::string>, std::map<std::string, std::int64_t>>;
struct Field {
  std::string_view name;
  Value value;
};
using Fields = std::vector<Field>;

/// A case of JUnit; whether it failed is said by the outcome.
struct TestCase {
  std::string group;
  std::string name;
  double seconds = 0;
  std::string message;  ///< said where it failed or is undecided, and so is the detail
  std::string detail;
};

/// Those of one kind, in the order in which they were found; never none.
template <class T>
using All = std::vector<const T*>;

/// What a kind of result declares in its struct and defines in its file.
template <class T>
concept ResultKind = requires(const T& result, const All<T>& all, Page& page) {
  { T::kind } -> std::convertible_to<std::string_view>;   // in JSON, and its suite in JUnit
  { result.outcome() } -> std::same_as<Outcome>;          // summary and exit status
  { result.fields() } -> std::same_as<Fields>;            // JSON, after its kind
  { result.test_case() } -> std::same_as<TestCase>;       // JUnit
  { T::tally(all) } -> std::convertible_to<std::string>;  // "12 proved"; empty: nothing to say
  { T::print_tables(all, page) } -> std::same_as<void>;   // for people
  { T::print_details(all, page) } -> std::same_as<void>;  // what went wrong, in full
};

/// A result of any kind. Copies share it.
class Result {
 public:
  template <ResultKind T>
  Result(T result) : self_(std::make_shared<const Of<T>>(std::move(result))) {}

  [[nodiscard]] std::string_view kind() const { return self_->kind(); }
  [[nodiscard]] Outcome outcome() const { return self_->outcome(); }
  [[nodiscard]] Fields fields() const { return self_->fields(); }
  [[nodiscard]] TestCase test_case() const { return self_->test_case(); }

  /// Requires: all of `same`, which is not empty, are of this kind.
  [[nodiscard]] std::string tally(const std::vector<Result>& same) const {
    return self_->tally(same);
  }
  void print_tables(const std::vector<Result>& same, Page& page) const {
    self_->print_tables(same, page);
  }
  void print_details(const std::vector<Result>& same, Page& page) const {
    self_->print_details(same, page);
  }

 private:
  struct Any {
    virtual ~Any() = default;
    [[nodiscard]] virtual std::string_view kind() const = 0;
    [[nodiscard]] virtual Outcome outcome() const = 0;
    [[nodiscard]] virtual Fields fields() const = 0;
    [[nodiscard]] virtual TestCase test_case() const = 0;
    [[nodiscard]] virtual std::string tally(const std::vector<Result>& same) const = 0;
    virtual void print_tables(const std::vector<Result>& same, Page& page) const = 0;
    virtual void print_details(const std::vector<Result>& same, Page& page) const = 0;
  };

  template <class T>
  struct Of final : Any {
    explicit Of(T of) : value(std::move(of)) {}
    [[nodiscard]] std::string_view kind() const override { return T::kind; }
    [[nodiscard]] Outcome outcome() const override { return value.outcome(); }
    [[nodiscard]] Fields fields() const override { return value.fields(); }
    [[nodiscard]] TestCase test_case() const override { return value.test_case(); }
    [[nodiscard]] std::string tally(const std::vector<Result>& same) const override {
      return T::tally(all(same));
    }
    void print_tables(const std::vector<Result>& same, Page& page) const override {
      T::print_tables(all(same), page);
    }
    void print_details(const std::vector<Result>& same, Page& page) const override {
      T::print_details(all(same), page);
    }
    static All<T> all(const std::vector<Result>& same) {
      All<T> typed;
      for (const Result& result : same)
        typed.push_back(&dynamic_cast<const Of&>(*result.self_).value);
      return typed;
    }

    T value;
  };

  std::shared_ptr<const Any> self_;
};

}  // namespace holdfast::verify::report
