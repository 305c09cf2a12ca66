// What filters/median_counts.h does for each row, compiled once per target.
// Functions have internal linkage, because files compiled for different instruction sets include
// it.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

namespace dynjax {

// Of the elements of each column of a window, how many are at most 15, 31, ...: 16 counts for each
// element of a row. And how many of those in range r are at most 16 r, 16 r + 1, ...: `size` such
// groups for each range.
struct ColumnCounts {
  std::uint8_t* ranges;
  std::uint8_t* values;
  std::int64_t size;
};

// The counts of one channel's window: of ranges, and of the values of each range, which are those
// of the window about pixel `at` of the row.
struct WindowCounts {
  std::int16_t ranges[16];
  std::int16_t values[16][16];
  std::int64_t at[16];
};

struct CountedRow {
  const std::int32_t* columns;  // of the window of pixel x: x to x + width - 1 of these
  std::int64_t width, pixels, channels;
  std::int16_t rank;
};

namespace {

// Counts in one or two vectors.
#if defined(__AVX2__)
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
typedef std::uint8_t ByteCounts __attribute__((vector_size(16)));
typedef std::uint8_t NarrowCounts __attribute__((vector_size(kLanes)));
typedef std::int16_t Counts __attribute__((vector_size(2 * kLanes)));

inline std::uint8_t* OfRange(const ColumnCounts& counts, std::int64_t range, std::int64_t element) {
  return counts.values + 16 * (range * counts.size + element);
}

// What an element adds to the 16 counts that it belongs to: 1 from place `place` on.
inline void AddFrom(int place, bool leaves, std::uint8_t* counts) {
  constexpr ByteCounts kPlaces{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  ByteCounts own;
  std::memcpy(&own, counts, sizeof(own));
  const ByteCounts reached = reinterpret_cast<ByteCounts>(
      kPlaces >= static_cast<std::uint8_t>(place));  // all bits set: -1
  own = leaves ? own + reached : own - reached;
  std::memcpy(counts, &own, sizeof(own));
}

// One row of elements enters the columns or leaves them.
inline void CountRow(const std::uint8_t* row, bool leaves, const ColumnCounts& counts) {
  for (std::int64_t k = 0; k < counts.size; ++k) {
    AddFrom(row[k] >> 4, leaves, counts.ranges + 16 * k);
    AddFrom(row[k] & 15, leaves, OfRange(counts, row[k] >> 4, k));
  }
}

template <bool kTakes = false>
void AddCounts(const std::uint8_t* from, std::int16_t* sum) {
  for (int k = 0; k < 16; k += kLanes) {
    NarrowCounts own;
    Counts total;
    std::memcpy(&own, from + k, sizeof(own));
    std::memcpy(&total, sum + k, sizeof(total));
    const Counts wide = __builtin_convertvector(own, Counts);
    total = kTakes ? total - wide : total + wide;
    std::memcpy(sum + k, &total, sizeof(total));
  }
}
inline void TakeCounts(const std::uint8_t* from, std::int16_t* sum) { AddCounts<true>(from, sum); }

// How many of the counts, which ascend, are at most `rank`: fewer than all.
inline int PlaceOf(const std::int16_t* counts, std::int16_t rank) {
#if defined(__SSE2__)
  const __m128i limit = _mm_set1_epi16(rank);
  const auto above = [&](int k) {
    return _mm_cmpgt_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(counts + k)), limit);
  };
  return __builtin_ctz(
      static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(above(0), above(8)))));
#else
  int place = 0;
  for (int k = 0; k < 16; ++k) place += counts[k] <= rank;
  return place;
#endif
}

// The counts of `range`, moved on to pixel `x`.
inline void CatchUp(const CountedRow& row, const ColumnCounts& counts, std::int64_t channel,
                    std::int64_t x, int range, WindowCounts& window) {
  std::int16_t* own = window.values[range];
  std::int64_t at = window.at[range];
  const std::uint8_t* first = OfRange(counts, range, channel);
  const auto column = [&](std::int64_t k) { return first + 16 * row.channels * row.columns[k]; };
  if (at < 0 || 2 * (x - at) > row.width) {
    std::memset(own, 0, sizeof(window.values[range]));
    for (std::int64_t k = x; k < x + row.width; ++k) AddCounts(column(k), own);
  } else {
    for (; at < x; ++at) {
      AddCounts(column(at + row.width), own);
      TakeCounts(column(at), own);
    }
  }
  window.at[range] = x;
}

// `windows`: one for each channel.
inline void RankRow(const CountedRow& row, const ColumnCounts& counts, WindowCounts* windows,
                    std::uint8_t* out) {
  for (std::int64_t c = 0; c < row.channels; ++c) {
    WindowCounts& window = windows[c];
    std::memset(window.ranges, 0, sizeof(window.ranges));
    for (auto& at : window.at) at = -1;
    for (std::int64_t k = 0; k + 1 < row.width; ++k) {
      AddCounts(counts.ranges + 16 * (row.channels * row.columns[k] + c), window.ranges);
    }
  }
  for (std::int64_t x = 0; x < row.pixels; ++x) {
    const std::int64_t entering = 16 * row.channels * row.columns[x + row.width - 1];
    const std::int64_t leaving = 16 * row.channels * row.columns[x];
    for (std::int64_t c = 0; c < row.channels; ++c) {
      WindowCounts& window = windows[c];
      AddCounts(counts.ranges + entering + 16 * c, window.ranges);
      const int range = PlaceOf(window.ranges, row.rank);
      const auto below = static_cast<std::int16_t>(range > 0 ? window.ranges[range - 1] : 0);
      CatchUp(row, counts, c, x, range, window);
      const int place = PlaceOf(window.values[range], static_cast<std::int16_t>(row.rank - below));
      out[x * row.channels + c] = static_cast<std::uint8_t>(16 * range + place);
      TakeCounts(counts.ranges + leaving + 16 * c, window.ranges);
    }
  }
}

}  // namespace
}  // namespace dynjax
