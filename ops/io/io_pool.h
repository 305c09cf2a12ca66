// A few threads that wait for storage, apart from the pool that computes: a kernel must never stand
// behind a slow disk.
//
// No thread exists before the first job. A forked child starts with an empty pool of its own; jobs
// of its parent are foreign to it. `ShutDownIo` joins the threads; jobs that are unfinished then,
// or come later, are done by the threads that wait for them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace dynjax {

class IoPool;

// Work in stages of independent units; a stage starts when all units of the one before are done.
class IoJob {
 public:
  virtual ~IoJob() = default;
  IoJob() = default;
  IoJob(const IoJob&) = delete;
  IoJob& operator=(const IoJob&) = delete;

 protected:
  // Does one unit of the current stage. Several threads call it at once, each with its own unit.
  virtual void Run(std::int64_t unit) = 0;
  // Enters the next stage, first of all the first. Returns its number of units; 0: all is done.
  // No `Run` is under way.
  virtual std::int64_t NextStage() = 0;
  // Long units look at it now and then, and stop early.
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class IoPool;
  friend bool IsForeign(const IoJob& job);
  IoPool* pool_ = nullptr;
  std::atomic<bool> cancelled_{false};
  // Guarded by the pool's mutex.
  std::int64_t units_ = 0, next_ = 0, finished_ = 0;
  bool done_ = false;
};

void StartIo(std::shared_ptr<IoJob> job);

// Waits until the job is done or the time is over; the calling thread helps with its units. Returns
// whether it is done: what `Run` and `NextStage` wrote is then visible. Not for foreign jobs.
bool WaitForIo(const std::shared_ptr<IoJob>& job, std::chrono::milliseconds timeout);

// Drops what has not been started. Returns at once; threads inside `Run` keep the job alive. Nobody
// may wait for the job any more. No-op for foreign jobs.
void CancelIo(const std::shared_ptr<IoJob>& job);

// True for a job that was started before this process was forked off.
bool IsForeign(const IoJob& job);

void ShutDownIo();

}  // namespace dynjax
