#include "movement/items.h"

#include <algorithm>
#include <cstring>

#include "movement/items_avx2.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace dynjax {
namespace {

// `kBytes` 0: items of `bytes` bytes. Sizes known to the compiler copy by plain moves.
template <std::size_t kBytes>
void CopyRow(const std::byte* in, std::byte* out, const ItemRow& row, std::size_t bytes) {
  const std::size_t size = kBytes > 0 ? kBytes : bytes;
  const std::int64_t in_step = row.in_step, out_step = row.out_step;
  for (std::int64_t i = 0; i < row.count; ++i) {
    std::memcpy(out + i * out_step, in + i * in_step, size);
  }
}

// Three bytes as one move of four: the fourth is written over by the next item. The last item and
// the one at the source's end, after which nothing may be read, are moved exactly.
void CopyRgbRow(const std::byte* in, std::byte* out, const ItemRow& row) {
  const std::int64_t last = row.count - 1;
  const std::int64_t step = row.in_step;
  if (row.out_step != 3 || step == 0) return CopyRow<3>(in, out, row, 3);
  if (row.count <= 0) return;
  std::memcpy(out, in, 3);
  for (std::int64_t i = 1; i < last; ++i) std::memcpy(out + 3 * i, in + i * step, 4);
  if (last > 0) std::memcpy(out + 3 * last, in + last * step, 3);
}

// Long items, such as the rows of a picture upside down. The processor's own copy does not read the
// memory that it overwrites, which for pictures larger than the cache is a third of the traffic.
constexpr std::size_t kLargeRow = 512;

void CopyLargeRows(const std::byte* in, std::byte* out, const ItemRow& row, std::size_t bytes) {
#if defined(__x86_64__)
  for (std::int64_t i = 0; i < row.count; ++i) {
    void* to = out + i * row.out_step;
    const void* from = in + i * row.in_step;
    std::size_t n = bytes;
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
  }
#else
  CopyRow<0>(in, out, row, bytes);
#endif
}

void CopyRowOf(const std::byte* in, std::byte* out, const ItemRow& row, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return CopyRow<1>(in, out, row, bytes);
    case 2:
      return CopyRow<2>(in, out, row, bytes);
    case 3:
      return CopyRgbRow(in, out, row);
    case 4:
      return CopyRow<4>(in, out, row, bytes);
    case 6:
      return CopyRow<6>(in, out, row, bytes);
    case 8:
      return CopyRow<8>(in, out, row, bytes);
    case 12:
      return CopyRow<12>(in, out, row, bytes);
    case 16:
      return CopyRow<16>(in, out, row, bytes);
    case 24:
      return CopyRow<24>(in, out, row, bytes);
    default:
      if (bytes >= kLargeRow) return CopyLargeRows(in, out, row, bytes);
      return CopyRow<0>(in, out, row, bytes);
  }
}

#if defined(__SSE2__)
// A block of 16 by 16 bytes: halves of the rows are woven four times, which exchanges the axes.
void TransposeBytes16(const std::byte* in, std::int64_t in_step, std::byte* out,
                      std::int64_t out_step) {
  __m128i rows[16], woven[16];
  for (int k = 0; k < 16; ++k) {
    rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + k * in_step));
  }
  __m128i *from = rows, *to = woven;
  for (int pass = 0; pass < 4; ++pass) {
    for (int k = 0; k < 8; ++k) {
      to[2 * k] = _mm_unpacklo_epi8(from[k], from[k + 8]);
      to[2 * k + 1] = _mm_unpackhi_epi8(from[k], from[k + 8]);
    }
    std::swap(from, to);
  }
  for (int k = 0; k < 16; ++k) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + k * out_step), from[k]);
  }
}

// The same for elements of 4 bytes, 4 by 4.
void TransposeWords4(const std::byte* in, std::int64_t in_step, std::byte* out,
                     std::int64_t out_step) {
  __m128i rows[4];
  for (int k = 0; k < 4; ++k) {
    rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + k * in_step));
  }
  const __m128i a = _mm_unpacklo_epi32(rows[0], rows[1]), b = _mm_unpackhi_epi32(rows[0], rows[1]);
  const __m128i c = _mm_unpacklo_epi32(rows[2], rows[3]), d = _mm_unpackhi_epi32(rows[2], rows[3]);
  const __m128i columns[4] = {_mm_unpacklo_epi64(a, c), _mm_unpackhi_epi64(a, c),
                              _mm_unpacklo_epi64(b, d), _mm_unpackhi_epi64(b, d)};
  for (int k = 0; k < 4; ++k) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + k * out_step), columns[k]);
  }
}
#endif

// Whether the two axes change places between rows without gaps, so that vectors can do it.
bool IsTransposition(const ItemRow& rows, const ItemRow& columns, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  return rows.in_step == size && columns.out_step == size;
}

// One block. `rows` and `columns` hold its size.
void CopyBlock(const std::byte* in, std::byte* out, const ItemRow& rows, const ItemRow& columns,
               std::size_t bytes) {
  std::int64_t r = 0;
#if defined(__SSE2__)
  const std::int64_t side = bytes == 1 ? 16 : bytes == 4 ? 4 : 0;
  if (side > 0 && IsTransposition(rows, columns, bytes)) {
    const auto transpose = bytes == 1 ? TransposeBytes16 : TransposeWords4;
    for (; r + side <= rows.count; r += side) {
      std::int64_t c = 0;
      for (; c + side <= columns.count; c += side) {
        transpose(in + r * rows.in_step + c * columns.in_step, columns.in_step,
                  out + r * rows.out_step + c * columns.out_step, rows.out_step);
      }
      const ItemRow rest{columns.count - c, columns.in_step, columns.out_step};
      for (std::int64_t k = r; k < r + side; ++k) {
        CopyRowOf(in + k * rows.in_step + c * columns.in_step,
                  out + k * rows.out_step + c * columns.out_step, rest, bytes);
      }
    }
  }
#endif
  for (; r < rows.count; ++r) {
    CopyRowOf(in + r * rows.in_step, out + r * rows.out_step, columns, bytes);
  }
}

}  // namespace

void CopyItems(const std::byte* in, std::byte* out, const ItemRow& row, std::size_t bytes,
               Target target) {
  const auto size = static_cast<std::int64_t>(bytes);
  std::int64_t done = 0;
#if defined(__x86_64__)
  if (target == Target::kAvx2 && row.in_step == -size && row.out_step == size) {
    done = ReverseItemsAvx2(in, out, row.count, bytes);
  }
#endif
  (void)target, (void)size;
  CopyRowOf(in + done * row.in_step, out + done * row.out_step,
            {row.count - done, row.in_step, row.out_step}, bytes);
}

void CopyItemBlocks(const std::byte* in, std::byte* out, const ItemRow& rows,
                    const ItemRow& columns, std::size_t bytes, Target target) {
  std::int64_t row = 0, column = 0;  // done so far
#if defined(__x86_64__)
  if (target == Target::kAvx2 && bytes == 1 && IsTransposition(rows, columns, 1)) {
    if (rows.count == 3 && columns.in_step == 3) {
      column = SplitRgbAvx2(in, out, rows.out_step, columns.count);
    } else if (columns.count == 3 && rows.out_step == 3) {
      row = JoinRgbAvx2(in, columns.in_step, out, rows.count);
    }
  }
#endif
  (void)target;
  // Blocks whose rows fill some cache lines on both sides.
  const auto side = std::max<std::int64_t>(192 / static_cast<std::int64_t>(bytes), 8);
  const std::int64_t wide = rows.count < side ? 4 * side : side;
  for (std::int64_t c = column; c < columns.count; c += wide) {
    for (std::int64_t r = row; r < rows.count; r += side) {
      CopyBlock(in + r * rows.in_step + c * columns.in_step,
                out + r * rows.out_step + c * columns.out_step,
                {std::min(side, rows.count - r), rows.in_step, rows.out_step},
                {std::min(wide, columns.count - c), columns.in_step, columns.out_step}, bytes);
    }
  }
}

}  // namespace dynjax
