// Work shared out over threads, each with something of its own (a Z3 context serves one thread).
#pragma once

#include <cstddef>
#include <functional>

namespace holdfast::verify::inline base {

using Worker = std::function<void(std::size_t)>;

/// Hands out 0, 1, ... size - 1 to `jobs` workers (0: one per core), each made by `make_worker` on
/// the thread it works on. What the first failure threw is thrown here, when every thread has
/// stopped.
void in_parallel(unsigned jobs, std::size_t size, const std::function<Worker()>& make_worker);

/// The same for work that needs nothing of a thread's own.
void in_parallel(unsigned jobs, std::size_t size, const Worker& work);

}  // namespace holdfast::verify::inline base
