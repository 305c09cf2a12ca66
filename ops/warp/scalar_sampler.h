// Rows of positions read element by element: the definition that every target follows.
//
// Included by translation units that are compiled for different instruction sets, so that all
// functions have internal linkage; see base/scalar_convert.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/scalar_convert.h"
#include "warp/sampler.h"

namespace dynjax {

// Farther away nothing changes but the risk of an overflow.
inline constexpr float kFar = 0x1p30f;

static inline float Finite(float position) {
  // NaN goes to the left, and -0 becomes 0.
  return std::min(std::max(-kFar, position), +kFar) + 0.0f;
}

// Valid for |value| <= kFar other than -0. The baseline has no instruction for it.
static inline std::int32_t Floor(float value) {
  const auto whole = static_cast<std::int32_t>(value);
  return whole + (std::bit_cast<std::int32_t>(value - static_cast<float>(whole)) >> 31);
}

static inline std::int32_t Inside(std::int32_t i, std::int32_t n, Edge edge) {
  const auto modulo = [](std::int32_t a, std::int32_t b) {
    const std::int32_t rest = a % b;
    return rest < 0 ? rest + b : rest;
  };
  if (i < 0 || i >= n) {
    switch (edge) {
      case Edge::kReflect101: {
        const std::int32_t period = std::max(2 * n - 2, 1);
        const std::int32_t at = modulo(i, period);
        return std::min(at, period - at);
      }
      case Edge::kReflect1001: {
        const std::int32_t at = modulo(i, 2 * n);
        return std::min(at, 2 * n - 1 - at);
      }
      case Edge::kWrap:
        return modulo(i, n);
      default:
        return std::clamp(i, 0, n - 1);
    }
  }
  return i;
}

// The pixels along one axis that a position reads.
struct Taps {
  int count = 1;
  std::int64_t offset[4];
  float weight[4];
  bool inside[4];
};

static inline Taps TapsAt(float position, std::int32_t n, std::int64_t stride,
                          const Sampling& sampling) {
  Taps taps;
  const bool nearest = sampling.interpolation == Interpolation::kNearest;
  const float centre = Finite(nearest ? position : position - 0.5f);
  std::int32_t first = Floor(centre);
  const float t = centre - static_cast<float>(first);
  if (nearest) {
    taps.weight[0] = 1;
  } else if (sampling.interpolation == Interpolation::kLinear) {
    taps.count = 2;
    taps.weight[0] = 1 - t;
    taps.weight[1] = t;
  } else {
    // Keys' filter with the sharpness that is usual for warping.
    constexpr float a = -0.75f;
    const auto outer = [](float x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
    const auto inner = [](float x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
    taps.count = 4;
    --first;
    taps.weight[0] = outer(t + 1);
    taps.weight[1] = inner(t);
    taps.weight[2] = inner(1 - t);
    taps.weight[3] = 1 - taps.weight[0] - taps.weight[1] - taps.weight[2];
  }
  for (int k = 0; k < taps.count; ++k) {
    const std::int32_t i = first + k;
    taps.inside[k] = sampling.edge != Edge::kConstant || (i >= 0 && i < n);
    taps.offset[k] = Inside(i, n, sampling.edge) * stride;
  }
  return taps;
}

template <typename T>
struct View {
  explicit View(const Picture& picture)
      : data(reinterpret_cast<const T*>(picture.data)),
        height(picture.extent[1]),
        width(picture.extent[2]),
        down(picture.strides[1]),
        right(picture.strides[2]),
        channels(picture.channels) {}
  const T* data;
  std::int32_t height, width;
  std::int64_t down, right;
  std::int32_t channels;
};

static inline float FillOf(const Sampling& sampling, int channel) {
  return sampling.fill[sampling.fill.size() > 1 ? static_cast<std::size_t>(channel) : 0];
}

// Any interpolation and edge, pictures and volumes.
template <typename T, typename Out>
static void AnyPixel(const Picture& picture, const Sampling& sampling, float x, float y, float z,
                     Out* out) {
  const T* data = reinterpret_cast<const T*>(picture.data);
  const Taps tx = TapsAt(x, picture.extent[2], picture.strides[2], sampling);
  const Taps ty = TapsAt(y, picture.extent[1], picture.strides[1], sampling);
  const Taps tz = TapsAt(z, picture.extent[0], picture.strides[0], sampling);
  if (sampling.interpolation == Interpolation::kNearest) {
    const bool inside = tx.inside[0] && ty.inside[0] && tz.inside[0];
    const T* from = data + tx.offset[0] + ty.offset[0] + tz.offset[0];
    for (int c = 0; c < picture.channels; ++c) {
      if (!inside) {
        out[c] = FromFloat<Out>(FillOf(sampling, c));
      } else if constexpr (std::is_same_v<T, Out>) {
        out[c] = from[c];
      } else {
        out[c] = FromFloat<Out>(ToFloat(from[c]));
      }
    }
    return;
  }
  for (int c = 0; c < picture.channels; ++c) {
    float sum = 0;
    for (int k = 0; k < tz.count; ++k) {
      for (int j = 0; j < ty.count; ++j) {
        const T* row = data + tz.offset[k] + ty.offset[j] + c;
        float line = 0;
        for (int i = 0; i < tx.count; ++i) {
          const bool inside = tx.inside[i] && ty.inside[j] && tz.inside[k];
          line += tx.weight[i] * (inside ? ToFloat(row[tx.offset[i]]) : FillOf(sampling, c));
        }
        sum += line * ty.weight[j] * tz.weight[k];
      }
    }
    out[c] = FromFloat<Out>(sum);
  }
}

template <typename T, typename Out>
static void AnyRow(const Picture& picture, const Sampling& sampling, const Positions& at, Out* out,
                   std::int64_t step) {
  for (std::size_t i = 0; i < at.x.size(); ++i, out += step) {
    // A picture's only plane is read in its middle.
    AnyPixel<T>(picture, sampling, at.x[i], at.y[i], at.z.empty() ? 0.5f : at.z[i], out);
  }
}

// How many positions are settled before any pixel is read.
inline constexpr int kBlock = 32;

// Whether the four pixels lie outside, inside, or some here and some there.
enum Where : std::int32_t { kOutside = 0, kRim = 1, kInside = 2 };

// The first of the two pixels along an axis that each position reads, and the share of the other.
static inline void SettleScalar(const float* p, int count, std::int32_t* first, float* share) {
  for (int i = 0; i < count; ++i) {
    const float centre = Finite(p[i] - 0.5f);
    first[i] = Floor(centre);
    share[i] = centre - static_cast<float>(first[i]);
  }
}

// The upper left of the four pixels about each of a block of positions, and the shares of the
// right and lower ones. Valid where `where` is kInside.
struct Corners {
  std::int32_t x[kBlock], y[kBlock];
  float right[kBlock], lower[kBlock];
  std::int32_t where[kBlock];
  int inside = 0, outside = 0;

  // Clamping the position is the same as clamping the pixels.
  void SetClamped(const float* px, const float* py, int count, std::int32_t width,
                  std::int32_t height) {
    const auto settle = [count](const float* p, std::int32_t n, std::int32_t* first, float* share) {
      const float last = static_cast<float>(n - 1);
      const std::int32_t limit = std::max(n - 2, 0);
      for (int i = 0; i < count; ++i) {
        const float centre = std::min(std::max(0.0f, p[i] - 0.5f), last);  // NaN gives 0
        first[i] = std::min(static_cast<std::int32_t>(centre), limit);
        share[i] = centre - static_cast<float>(first[i]);
      }
    };
    settle(px, width, x, right);
    settle(py, height, y, lower);
    inside = count;
    outside = 0;
  }

  // `settle(p, count, first, share)`: see SettleScalar.
  template <typename Settle>
  void Set(const float* px, const float* py, int count, std::int32_t width, std::int32_t height,
           const Settle& settle) {
    settle(px, count, x, right);
    settle(py, count, y, lower);
    std::int32_t within = 0, beyond = 0;
    for (int i = 0; i < count; ++i) {
      // As integers, which the compiler counts several at a time.
      const std::int32_t all =
          static_cast<std::int32_t>(x[i] >= 0) & static_cast<std::int32_t>(x[i] < width - 1) &
          static_cast<std::int32_t>(y[i] >= 0) & static_cast<std::int32_t>(y[i] < height - 1);
      const std::int32_t none =
          static_cast<std::int32_t>(x[i] < -1) | static_cast<std::int32_t>(x[i] >= width) |
          static_cast<std::int32_t>(y[i] < -1) | static_cast<std::int32_t>(y[i] >= height);
      where[i] = 1 + all - none;
      within += all;
      beyond += none;
    }
    inside = within;
    outside = beyond;
  }
};

template <typename Out>
static inline void PutFill(const Sampling& sampling, int channels, Out* out) {
  for (int c = 0; c < channels; ++c) out[c] = FromFloat<Out>(FillOf(sampling, c));
}

// One pixel between its four neighbours; `kChannels` is 0 where they are not known.
template <typename T, typename Out, int kChannels>
static inline void LinearPixel(const View<T>& view, const Corners& corners, int i,
                               std::int64_t right, std::int64_t down, Out* out) {
  const int channels = kChannels > 0 ? kChannels : view.channels;
  const T* from = view.data + corners.y[i] * view.down + corners.x[i] * view.right;
  const float across = corners.right[i], along = corners.lower[i];
  for (int c = 0; c < channels; ++c) {
    const float a = ToFloat(from[c]), b = ToFloat(from[c + right]);
    const float d = ToFloat(from[c + down]), e = ToFloat(from[c + down + right]);
    const float left = a + (d - a) * along, other = b + (e - b) * along;
    out[c] = FromFloat<Out>(left + (other - left) * across);
  }
}

// Pictures, any edge. `all_inside(corners, count, out)` writes a block that touches no edge.
template <typename T, typename Out, int kChannels, typename Settle, typename AllInside>
static inline void LinearRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                             Out* out, std::int64_t step, const Settle& settle,
                             const AllInside& all_inside) {
  const View<T> view(picture);
  // A picture of one row or column has no second one.
  const std::int64_t right = view.width > 1 ? view.right : 0;
  const std::int64_t down = view.height > 1 ? view.down : 0;
  Corners corners;
  for (std::size_t done = 0; done < at.x.size(); done += kBlock, out += kBlock * step) {
    const int count = static_cast<int>(std::min<std::size_t>(kBlock, at.x.size() - done));
    const float *x = at.x.data() + done, *y = at.y.data() + done;
    if (sampling.edge == Edge::kClamp) {
      corners.SetClamped(x, y, count, view.width, view.height);
    } else {
      corners.Set(x, y, count, view.width, view.height, settle);
    }
    if (corners.inside == count) {
      all_inside(view, corners, count, right, down, out);
      continue;
    }
    const bool fills = sampling.edge == Edge::kConstant;
    for (int i = 0; i < count; ++i) {
      Out* pixel = out + i * step;
      if (corners.where[i] == kInside) {
        LinearPixel<T, Out, kChannels>(view, corners, i, right, down, pixel);
      } else if (fills && corners.where[i] == kOutside) {
        PutFill(sampling, view.channels, pixel);
      } else {
        AnyPixel<T>(picture, sampling, x[i], y[i], 0.5f, pixel);
      }
    }
  }
}

template <typename T, typename Out, int kChannels>
static void ScalarLinearRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                            Out* out, std::int64_t step) {
  const auto all_inside = [step](const View<T>& view, const Corners& corners, int count,
                                 std::int64_t right, std::int64_t down, Out* to) {
    for (int i = 0; i < count; ++i) {
      LinearPixel<T, Out, kChannels>(view, corners, i, right, down, to + i * step);
    }
  };
  LinearRow<T, Out, kChannels>(picture, sampling, at, out, step, SettleScalar, all_inside);
}

// Pictures, edges kClamp and kConstant.
template <typename T, typename Out, int kChannels>
static void ScalarNearestRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                             Out* out, std::int64_t step) {
  const View<T> view(picture);
  const int channels = kChannels > 0 ? kChannels : view.channels;
  const bool clamps = sampling.edge == Edge::kClamp;
  std::int32_t x[kBlock], y[kBlock];
  bool inside[kBlock];
  const auto settle = [](const float* p, int count, std::int32_t* to) {
    for (int i = 0; i < count; ++i) to[i] = Floor(Finite(p[i]));
  };
  for (std::size_t done = 0; done < at.x.size(); done += kBlock) {
    const int count = static_cast<int>(std::min<std::size_t>(kBlock, at.x.size() - done));
    settle(at.x.data() + done, count, x);
    settle(at.y.data() + done, count, y);
    for (int i = 0; i < count; ++i) {
      const std::int32_t cx = std::clamp(x[i], 0, view.width - 1);
      const std::int32_t cy = std::clamp(y[i], 0, view.height - 1);
      inside[i] = clamps | ((cx == x[i]) & (cy == y[i]));
      x[i] = cx;
      y[i] = cy;
    }
    for (int i = 0; i < count; ++i, out += step) {
      const T* from = view.data + y[i] * view.down + x[i] * view.right;
      if (!inside[i]) {
        PutFill(sampling, channels, out);
        continue;
      }
      for (int c = 0; c < channels; ++c) {
        if constexpr (std::is_same_v<T, Out>) {
          out[c] = from[c];
        } else {
          out[c] = FromFloat<Out>(ToFloat(from[c]));
        }
      }
    }
  }
}

}  // namespace dynjax
