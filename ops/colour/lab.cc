#include "colour/lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "colour/lab_avx2.h"
#include "colour/lab_tables.h"

namespace dynjax {
namespace {

constexpr double kWhite[3] = {0.950456, 1.0, 1.088754};
constexpr double kToXyz[3][3] = {
    {0.412453, 0.357580, 0.180423}, {0.212671, 0.715160, 0.072169}, {0.019334, 0.119193, 0.950227}};
constexpr double kFromXyz[3][3] = {{3.240479, -1.53715, -0.498535},
                                   {-0.969256, 1.875991, 0.041556},
                                   {0.055648, -0.204043, 1.057311}};

std::int32_t Whole(double x) { return static_cast<std::int32_t>(std::nearbyint(x)); }

constexpr std::int32_t Descaled(std::int32_t x, int bits) {
  return (x + (1 << (bits - 1))) >> bits;
}

// X or Z of f: its cube, with a linear start.
std::int32_t Cubed(std::int32_t f) {
  if (f <= 3390) return f * 108 / 841 - kLabCube * 16 / 116 * 108 / 841;
  const auto x = static_cast<std::uint32_t>(f);
  return static_cast<std::int32_t>((x * x / kLabCube) * x / kLabCube);
}

std::uint8_t Byte(std::int32_t x) { return static_cast<std::uint8_t>(std::clamp(x, 0, 255)); }

}  // namespace

LabTables::LabTables() {
  for (std::size_t k = 0; k < 256; ++k) {
    const double v = static_cast<double>(k) / 255;
    light[k] = Whole(kLabLinear * (v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4)));
    const double lightness = static_cast<double>(k) * 100 / 255;
    const double root_of = (lightness + 16) / 116;
    const double y = lightness <= 8 ? lightness * 27 / 24389 : std::pow(root_of, 3);
    f_and_y[k] = Whole(kLabCube * root_of) | Whole(kLabCube * y) << 16;
  }
  for (std::size_t k = 0; k < root.size(); ++k) {
    const double x = static_cast<double>(k) / kLabLinear;
    root[k] = Whole(kLabRoot * (x < 0.008856 ? x * 7.787 + 16.0 / 116 : std::cbrt(x)));
  }
  for (std::size_t k = 0; k < byte.size(); ++k) {
    const double v = static_cast<double>(k) / kLabMatrix;
    byte[k] = static_cast<std::uint8_t>(
        Whole(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
  }
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      to[r][c] = Whole(kToXyz[r][c] / kWhite[r] * kLabMatrix);
      from[r][c] = Whole(kFromXyz[r][c] * kWhite[c] * kLabMatrix);
    }
  }
}

const LabTables& SharedLabTables() {
  static const LabTables tables;
  return tables;
}

void RgbToLab(const std::uint8_t* rgb, std::int64_t n, const LabRow& lab, Target instructions) {
  const LabTables& t = SharedLabTables();
  constexpr std::int32_t kFoot = -((16 * 255 * kLabRoot + 50) / 100);
  std::int64_t i = 0;
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) i = Avx2RgbToLab(rgb, n, lab);
#endif
  (void)instructions;
  for (; i < n; ++i) {
    const std::uint8_t* pixel = rgb + 3 * i;
    const std::int32_t r = t.light[pixel[0]], g = t.light[pixel[1]], b = t.light[pixel[2]];
    std::int32_t f[3];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t x = Descaled(r * t.to[k][0] + g * t.to[k][1] + b * t.to[k][2], 12);
      f[k] = t.root[static_cast<std::size_t>(x)];
    }
    lab.lightness[i] = Byte(Descaled((116 * 255 + 50) / 100 * f[1] + kFoot, 15));
    lab.a[i] = Byte(Descaled(500 * (f[0] - f[1]) + 128 * kLabRoot, 15));
    lab.b[i] = Byte(Descaled(200 * (f[1] - f[2]) + 128 * kLabRoot, 15));
  }
}

void LabToRgb(const LabRow& lab, std::int64_t n, std::uint8_t* rgb, Target instructions) {
  const LabTables& t = SharedLabTables();
  std::int64_t i = 0;
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) i = Avx2LabToRgb(lab, n, rgb);
#endif
  (void)instructions;
  for (; i < n; ++i) {
    const std::int32_t f = t.f_and_y[lab.lightness[i]] & 0xffff;
    const std::int32_t y = t.f_and_y[lab.lightness[i]] >> 16;
    const std::int32_t a = ((5 * lab.a[i] * 53687 + 128) >> 13) - 128 * kLabCube / 500;
    const std::int32_t b = ((lab.b[i] * 41943 + 16) >> 9) - 128 * kLabCube / 200 + 1;
    const std::int32_t x = Cubed(f + a);
    const std::int32_t z = Cubed(f - b);
    for (int k = 0; k < 3; ++k) {
      const std::int32_t light =
          Descaled(x * t.from[k][0] + y * t.from[k][1] + z * t.from[k][2], 14);
      rgb[3 * i + k] = t.byte[static_cast<std::size_t>(std::clamp(light, 0, kLabMatrix - 1))];
    }
  }
}

}  // namespace dynjax
