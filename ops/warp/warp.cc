#include "warp/warp.h"

#include <algorithm>

#include "warp/grey_plane_avx2.h"

namespace dynjax {
namespace {

// Positions are worked out for so many pixels of a row at a time, on the stack.
constexpr std::int32_t kRun = 256;

// Coordinate `row` of the images of pixels first, first + 1, ... of the canvas row (y, z).
void Line(const WarpMap& map, std::int32_t row, std::int32_t first, float y, float z,
          std::int32_t count, float* out) {
  const std::int32_t d = map.dimensions;
  const float* m = map.entries.data() + row * (d + 1);
  const float start = m[d] + m[1] * y + (d == 3 ? m[2] * z : 0.0f);
  const float slope = m[0];
  for (std::int32_t i = 0; i < count; ++i) {
    out[i] = start + slope * (static_cast<float>(first + i) + 0.5f);
  }
}

}  // namespace

void Warp(const Picture& source, const Canvas& canvas, const WarpMap& map, const Sampling& sampling,
          Target instructions) {
  if (instructions == Target::kAvx2 && Avx2WarpGreyPlane(source, canvas, map, sampling)) return;
  float position[3][kRun], scale[kRun];
  const std::int32_t d = map.dimensions;
  const auto [depth, height, width] = canvas.extent;
  const auto bytes = static_cast<std::int64_t>(Bytes(canvas.type));
  for (std::int32_t k = 0; k < depth; ++k) {
    for (std::int32_t j = 0; j < height; ++j) {
      std::byte* row = canvas.data + bytes * (k * canvas.strides[0] + j * canvas.strides[1]);
      for (std::int32_t first = 0; first < width; first += kRun) {
        const std::int32_t count = std::min(kRun, width - first);
        const float y = static_cast<float>(j) + 0.5f, z = static_cast<float>(k) + 0.5f;
        for (std::int32_t c = 0; c < d; ++c) Line(map, c, first, y, z, count, position[c]);
        if (map.perspective) {
          Line(map, d, first, y, z, count, scale);
          for (std::int32_t i = 0; i < count; ++i) {
            const float inverse = 1 / scale[i];  // always, so that the loop has no branch
            scale[i] = scale[i] != 0 ? inverse : 0.0f;
          }
          for (std::int32_t c = 0; c < d; ++c) {
            for (std::int32_t i = 0; i < count; ++i) position[c][i] *= scale[i];
          }
        }
        const auto n = static_cast<std::size_t>(count);
        const Positions at{{position[0], n}, {position[1], n}, {position[2], d == 3 ? n : 0}};
        SampleRow(source, sampling, at, canvas.type, row + bytes * first * canvas.strides[2],
                  canvas.strides[2], instructions);
      }
    }
  }
}

}  // namespace dynjax
