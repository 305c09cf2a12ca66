// Large blocks of memory that are handed out again while they are warm.
//
// A fresh block of some megabytes costs a page fault every 4 KiB, five times the copy of what is
// read into it. A block comes back when its last owner, a NumPy array say, has died.
#pragma once

#include <cstdint>
#include <memory>

namespace dynjax {

struct ReturnBuffer {
  std::int64_t capacity = 0;
  void operator()(std::uint8_t* memory) const;
};

using Buffer = std::unique_ptr<std::uint8_t[], ReturnBuffer>;

// At least `bytes` bytes, 64-byte aligned, uninitialised; null when memory ran out. `bytes` is not
// negative and far from the largest integer.
Buffer TakeBuffer(std::int64_t bytes);

}  // namespace dynjax
