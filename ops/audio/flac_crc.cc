#include "audio/flac_crc.h"

#include <array>
#include <cstddef>

namespace dynjax {
namespace {

constexpr std::size_t kTables = 8;
using Tables = std::array<std::array<std::uint16_t, 256>, kTables>;

// tables[k][b]: what becomes of the byte b when k zero bytes follow it. `polynomial` stands in the
// upper bits, so that the shorter check sum is computed like the longer one.
constexpr Tables TablesOf(std::uint16_t polynomial) {
  Tables tables{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (std::size_t k = 0; k < kTables; ++k) {
      for (int bit = 0; bit < 8; ++bit) crc = (crc << 1 ^ (crc >> 15) * polynomial) & 0xffff;
      tables[k][byte] = static_cast<std::uint16_t>(crc);
    }
  }
  return tables;
}

constexpr Tables k8 = TablesOf(0x0700), k16 = TablesOf(0x8005);

std::uint16_t Crc(std::span<const std::uint8_t> data, const Tables& tables) {
  unsigned crc = 0;
  std::size_t i = 0;
  for (; i + kTables <= data.size(); i += kTables) {
    const std::uint8_t* bytes = data.data() + i;
    unsigned next = tables[7][bytes[0] ^ crc >> 8] ^ tables[6][bytes[1] ^ (crc & 0xff)];
    for (std::size_t k = 2; k < kTables; ++k) next ^= tables[7 - k][bytes[k]];
    crc = next;
  }
  for (; i < data.size(); ++i) crc = (crc << 8 & 0xff00) ^ tables[0][data[i] ^ crc >> 8];
  return static_cast<std::uint16_t>(crc);
}

}  // namespace

std::uint8_t FlacCrc8(std::span<const std::uint8_t> data) {
  return static_cast<std::uint8_t>(Crc(data, k8) >> 8);
}

std::uint16_t FlacCrc16(std::span<const std::uint8_t> data) { return Crc(data, k16); }

}  // namespace dynjax
