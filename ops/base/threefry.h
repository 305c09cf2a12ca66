// Threefry-2x32, the generator behind JAX's keys.
//
// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
#pragma once

#include <array>
#include <cstdint>

namespace dynjax {

struct Words {
  std::uint32_t first, second;
};

// The block of a counter under a key.
inline Words Threefry2x32(Words key, Words counter) {
  constexpr std::array<std::array<int, 4>, 2> kRotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<std::uint32_t, 3> schedule{key.first, key.second,
                                              key.first ^ key.second ^ 0x1BD11BDAu};
  std::uint32_t a = counter.first + schedule[0], b = counter.second + schedule[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (const int rotation : kRotations[group % 2]) {
      a += b;
      b = a ^ ((b << rotation) | (b >> (32 - rotation)));
    }
    a += schedule[(group + 1) % 3];
    b += schedule[(group + 2) % 3] + group + 1;
  }
  return {a, b};
}

// The key that jax.random.fold_in makes.
inline Words FoldIn(Words key, std::uint32_t number) { return Threefry2x32(key, {0, number}); }

}  // namespace dynjax
