// A large file is streamed: reading it must not cost memory of its size.
#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/verify/trace/trace_files.hpp"
#include "verify/trace/reader.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::trace {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// Where the kernel allows it: the peak starts again from what is in use now.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

/// The most memory this process had, in KiB.
std::uint64_t peak_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmHWM:") {
      std::uint64_t kib = 0;
      status >> kib;
      return kib;
    }
  }
  return 0;
}

/// A recorded trace again and again, with new requests and pass numbers each time.
class Enlarger {
 public:
  explicit Enlarger(std::string_view name) : name_(name) {}

  void append_copy(std::ofstream& out) {
    TraceReader reader(recorded_path(name_));
    std::int64_t last_pass = 0;
    while (auto event = reader.next()) {
      std::visit([&](auto& e) { shift(e, last_pass); }, *event);
      if (std::holds_alternative<Header>(*event) && copies_ > 0) continue;
      out << to_line(*event);
    }
    passes_ += last_pass;
    ++copies_;
  }

 private:
  void rename(std::string& request) const { request += "." + std::to_string(copies_); }

  template <class E>
  void shift(E& e, std::int64_t& last_pass) const {
    if constexpr (requires { e.request; }) rename(e.request);
    if constexpr (requires { e.pass; }) {
      last_pass = std::max(last_pass, e.pass);
      e.pass += passes_;
    }
    if constexpr (requires { e.scheduled; }) {
      for (auto& s : e.scheduled) rename(s.request);
      for (auto& [request, inputs] : *e.encode) rename(request);
    }
    if constexpr (requires { e.outputs; }) {
      for (auto& output : e.outputs) rename(output.request);
    }
    if constexpr (requires { e.cached; }) {
      for (auto& [hash, requests] : *e.cached) {
        for (auto& request : requests) rename(request);
      }
    }
  }

  std::string_view name_;
  std::int64_t passes_ = 0;
  int copies_ = 0;
};

TEST(ReaderMemory, ThirtyMegabytesAreStreamed) {
  constexpr std::streamoff size = 30'000'000;
  const TemporaryFile file;
  {
    std::ofstream out(file.path(), std::ios::binary);
    Enlarger enlarger("fcfs");
    while (out.tellp() < size) enlarger.append_copy(out);
  }
  forget_peak();
  const std::uint64_t before = peak_kib();
  ASSERT_GT(before, 0U);
  TraceReader reader(file.path());
  std::uint64_t events = 0;
  while (reader.next()) ++events;
  const std::uint64_t grown = peak_kib() - before;
  std::cout << events << " events, " << grown << " KiB more at the peak\n";
  EXPECT_GT(events, 200'000U);
  if (sanitized) GTEST_SKIP() << "read, but a sanitizer keeps freed memory: size not judged";
  EXPECT_LT(grown, 3U * 1024U);
}

}  // namespace
}  // namespace holdfast::verify::trace
