#include "warp/fields.h"

#include <algorithm>
#include <cmath>

namespace dynjax {
namespace {

constexpr std::int32_t kRun = 256;

// Reads the canvas in runs of a row: `place(first, j, count, x, y)` says where pixels first,
// first + 1, ... of row j come from.
template <typename Place>
void Fill(const Picture& picture, const Canvas& canvas, const Sampling& sampling,
          const Place& place) {
  float x[kRun], y[kRun];
  const std::int32_t height = canvas.extent[1], width = canvas.extent[2];
  const auto bytes = static_cast<std::int64_t>(Bytes(canvas.type));
  // In strips, so that what `place` keeps for a column serves all rows.
  for (std::int32_t first = 0; first < width; first += kRun) {
    const std::int32_t count = std::min(kRun, width - first);
    const auto n = static_cast<std::size_t>(count);
    for (std::int32_t j = 0; j < height; ++j) {
      place(first, j, count, x, y);
      std::byte* out = canvas.data + bytes * (j * canvas.strides[1] + first * canvas.strides[2]);
      SampleRow(picture, sampling, {{x, n}, {y, n}, {}}, canvas.type, out, canvas.strides[2]);
    }
  }
}

}  // namespace

void Water(const Picture& picture, const Canvas& canvas, const Waves& waves,
           const Sampling& sampling) {
  float lift[kRun];  // of the columns of the current strip
  Fill(picture, canvas, sampling,
       [&](std::int32_t first, std::int32_t j, std::int32_t count, float* x, float* y) {
         if (j == 0) {
           for (std::int32_t i = 0; i < count; ++i) {
             const auto column = static_cast<float>(first + i);
             lift[i] = waves.ampl_y * std::cos(waves.freq_y * column + waves.phase_y);
           }
         }
         const auto row = static_cast<float>(j);
         const float push = waves.ampl_x * std::sin(waves.freq_x * row + waves.phase_x);
         for (std::int32_t i = 0; i < count; ++i) {
           x[i] = static_cast<float>(first + i) + push;
           y[i] = row + lift[i];
         }
       });
}

void Sphere(const Picture& picture, const Canvas& canvas, const Sampling& sampling) {
  const auto height = static_cast<float>(picture.extent[1]);
  const auto width = static_cast<float>(picture.extent[2]);
  const float cx = width * 0.5f, cy = height * 0.5f;
  // At least 1, for pictures of one pixel.
  const float scale =
      1 / static_cast<float>(std::max({picture.extent[1] / 2, picture.extent[2] / 2, 1}));
  Fill(picture, canvas, sampling,
       [&](std::int32_t first, std::int32_t j, std::int32_t count, float* x, float* y) {
         const float dy = static_cast<float>(j) + 0.5f - cy;
         for (std::int32_t i = 0; i < count; ++i) {
           const float dx = static_cast<float>(first + i) + 0.5f - cx;
           const float distance = std::sqrt(dx * dx + dy * dy) * scale;
           x[i] = cx + dx * distance;
           y[i] = cy + dy * distance;
         }
       });
}

void Remap(const Picture& picture, const Canvas& canvas, const PositionMap& map_x,
           const PositionMap& map_y, float shift, const Sampling& sampling) {
  Fill(picture, canvas, sampling,
       [&](std::int32_t first, std::int32_t j, std::int32_t count, float* x, float* y) {
         const float* from_x = map_x.data + j * map_x.stride + first;
         const float* from_y = map_y.data + j * map_y.stride + first;
         for (std::int32_t i = 0; i < count; ++i) {
           x[i] = from_x[i] + shift;
           y[i] = from_y[i] + shift;
         }
       });
}

}  // namespace dynjax
