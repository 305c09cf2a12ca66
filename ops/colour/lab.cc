#include "colour/lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace dynjax {
namespace {

constexpr std::int32_t kMatrix = 1 << 12;
constexpr std::int32_t kLinear = 255 << 3;
constexpr std::int32_t kRoot = 1 << 15;
constexpr std::int32_t kCube = 1 << 14;

constexpr double kWhite[3] = {0.950456, 1.0, 1.088754};
constexpr double kToXyz[3][3] = {
    {0.412453, 0.357580, 0.180423}, {0.212671, 0.715160, 0.072169}, {0.019334, 0.119193, 0.950227}};
constexpr double kFromXyz[3][3] = {{3.240479, -1.53715, -0.498535},
                                   {-0.969256, 1.875991, 0.041556},
                                   {0.055648, -0.204043, 1.057311}};

std::int32_t Whole(double x) { return static_cast<std::int32_t>(std::nearbyint(x)); }

struct Tables {
  std::array<std::int32_t, 256> light;      // linear light of a byte
  std::array<std::int32_t, 256 * 12> root;  // f of linear light
  std::array<std::int32_t, 256> y, f;       // of a lightness
  std::array<std::uint8_t, kMatrix> byte;   // of linear light
  std::int32_t to[3][3], from[3][3];

  Tables() {
    for (std::size_t k = 0; k < 256; ++k) {
      const double v = static_cast<double>(k) / 255;
      light[k] = Whole(kLinear * (v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4)));
      const double lightness = static_cast<double>(k) * 100 / 255;
      const double root_of = (lightness + 16) / 116;
      f[k] = Whole(kCube * root_of);
      y[k] = Whole(kCube * (lightness <= 8 ? lightness * 27 / 24389 : std::pow(root_of, 3)));
    }
    for (std::size_t k = 0; k < root.size(); ++k) {
      const double x = static_cast<double>(k) / kLinear;
      root[k] = Whole(kRoot * (x < 0.008856 ? x * 7.787 + 16.0 / 116 : std::cbrt(x)));
    }
    for (std::size_t k = 0; k < byte.size(); ++k) {
      const double v = static_cast<double>(k) / kMatrix;
      byte[k] = static_cast<std::uint8_t>(
          Whole(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
    }
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        to[r][c] = Whole(kToXyz[r][c] / kWhite[r] * kMatrix);
        from[r][c] = Whole(kFromXyz[r][c] * kWhite[c] * kMatrix);
      }
    }
  }
};

const Tables& Shared() {
  static const Tables tables;
  return tables;
}

constexpr std::int32_t Descaled(std::int32_t x, int bits) {
  return (x + (1 << (bits - 1))) >> bits;
}

// X or Z of f: its cube, with a linear start.
std::int32_t Cubed(std::int32_t f) {
  if (f <= 3390) return f * 108 / 841 - kCube * 16 / 116 * 108 / 841;
  const auto x = static_cast<std::uint32_t>(f);
  return static_cast<std::int32_t>((x * x / kCube) * x / kCube);
}

std::uint8_t Byte(std::int32_t x) { return static_cast<std::uint8_t>(std::clamp(x, 0, 255)); }

}  // namespace

void RgbToLab(const std::uint8_t* rgb, std::int64_t n, std::uint8_t* lab) {
  const Tables& t = Shared();
  constexpr std::int32_t kFoot = -((16 * 255 * kRoot + 50) / 100);
  for (std::int64_t i = 0; i < 3 * n; i += 3) {
    const std::int32_t r = t.light[rgb[i]], g = t.light[rgb[i + 1]], b = t.light[rgb[i + 2]];
    std::int32_t f[3];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t x = Descaled(r * t.to[k][0] + g * t.to[k][1] + b * t.to[k][2], 12);
      f[k] = t.root[static_cast<std::size_t>(x)];
    }
    lab[i] = Byte(Descaled((116 * 255 + 50) / 100 * f[1] + kFoot, 15));
    lab[i + 1] = Byte(Descaled(500 * (f[0] - f[1]) + 128 * kRoot, 15));
    lab[i + 2] = Byte(Descaled(200 * (f[1] - f[2]) + 128 * kRoot, 15));
  }
}

void LabToRgb(const std::uint8_t* lab, std::int64_t n, std::uint8_t* rgb) {
  const Tables& t = Shared();
  for (std::int64_t i = 0; i < 3 * n; i += 3) {
    const std::int32_t f = t.f[lab[i]], y = t.y[lab[i]];
    const std::int32_t a = ((5 * lab[i + 1] * 53687 + 128) >> 13) - 128 * kCube / 500;
    const std::int32_t b = ((lab[i + 2] * 41943 + 16) >> 9) - 128 * kCube / 200 + 1;
    const std::int32_t x = Cubed(f + a);
    const std::int32_t z = Cubed(f - b);
    for (int k = 0; k < 3; ++k) {
      const std::int32_t light =
          Descaled(x * t.from[k][0] + y * t.from[k][1] + z * t.from[k][2], 14);
      rgb[i + k] = t.byte[static_cast<std::size_t>(std::clamp(light, 0, kMatrix - 1))];
    }
  }
}

}  // namespace dynjax
