// Fuzz target of the colour kernels: nothing outside the arrays is touched, and all targets give
// the same bits.
#include "base/fuzz_input.h"
#include "colour/clahe.h"
#include "colour/color_matrix.h"
#include "colour/debayer.h"
#include "colour/equalize.h"
#include "colour/intensity.h"
#include "colour/jpeg_distortion.h"
#include "colour/lab.h"
#include "colour/lookup_table.h"

namespace dynjax {
namespace {

const std::uint8_t* AsBytes(const std::vector<std::byte>& elements) {
  return reinterpret_cast<const std::uint8_t*>(elements.data());
}
std::uint8_t* AsBytes(std::byte* elements) { return reinterpret_cast<std::uint8_t*>(elements); }

void RunPointwise(FuzzInput& input) {
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto out_type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const std::int64_t n = input.Between(0, 1500);
  const bool is_matrix = input.Bit();
  const int inputs = is_matrix ? input.Between(1, 4) : 1,
            outputs = is_matrix ? input.Between(1, 4) : 1;
  const auto rows = input.Numbers(static_cast<std::size_t>(outputs * (inputs + 1)));
  const auto elements = input.Elements(static_cast<std::size_t>(n * inputs) * Bytes(type));
  ForBothTargets(
      static_cast<std::size_t>(n * outputs) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        if (is_matrix) {
          const ColorMatrix matrix{inputs, outputs, rows.data()};
          ApplyColorMatrix(elements.data(), type, n, matrix, out_type, out, target);
        } else {
          ScaleIntensity(elements.data(), type, n, rows[0], rows[1], out_type, out, target);
        }
      },
      [&](const auto& a, const auto& b) { PromiseSame(a, b, out_type); });
}

void RunLab(FuzzInput& input) {
  const std::int64_t n = input.Between(0, 200);
  const auto pixels = static_cast<std::size_t>(n);
  const auto elements = input.Elements(3 * pixels);
  const bool back = input.Bit();
  ForBothTargets(
      3 * pixels,
      [&](std::byte* out, Target target) {
        auto given = elements;
        std::uint8_t* planes = AsBytes(back ? given.data() : out);
        const LabRow row{planes, planes + n, planes + 2 * n};
        if (back) {
          LabToRgb(row, n, AsBytes(out), target);
        } else {
          RgbToLab(AsBytes(given), n, row, target);
        }
      },
      [](const auto& a, const auto& b) { Promise(a == b); });
}

void RunTiles(FuzzInput& input) {
  const std::int64_t height = input.Between(0, 40), width = input.Between(0, 60);
  const std::int64_t pixel = input.Of({1, 3});
  const Tiles tiles{input.Between(1, 12), input.Between(1, 12), input.Number()};
  const auto elements = input.Elements(static_cast<std::size_t>(height * width * pixel));
  ForBothTargets(
      elements.size(),
      [&](std::byte* out, Target) {
        auto given = elements;
        EqualizeTiles({AsBytes(given.data()), height, width, pixel, width * pixel}, tiles,
                      {AsBytes(out), height, width, pixel, width * pixel});
      },
      [](const auto&, const auto&) {});
  std::vector<Histogram> histograms(static_cast<std::size_t>(pixel), Histogram{});
  CountBytes(AsBytes(elements), height * width, pixel, histograms.data());
  std::vector<ByteTable> tables;
  for (const auto& histogram : histograms) tables.push_back(EqualizingTable(histogram));
  auto out = elements;
  MapBytes(AsBytes(elements), height * width, pixel, tables.data(), AsBytes(out.data()));
}

template <typename T>
void RunMosaic(FuzzInput& input) {
  const std::int64_t height = 2 * input.Between(1, 12), width = 2 * input.Between(1, 40);
  const std::int32_t y = input.Between(0, 1), x = input.Between(0, 1);
  const auto elements = input.Elements(static_cast<std::size_t>(height * width) * sizeof(T));
  const auto method = static_cast<Demosaic>(input.Between(0, kDemosaics - 1));
  const std::int64_t channels = ChannelsOf(method);
  ForBothTargets(
      static_cast<std::size_t>(channels) * elements.size(),
      [&](std::byte* out, Target target) {
        Debayer(method, reinterpret_cast<const T*>(elements.data()), width, height, width, y, x,
                reinterpret_cast<T*>(out), channels * width, target);
      },
      [](const auto& a, const auto& b) { Promise(a == b); });
}

void RunJpeg(FuzzInput& input) {
  const std::int64_t height = input.Between(1, 40), width = input.Between(1, 60);
  const std::int32_t quality = input.Between(1, 100);
  const auto elements = input.Elements(static_cast<std::size_t>(3 * height * width));
  ForBothTargets(
      elements.size(),
      [&](std::byte* out, Target target) {
        DistortAsJpeg(AsBytes(elements), 3 * width, height, width, quality, AsBytes(out), 3 * width,
                      target);
      },
      [](const auto& a, const auto& b) { Promise(a == b); });
}

template <typename T>
void RunLookUp(FuzzInput& input) {
  const std::int64_t known = input.Of({0, 1, 5, 256, 300, 65536});
  const std::int64_t n = input.Between(0, 100);
  const std::vector<std::uint16_t> table(static_cast<std::size_t>(known + 1), 7);
  const auto elements = input.Elements(static_cast<std::size_t>(n) * sizeof(T));
  std::vector<std::uint16_t> out(static_cast<std::size_t>(n));
  LookUp(reinterpret_cast<const T*>(elements.data()), n, table.data(), known, out.data());
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  switch (input.Between(0, 7)) {
    case 0:
      RunPointwise(input);
      break;
    case 1:
      RunLab(input);
      break;
    case 2:
      RunTiles(input);
      break;
    case 3:
      RunMosaic<std::uint8_t>(input);
      break;
    case 4:
      RunMosaic<std::uint16_t>(input);
      break;
    case 5:
      RunJpeg(input);
      break;
    case 6:
      RunLookUp<std::uint16_t>(input);
      break;
    default:
      RunLookUp<std::int64_t>(input);
  }
  return 0;
}
