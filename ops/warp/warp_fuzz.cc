// Fuzz target of the warps: whatever the maps say, nothing outside the pictures is touched, and
// bytes come out alike on all targets.
#include "base/fuzz_input.h"
#include "warp/fields.h"
#include "warp/warp.h"

namespace dynjax {
namespace {

using Extent = std::array<std::int32_t, 3>;

std::array<std::int64_t, 3> Strides(const Extent& extent, int channels, int spare) {
  const std::int64_t row = std::int64_t{extent[2] + spare} * channels;
  return {extent[1] * row, row, channels};
}

std::size_t Length(const Extent& extent, const std::array<std::int64_t, 3>& strides, int channels) {
  return static_cast<std::size_t>((extent[0] - 1) * strides[0] + (extent[1] - 1) * strides[1] +
                                  std::int64_t{extent[2]} * channels);
}

void Run(FuzzInput& input) {
  const Pixel type =
      input.Of({Pixel::kU8, Pixel::kU8, Pixel::kU16, Pixel::kI16, Pixel::kI32, Pixel::kF32});
  const Pixel out_type = input.Bit() ? type : Pixel::kF32;
  const int channels = input.Of({1, 3, 3, 2, 4});
  const int kind = input.Between(0, 5);  // 0 to 3: matrices
  const int d = kind == 3 ? 3 : 2;
  const Extent from{d == 3 ? input.Between(1, 4) : 1, input.Between(1, 40), input.Between(1, 40)};
  Extent to{d == 3 ? input.Between(1, 3) : 1, input.Between(1, 20), input.Between(1, 60)};
  if (kind > 3) to = from;
  const auto strides = Strides(from, channels, input.Between(0, 3));
  const auto out_strides = Strides(to, channels, input.Between(0, 3));
  const auto fill = input.Tames(input.Bit() ? 1 : static_cast<std::size_t>(channels));
  Sampling sampling{static_cast<Interpolation>(input.Between(0, kind > 3 ? 1 : 2)),
                    static_cast<Edge>(kind > 3 ? 4 : input.Between(0, kEdges - 1)), fill};
  const bool perspective = kind == 2;
  const bool is_wild = input.Bit();
  std::vector<float> entries;
  for (std::int64_t k = 0; k < EntriesOf(d, perspective); ++k) {
    const bool diagonal = k % (d + 2) == 0;
    entries.push_back(is_wild ? input.Number() : input.Tame() / 64 + (diagonal ? 1.0f : 0.0f));
  }
  const Waves waves{input.Number(), input.Number(), input.Number(),
                    input.Number(), input.Number(), input.Number()};
  const auto elements = input.Elements(Length(from, strides, channels) * Bytes(type));
  const Picture picture{elements.data(), type, from, strides, channels};
  ForBothTargets(
      Length(to, out_strides, channels) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        const Canvas canvas{out, out_type, to, out_strides};
        if (kind == 4) return Water(picture, canvas, waves, sampling);
        if (kind == 5) return Sphere(picture, canvas, sampling);
        Warp(picture, canvas, {entries, d, perspective}, sampling, target);
      },
      [&](const auto& a, const auto& b) {
        if (out_type == Pixel::kU8) PromiseClose(a, b);
      });
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::FuzzInput input(data, size);
  dynjax::Run(input);
  return 0;
}
