#include "io/buffers.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace dynjax {
namespace {

constexpr std::int64_t kAlignment = 64;
// What a reader has in flight comes and goes in turn: a few blocks serve it. Larger blocks than
// these are rare enough to pay for themselves.
constexpr std::size_t kMaxKept = 4;
constexpr std::int64_t kMaxKeptBytes = std::int64_t{128} << 20;
// Smaller ones malloc itself keeps warm.
constexpr std::int64_t kMinKept = std::int64_t{64} << 10;

struct Block {
  std::uint8_t* memory;
  std::int64_t capacity;
};

// Never destroyed: arrays may die after static destructors have run.
struct Kept {
  std::mutex mutex;
  std::int64_t bytes = 0;
  std::vector<Block> blocks;
};

Kept& TheKept() {
  static Kept* const kept = new Kept;
  return *kept;
}

// Steps of a quarter of the power of two below, so that batches of about one size share blocks.
std::int64_t Rounded(std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(std::max(bytes, kAlignment));
  const std::int64_t step =
      std::max<std::int64_t>(static_cast<std::int64_t>(std::bit_floor(size) / 4), kAlignment);
  return (static_cast<std::int64_t>(size) + step - 1) / step * step;
}

}  // namespace

// `try_lock` only: in a forked child the mutex may be held by a thread that does not exist there.
// Without the lock, blocks are made and freed as if none were kept.

void ReturnBuffer::operator()(std::uint8_t* memory) const {
  Kept& kept = TheKept();
  std::unique_lock lock(kept.mutex, std::try_to_lock);
  if (lock.owns_lock() && capacity >= kMinKept && kept.blocks.size() < kMaxKept &&
      capacity <= kMaxKeptBytes - kept.bytes) {
    kept.blocks.push_back({memory, capacity});
    kept.bytes += capacity;
    return;
  }
  std::free(memory);
}

Buffer TakeBuffer(std::int64_t bytes) {
  const std::int64_t capacity = Rounded(bytes);
  Kept& kept = TheKept();
  if (std::unique_lock lock(kept.mutex, std::try_to_lock); lock.owns_lock()) {
    // The latest first: it is the warmest. Not one several times too large, which would be
    // missing where it is needed.
    for (std::size_t i = kept.blocks.size(); i-- > 0;) {
      const Block block = kept.blocks[i];
      if (block.capacity < bytes || block.capacity > 4 * capacity) continue;
      kept.blocks.erase(kept.blocks.begin() + static_cast<std::ptrdiff_t>(i));
      kept.bytes -= block.capacity;
      return Buffer(block.memory, ReturnBuffer{block.capacity});
    }
    // Nothing fits: the batches have changed. A kept block makes room for the new one, so that
    // there are never more blocks than were in use at one time.
    if (!kept.blocks.empty()) {
      kept.bytes -= kept.blocks.front().capacity;
      std::free(kept.blocks.front().memory);
      kept.blocks.erase(kept.blocks.begin());
    }
  }
  auto* memory = static_cast<std::uint8_t*>(
      std::aligned_alloc(kAlignment, static_cast<std::size_t>(capacity)));
  return Buffer(memory, ReturnBuffer{capacity});
}

}  // namespace dynjax
