#include "decoders/pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dynjax {
namespace {

// The end of the range that pixels of a type fill; it starts at zero.
template <typename T>
constexpr double kLargest = std::is_floating_point_v<T> ? 1.0 : std::numeric_limits<T>::max();

// Rounds half away from zero and saturates. Half is added in double, where it is exact.
template <typename Out>
Out RoundTo(float value) {
  if constexpr (std::is_same_v<Out, float>) {
    return value;
  } else {
    const double rounded = std::trunc(static_cast<double>(value) + std::copysign(0.5, value));
    // In this order, what is not a number becomes the smallest one.
    return static_cast<Out>(
        std::min<double>(std::numeric_limits<Out>::max(),
                         std::max<double>(std::numeric_limits<Out>::min(), rounded)));
  }
}

// The full range of In onto that of Out. Two float32 products and
// not one, for the original's bits.
template <typename In, typename Out>
Out Rescaled(In value) {
  if constexpr (std::is_same_v<In, Out>) return value;
  if constexpr (std::is_same_v<In, std::uint8_t> && std::is_same_v<Out, std::uint16_t>) {
    return static_cast<Out>(value * 257);
  }
  constexpr auto kNorm = static_cast<float>(1.0 / kLargest<In>);
  constexpr auto kFull = static_cast<float>(kLargest<Out>);
  return RoundTo<Out>(static_cast<float>(value) * kNorm * kFull);
}

template <typename In, typename Out>
struct Rescale {
  Out operator()(In value) const { return Rescaled<In, Out>(value); }
};

// 8-bit values into integers go through a table: rounding costs more than a load.
template <typename Out>
  requires(std::is_integral_v<Out> && sizeof(Out) != 2 && !std::is_same_v<Out, std::uint8_t>)
struct Rescale<std::uint8_t, Out> {
  using Table = std::array<Out, 256>;
  const Table& table = Values();

  Out operator()(std::uint8_t value) const { return table[value]; }

  static const Table& Values() {
    static const Table values = [] {
      Table t;
      for (int v = 0; v < 256; ++v)
        t[v] = Rescaled<std::uint8_t, Out>(static_cast<std::uint8_t>(v));
      return t;
    }();
    return values;
  }
};

template <typename T>
struct Rgb {
  T r, g, b;
};

template <typename T>
Rgb<T> Load(const T* pixel, std::int32_t channels) {
  return channels >= 3 ? Rgb<T>{pixel[0], pixel[1], pixel[2]}
                       : Rgb<T>{pixel[0], pixel[0], pixel[0]};
}

float Gray(Rgb<float> p, GrayRule /*rule*/) { return 0.299f * p.r + 0.587f * p.g + 0.114f * p.b; }

template <typename T>
T Gray(Rgb<T> p, GrayRule rule) {
  switch (rule) {
    case GrayRule::kPng: {
      // The weights that libpng makes of 0.299 and 0.587; blue gets the rest.
      const std::uint32_t half = sizeof(T) == 1 ? 0 : 1u << 14;
      return static_cast<T>((9797u * p.r + 19234u * p.g + 3737u * p.b + half) >> 15);
    }
    case GrayRule::kCmyk:
      return static_cast<T>(0.299f * static_cast<float>(p.r) + 0.587f * static_cast<float>(p.g) +
                            0.114f * static_cast<float>(p.b));
    case GrayRule::kRaw:
      break;
  }
  return static_cast<T>((4899u * p.r + 9617u * p.g + 1868u * p.b + (1u << 13)) >> 14);
}

// ITU-R BT.601 in studio range (luma 16..235 of 255), which the original calls YCbCr. Weights are
// scaled and rounded to float32 before the sum, again for the original's bits.
template <typename In, typename Out>
void StoreYCbCr(Rgb<In> p, Out* to) {
  constexpr float kScale = static_cast<float>(kLargest<Out> / kLargest<In>);
  constexpr double kLuma = 219.0 / 255, kBlue = 112.0 / 255 / 0.886, kRed = 112.0 / 255 / 0.701;
  constexpr auto kWeight = [](double weight) { return static_cast<float>(weight) * kScale; };
  constexpr float kY[] = {kWeight(0.299 * kLuma), kWeight(0.587 * kLuma), kWeight(0.114 * kLuma)};
  constexpr float kCb[] = {kWeight(-0.299 * kBlue), kWeight(-0.587 * kBlue),
                           kWeight(0.886 * kBlue)};
  constexpr float kCr[] = {kWeight(0.701 * kRed), kWeight(-0.587 * kRed), kWeight(-0.114 * kRed)};
  // The offsets are a sixteenth and a half of the number of values, not of the largest one.
  constexpr float kValues =
      static_cast<float>(kLargest<Out> + (std::is_floating_point_v<Out> ? 0 : 1));
  const auto r = static_cast<float>(p.r), g = static_cast<float>(p.g), b = static_cast<float>(p.b);
  to[0] = RoundTo<Out>(kY[0] * r + kY[1] * g + kY[2] * b + kValues / 16);
  to[1] = RoundTo<Out>(kCb[0] * r + kCb[1] * g + kCb[2] * b + kValues / 2);
  to[2] = RoundTo<Out>(kCr[0] * r + kCr[1] * g + kCr[2] * b + kValues / 2);
}

template <typename In, typename Out>
void Convert(const SourcePixels& source, const In* from, std::int64_t count, OutputType type,
             Out* to) {
  const Rescale<In, Out> rescale;
  const auto channels = source.channels;
  switch (type) {
    case OutputType::kAny:
      for (std::int64_t i = 0; i < count * channels; ++i) to[i] = rescale(from[i]);
      return;
    case OutputType::kRgb:
      for (std::int64_t i = 0; i < count; ++i, from += channels, to += 3) {
        const auto p = Load(from, channels);
        to[0] = rescale(p.r), to[1] = rescale(p.g), to[2] = rescale(p.b);
      }
      return;
    case OutputType::kBgr:
      for (std::int64_t i = 0; i < count; ++i, from += channels, to += 3) {
        const auto p = Load(from, channels);
        to[0] = rescale(p.b), to[1] = rescale(p.g), to[2] = rescale(p.r);
      }
      return;
    case OutputType::kGray:
      for (std::int64_t i = 0; i < count; ++i, from += channels) {
        to[i] = rescale(channels >= 3 ? Gray(Load(from, channels), source.gray) : from[0]);
      }
      return;
    case OutputType::kYCbCr:
      for (std::int64_t i = 0; i < count; ++i, from += channels, to += 3) {
        StoreYCbCr(Load(from, channels), to);
      }
      return;
  }
}

template <typename Out>
void ConvertTo(const SourcePixels& source, const std::byte* from, std::int64_t count,
               OutputType type, std::byte* to) {
  auto* out = reinterpret_cast<Out*>(to);
  if (source.type == PixelType::kF32) {
    Convert(source, reinterpret_cast<const float*>(from), count, type, out);
  } else if (source.type == PixelType::kU16) {
    Convert(source, reinterpret_cast<const std::uint16_t*>(from), count, type, out);
  } else {
    Convert(source, reinterpret_cast<const std::uint8_t*>(from), count, type, out);
  }
}

}  // namespace

std::size_t ItemBytes(PixelType type) {
  switch (type) {
    case PixelType::kU8:
    case PixelType::kI8:
      return 1;
    case PixelType::kU16:
    case PixelType::kI16:
      return 2;
    default:
      return 4;
  }
}

void ConvertRow(const SourcePixels& source, const std::byte* from, std::int64_t count,
                OutputType type, PixelType out, std::byte* to) {
  if (IsCopy(source, type, out)) {
    std::memcpy(to, from, static_cast<std::size_t>(count * source.channels) * ItemBytes(out));
    return;
  }
  switch (out) {
    case PixelType::kU8:
      return ConvertTo<std::uint8_t>(source, from, count, type, to);
    case PixelType::kI8:
      return ConvertTo<std::int8_t>(source, from, count, type, to);
    case PixelType::kU16:
      return ConvertTo<std::uint16_t>(source, from, count, type, to);
    case PixelType::kI16:
      return ConvertTo<std::int16_t>(source, from, count, type, to);
    case PixelType::kU32:
      return ConvertTo<std::uint32_t>(source, from, count, type, to);
    case PixelType::kI32:
      return ConvertTo<std::int32_t>(source, from, count, type, to);
    case PixelType::kF32:
      return ConvertTo<float>(source, from, count, type, to);
  }
}

}  // namespace dynjax
