// Reads the scans of progressive JPEG pictures that add a bit to AC coefficients.
//
// Inlined by force, as jpeg_bits.h is.
#pragma once

#include <array>
#include <bit>

#include "decoders/jpeg_bits.h"
#include "decoders/jpeg_idct_avx2.h"
#include "decoders/jpeg_zigzag.h"

namespace dynjax {

// Coefficients by zigzag order, and the bit that is added.
struct AcBand {
  std::uint32_t first = 0, last = 0, low = 0;

  DYNJAX_INLINE std::uint64_t mask() const {
    return ~std::uint64_t{0} >> (63 - last) & ~std::uint64_t{0} << first;
  }
};

// For each byte, the numbers of its bits that are set, a byte each.
constexpr std::array<std::uint64_t, 256> BitNumbers() {
  std::array<std::uint64_t, 256> numbers{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    int count = 0;
    for (std::uint64_t bit = 0; bit < 8; ++bit) {
      if (byte >> bit & 1) numbers[byte] |= bit << 8 * count++;
    }
  }
  return numbers;
}
inline constexpr std::array<std::uint64_t, 256> kBitNumbers = BitNumbers();

// The numbers of the bits of a mask that are set. (PDEP would find one of them as fast, but is slow
// on some processors.)
struct BitList {
  std::array<std::uint8_t, 64 + 8> numbers;

  DYNJAX_INLINE explicit BitList(std::uint64_t mask) {
    std::uint8_t* to = numbers.data();
    for (std::uint64_t i = 0; i < 8; ++i) {
      const std::uint64_t byte = mask >> 8 * i & 0xff;
      const std::uint64_t eight = kBitNumbers[byte] + 0x0808080808080808 * i;
      std::memcpy(to, &eight, sizeof(eight));
      to += std::popcount(byte);
    }
  }
};

// Places in the first of a BlockPair, by zigzag order.
constexpr std::array<std::uint8_t, 64> PairPlaces() {
  std::array<std::uint8_t, 64> places{};
  for (std::size_t k = 0; k < 64; ++k) places[k] = PairPlace(kNaturalOrder[k]);
  return places;
}
inline constexpr std::array<std::uint8_t, 64> kPairPlaces = PairPlaces();

// Adds a bit to coefficients that are not zero; the first one's is the highest of `bits`.
DYNJAX_INLINE void Correct(std::uint64_t nonzero, std::uint64_t bits, std::uint32_t low,
                           std::int16_t* values) {
  const std::int32_t one = 1 << low;
  bits <<= 64 - std::popcount(nonzero);
  for (; bits != 0; bits <<= 1, nonzero &= nonzero - 1) {
    std::int16_t& value = values[kPairPlaces[static_cast<std::size_t>(std::countr_zero(nonzero))]];
    const std::int32_t sign = value >> 15;
    const auto is_set = static_cast<std::int32_t>(static_cast<std::int64_t>(bits) >> 63);
    value = static_cast<std::int16_t>(value + (((one ^ sign) - sign) & is_set));
  }
}

// How the symbols of a scan are read: `pairs` may be nullptr. `places` are those of ReadAc's
// positions in a BlockPair, when the last of the band is number 63.
struct AcCode {
  const HuffmanTable* table;
  const HuffmanPairs* pairs;
  const std::uint8_t* places;
};

// The next bit of a block. `*nonzero` says which of its coefficients are not zero, and `*ends` how
// many blocks, with this one, end where they begin. A symbol stands for zeros that stay so, and for
// one that may become 1 or -1. Between them lie coefficients that are not zero: for each of these a
// bit follows the symbol. Behind the last of them symbols follow one another as in first scans, and
// are read as these are. False when the bits are no code or lead out of the band.
template <bool kHasPairs, bool kIsWanted>
DYNJAX_INLINE bool ReadFurtherBits(BitReader* from, const AcCode& code, const AcBand& band,
                                   std::uint32_t* ends, std::uint64_t* nonzero,
                                   std::int16_t* values) {
  BitReader reader = *from;  // which would live in memory
  const std::uint64_t old = *nonzero & band.mask();
  const auto old_count = static_cast<std::uint32_t>(std::popcount(old));
  std::uint64_t corrections = 0;
  // Coefficients of `old` that lie behind, and `first` of the band more: the place of zero number n
  // less n.
  std::uint32_t passed = band.first;
  const std::uint32_t all = band.first + old_count;
  const auto pass = [&](std::uint32_t now_passed) {
    const std::uint32_t count = now_passed - passed;
    corrections = corrections << count | reader.TakeMany(count);
    passed = now_passed;
  };
  if (*ends == 0) {
    std::uint64_t fresh = 0;
    std::uint32_t k = band.first - 1;
    if (old_count > 0) {
      const BitList zeros(band.mask() & ~old);
      const std::uint32_t zero_count = band.last + 1 - all;
      std::uint32_t zero = ~std::uint32_t{0};
      do {
        reader.Refill();
        HuffmanEntry entry = reader.Look(*code.table);
        std::uint32_t move = entry >> 24;
        if (move > 16) [[unlikely]] {
          if (move == HuffmanTable::kLongCode) {
            entry = BitReader::LookFar(reader.bits, *code.table);
            if (entry == 0) return false;
            move = entry >> 24;
          }
          if (move == HuffmanTable::kEndOfBlock) {
            *ends = reader.Ends(entry);
            reader.Drop(entry);
            break;
          }
        }
        zero += move;
        if (zero >= zero_count) return false;
        k = zeros.numbers[zero];
        const std::uint64_t is_new = 63 - (entry >> 16 & 63);  // no run of sixteen zeros
        const std::uint64_t is_positive = reader.bits >> (64 - (entry & 63)) & 1;  // its last bit
        reader.Drop(entry);
        pass(k - zero);
        if (kIsWanted) {
          values[kPairPlaces[k]] =
              static_cast<std::int16_t>((2 * is_positive - 1) * is_new << band.low);
        }
        fresh |= is_new << k;
      } while (k != band.last && passed != all);
    }
    if (*ends == 0 && k != band.last) {
      const std::uint32_t shift = 63 - band.last;
      std::uint64_t found = 0;
      const auto put = [&code, &band, values, &found](std::uint32_t at, std::int32_t value) {
        if (kIsWanted) {
          values[code.places[at]] = static_cast<std::int16_t>(value * (1 << band.low));
        }
        found |= std::uint64_t{value != 0 && at < 64} << (at & 63);
      };
      const BlockEnd end = kHasPairs
                               ? ReadAcPairs(&reader, *code.table, *code.pairs, k + shift, put)
                               : ReadAc(&reader, *code.table, k + shift, put);
      if (end.last < 0) return false;
      fresh |= found >> shift;
      *ends = end.more_ends;
      passed = all;
    } else if (*ends > 0) {
      --*ends;
      reader.Refill();
      pass(all);
    }
    *nonzero |= fresh;
  } else {
    --*ends;
    reader.Refill();
    pass(all);
  }
  if (kIsWanted && corrections != 0) Correct(old, corrections, band.low, values);
  *from = reader;
  return true;
}

}  // namespace dynjax
