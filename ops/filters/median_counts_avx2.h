// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

#include "filters/median_counts_rows.h"

namespace dynjax {

// As CountRow and RankRow of filters/median_counts_rows.h.
void Avx2CountRow(const std::uint8_t* row, bool leaves, const ColumnCounts& counts);
void Avx2RankRow(const CountedRow& row, const ColumnCounts& counts, WindowCounts* windows,
                 std::uint8_t* out);

}  // namespace dynjax
