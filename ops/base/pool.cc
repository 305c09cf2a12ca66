#include "base/pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace dynjax {
namespace {

// One ParallelFor: indices are taken from `next`; `helpers` counts workers inside `body`.
struct Job {
  const std::function<void(std::int64_t)>* body;
  std::int64_t count;
  int seats;  // workers that may still join
  std::atomic<std::int64_t> next{0};
  int helpers = 0;

  void Run() {
    for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) (*body)(i);
  }
};

class Pool {
 public:
  void Run(Job* job, int workers) {
    {
      std::lock_guard lock(mutex_);
      if (!stopped_) {
        while (static_cast<int>(threads_.size()) < workers) {
          threads_.emplace_back([this] { Work(); });
        }
        jobs_.push_back(job);
      }
    }
    wake_.notify_all();
    job->Run();
    std::unique_lock lock(mutex_);
    std::erase(jobs_, job);
    done_.wait(lock, [job] { return job->helpers == 0; });
  }

  void Stop() {
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      threads.swap(threads_);
    }
    wake_.notify_all();
    for (auto& thread : threads) thread.join();
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    while (true) {
      // Looked for once: those who run a job take its last index without the lock.
      Job* job = nullptr;
      wake_.wait(lock, [&] { return stopped_ || (job = FindJob()) != nullptr; });
      if (stopped_) return;
      --job->seats;
      ++job->helpers;
      lock.unlock();
      job->Run();
      lock.lock();
      if (--job->helpers == 0) done_.notify_all();
    }
  }

  Job* FindJob() {
    for (Job* job : jobs_) {
      if (job->seats > 0 && job->next.load(std::memory_order_relaxed) < job->count) return job;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Job*> jobs_;
  std::vector<std::thread> threads_;
  bool stopped_ = false;
};

// Never destroyed: a static destructor would run while workers may still hold it. A forked child
// gets a fresh pool, because the parent's workers do not exist there and its locks may be held.
Pool* g_pool = nullptr;
std::once_flag g_pool_once;
std::atomic<int> g_num_threads{1};
thread_local int t_num_threads = 0;

Pool& GlobalPool() {
  std::call_once(g_pool_once, [] {
    g_pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { g_pool = new Pool; });
  });
  return *g_pool;
}

}  // namespace

bool RunsSerially(std::int64_t count, std::int64_t bytes) {
  // A loop over this much takes about 20 microseconds, which is what waking a worker costs.
  constexpr std::int64_t kSerialBytes = 64 << 10;
  return bytes <= kSerialBytes || count < 2 || NumThreads() < 2;
}

void ParallelFor(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  const std::int64_t threads = std::min<std::int64_t>(count, NumThreads());
  if (threads <= 1) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  const int workers = static_cast<int>(threads) - 1;
  Job job{.body = &body, .count = count, .seats = workers};
  GlobalPool().Run(&job, workers);
}

void SetNumThreads(int count) { g_num_threads.store(std::max(count, 1)); }

int NumThreads() { return t_num_threads > 0 ? t_num_threads : g_num_threads.load(); }

void SetThreadLocalNumThreads(int count) { t_num_threads = std::max(count, 0); }

void ShutDownPool() { GlobalPool().Stop(); }

}  // namespace dynjax
