// Memory of the calling thread for the length of a scope.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace dynjax {

// Floats, aligned to 64 bytes, not set. What a thread gave back it gets again: fresh memory costs
// a page fault each 4 KiB. `data` is null if there is no memory.
class Work {
 public:
  explicit Work(std::int64_t size) {
    auto& kept = Kept();
    if (!kept.empty() && kept.back().size >= size) {
      block_ = std::move(kept.back());
      kept.pop_back();
      return;
    }
    if (!kept.empty()) kept.pop_back();
    block_.memory.reset(static_cast<float*>(::operator new(
        static_cast<std::size_t>(size) * sizeof(float), std::align_val_t{64}, std::nothrow)));
    block_.size = block_.memory ? size : 0;
  }
  ~Work() {
    // What is large is rare, and not kept.
    if (block_.memory && block_.size <= kMostKept) Kept().push_back(std::move(block_));
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  float* data() const { return block_.memory.get(); }

 private:
  static constexpr std::int64_t kMostKept = 1 << 22;

  struct Free {
    void operator()(float* memory) const { ::operator delete(memory, std::align_val_t{64}); }
  };
  struct Block {
    std::int64_t size = 0;
    std::unique_ptr<float[], Free> memory;
  };
  static std::vector<Block>& Kept() {
    thread_local std::vector<Block> kept;
    return kept;
  }

  Block block_;
};

}  // namespace dynjax
