#include "filters/median_counts_avx2.h"

#if defined(__AVX2__)

namespace dynjax {

void Avx2CountRow(const std::uint8_t* row, bool leaves, const ColumnCounts& counts) {
  CountRow(row, leaves, counts);
}

void Avx2RankRow(const CountedRow& row, const ColumnCounts& counts, WindowCounts* windows,
                 std::uint8_t* out) {
  RankRow(row, counts, windows, out);
}

}  // namespace dynjax

#endif  // __AVX2__
