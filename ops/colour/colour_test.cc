// Every target gives the bytes of the scalar definition.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "colour/color_matrix.h"
#include "colour/debayer.h"
#include "colour/intensity.h"
#include "colour/jpeg_distortion.h"
#include "colour/lab.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const std::string& what, std::int64_t size) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s, size %lld\n", what.c_str(), static_cast<long long>(size));
  ++failures;
}

using Bytes = std::vector<std::uint8_t>;

Bytes Noise(std::mt19937& random, std::int64_t n) {
  Bytes out(static_cast<std::size_t>(n));
  for (auto& b : out) b = static_cast<std::uint8_t>(random());
  return out;
}

void CompareRows(std::mt19937& random, std::int64_t n) {
  const Bytes in = Noise(random, 3 * n);
  const auto compare = [&](const std::string& what, std::int64_t size, const auto& run) {
    // One byte more, which nobody may touch.
    Bytes a(static_cast<std::size_t>(size + 1), 7), b = a;
    run(a.data(), Target::kScalar);
    run(b.data(), BestTarget());
    Check(a == b && a.back() == 7, what, n);
  };
  compare("intensity", n, [&](std::uint8_t* out, Target target) {
    ScaleIntensity(in.data(), Pixel::kU8, n, 1.37f, -20.5f, Pixel::kU8, out, target);
  });
  const float mix[] = {0.3f, 0.59f, 0.11f, 4.5f, -0.2f, 1.4f, 0.1f, 0, 0.5f, -0.5f, 0.9f, 30};
  const float swap[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0};
  for (const auto* rows : {mix, swap}) {
    for (const int outputs : {1, 3}) {
      compare("color_matrix", outputs * n, [&](std::uint8_t* out, Target target) {
        ApplyColorMatrix(in.data(), Pixel::kU8, n, {.inputs = 3, .outputs = outputs, .rows = rows},
                         Pixel::kU8, out, target);
      });
    }
  }
}

// Every lightness, and colours at random.
void CompareLab(std::mt19937& random, std::int64_t n) {
  const auto pixels = static_cast<std::size_t>(n);
  for (const bool back : {false, true}) {
    Bytes in = Noise(random, 3 * n);
    for (std::size_t i = 0; i < std::min<std::size_t>(pixels, 256); ++i) {
      in[back ? i : 3 * i] = static_cast<std::uint8_t>(i);
    }
    Bytes results[2];
    for (const Target target : {Target::kScalar, BestTarget()}) {
      Bytes given = in, out(3 * pixels + 1, 7);
      std::uint8_t* planes = back ? given.data() : out.data();
      const LabRow row{planes, planes + n, planes + 2 * n};
      if (back) {
        LabToRgb(row, n, out.data(), target);
      } else {
        RgbToLab(given.data(), n, row, target);
      }
      results[target == Target::kScalar ? 0 : 1] = out;
    }
    if (BestTarget() == Target::kScalar) continue;
    Check(results[0] == results[1] && results[1].back() == 7, back ? "from lab" : "to lab", n);
  }
}

// The elements of a mosaic are the first of `noise`, which holds three for each.
template <typename T>
void CompareMosaics(const Bytes& noise, std::int64_t height, std::int64_t width) {
  std::vector<T> in(static_cast<std::size_t>(height * width));
  std::memcpy(in.data(), noise.data(), in.size() * sizeof(T));
  for (std::int32_t k = 0; k < kDemosaics; ++k) {
    const auto method = static_cast<Demosaic>(k);
    const std::int64_t row = ChannelsOf(method) * width;
    for (const std::int32_t first : {0, 1, 2, 3}) {
      // One element more, which nobody may touch.
      std::vector<T> a(static_cast<std::size_t>(height * row + 1), 7), b = a;
      const auto run = [&](T* out, Target target) {
        Debayer(method, in.data(), width, height, width, first / 2, first % 2, out, row, target);
      };
      run(a.data(), Target::kScalar);
      run(b.data(), BestTarget());
      Check(a == b && a.back() == 7, "debayer", width);
    }
  }
}

void CompareImages(std::mt19937& random, std::int64_t height, std::int64_t width) {
  const Bytes in = Noise(random, 3 * height * width);
  for (const std::int32_t quality : {1, 40, 95}) {
    Bytes a(in.size()), b(in.size());
    DistortAsJpeg(in.data(), 3 * width, height, width, quality, a.data(), 3 * width,
                  Target::kScalar);
    DistortAsJpeg(in.data(), 3 * width, height, width, quality, b.data(), 3 * width);
    Check(a == b, "jpeg_distortion", width);
  }
  if (height % 2 != 0 || width % 2 != 0) return;
  CompareMosaics<std::uint8_t>(in, height, width);
  CompareMosaics<std::uint16_t>(in, height, width);
}

}  // namespace
}  // namespace dynjax

int main() {
  std::mt19937 random(1);
  for (std::int64_t n = 0; n < 80; ++n) dynjax::CompareRows(random, n);
  for (const std::int64_t n : {0, 1, 7, 8, 9, 10, 17, 4000}) dynjax::CompareLab(random, n);
  for (const std::int64_t height : {1, 2, 7, 16, 18}) {
    for (const std::int64_t width : {1, 2, 3, 8, 17, 34, 66}) {
      dynjax::CompareImages(random, height, width);
    }
  }
  if (dynjax::failures == 0) std::printf("ok\n");
  return dynjax::failures == 0 ? 0 : 1;
}
