// Blocks of memory for small results, used again when they are given back: touching fresh memory
// costs a page fault each 4 KiB, which is more than what most kernels take for as much data.
#pragma once

#include <cstddef>

namespace dynjax {

// At least `bytes`, aligned for vectors and for XLA; null if there is no memory.
void* TakeBlock(std::size_t bytes);

// `bytes` is what the block was taken for.
void GiveBlock(void* block, std::size_t bytes);

}  // namespace dynjax
