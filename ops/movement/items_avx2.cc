#include "movement/items_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

namespace dynjax {
namespace {

__m128i Load16(const std::byte* in) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
}

void Store16(__m128i value, std::byte* out) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), value);
}

// The reversals go from the last item to the first: so they read memory upwards, row after row,
// which is what the processor fetches ahead.

// `order` reverses the items within each half of a vector.
std::int64_t ReverseHalves(const std::byte* in, std::byte* out, std::int64_t count,
                           std::int64_t bytes, __m256i order) {
  const std::int64_t lanes = 32 / bytes;
  const std::int64_t done = count / lanes * lanes;
  for (std::int64_t i = done - lanes; i >= 0; i -= lanes) {
    const std::byte* from = in - (i + lanes - 1) * bytes;
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i swapped = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, order), 0x4e);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i * bytes), swapped);
  }
  return done;
}

// Of the three vectors that hold 16 pixels, which bytes go where.
struct ReverseOrders {
  __m128i from[3][3];  // result, source

  ReverseOrders() {
    for (int to = 0; to < 3; ++to) {
      for (int part = 0; part < 3; ++part) {
        alignas(16) signed char order[16];
        for (int k = 0; k < 16; ++k) {
          const int at = 16 * to + k;
          const int byte = 3 * (15 - at / 3) + at % 3 - 16 * part;
          order[k] = static_cast<signed char>(byte >= 0 && byte < 16 ? byte : -1);
        }
        from[to][part] = _mm_load_si128(reinterpret_cast<const __m128i*>(order));
      }
    }
  }
};

std::int64_t ReverseRgb(const std::byte* in, std::byte* out, std::int64_t count) {
  static const ReverseOrders orders;
  const auto& order = orders.from;
  const std::int64_t done = count / 16 * 16;
  out += 3 * done;
  for (std::int64_t i = done - 16; i >= 0; i -= 16) {
    out -= 48;
    const std::byte* at = in - 3 * (i + 15);
    const __m128i a = Load16(at), b = Load16(at + 16), c = Load16(at + 32);
    // The first vector has nothing of the first source, the last nothing of the last.
    Store16(_mm_or_si128(_mm_shuffle_epi8(c, order[0][2]), _mm_shuffle_epi8(b, order[0][1])), out);
    Store16(_mm_or_si128(
                _mm_or_si128(_mm_shuffle_epi8(a, order[1][0]), _mm_shuffle_epi8(b, order[1][1])),
                _mm_shuffle_epi8(c, order[1][2])),
            out + 16);
    Store16(_mm_or_si128(_mm_shuffle_epi8(a, order[2][0]), _mm_shuffle_epi8(b, order[2][1])),
            out + 32);
  }
  return done;
}

// For each of three vectors of 48 bytes, which of its bytes belong to which plane.
struct RgbOrders {
  __m128i split[3][3];  // plane, vector
  __m128i join[3][3];   // vector, plane

  RgbOrders() {
    for (int plane = 0; plane < 3; ++plane) {
      for (int part = 0; part < 3; ++part) {
        alignas(16) signed char to_plane[16];
        alignas(16) signed char to_pixels[16];
        for (int k = 0; k < 16; ++k) {
          const int byte = 3 * k + plane - 16 * part;
          to_plane[k] = static_cast<signed char>(byte >= 0 && byte < 16 ? byte : -1);
          const int at = 16 * part + k;
          to_pixels[k] = static_cast<signed char>(at % 3 == plane ? at / 3 : -1);
        }
        split[plane][part] = _mm_load_si128(reinterpret_cast<const __m128i*>(to_plane));
        join[part][plane] = _mm_load_si128(reinterpret_cast<const __m128i*>(to_pixels));
      }
    }
  }
};

__m128i Picked(const __m128i (&from)[3], const __m128i (&order)[3]) {
  return _mm_or_si128(
      _mm_or_si128(_mm_shuffle_epi8(from[0], order[0]), _mm_shuffle_epi8(from[1], order[1])),
      _mm_shuffle_epi8(from[2], order[2]));
}

}  // namespace

std::int64_t ReverseItemsAvx2(const std::byte* in, std::byte* out, std::int64_t count,
                              std::size_t bytes) {
  switch (bytes) {
    case 1:
      return ReverseHalves(in, out, count, 1,
                           _mm256_broadcastsi128_si256(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8,
                                                                     7, 6, 5, 4, 3, 2, 1, 0)));
    case 2:
      return ReverseHalves(in, out, count, 2,
                           _mm256_broadcastsi128_si256(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9,
                                                                     6, 7, 4, 5, 2, 3, 0, 1)));
    case 3:
      return ReverseRgb(in, out, count);
    case 4:
      return ReverseHalves(in, out, count, 4,
                           _mm256_broadcastsi128_si256(_mm_setr_epi8(12, 13, 14, 15, 8, 9, 10, 11,
                                                                     4, 5, 6, 7, 0, 1, 2, 3)));
    case 8:
      return ReverseHalves(in, out, count, 8,
                           _mm256_broadcastsi128_si256(_mm_setr_epi8(8, 9, 10, 11, 12, 13, 14, 15,
                                                                     0, 1, 2, 3, 4, 5, 6, 7)));
    default:
      return 0;
  }
}

std::int64_t SplitRgbAvx2(const std::byte* in, std::byte* out, std::int64_t plane,
                          std::int64_t count) {
  static const RgbOrders orders;
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16, in += 48) {
    const __m128i pixels[3] = {Load16(in), Load16(in + 16), Load16(in + 32)};
    for (int c = 0; c < 3; ++c) Store16(Picked(pixels, orders.split[c]), out + c * plane + i);
  }
  return i;
}

std::int64_t JoinRgbAvx2(const std::byte* in, std::int64_t plane, std::byte* out,
                         std::int64_t count) {
  static const RgbOrders orders;
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16, out += 48) {
    const __m128i planes[3] = {Load16(in + i), Load16(in + plane + i), Load16(in + 2 * plane + i)};
    for (int part = 0; part < 3; ++part)
      Store16(Picked(planes, orders.join[part]), out + 16 * part);
  }
  return i;
}

}  // namespace dynjax

#endif  // __AVX2__
