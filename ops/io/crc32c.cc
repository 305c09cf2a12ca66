// Source: RFC 3720, appendix B.4; tensorflow/core/lib/hash/crc32c.h for the mask.
#include "io/crc32c.h"

#include <array>

#include "base/simd.h"
#include "io/crc32c_avx2.h"

namespace dynjax {
namespace {

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0x82f63b78u : 0);
    table[i] = value;
  }
  return table;
}();

std::uint32_t Update(std::uint32_t crc, std::span<const std::uint8_t> data) {
  for (const std::uint8_t byte : data) crc = (crc >> 8) ^ kTable[(crc ^ byte) & 0xff];
  return crc;
}

}  // namespace

std::uint32_t Crc32c(std::span<const std::uint8_t> data) {
#if defined(__x86_64__)
  if (BestTarget() == Target::kAvx2) return ~UpdateCrc32cAvx2(~0u, data);
#endif
  return ~Update(~0u, data);
}

std::uint32_t MaskedCrc32c(std::span<const std::uint8_t> data) {
  const std::uint32_t crc = Crc32c(data);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace dynjax
