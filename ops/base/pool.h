// The process's one pool of worker threads, shared by all kernels.
//
// No thread exists before the first parallel call. A forked child starts with an empty pool of its
// own. `ShutDown` joins the workers; later calls run on the calling thread alone.
#pragma once

#include <cstdint>
#include <functional>

namespace dynjax {

// Runs `body(i)` for every i in [0, count) on the calling thread and up to `NumThreads() - 1`
// workers, handing out indices one by one in the given order. Returns when all are done.
// `body` must not throw. Calls from several threads share the workers.
// `bytes` is what the whole loop reads and writes: waking a worker costs more than a small loop.
inline constexpr std::int64_t kManyBytes = std::int64_t{1} << 40;
void ParallelFor(std::int64_t count, const std::function<void(std::int64_t)>& body,
                 std::int64_t bytes = kManyBytes);

// The number of threads that one `ParallelFor` may use, the caller's included; at least 1.
void SetNumThreads(int count);
int NumThreads();

// Overrides `NumThreads()` for calls from this thread; 0 removes the override.
void SetThreadLocalNumThreads(int count);

void ShutDownPool();

}  // namespace dynjax
