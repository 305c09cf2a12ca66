// Coefficients of a JPEG picture whose scans hold some of their bits each.
#pragma once

#include <cstdint>

#include "decoders/jpeg_idct_avx2.h"

namespace dynjax {

// Those of one component in a row of units.
struct CoefficientRow {
  std::int32_t across = 0, down = 0;  // blocks, of whole units
  // Blocks that hold samples of the picture: all that a scan of this component alone has.
  std::int32_t picture_across = 0, picture_down = 0;
  std::int32_t first = 0, end = 0;  // columns of those that are transformed

  // By rows of `stride` blocks.
  std::int32_t stride = 0;
  std::int16_t* dc = nullptr;
  // Which AC coefficients are not zero: bit k for place k of the zigzag order.
  std::uint64_t* nonzero = nullptr;
  // AC coefficients of the blocks from `first` to `end`, by rows of `pair_stride`.
  std::int32_t pair_stride = 0;
  BlockPair* pairs = nullptr;

  std::int16_t* Values(std::int32_t y, std::int32_t x) const {
    const std::int32_t i = x - first;
    return pairs[y * pair_stride + i / 2].values.data() + 8 * (i % 2);
  }
};

}  // namespace dynjax
