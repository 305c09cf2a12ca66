// Fuzz target of the filters: nothing outside the arrays is touched, and bytes come out alike on
// all targets. Medians and extremes are also what sorting each window gives.
#include <algorithm>
#include <limits>

#include "base/fuzz_input.h"
#include "filters/correlate.h"
#include "filters/extremes.h"
#include "filters/median.h"
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

struct Plane {
  std::vector<std::byte> elements;
  PlaneView view;

  Plane(FuzzInput& input, Pixel type) {
    view = {.type = type, .height = input.Between(1, 20), .width = input.Between(1, 40)};
    view.inner = input.Between(1, 4);
    view.step = view.width * view.inner + input.Between(0, 3);
    const auto count = static_cast<std::size_t>((view.height - 1) * view.step + Row());
    elements = input.Elements(count * Bytes(type));
    view.data = elements.data();
  }

  std::int64_t Row() const { return view.width * view.inner; }
  // As a number of the same order; NaN as any NaN.
  double At(const void* data, std::int64_t index) const {
    const auto at = [&]<typename T>(T) {
      T value;
      std::memcpy(&value, static_cast<const T*>(data) + index, sizeof(T));
      return static_cast<double>(value);
    };
    switch (view.type) {
      case Pixel::kU8:
        return at(std::uint8_t{});
      case Pixel::kI8:
        return at(std::int8_t{});
      case Pixel::kU16:
        return at(std::uint16_t{});
      case Pixel::kI16:
        return at(std::int16_t{});
      case Pixel::kU32:
        return at(std::uint32_t{});
      case Pixel::kI32:
        return at(std::int32_t{});
      default:
        return at(float{});
    }
  }
  // The values of channel `c` under a window whose first pixel is (y, x); NaN where there are none.
  std::vector<double> Window(std::int64_t y, std::int64_t x, std::int64_t rows,
                             std::int64_t columns, std::int64_t c, Border border,
                             double outside) const {
    std::vector<double> values;
    for (std::int64_t i = y; i < y + rows; ++i) {
      for (std::int64_t j = x; j < x + columns; ++j) {
        const auto v = BorderIndex(i, view.height, border), u = BorderIndex(j, view.width, border);
        const bool is_outside = v < 0 || u < 0;
        values.push_back(is_outside ? outside : At(view.data, v * view.step + u * view.inner + c));
      }
    }
    return values;
  }

  // `run` for both targets, `wanted(y, x, channel)` being every element of the result.
  template <typename Run, typename Wanted>
  void Check(const Run& run, const Wanted& wanted) const {
    const auto bytes = static_cast<std::size_t>(view.height * Row()) * Bytes(view.type);
    ForBothTargets(
        bytes, [&](std::byte* out, Target target) { run(out, Row(), target); },
        [&](const auto& a, const auto& b) {
          PromiseSame(a, b, view.type);
          for (std::int64_t k = 0; k < view.height * Row(); ++k) {
            const std::int64_t pixel = k / view.inner;
            const double value = At(a.data(), k);
            const double own = wanted(pixel / view.width, pixel % view.width, k % view.inner);
            Promise(std::isnan(own) ? std::isnan(value)
                                    : value == own && std::signbit(value) == std::signbit(own));
          }
        });
  }
};

void RunMedian(FuzzInput& input) {
  const auto type = input.Of({Pixel::kU8, Pixel::kU8, Pixel::kI8, Pixel::kU16, Pixel::kI16,
                              Pixel::kU32, Pixel::kI32, Pixel::kF32});
  MedianWindow window{.rows = input.Between(1, 12), .columns = input.Between(1, 12)};
  if (input.Bit()) window.rows = window.columns = input.Of<std::int64_t>({3, 5, 7});
  window.anchor_y = window.rows / 2;
  window.anchor_x = window.columns / 2;
  window.rank = window.rows * window.columns / 2;
  if (input.Byte() % 4 == 0) {
    window.anchor_y = input.Between(0, 15);
    window.rank = input.Between(0, static_cast<std::int32_t>(window.rows * window.columns) - 1);
  }
  const Plane plane(input, type);
  plane.Check([&](std::byte* out, std::int64_t step,
                  Target target) { Median(plane.view, window, out, step, target); },
              [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                auto values = plane.Window(y - window.anchor_y, x - window.anchor_x, window.rows,
                                           window.columns, c, Border::kClamp, 0);
                std::stable_sort(values.begin(), values.end(), [](double a, double b) {
                  return std::isnan(b) ? !std::isnan(a) : a < b;
                });
                return values[static_cast<std::size_t>(window.rank)];
              });
}

void RunExtremes(FuzzInput& input) {
  const auto type = input.Of({Pixel::kU8, Pixel::kU16, Pixel::kF32});
  const std::int32_t longest = input.Of({3, 9, 90});
  ExtremesWindow window{.rows = input.Between(0, longest), .columns = input.Between(0, longest)};
  window.anchor_y = input.Between(0, static_cast<std::int32_t>(window.rows));
  window.anchor_x = input.Between(0, static_cast<std::int32_t>(window.columns));
  window.border = static_cast<Border>(input.Between(0, kBorders - 1));
  window.largest = input.Bit();
  const std::int64_t iterations = longest > 9 ? 1 : input.Between(0, 3);
  const Plane plane(input, type);
  const double infinity = std::numeric_limits<double>::infinity();
  const double outside = window.largest ? -infinity : infinity;
  const double highest = type == Pixel::kU8 ? 255 : type == Pixel::kU16 ? 65535 : infinity;
  // One pass after another, all of a window at once.
  std::vector<double> before, after;
  for (std::int64_t k = 0; k < plane.view.height * plane.Row(); ++k) {
    after.push_back(plane.At(plane.view.data, k / plane.Row() * plane.view.step + k % plane.Row()));
  }
  for (std::int64_t pass = 0; pass < iterations; ++pass) {
    before = after;
    for (std::int64_t k = 0; k < plane.view.height * plane.Row(); ++k) {
      const std::int64_t pixel = k / plane.view.inner, c = k % plane.view.inner;
      double found = outside;
      for (std::int64_t i = 0; i < window.rows; ++i) {
        for (std::int64_t j = 0; j < window.columns; ++j) {
          const auto v = BorderIndex(pixel / plane.view.width + i - window.anchor_y,
                                     plane.view.height, window.border);
          const auto u = BorderIndex(pixel % plane.view.width + j - window.anchor_x,
                                     plane.view.width, window.border);
          if (v < 0 || u < 0) continue;
          const double value =
              before[static_cast<std::size_t>(v * plane.Row() + u * plane.view.inner + c)];
          const bool is_behind = value == found && std::signbit(value) != window.largest &&
                                 std::signbit(found) == window.largest;
          if (std::isnan(value) || is_behind || (window.largest ? value > found : value < found)) {
            found = value;
          }
          if (std::isnan(found)) i = window.rows, j = window.columns;
        }
      }
      after[static_cast<std::size_t>(k)] =
          std::isnan(found) || type == Pixel::kF32 ? found : std::clamp(found, 0.0, highest);
    }
  }
  plane.Check([&](std::byte* out, std::int64_t step,
                  Target target) { Extremes(plane.view, window, iterations, out, step, target); },
              [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                return after[static_cast<std::size_t>(y * plane.Row() + x * plane.view.inner + c)];
              });
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::FuzzInput input(data, size);
  switch (input.Byte() % 4) {
    case 0:
      dynjax::RunSeparable(input);
      break;
    case 1:
      dynjax::RunCorrelation(input);
      break;
    case 2:
      dynjax::RunMedian(input);
      break;
    default:
      dynjax::RunExtremes(input);
  }
  return 0;
}
