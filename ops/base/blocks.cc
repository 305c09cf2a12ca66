#include "base/blocks.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace dynjax {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLimit = 32 << 20;  // bytes that are kept

// Blocks of few sizes, four to the octave, so that a block serves results of about its size.
std::size_t SizeFor(std::size_t bytes) {
  const std::size_t least = std::max(bytes, 4 * kAlignment);
  const std::size_t step = std::bit_floor(least) / 4;
  return (least + step - 1) / step * step;
}

class Blocks {
 public:
  void* Take(std::size_t bytes) {
    const std::size_t size = SizeFor(bytes);
    {
      std::lock_guard lock(mutex_);
      auto& free = free_[size];
      if (!free.empty()) {
        void* block = free.back();
        free.pop_back();
        kept_ -= size;
        return block;
      }
    }
    return std::aligned_alloc(kAlignment, size);
  }

  void Give(void* block, std::size_t bytes) {
    const std::size_t size = SizeFor(bytes);
    {
      std::lock_guard lock(mutex_);
      if (kept_ + size <= kLimit) {
        free_[size].push_back(block);
        kept_ += size;
        return;
      }
    }
    std::free(block);
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;
  std::size_t kept_ = 0;
};

// Never destroyed: arrays may outlive static objects. A forked child starts anew, because another
// thread of the parent may have held the lock; blocks that it gives back go to the new one.
Blocks* g_blocks = nullptr;
std::once_flag g_once;

Blocks& All() {
  std::call_once(g_once, [] {
    g_blocks = new Blocks;
    pthread_atfork(nullptr, nullptr, [] { g_blocks = new Blocks; });
  });
  return *g_blocks;
}

}  // namespace

void* TakeBlock(std::size_t bytes) { return All().Take(bytes); }

void GiveBlock(void* block, std::size_t bytes) { All().Give(block, bytes); }

}  // namespace dynjax
