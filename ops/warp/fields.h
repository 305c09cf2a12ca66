// Pictures whose pixels are read from positions that no matrix gives.
#pragma once

#include "warp/sampler.h"
#include "warp/warp.h"

namespace dynjax {

// Numbers as in dynjax/_ops/water.py; amplitudes in pixels, frequencies in radians a pixel.
struct Waves {
  float ampl_x, freq_x, phase_x, ampl_y, freq_y, phase_y;
};

// out(x, y) = picture(x + ampl_x sin(freq_x y + phase_x), y + ampl_y cos(freq_y x + phase_y)).
void Water(const Picture& picture, const Canvas& canvas, const Waves& waves,
           const Sampling& sampling);

// out(c + d) = picture(c + d |d| / r) with the centre c and r half the longer side.
void Sphere(const Picture& picture, const Canvas& canvas, const Sampling& sampling);

// Rows of positions, from row to row `stride` elements apart.
struct PositionMap {
  const float* data;
  std::int64_t stride;
};

// out(x, y) = picture(map_x(x, y) + shift, map_y(x, y) + shift).
void Remap(const Picture& picture, const Canvas& canvas, const PositionMap& map_x,
           const PositionMap& map_y, float shift, const Sampling& sampling);

}  // namespace dynjax
