#include "io/io_pool.h"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace dynjax {

class IoPool {
  using Clock = std::chrono::steady_clock;

 public:
  void Start(std::shared_ptr<IoJob> job) {
    {
      std::lock_guard lock(mutex_);
      job->pool_ = this;
      EnterStage(job.get());
      if (job->done_ || stopped_) return;
      while (threads_.size() < kThreads) threads_.emplace_back([this] { Work(); });
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();  // without the lock, which the thread would wait for next
  }

  bool WaitFor(const std::shared_ptr<IoJob>& job, std::chrono::milliseconds timeout) {
    const auto deadline = Clock::now() + timeout;
    std::unique_lock lock(mutex_);
    while (!job->done_ && Clock::now() < deadline) {
      if (job->next_ < job->units_) {
        RunOne(job, &lock);
      } else {
        progress_.wait_until(lock, deadline);
      }
    }
    return job->done_;
  }

  void Cancel(const std::shared_ptr<IoJob>& job) {
    std::lock_guard lock(mutex_);
    job->cancelled_.store(true, std::memory_order_relaxed);
    job->next_ = job->units_;
    std::erase(jobs_, job);
  }

  void Stop() {
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      jobs_.clear();
      threads.swap(threads_);
    }
    wake_.notify_all();
    for (auto& thread : threads) thread.join();
  }

 private:
  // Two overlap one read's wait with another's copy; more would compete with the decoders for
  // cores.
  static constexpr std::size_t kThreads = 2;
  // A unit that took longer has waited for storage. Until one has, a single thread is on the first
  // stage of a job: little files in the kernel's cache are sooner copied than another wakes.
  static constexpr Clock::duration kWaited = std::chrono::microseconds(250);

  void Work() {
    std::unique_lock lock(mutex_);
    while (true) {
      std::shared_ptr<IoJob> job;
      wake_.wait(lock, [&] { return stopped_ || (job = FindJob()) != nullptr; });
      if (stopped_) return;
      RunOne(job, &lock);
      // The last owner frees the job's memory, which must not happen under the lock.
      lock.unlock();
      job.reset();
      lock.lock();
    }
  }

  // The oldest job first: it is the one that will be waited for first.
  std::shared_ptr<IoJob> FindJob() const {
    for (const auto& job : jobs_) {
      if (job->next_ < job->units_) return job;
    }
    return nullptr;
  }

  void RunOne(const std::shared_ptr<IoJob>& job, std::unique_lock<std::mutex>* lock) {
    const std::int64_t unit = job->next_++;
    lock->unlock();
    const auto begin = Clock::now();
    job->Run(unit);
    if (Clock::now() - begin > kWaited) wake_.notify_one();
    lock->lock();
    if (++job->finished_ < job->units_ || job->cancelled()) return;
    EnterStage(job.get());
    if (job->done_) {
      std::erase(jobs_, job);
    } else {
      wake_.notify_all();
    }
    progress_.notify_all();
  }

  void EnterStage(IoJob* job) {
    job->next_ = job->finished_ = 0;
    job->units_ = job->NextStage();
    job->done_ = job->units_ == 0;
  }

  std::mutex mutex_;
  std::condition_variable wake_, progress_;
  std::deque<std::shared_ptr<IoJob>> jobs_;
  std::vector<std::thread> threads_;
  bool stopped_ = false;
};

namespace {

// Never destroyed, and replaced in a forked child: see base/pool.cc.
std::atomic<IoPool*> g_io_pool{nullptr};
std::once_flag g_io_pool_once;

IoPool& GlobalIoPool() {
  std::call_once(g_io_pool_once, [] {
    g_io_pool = new IoPool;
    pthread_atfork(nullptr, nullptr, [] { g_io_pool = new IoPool; });
  });
  return *g_io_pool.load();
}

}  // namespace

void StartIo(std::shared_ptr<IoJob> job) { GlobalIoPool().Start(std::move(job)); }

bool WaitForIo(const std::shared_ptr<IoJob>& job, std::chrono::milliseconds timeout) {
  return GlobalIoPool().WaitFor(job, timeout);
}

void CancelIo(const std::shared_ptr<IoJob>& job) {
  if (!IsForeign(*job)) GlobalIoPool().Cancel(job);
}

bool IsForeign(const IoJob& job) { return job.pool_ != &GlobalIoPool(); }

void ShutDownIo() { GlobalIoPool().Stop(); }

}  // namespace dynjax
