#include "io/crc32c_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <cstring>

namespace dynjax {

std::uint32_t UpdateCrc32cAvx2(std::uint32_t crc, std::span<const std::uint8_t> data) {
  std::uint64_t state = crc;
  std::size_t i = 0;
  for (; i + 8 <= data.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, data.data() + i, 8);
    state = _mm_crc32_u64(state, word);
  }
  auto rest = static_cast<std::uint32_t>(state);
  for (; i < data.size(); ++i) rest = _mm_crc32_u8(rest, data[i]);
  return rest;
}

}  // namespace dynjax

#endif
