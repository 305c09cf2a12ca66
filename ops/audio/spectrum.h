// Squared magnitudes, or magnitudes, of the spectra of real signals, per target.
#pragma once

#include <cstdint>

#include "audio/spectrum_plan.h"
#include "base/simd.h"

namespace dynjax {

// What is transformed: up to plan.length elements, times a window unless that is null, then zeros.
struct SignalPart {
  std::int64_t length = 0;
  const float* window = nullptr;
};

struct SpectrumKernels {
  // Eight signals. `out`: `[bins, 8]`; `work`: LaneWork(plan) floats, aligned to 32 bytes.
  using Eight = void (*)(const SpectrumView& plan, const float* const* signals,
                         const SignalPart& part, bool root, float* work, float* out);
  // One signal, if plan.is_long. `out`: `[bins]`; `work`: LongWork(plan) floats, aligned likewise.
  using One = void (*)(const SpectrumView& plan, const float* signal, const SignalPart& part,
                       bool root, float* work, float* out);
  // The complex transform of the numbers at `from`, to `to`: plan.transform real parts and as many
  // imaginary ones behind them. `work` as for the others.
  using Raw = void (*)(const SpectrumView& plan, float* from, float* work, float* to);
  // The first `count` of eight columns `[bins, 8]`, to out[bin * bin_stride + column *
  // column_stride].
  using Spread = void (*)(const float* columns, std::int64_t bins, std::int64_t count, float* out,
                          std::int64_t bin_stride, std::int64_t column_stride);

  Eight eight;
  One one;
  Raw raw;
  Spread spread;
};

inline std::int64_t LaneWork(const SpectrumView& plan) { return 2 * 16 * (plan.transform + 1); }
inline std::int64_t LongWork(const SpectrumView& plan) {
  const std::int64_t longest = plan.long_fft.rows.size > plan.long_fft.columns.size
                                   ? plan.long_fft.rows.size
                                   : plan.long_fft.columns.size;
  return 6 * plan.transform + 2 * 16 * longest;
}

const SpectrumKernels& SpectrumKernelsFor(Target target);

}  // namespace dynjax
