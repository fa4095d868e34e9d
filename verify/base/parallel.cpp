#include "verify/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace holdfast::verify::inline base {

void in_parallel(unsigned jobs, std::size_t size, const std::function<Worker()>& make_worker) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&] {
    try {
      const Worker work = make_worker();
      for (std::size_t n; (n = next++) < size;) work(n);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = size;
    }
  };
  if (jobs == 0) jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t j = 1; j < std::min<std::size_t>(jobs, size); ++j) threads.emplace_back(run);
  run();
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void in_parallel(unsigned jobs, std::size_t size, const Worker& work) {
  in_parallel(jobs, size, [&]() -> Worker { return [&work](std::size_t n) { work(n); }; });
}

}  // namespace holdfast::verify::inline base
