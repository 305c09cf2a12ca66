#include "audio/spectrogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "audio/spectrum.h"
#include "audio/work.h"

namespace dynjax {
namespace {

constexpr std::int64_t kEight = 8;

// The signal from `start` on, as a window sees it that reaches beyond an end.
void Extend(const float* signal, std::int64_t length, std::int64_t start, std::int64_t count,
            bool reflect, float* out) {
  const std::int64_t period = std::max<std::int64_t>(2 * (length - 1), 1);
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t at = start + n;
    if (at < 0 || at >= length) {
      if (!reflect) {
        out[n] = 0;
        continue;
      }
      at = ((at % period) + period) % period;
      at = std::min(at, period - at);
    }
    out[n] = signal[at];
  }
}

}  // namespace

void HannWindow(std::int64_t window, float* weights) {
  for (std::int64_t n = 0; n < window; ++n) {
    const double phase =
        2 * std::numbers::pi * (static_cast<double>(n) + 0.5) / static_cast<double>(window);
    weights[n] = static_cast<float>(0.5 * (1 - std::cos(phase)));
  }
}

bool Spectrogram(const SpectrumView& plan, const float* signal, std::int64_t length,
                 const float* weights, const SpectrogramForm& form,
                 const SpectrogramTarget& target) {
  const SpectrumKernels& kernels = SpectrumKernelsFor(BestTarget());
  const std::int64_t window = form.window, bins = plan.bins();
  const std::int64_t work_size = plan.is_long ? LongWork(plan) : LaneWork(plan);
  const std::int64_t padded = (window + 15) / 16 * 16;
  const Work memory(work_size + kEight * (padded + bins));
  if (memory.data() == nullptr) return false;
  float* edges = memory.data() + work_size;
  float* columns = edges + kEight * padded;
  const SignalPart part{.length = window, .window = weights};
  const std::int64_t before = form.centred ? window / 2 : 0;
  for (std::int64_t frame = 0; frame < target.frames; frame += kEight) {
    const std::int64_t count = std::min(kEight, target.frames - frame);
    std::array<const float*, kEight> from;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t start = (frame + k) * form.step - before;
      from[static_cast<std::size_t>(k)] = signal + start;
      if (start < 0 || start + window > length) {
        float* edge = edges + k * padded;
        Extend(signal, length, start, window, form.reflect && form.centred, edge);
        from[static_cast<std::size_t>(k)] = edge;
      }
    }
    float* out = target.data + frame * target.frame_stride;
    if (plan.is_long) {
      for (std::int64_t k = 0; k < count; ++k) {
        kernels.one(plan, from[static_cast<std::size_t>(k)], part, form.root, memory.data(),
                    columns);
        for (std::int64_t bin = 0; bin < bins; ++bin) {
          out[bin * target.bin_stride + k * target.frame_stride] = columns[bin];
        }
      }
      continue;
    }
    std::fill(from.begin() + count, from.end(), from[0]);
    kernels.eight(plan, from.data(), part, form.root, memory.data(), columns);
    kernels.spread(columns, bins, count, out, target.bin_stride, target.frame_stride);
  }
  return true;
}

}  // namespace dynjax
