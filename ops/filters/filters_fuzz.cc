// Fuzz target of the filters: nothing outside the arrays is touched, and bytes come out alike on
// all targets.
#include "base/fuzz_input.h"
#include "filters/correlate.h"
#include "filters/separable.h"

namespace dynjax {
namespace {

// Weights whose sums stay small enough for two orders of summation to agree.
std::vector<float> Weights(FuzzInput& input, std::size_t count) {
  auto weights = input.Tames(count);
  for (auto& w : weights) w /= 128 * static_cast<float>(count);
  return weights;
}

void RunCorrelation(FuzzInput& input) {
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto out_type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const std::int64_t height = input.Between(1, 20), width = input.Between(1, 40);
  const std::int64_t inner = input.Between(1, 4), step = width * inner + input.Between(0, 3);
  CorrelationWindow window{.rows = input.Between(1, 7), .columns = input.Between(1, 9)};
  const auto weights = Weights(input, static_cast<std::size_t>(window.rows * window.columns));
  window.weights = weights.data();
  window.step = window.columns;
  window.anchor_y = input.Between(0, static_cast<std::int32_t>(window.rows) - 1);
  window.anchor_x = input.Between(0, static_cast<std::int32_t>(window.columns) - 1);
  window.border = static_cast<Border>(input.Between(0, kBorders - 1));
  window.fill = input.Number();
  const std::int64_t out_height = input.Bit() ? height : input.Between(1, static_cast<int>(height));
  const std::int64_t out_width = input.Bit() ? width : input.Between(1, static_cast<int>(width));
  const auto elements =
      input.Elements(static_cast<std::size_t>((height - 1) * step + width * inner) * Bytes(type));
  ForBothTargets(
      static_cast<std::size_t>(out_height * out_width * inner) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        Correlate({elements.data(), type, height, width, inner, step}, window, out_height,
                  out_width, out, out_type, out_width * inner, target);
      },
      [&](const auto& a, const auto& b) {
        if (type == Pixel::kU8 && out_type == Pixel::kU8) PromiseClose(a, b);
      });
}

void RunSeparable(FuzzInput& input) {
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto out_type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  SeparableWindows windows{.terms = input.Between(1, 3),
                           .axes = input.Between(1, 3),
                           .width = 2 * input.Between(0, 8) + 1};
  FilterGrid grid;
  for (int a = 3 - windows.axes; a < 3; ++a) {
    grid.extent[static_cast<std::size_t>(a)] = input.Between(1, a == 0 ? 4 : 30);
  }
  grid.inner = input.Between(1, 4);
  const auto weights =
      Weights(input, static_cast<std::size_t>(windows.terms * windows.axes * windows.width));
  windows.weights = weights.data();
  const std::int64_t row = grid.extent[2] * grid.inner, slice = row * grid.extent[1];
  const auto count = static_cast<std::size_t>(slice * grid.extent[0]);
  const auto elements = input.Elements(count * Bytes(type));
  ForBothTargets(
      count * Bytes(out_type),
      [&](std::byte* out, Target target) {
        FilterSeparably(grid, {elements.data(), type, {slice, row}}, windows, out, out_type,
                        {slice, row}, target);
      },
      [&](const auto& a, const auto& b) {
        if (type == Pixel::kU8 && out_type == Pixel::kU8) PromiseClose(a, b);
      });
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::FuzzInput input(data, size);
  if (input.Bit()) {
    dynjax::RunCorrelation(input);
  } else {
    dynjax::RunSeparable(input);
  }
  return 0;
}
