// Fuzz target of CropMirrorNormalize and Standardize: nothing outside the arrays is touched, and
// the first gives the same bits on all targets.
#include "base/fuzz_input.h"
#include "normalise/crop_mirror_normalize.h"
#include "normalise/standardize.h"

namespace dynjax {
namespace {

void RunWindow(FuzzInput& input) {
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto out_type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const int rank = input.Between(2, 4);
  std::vector<int> perm;
  std::vector<std::int32_t> extent, anchor, window, out_extent;
  const int channel_axis = input.Between(-1, rank - 1);
  int mirror_axis = input.Between(-1, rank - 1);
  if (mirror_axis == channel_axis) mirror_axis = -1;
  for (int a = 0; a < rank; ++a) {
    const bool is_channel = a == channel_axis;
    extent.push_back(input.Between(1, is_channel ? 5 : rank > 3 ? 7 : 40));
    anchor.push_back(is_channel ? 0 : input.Between(-9, 45));
    window.push_back(is_channel ? extent.back() + input.Between(0, 2) : input.Between(1, 45));
    perm.insert(perm.begin() + input.Between(0, a), a);
  }
  for (const int axis : perm) out_extent.push_back(window[static_cast<std::size_t>(axis)]);
  const std::size_t channels =
      channel_axis < 0 ? 1
                       : static_cast<std::size_t>(extent[static_cast<std::size_t>(channel_axis)]);
  const std::size_t out_channels =
      channel_axis < 0 ? 1
                       : static_cast<std::size_t>(window[static_cast<std::size_t>(channel_axis)]);
  const auto fill = input.Numbers(out_channels), mean = input.Numbers(channels),
             mul = input.Numbers(channels);
  const NormalizeLayout layout{perm, channel_axis, mirror_axis, input.Number(), fill};
  const NormalizeWindow own{anchor, input.Bit(), mean, mul};
  auto elements = input.Elements(VolumeOf(extent) * Bytes(type));
  const auto strides = DenseStrides(extent), out_strides = DenseStrides(out_extent);
  ForBothTargets(
      VolumeOf(out_extent) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        CropMirrorNormalize({elements.data(), type, extent, strides},
                            {out, out_type, out_extent, out_strides}, layout, own, target);
      },
      [&](const auto& a, const auto& b) { PromiseSame(a, b, out_type); });
}

void RunStatistics(FuzzInput& input) {
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto out_type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const std::int32_t kept = input.Of({1, 3, 2, 16, 767, 768, 769, 1600});
  const Folded extent{input.Between(0, 4), input.Between(0, kept > 16 ? 20 : 300), kept};
  const auto results = static_cast<std::size_t>(extent.lead * extent.kept);
  std::vector<float> mean, deviation;
  if (input.Bit()) mean = input.Tames(input.Bit() ? 1 : results);
  if (input.Bit()) deviation = input.Tames(input.Bit() ? 1 : results);
  const Standardization parameters{mean,           deviation,      input.Number(),
                                   input.Number(), input.Number(), input.Number()};
  const std::size_t count = results * static_cast<std::size_t>(extent.reduced);
  const auto elements = input.Elements(count * Bytes(type));
  ForBothTargets(
      count * Bytes(out_type),
      [&](std::byte* out, Target target) {
        Standardize(elements.data(), type, extent, parameters, out_type, out, target);
      },
      [](const auto&, const auto&) {});
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::FuzzInput input(data, size);
  if (input.Bit()) {
    dynjax::RunWindow(input);
  } else {
    dynjax::RunStatistics(input);
  }
  return 0;
}
