// Spectra of windows that move along a signal.
#pragma once

#include <cstdint>

#include "audio/spectrum_plan.h"

namespace dynjax {

struct SpectrogramForm {
  std::int64_t window = 0, step = 0;  // in elements
  bool root = false;                  // magnitudes instead of their squares
  bool centred = false;               // window k begins half a window before element k * step
  bool reflect = false;               // the signal is mirrored at its ends; else 0 lies there
};

// Where frequency f of window k belongs: data[f * bin_stride + k * frame_stride].
struct SpectrogramTarget {
  float* data = nullptr;
  std::int64_t frames = 0, bin_stride = 0, frame_stride = 0;
};

// `weights`: of the window. False if there is no memory to work in.
bool Spectrogram(const SpectrumView& plan, const float* signal, std::int64_t length,
                 const float* weights, const SpectrogramForm& form,
                 const SpectrogramTarget& target);

// The window that the operator uses by default: `window` weights.
void HannWindow(std::int64_t window, float* weights);

}  // namespace dynjax
