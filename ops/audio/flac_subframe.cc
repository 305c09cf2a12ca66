#include "audio/flac_subframe.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "audio/flac_predictor.h"
#include "audio/flac_residual.h"

namespace dynjax {
namespace {

// What the six bits of a subframe's type say; those of linear prediction give its order.
enum Type : std::uint32_t { kConstant = 0, kVerbatim = 1, kFixed = 8, kLinear = 32 };
constexpr std::uint32_t kMostFixedOrder = 4;

bool Fixed(int depth, std::size_t order, FlacBits* bits, std::span<std::int32_t> samples) {
  if (order >= samples.size()) return false;
  for (std::int32_t& sample : samples.first(order)) sample = bits->TakeSigned(depth);
  if (!DecodeFlacResidual(order, bits, samples)) return false;
  IntegrateFlac(static_cast<int>(order), samples);
  return true;
}

bool Linear(int depth, std::size_t order, FlacBits* bits, std::span<std::int32_t> samples) {
  if (order >= samples.size()) return false;
  for (std::int32_t& sample : samples.first(order)) sample = bits->TakeSigned(depth);
  const auto precision = static_cast<int>(bits->Take(4)) + 1;
  const std::int32_t shift = bits->TakeSigned(5);
  if (precision == 16 || shift < 0) return false;
  std::array<std::int32_t, kMostFlacCoefficients> room;
  const auto coefficients = std::span(room).first(order);
  for (std::int32_t& coefficient : coefficients) coefficient = bits->TakeSigned(precision);
  if (!DecodeFlacResidual(order, bits, samples)) return false;
  PredictFlac(coefficients, shift, samples);
  return true;
}

bool Decode(std::uint32_t type, int depth, FlacBits* bits, std::span<std::int32_t> samples) {
  if (type >= kLinear) return Linear(depth, type - kLinear + 1, bits, samples);
  if (type >= kFixed && type <= kFixed + kMostFixedOrder) {
    return Fixed(depth, type - kFixed, bits, samples);
  }
  if (type == kConstant) {
    std::fill(samples.begin(), samples.end(), bits->TakeSigned(depth));
  } else if (type == kVerbatim) {
    for (std::int32_t& sample : samples) sample = bits->TakeSigned(depth);
  }
  return type <= kVerbatim;
}

}  // namespace

bool DecodeFlacSubframe(int depth, FlacBits* bits, std::span<std::int32_t> samples) {
  if (bits->Take(1) != 0) return false;
  const std::uint32_t type = bits->Take(6);
  // Low bits that are zero in all samples are left out of them.
  const std::uint32_t wasted = bits->Take(1) != 0 ? bits->TakeUnary() + 1 : 0;
  if (wasted >= static_cast<std::uint32_t>(depth) || bits->overrun()) return false;
  if (!Decode(type, depth - static_cast<int>(wasted), bits, samples)) return false;
  if (wasted != 0) {
    for (std::int32_t& x : samples) {
      x = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << wasted);
    }
  }
  return true;
}

}  // namespace dynjax
