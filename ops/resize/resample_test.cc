// Resample against the definition, evaluated in double without sharing code with it.

#include "resize/resample.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "base/scalar_convert.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what, double detail = 0) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s (%g)\n", what, detail);
  ++failures;
}

// Resample where there is memory enough.
void Run(const StridedView& source, const StridedView& target, std::span<const int> axes,
         std::span<const ResampleAxis> window, Target instructions = BestTarget()) {
  const Status status = Resample(source, target, axes, window, instructions);
  Check(status.ok(), "memory for a small sample");
}

std::vector<Target> Targets() {
  std::vector<Target> targets{Target::kScalar};
  if (BestTarget() != Target::kScalar) targets.push_back(BestTarget());
  return targets;
}

// A dense array.
template <typename T>
struct Array {
  explicit Array(std::vector<std::int32_t> shape) : extent(std::move(shape)) {
    strides.resize(extent.size());
    std::int64_t step = 1;
    for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) strides[a] = step;
    values.resize(static_cast<std::size_t>(step));
  }
  StridedView view(Pixel type) {
    return {reinterpret_cast<std::byte*>(values.data()), type, extent, strides};
  }
  std::vector<std::int32_t> extent;
  std::vector<std::int64_t> strides;
  std::vector<T> values;
};

double Kernel(Filter filter, double t) {
  const double a = std::abs(t);
  const auto sinc = [](double x) {
    return x == 0 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
  };
  switch (filter) {
    case Filter::kCubic:
      if (a < 1) return 1.5 * a * a * a - 2.5 * a * a + 1;
      return a < 2 ? -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2 : 0;
    case Filter::kLanczos3:
      return a < 3 ? sinc(t) * sinc(t / 3) : 0;
    case Filter::kGaussian:
      return a < 1 - 1e-9 ? std::exp(-4 * t * t) : 0;
    default:
      return std::max(0.0, 1 - a);
  }
}

// Row o holds the weights of output o; nearest neighbour is tested by recorded values instead.
std::vector<std::vector<double>> Matrix(const ResampleAxis& axis) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(axis.out),
                                        std::vector<double>(static_cast<std::size_t>(axis.in)));
  const double scale = (static_cast<double>(axis.hi) - axis.lo) / axis.out;
  const double stretch = axis.antialias ? std::max(1.0, std::abs(scale)) : 1.0;
  for (int o = 0; o < axis.out; ++o) {
    const double center = axis.lo + (o + 0.5) * scale - 0.5;
    double total = 0;
    std::vector<double>& row = rows[static_cast<std::size_t>(o)];
    for (int i = -400; i < axis.in + 400; ++i) {
      const double w = Kernel(axis.filter, (i - center) / stretch);
      if (axis.border == Border::kRenormalize && (i < 0 || i >= axis.in)) continue;
      row[static_cast<std::size_t>(std::clamp(i, 0, axis.in - 1))] += w;
      total += w;
    }
    for (double& w : row) w /= total;
  }
  return rows;
}

// `data` seen as [outer, axis.in, inner].
std::vector<double> Along(const std::vector<double>& data, const ResampleAxis& axis,
                          std::size_t inner) {
  const auto matrix = Matrix(axis);
  const auto in = static_cast<std::size_t>(axis.in), out = matrix.size();
  const std::size_t outer = data.size() / (in * inner);
  std::vector<double> result(outer * out * inner);
  for (std::size_t p = 0; p < outer; ++p) {
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < in; ++i) {
        for (std::size_t c = 0; c < inner; ++c) {
          result[(p * out + o) * inner + c] += matrix[o][i] * data[(p * in + i) * inner + c];
        }
      }
    }
  }
  return result;
}

template <typename From, typename To>
void CompareOne(std::mt19937& random, std::vector<std::int32_t> shape, const std::vector<int>& axes,
                Filter filter, bool antialias, Border border, Pixel from, Pixel to) {
  Array<From> source(shape);
  std::uniform_real_distribution<float> value(
      std::is_signed_v<From> ? -90.0f : 0.0f,
      std::is_same_v<From, std::uint16_t> ? 65535.f : 127.f);
  for (auto& v : source.values) v = static_cast<From>(value(random));
  std::vector<double> exact(source.values.begin(), source.values.end());
  std::vector<ResampleAxis> window;
  for (const int a : axes) {
    auto& extent = shape[static_cast<std::size_t>(a)];
    const auto in = static_cast<float>(extent);
    ResampleAxis axis{.in = extent,
                      .out = std::uniform_int_distribution<int>(1, 2 * extent)(random),
                      .lo = 0,
                      .hi = in,
                      .filter = filter,
                      .antialias = antialias,
                      .border = border};
    std::uniform_real_distribution<float> inside(0, in / 3);
    if (random() % 2 == 0) axis.lo = inside(random), axis.hi = in - inside(random);
    if (random() % 3 == 0) std::swap(axis.lo, axis.hi);
    extent = axis.out;
    std::size_t inner = 1;
    for (std::size_t b = static_cast<std::size_t>(a) + 1; b < shape.size(); ++b) {
      inner *= static_cast<std::size_t>(shape[b]);
    }
    exact = Along(exact, axis, inner);
    window.push_back(axis);
  }
  // Half a count for rounding; what is above it is the float32 sums' own error.
  const double tolerance = std::is_integral_v<To> ? 0.5 + 1e-6 * value.b() : 1e-6 * value.b();
  std::vector<To> first;
  for (const Target instructions : Targets()) {
    Array<To> target(shape);
    Run(source.view(from), target.view(to), axes, window, instructions);
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      double want = exact[i];
      if constexpr (std::is_integral_v<To>) {
        want = std::clamp<double>(want, std::numeric_limits<To>::min(),
                                  std::numeric_limits<To>::max());
      }
      worst = std::max(worst, std::abs(want - static_cast<double>(target.values[i])));
    }
    Check(worst <= tolerance, "definition", worst);
    if (first.empty()) first = target.values;
    Check(std::memcmp(first.data(), target.values.data(), first.size() * sizeof(To)) == 0,
          "targets agree to the bit");
  }
}

void TestDefinition() {
  std::mt19937 random(7);
  const std::vector<std::pair<std::vector<std::int32_t>, std::vector<int>>> cases{
      {{23, 31, 3}, {0, 1}},     {{23, 31, 1}, {0, 1}},
      {{19, 40, 4}, {0, 1}},     {{9, 12, 11}, {0, 1}},
      {{3, 17, 22}, {1, 2}},     {{2, 9, 14, 3}, {1, 2}},
      {{7, 9, 8, 2}, {0, 1, 2}}, {{1, 29, 2}, {1}},
      {{6, 3, 10}, {0, 2}},      {{50}, {0}},
      {{8, 9, 10}, {1}}};
  for (const auto& [shape, axes] : cases) {
    for (const Filter filter : {Filter::kLinear, Filter::kCubic, Filter::kLanczos3,
                                Filter::kTriangular, Filter::kGaussian}) {
      for (const bool antialias : {true, false}) {
        for (const Border border : {Border::kClamp, Border::kRenormalize}) {
          CompareOne<std::uint8_t, std::uint8_t>(random, shape, axes, filter, antialias, border,
                                                 Pixel::kU8, Pixel::kU8);
          CompareOne<std::uint8_t, float>(random, shape, axes, filter, antialias, border,
                                          Pixel::kU8, Pixel::kF32);
          CompareOne<std::int16_t, std::int16_t>(random, shape, axes, filter, antialias, border,
                                                 Pixel::kI16, Pixel::kI16);
          CompareOne<std::uint16_t, std::uint16_t>(random, shape, axes, filter, antialias, border,
                                                   Pixel::kU16, Pixel::kU16);
          CompareOne<float, float>(random, shape, axes, filter, antialias, border, Pixel::kF32,
                                   Pixel::kF32);
        }
      }
    }
  }
}

std::vector<float> Row(std::vector<float> in, int out, ResampleAxis axis) {
  Array<float> source({static_cast<std::int32_t>(in.size())}), target({out});
  source.values = std::move(in);
  axis.in = source.extent[0];
  axis.out = out;
  if (axis.lo == 0 && axis.hi == 1) axis.hi = static_cast<float>(axis.in);
  const int axes[] = {0};
  Run(source.view(Pixel::kF32), target.view(Pixel::kF32), axes, {&axis, 1});
  return target.values;
}

// The table that users are promised.
void TestPromisedValues() {
  const std::vector<float> ramp{0, 32, 64, 96, 128, 160, 192, 224};
  const auto near = [&](int out, ResampleAxis axis, std::vector<float> want) {
    const auto got = Row(ramp, out, axis);
    for (std::size_t i = 0; i < want.size(); ++i) {
      Check(std::abs(got[i] - want[i]) < 1e-3, "promised values", got[i]);
    }
  };
  near(3, {}, {31.256f, 112, 192.744f});
  near(4, {}, {20, 80, 144, 204});
  near(5, {}, {11.52f, 61.630f, 112, 162.370f, 212.48f});
  near(3, {.border = Border::kRenormalize}, {35.368f, 112, 188.632f});
  near(4, {.border = Border::kRenormalize}, {22.857f, 80, 144, 201.143f});
  near(3, {.antialias = false}, {26.667f, 112, 197.333f});
  near(8, {.lo = 2, .hi = 6}, {48 + 8, 72, 88, 104, 120, 136, 152, 168});
}

// Positions on the border of two pixels, as the original resolves them.
void TestNearestTies() {
  std::vector<float> ramp(30);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<float>(i);
  ResampleAxis axis{.filter = Filter::kNearest};
  Check(Row(ramp, 41, axis)[20] == 15, "nearest, innermost axis");
  Check(Row(ramp, 60, axis)[59] == 29, "nearest, last pixel");
  axis.lo = 30, axis.hi = 0;
  Check(Row(ramp, 30, axis)[0] == 29, "nearest, mirrored");
}

void TestNothingChanges() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (std::int32_t f = 0; f < kFilters; ++f) {
    const ResampleAxis axis{.filter = static_cast<Filter>(f)};
    const std::vector<float> in{1.5f, -2, 3e30f, 4, 5};
    Check(Row(in, 5, axis) == in, "an axis that keeps its size is copied", f);
    if (f == 0) continue;
    // Only outputs whose taps reach it see a NaN.
    const auto out = Row({kNan, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 20, axis);
    Check(std::abs(out[12] - 1) < 1e-6f && std::abs(out[19] - 1) < 1e-6f, "NaN stays local", f);
  }
  // 32-bit integers beyond float32, where pixels are only moved.
  Array<std::int32_t> source({3, 2}), target({6, 2});
  source.values = {2147483647, -2147483647, 16777217, 5, 6, 7};
  const int axes[] = {0};
  const ResampleAxis twice{.in = 3, .out = 6, .lo = 0, .hi = 3, .filter = Filter::kNearest};
  Run(source.view(Pixel::kI32), target.view(Pixel::kI32), axes, {&twice, 1});
  Check(target.values[2] == 2147483647 && target.values[4] == 16777217, "exact copies");
}

// Pixels of every size are moved whole, and none beyond the last is touched.
void TestNearestPixels() {
  for (const std::int32_t channels : {1, 2, 3, 4, 5, 6}) {
    Array<std::uint8_t> source({2, 5, channels}), target({2, 10, channels});
    for (std::size_t i = 0; i < source.values.size(); ++i) {
      source.values[i] = static_cast<std::uint8_t>(7 * i + 1);
    }
    // A sanitizer sees an overrun past the end of this; the guard shows one into what follows.
    target.values.resize(target.values.size() + 1, 99);
    const int axes[] = {0, 1};
    const ResampleAxis window[] = {
        {.in = 2, .out = 2, .lo = 0, .hi = 2, .filter = Filter::kNearest},
        {.in = 5, .out = 10, .lo = 5, .hi = 0, .filter = Filter::kNearest}};
    Run(source.view(Pixel::kU8), target.view(Pixel::kU8), axes, window);
    const auto c = static_cast<std::size_t>(channels);
    for (std::size_t i = 0; i + 1 < target.values.size(); ++i) {
      const std::size_t y = i / (10 * c), x = 4 - i / c % 10 / 2;
      Check(target.values[i] == source.values[(y * 5 + x) * c + i % c], "nearest pixels", channels);
    }
    Check(target.values.back() == 99, "nearest overruns", channels);
  }
}

// A sample in the corner of a larger slot, on both sides.
void TestSlots() {
  Array<std::uint8_t> source({5, 6, 3}), want({4, 9, 3}), slot({8, 8, 4}), out({7, 10, 5});
  std::mt19937 random(3);
  for (std::size_t i = 0; i < source.values.size(); ++i) {
    source.values[i] = static_cast<std::uint8_t>(random());
    slot.values[(i / 18) * 32 + (i % 18) / 3 * 4 + i % 3] = source.values[i];
  }
  const std::vector<int> axes{0, 1};
  const std::vector<ResampleAxis> window{{.in = 5, .out = 4, .lo = 0, .hi = 5},
                                         {.in = 6, .out = 9, .lo = 0, .hi = 6}};
  Run(source.view(Pixel::kU8), want.view(Pixel::kU8), axes, window);
  StridedView from = slot.view(Pixel::kU8), to = out.view(Pixel::kU8);
  from.extent = source.extent;
  to.extent = want.extent;
  Run(from, to, axes, window);
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    Check(out.values[(i / 27) * 50 + (i % 27) / 3 * 5 + i % 3] == want.values[i], "slots");
  }
  Check(out.values[3] == 0, "nothing is written outside the extent");
}

// Weights that no machine holds are refused, not taken.
void TestNoMemory() {
  constexpr std::int32_t kHuge = std::numeric_limits<std::int32_t>::max();
  const ResampleAxis axis{
      .in = kHuge, .out = kHuge, .lo = 0, .hi = 1e18f, .filter = Filter::kLanczos3};
  Check(TapsFor(axis, true) == nullptr, "weights beyond any memory");
  const std::int32_t extent[] = {kHuge};
  const std::int64_t strides[] = {1};
  const StridedView view{nullptr, Pixel::kU8, extent, strides};
  const int axes[] = {0};
  Check(Resample(view, view, axes, {&axis, 1}).code() == StatusCode::kTooLarge,
        "a sample beyond any memory");
}

void TestHalf() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const Half back = FloatToHalf(HalfToFloat(half));
    const bool nan = (bits & 0x7fff) > 0x7c00;
    Check(back.bits == half.bits || (nan && (back.bits & 0x7fff) > 0x7c00), "float16", bits);
  }
  Check(FloatToHalf(65519.9f).bits == 0x7bff && FloatToHalf(65520.0f).bits == 0x7c00,
        "float16 overflow");
  Check(FloatToHalf(0x1.002p0f).bits == 0x3c00 && FloatToHalf(0x1.006p0f).bits == 0x3c02,
        "float16 ties to even");
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestDefinition();
  dynjax::TestPromisedValues();
  dynjax::TestNearestTies();
  dynjax::TestNothingChanges();
  dynjax::TestNearestPixels();
  dynjax::TestSlots();
  dynjax::TestHalf();
  dynjax::TestNoMemory();
  if (dynjax::failures > 0) std::fprintf(stderr, "%d checks failed\n", dynjax::failures);
  return dynjax::failures == 0 ? 0 : 1;
}
