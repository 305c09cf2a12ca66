// Fuzz target of Resample: nothing outside the arrays is touched, and bytes come out alike on all
// targets.
#include "base/fuzz_input.h"
#include "resize/resample.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const Pixel out_type = input.Bit() ? type : Pixel::kF32;
  const int rank = input.Between(1, 4);
  std::vector<std::int32_t> extent, out_extent;
  std::vector<int> axes;
  std::vector<ResampleAxis> windows;
  for (int a = 0; a < rank; ++a) {
    extent.push_back(input.Between(1, a < 2 ? 40 : 6));
    out_extent.push_back(extent.back());
    if (axes.size() < kMaxResampleAxes && input.Bit()) {
      out_extent.back() = input.Between(1, a < 2 ? 40 : 6);
      axes.push_back(a);
      ResampleAxis window{.in = extent.back(), .out = out_extent.back()};
      window.lo = input.Tame() / 2;
      window.hi = input.Bit() ? window.lo + input.Tame() : static_cast<float>(window.in);
      window.filter = static_cast<Filter>(input.Between(0, kFilters - 1));
      window.antialias = input.Bit();
      window.border = static_cast<Border>(input.Between(0, 1));
      window.innermost = false;
      windows.push_back(window);
    }
  }
  if (axes.empty()) return 0;
  windows.back().innermost = true;
  auto elements = input.Elements(VolumeOf(extent) * Bytes(type));
  const auto strides = DenseStrides(extent), out_strides = DenseStrides(out_extent);
  ForBothTargets(
      VolumeOf(out_extent) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        const StridedView source{elements.data(), type, extent, strides};
        const StridedView result{out, out_type, out_extent, out_strides};
        Promise(Resample(source, result, axes, windows, target).ok());
      },
      [&](const auto& a, const auto& b) {
        if (out_type == Pixel::kU8) PromiseClose(a, b);
      });
  return 0;
}
