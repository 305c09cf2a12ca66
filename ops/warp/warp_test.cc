// Warp, Water, Sphere and Remap against their definitions, evaluated in double pixel by pixel.

#include "warp/warp.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "warp/fields.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what, double detail = 0) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s (%g)\n", what, detail);
  ++failures;
}

std::vector<Target> Targets() {
  std::vector<Target> targets{Target::kScalar};
  if (BestTarget() != Target::kScalar) targets.push_back(BestTarget());
  return targets;
}

using Extent = std::array<std::int32_t, 3>;
using Point = std::array<double, 3>;  // x, y, z

// A volume of floats beside the elements that a kernel sees; rows may be longer than the picture.
template <typename T>
struct Image {
  Image(Extent size, int channels, int spare, std::mt19937* random)
      : extent(size), channels(channels) {
    strides = {std::int64_t{size[1]} * (size[2] + spare) * channels,
               std::int64_t{size[2] + spare} * channels, channels};
    values.resize(static_cast<std::size_t>(size[0] * strides[0] - spare * channels));
    std::uniform_int_distribution<int> any(0, 255);
    if (random != nullptr) {
      for (auto& v : values) v = static_cast<T>(any(*random));
    }
  }
  Picture picture(Pixel type) const {
    return {reinterpret_cast<const std::byte*>(values.data()), type, extent, strides, channels};
  }
  Canvas canvas(Pixel type) {
    return {reinterpret_cast<std::byte*>(values.data()), type, extent, strides};
  }
  double at(int z, int y, int x, int c) const {
    return values[static_cast<std::size_t>(z * strides[0] + y * strides[1] + x * strides[2] + c)];
  }
  Extent extent;
  int channels;
  std::array<std::int64_t, 3> strides;
  std::vector<T> values;
};

int Moved(int i, int n, Edge edge) {
  if (edge == Edge::kWrap) return ((i % n) + n) % n;
  if (edge == Edge::kReflect1001) {
    while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
  }
  if (edge == Edge::kReflect101) {
    if (n == 1) return 0;
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i;
    return i;
  }
  return std::clamp(i, 0, n - 1);
}

double Weight(Interpolation kind, double t) {
  t = std::abs(t);
  if (kind == Interpolation::kLinear) return std::max(0.0, 1 - t);
  const double a = -0.75;
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
}

template <typename T>
double Read(const Image<T>& image, const Sampling& how, Point p, int c, bool volume) {
  const int reach = how.interpolation == Interpolation::kCubic ? 2 : 1;
  std::array<std::vector<std::pair<int, double>>, 3> taps;  // z, y, x
  for (int a = 0; a < 3; ++a) {
    const double at = p[static_cast<std::size_t>(2 - a)];
    auto& axis = taps[static_cast<std::size_t>(a)];
    if (a == 0 && !volume) {
      axis = {{0, 1.0}};
    } else if (how.interpolation == Interpolation::kNearest) {
      axis = {{static_cast<int>(std::floor(at)), 1.0}};
    } else {
      const int first = static_cast<int>(std::floor(at - 0.5)) - reach + 1;
      for (int i = first; i < first + 2 * reach; ++i) {
        axis.emplace_back(i, Weight(how.interpolation, at - 0.5 - i));
      }
    }
  }
  const double fill = how.fill[how.fill.size() > 1 ? static_cast<std::size_t>(c) : 0];
  double sum = 0;
  for (const auto& [z, wz] : taps[0]) {
    for (const auto& [y, wy] : taps[1]) {
      for (const auto& [x, wx] : taps[2]) {
        const std::array<int, 3> i{z, y, x};
        bool inside = true;
        std::array<int, 3> m{};
        for (std::size_t a = 0; a < 3; ++a) {
          inside = inside && i[a] >= 0 && i[a] < image.extent[a];
          m[a] = Moved(i[a], image.extent[a], how.edge);
        }
        const bool filled = how.edge == Edge::kConstant && !inside;
        sum += wz * wy * wx * (filled ? fill : image.at(m[0], m[1], m[2], c));
      }
    }
  }
  return sum;
}

// Whether float positions may fall on the other side of a pixel's edge.
bool NearEdge(Point p) {
  return std::any_of(p.begin(), p.end(),
                     [](double v) { return std::abs(v - std::round(v)) < 1e-3; });
}

template <typename T, typename Out>
void Compare(const Image<T>& source, const Image<Out>& result, const Sampling& how, bool volume,
             const std::function<Point(int, int, int)>& map, const char* what) {
  const double tolerance = std::is_same_v<Out, float> ? 0.05 : 0.55;
  for (int z = 0; z < result.extent[0]; ++z) {
    for (int y = 0; y < result.extent[1]; ++y) {
      for (int x = 0; x < result.extent[2]; ++x) {
        const Point p = map(x, y, z);
        if (how.interpolation == Interpolation::kNearest && NearEdge(p)) continue;
        for (int c = 0; c < result.channels; ++c) {
          double wanted = Read(source, how, p, c, volume);
          if (!std::is_same_v<Out, float>) {
            wanted = std::clamp(wanted, static_cast<double>(std::numeric_limits<Out>::min()),
                                static_cast<double>(std::numeric_limits<Out>::max()));
          }
          const double off = std::abs(result.at(z, y, x, c) - wanted);
          Check(off <= tolerance, what, off);
          if (off > tolerance) return;
        }
      }
    }
  }
}

Point Mapped(const std::vector<float>& m, int d, bool perspective, double x, double y, double z) {
  const auto row = [&](int r) {
    const float* e = m.data() + r * (d + 1);
    return e[0] * x + e[1] * y + (d == 3 ? e[2] * z : 0) + e[d];
  };
  Point p{row(0), row(1), d == 3 ? row(2) : 0.5};
  if (perspective) {
    for (int k = 0; k < d; ++k) p[static_cast<std::size_t>(k)] /= row(d);
  }
  return p;
}

template <typename T, typename Out>
void TestWarps(Pixel type, Pixel target) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> part(-1, 1);
  const std::vector<float> fills{17, 200, 90, 3};
  for (int round = 0; round < 400; ++round) {
    const int d = round % 5 == 4 ? 3 : 2;
    const int channels = 1 + round % 4;
    std::uniform_int_distribution<int> size(1, round % 3 ? 40 : 4);
    const Extent from{d == 3 ? size(random) : 1, size(random), size(random)};
    const Extent to{d == 3 ? 3 : 1, size(random), size(random)};
    const Image<T> source(from, channels, round % 2 * 3, &random);
    const bool perspective = d == 2 && round % 7 == 3;
    std::vector<float> m;
    for (int r = 0; r < d + (perspective ? 1 : 0); ++r) {
      for (int k = 0; k < d; ++k) m.push_back((r == k ? 1.0f : 0.0f) + 0.4f * part(random));
      m.push_back(6 * part(random));
    }
    if (perspective) {
      for (std::size_t k = 6; k < 9; ++k) m[k] = k == 8 ? 1.5f : 0.01f * m[k];
    }
    Sampling how;
    how.interpolation = static_cast<Interpolation>(round % 3);
    how.edge = static_cast<Edge>(round / 3 % 5);
    how.fill = {fills.data(), round % 2 ? 1u : static_cast<std::size_t>(channels)};
    for (const Target instructions : Targets()) {
      Image<Out> result(to, channels, round % 3, nullptr);
      Warp(source.picture(type), result.canvas(target), {m, d, perspective}, how, instructions);
      Compare<T, Out>(
          source, result, how, d == 3,
          [&](int x, int y, int z) { return Mapped(m, d, perspective, x + 0.5, y + 0.5, z + 0.5); },
          "warp");
    }
  }
}

// Grey pictures have a way of their own where AVX2 is: all widths up to some, borders on all sides,
// and fills that a byte does not hold.
void TestGreyPlanes() {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> part(-1, 1);
  for (int round = 0; round < 300; ++round) {
    std::uniform_int_distribution<int> size(1, round % 2 ? 6 : 34);
    const Image<std::uint8_t> source({1, size(random), size(random)}, 1, round % 3, &random);
    const float slope = round % 5 == 0 ? 0.0f : 0.8f;
    std::vector<float> m;
    for (int k = 0; k < 6; ++k) m.push_back((k % 4 == 0 ? 1.0f : 0.0f) + slope * part(random));
    m[2] += 0.3f * static_cast<float>(source.extent[2]) * part(random);
    m[5] += 0.3f * static_cast<float>(source.extent[1]) * part(random);
    const std::vector<float> fill{round % 3 ? 251.0f : round % 2 ? 99.5f : -40.0f};
    for (const Edge edge : {Edge::kClamp, Edge::kConstant}) {
      const Sampling how{Interpolation::kLinear, edge, fill};
      const Extent to{1, size(random), 1 + round % 35};
      for (const Target instructions : Targets()) {
        Image<std::uint8_t> result(to, 1, 5, nullptr);
        std::fill(result.values.begin(), result.values.end(), std::uint8_t{77});
        Warp(source.picture(Pixel::kU8), result.canvas(Pixel::kU8), {m, 2}, how, instructions);
        Compare<std::uint8_t, std::uint8_t>(
            source, result, how, false,
            [&](int x, int y, int) { return Mapped(m, 2, false, x + 0.5, y + 0.5, 0.5); }, "grey");
        for (int y = 0; y + 1 < to[1]; ++y) {
          for (int k = 0; k < 5; ++k) {
            Check(result.at(0, y, to[2] + k, 0) == 77, "nothing is written behind a row");
          }
        }
      }
    }
  }
}

// Nothing is read or written outside, whatever the numbers are. For the sanitizers.
void TestWildMaps() {
  std::mt19937 random(2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> wild{nan, infinite, -infinite, 1e38f, -1e30f, 0.0f, 1.0f, 1e9f};
  const std::vector<float> fill{1};
  for (int round = 0; round < 600; ++round) {
    const Image<std::uint8_t> source({1, 1 + round % 5, 1 + round % 6}, 1 + round % 3, 0, &random);
    Image<std::uint8_t> result({1, 5, 37}, 1 + round % 3, 0, nullptr);
    std::vector<float> m(9);
    for (auto& v : m) v = wild[random() % wild.size()];
    const bool perspective = round % 2 == 0;
    if (!perspective) m.resize(6);
    for (const Target instructions : Targets()) {
      Warp(source.picture(Pixel::kU8), result.canvas(Pixel::kU8), {m, 2, perspective},
           {static_cast<Interpolation>(round % 3), static_cast<Edge>(round / 3 % 5), fill},
           instructions);
    }
  }
}

void TestFields() {
  std::mt19937 random(3);
  const std::vector<float> fill{9};
  for (const auto interpolation : {Interpolation::kNearest, Interpolation::kLinear}) {
    const Sampling how{interpolation, Edge::kConstant, fill};
    for (const Extent size : {Extent{1, 19, 300}, Extent{1, 8, 8}, Extent{1, 1, 1}}) {
      const Image<float> source(size, 2, 1, &random);
      Image<float> result(size, 2, 0, nullptr);
      const Waves waves{1.7f, 0.3f, 0.4f, 2.3f, 0.2f, 0.9f};
      Water(source.picture(Pixel::kF32), result.canvas(Pixel::kF32), waves, how);
      Compare<float, float>(
          source, result, how, false,
          [](int x, int y, int) {
            return Point{x + 1.7 * std::sin(0.3 * y + 0.4), y + 2.3 * std::cos(0.2 * x + 0.9), 0.5};
          },
          "water");
      Sphere(source.picture(Pixel::kF32), result.canvas(Pixel::kF32), how);
      const double cy = size[1] * 0.5, cx = size[2] * 0.5;
      const double radius = std::max(std::max(size[1], size[2]) / 2, 1);
      Compare<float, float>(
          source, result, how, false,
          [&](int x, int y, int) {
            const double dx = x + 0.5 - cx, dy = y + 0.5 - cy;
            const double r = std::hypot(dx, dy) / radius;
            return Point{cx + dx * r, cy + dy * r, 0.5};
          },
          "sphere");
      const Image<float> maps({2, size[1], size[2]}, 1, 0, &random);
      const auto plane = static_cast<std::int64_t>(size[1]) * size[2];
      Remap(source.picture(Pixel::kF32), result.canvas(Pixel::kF32), {maps.values.data(), size[2]},
            {maps.values.data() + plane, size[2]}, 0.25f, how);
      Compare<float, float>(
          source, result, how, false,
          [&](int x, int y, int) {
            return Point{maps.at(0, y, x, 0) + 0.25, maps.at(1, y, x, 0) + 0.25, 0.5};
          },
          "remap");
    }
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  using namespace dynjax;
  TestWarps<std::uint8_t, std::uint8_t>(Pixel::kU8, Pixel::kU8);
  TestWarps<std::uint8_t, float>(Pixel::kU8, Pixel::kF32);
  TestWarps<std::int16_t, std::int16_t>(Pixel::kI16, Pixel::kI16);
  TestWarps<std::uint16_t, float>(Pixel::kU16, Pixel::kF32);
  TestWarps<std::int32_t, std::int32_t>(Pixel::kI32, Pixel::kI32);
  TestWarps<float, float>(Pixel::kF32, Pixel::kF32);
  TestGreyPlanes();
  TestWildMaps();
  TestFields();
  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}
