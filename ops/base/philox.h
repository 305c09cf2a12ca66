// Philox4x32-10, a counter-based generator.
//
// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
#pragma once

#include <array>
#include <cstdint>

namespace dynjax {

// The words of a block of a sequence under a key.
inline std::array<std::uint32_t, 4> Philox4x32(std::uint64_t key, std::uint64_t sequence,
                                               std::uint64_t block) {
  constexpr std::uint64_t kFirst = 0xD2511F53, kSecond = 0xCD9E8D57;
  constexpr std::uint32_t kFirstStep = 0x9E3779B9, kSecondStep = 0xBB67AE85;
  constexpr int kRounds = 10;
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  std::array<std::uint32_t, 4> words{low(block), high(block), low(sequence), high(sequence)};
  std::uint32_t k0 = low(key), k1 = high(key);
  for (int round = 0; round < kRounds; ++round, k0 += kFirstStep, k1 += kSecondStep) {
    const std::uint64_t a = kFirst * words[0], b = kSecond * words[2];
    words = {high(b) ^ words[1] ^ k0, low(b), high(a) ^ words[3] ^ k1, low(a)};
  }
  return words;
}

}  // namespace dynjax
