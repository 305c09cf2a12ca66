// Exit code 0: every index is run once, however late workers come and whoever calls.
#include "base/pool.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace dynjax {
namespace {

// Calls of which another count of indices was run than there are.
int WrongCalls(int calls, std::int64_t count) {
  int wrong = 0;
  for (int call = 0; call < calls; ++call) {
    std::atomic<std::int64_t> sum{0};
    ParallelFor(count, [&](std::int64_t i) { sum += i + 1; });
    if (sum.load() != count * (count + 1) / 2) ++wrong;
  }
  return wrong;
}

// Bodies that are over before a worker has woken up: it finds a job, and then none of its indices.
bool LateWorkersAreHarmless() { return WrongCalls(200'000, 3) == 0; }

bool CallersDoNotDisturbEachOther() {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) {
    callers.emplace_back([&] { wrong += WrongCalls(20'000, 10) + WrongCalls(200, 1000); });
  }
  for (auto& caller : callers) caller.join();
  return wrong.load() == 0;
}

// Bodies that take so long get help, also where nobody could know before.
bool LongWorkIsShared() {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<std::int64_t> sum{0};
  ParallelFor(100, [&](std::int64_t i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    sum += i + 1;
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  return sum.load() == 5050 && threads.size() > 1;
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::SetNumThreads(4);
  if (!dynjax::LateWorkersAreHarmless() || !dynjax::CallersDoNotDisturbEachOther()) {
    std::fprintf(stderr, "an index was left out or run twice\n");
    return 1;
  }
  if (!dynjax::LongWorkIsShared()) {
    std::fprintf(stderr, "long work was left to one thread\n");
    return 1;
  }
  dynjax::ShutDownPool();
  return 0;
}
