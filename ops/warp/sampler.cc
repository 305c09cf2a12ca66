#include "warp/sampler.h"

#include <type_traits>

#include "warp/grey_avx2.h"
#include "warp/sampler_avx2.h"
#include "warp/scalar_sampler.h"

namespace dynjax {
namespace {

template <typename T, typename Out, int kChannels>
void PictureRow(const Picture& picture, const Sampling& sampling, const Positions& at, Out* out,
                std::int64_t step) {
  if (sampling.interpolation == Interpolation::kLinear) {
    ScalarLinearRow<T, Out, kChannels>(picture, sampling, at, out, step);
  } else {
    ScalarNearestRow<T, Out, kChannels>(picture, sampling, at, out, step);
  }
}

template <typename T, typename Out>
void Row(const Picture& picture, const Sampling& sampling, const Positions& at, Out* out,
         std::int64_t step) {
  const bool simple = sampling.interpolation == Interpolation::kLinear ||
                      (sampling.interpolation == Interpolation::kNearest &&
                       (sampling.edge == Edge::kClamp || sampling.edge == Edge::kConstant));
  if (!at.z.empty() || !simple) {
    AnyRow<T>(picture, sampling, at, out, step);
  } else if (picture.channels == 1) {
    PictureRow<T, Out, 1>(picture, sampling, at, out, step);
  } else if (picture.channels == 3) {
    PictureRow<T, Out, 3>(picture, sampling, at, out, step);
  } else {
    PictureRow<T, Out, 0>(picture, sampling, at, out, step);
  }
}

template <typename T>
void RowOf(const Picture& picture, const Sampling& sampling, const Positions& at, Pixel target,
           std::byte* out, std::int64_t step) {
  if (target == Pixel::kF32) {
    Row<T>(picture, sampling, at, reinterpret_cast<float*>(out), step);
  } else {
    Row<T>(picture, sampling, at, reinterpret_cast<T*>(out), step);
  }
}

// Whether the row was one that AVX2 has a way of its own for.
bool RowByAvx2(const Picture& picture, const Sampling& sampling, const Positions& at, Pixel target,
               std::byte* out, std::int64_t step) {
  if (picture.type != Pixel::kU8 || target != Pixel::kU8 || !at.z.empty() ||
      picture.strides[2] != picture.channels || step != picture.channels) {
    return false;
  }
  auto* pixels = reinterpret_cast<std::uint8_t*>(out);
  if (picture.channels == 1) {
    return sampling.interpolation == Interpolation::kLinear &&
           (sampling.edge == Edge::kClamp || sampling.edge == Edge::kConstant) &&
           Avx2GreyRow(picture, sampling, at, pixels);
  }
  if (picture.channels != 3) return false;
  if (sampling.interpolation == Interpolation::kLinear) {
    return Avx2LinearRow(picture, sampling, at, pixels);
  }
  return sampling.interpolation == Interpolation::kNearest &&
         (sampling.edge == Edge::kClamp || sampling.edge == Edge::kConstant) &&
         Avx2NearestRow(picture, sampling, at, pixels);
}

}  // namespace

bool CanSample(Pixel source, Pixel target) {
  if (target != source && target != Pixel::kF32) return false;
  switch (source) {
    case Pixel::kU8:
    case Pixel::kU16:
    case Pixel::kI16:
    case Pixel::kI32:
    case Pixel::kF32:
      return true;
    default:
      return false;
  }
}

void SampleRow(const Picture& picture, const Sampling& sampling, const Positions& at, Pixel target,
               std::byte* out, std::int64_t step, Target instructions) {
  if (instructions == Target::kAvx2 && RowByAvx2(picture, sampling, at, target, out, step)) return;
  switch (picture.type) {
    case Pixel::kU8:
      return RowOf<std::uint8_t>(picture, sampling, at, target, out, step);
    case Pixel::kU16:
      return RowOf<std::uint16_t>(picture, sampling, at, target, out, step);
    case Pixel::kI16:
      return RowOf<std::int16_t>(picture, sampling, at, target, out, step);
    case Pixel::kI32:
      return RowOf<std::int32_t>(picture, sampling, at, target, out, step);
    case Pixel::kF32:
      return Row<float>(picture, sampling, at, reinterpret_cast<float*>(out), step);
    default:
      return;
  }
}

}  // namespace dynjax
