// Reading a picture or volume between its pixels, a row of positions at a time.
//
// Positions are in pixels from the corner: the centre of pixel i lies at i + 0.5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/convert.h"
#include "base/simd.h"

namespace dynjax {

enum class Interpolation : std::int32_t { kNearest = 0, kLinear = 1, kCubic = 2 };
inline constexpr std::int32_t kInterpolations = 3;

// What is read outside; numbered as in dynjax/_ops/_lib/borders.py.
enum class Edge : std::int32_t {
  kReflect101 = 0,   // cb|abc
  kReflect1001 = 1,  // ba|abc
  kWrap = 2,
  kClamp = 3,
  kConstant = 4,
};
inline constexpr std::int32_t kEdges = 5;

// Pixels of `channels` adjacent elements. No extent is 0.
struct Picture {
  const std::byte* data = nullptr;
  Pixel type = Pixel::kU8;
  std::array<std::int32_t, 3> extent{1, 1, 1};  // depth, height, width
  std::array<std::int64_t, 3> strides{};        // in elements, from pixel to pixel
  std::int32_t channels = 1;
};

struct Sampling {
  Interpolation interpolation = Interpolation::kLinear;
  Edge edge = Edge::kClamp;
  std::span<const float> fill;  // one value, or one for each channel
};

// Where one row of pixels is read. `z` is empty for pictures, whose depth is 1.
struct Positions {
  std::span<const float> x, y, z;
};

// Writes one pixel for each position, `step` elements apart. `target` is the picture's type or
// kF32. Sums are in float32; integers are rounded half away from zero and saturate. Positions may
// be anything: those that are not finite are outside.
void SampleRow(const Picture& picture, const Sampling& sampling, const Positions& at, Pixel target,
               std::byte* out, std::int64_t step, Target instructions = BestTarget());

// Whether SampleRow can read and write these types.
bool CanSample(Pixel source, Pixel target);

}  // namespace dynjax
