// Moves of small items, such as pixels, between rows of any step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// `count` items of `bytes` bytes; steps are in bytes and may be negative or, of the input, 0.
struct ItemRow {
  std::int64_t count;
  std::int64_t in_step, out_step;
};

void CopyItems(const std::byte* in, std::byte* out, const ItemRow& row, std::size_t bytes,
               Target target);

// All pairs of an item of `rows` and one of `columns`: the same as CopyItems over `columns` for
// each of `rows`, in blocks, so that neither the reads nor the writes jump through memory.
void CopyItemBlocks(const std::byte* in, std::byte* out, const ItemRow& rows,
                    const ItemRow& columns, std::size_t bytes, Target target);

}  // namespace dynjax
