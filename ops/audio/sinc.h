// Resampling by a windowed sinc, per target.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

// A sample lies between this many tabulated values of the window.
inline constexpr std::int64_t kSincPhases = 32;

// Weights of the samples around a position: row p is for a position p / kSincPhases behind the
// sample in column lobes - 1. `[kSincPhases + 1, width]`, zeros in columns from 2 * lobes on.
struct SincWindow {
  std::int64_t lobes = 0, width = 0;  // width: 2 * lobes, rounded up to a multiple of 8
  const float* weights = nullptr;
};

// How far the source moves for each result: whole samples, and a fraction in units of 2^-48.
struct SincStep {
  std::int64_t whole = 0;
  std::uint64_t fraction = 0;
};

struct SincKernels {
  // Results 0 .. count - 1 of a signal of `length` elements at `x`, which has lobes - 1 zeros
  // before and width + 1 behind it.
  using Resample = void (*)(const float* x, std::int64_t length, const SincWindow& window,
                            const SincStep& step, std::int64_t count, float* out);
  Resample resample;
};

const SincKernels& SincKernelsFor(Target target);

}  // namespace dynjax
