// Whole files or parts of them, read in the background into one block of memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "io/buffers.h"

namespace dynjax {

// What to read: a whole file, or with `length` >= 0 that many bytes from `offset`.
struct FilePart {
  FilePart(std::string file, std::int64_t begin = 0, std::int64_t bytes = -1)
      : path(std::move(file)), offset(begin), length(bytes) {}
  std::string path;
  std::int64_t offset;
  std::int64_t length;
};

// The contents of the parts one after another, without gaps, from a 64-byte aligned address.
struct ReadResult {
  Buffer data;  // never null, unless memory ran out
  std::int64_t size = 0;
  std::vector<std::int64_t> lengths;  // 0 for a part that failed
  // kIo: a system call failed. kUnsupported: neither file nor folder, for example a pipe.
  // kTruncated: the file changed its size meanwhile, or ends before the part does. kTooLarge: the
  // memory does not suffice.
  std::vector<Status> status;
};

class ReadJob;

// A read under way. Dropping it cancels what has not been read yet, without waiting.
// Used from one thread at a time.
class ReadTicket {
 public:
  // Starts to read; returns at once.
  explicit ReadTicket(std::vector<FilePart> parts);
  ~ReadTicket();
  ReadTicket(const ReadTicket&) = delete;
  ReadTicket& operator=(const ReadTicket&) = delete;

  // Waits until everything is read or the time is over; returns whether all is read. In a forked
  // child, where the threads of its parent do not exist, it reads anew.
  bool WaitFor(std::chrono::milliseconds timeout);
  void Wait();

  // After a wait that returned true. The result outlives the ticket.
  std::shared_ptr<const ReadResult> result() const;

 private:
  std::shared_ptr<ReadJob> job_;
};

}  // namespace dynjax
