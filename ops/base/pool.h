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
void ParallelFor(std::int64_t count, const std::function<void(std::int64_t)>& body);

// Whether a loop is better done by the calling thread alone. `bytes` is what all of it reads and
// writes: a small loop is over before a worker is awake.
bool RunsSerially(std::int64_t count, std::int64_t bytes);

// The number of threads that one `ParallelFor` may use, the caller's included; at least 1.
void SetNumThreads(int count);
int NumThreads();

// Overrides `NumThreads()` for calls from this thread; 0 removes the override.
void SetThreadLocalNumThreads(int count);

void ShutDownPool();

}  // namespace dynjax
