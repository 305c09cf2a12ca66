// The kernels of sound against their formulas, on every target.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "audio/bands.h"
#include "audio/levels.h"
#include "audio/loud_regions.h"
#include "audio/pcm.h"
#include "audio/sinc.h"
#include "audio/spectrogram.h"
#include "audio/spectrum.h"
#include "audio/work.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const std::string& what, double detail = 0) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s (%g)\n", what.c_str(), detail);
  ++failures;
}

std::vector<Target> Targets() {
  std::vector<Target> targets{Target::kScalar};
  if (BestTarget() != Target::kScalar) targets.push_back(BestTarget());
  return targets;
}

std::vector<float> Noise(std::int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& v : values) v = normal(random);
  return values;
}

// |X[bin]|^2 by the definition.
double Power(const std::vector<float>& x, std::int64_t length, std::int64_t nfft,
             std::int64_t bin) {
  double re = 0, im = 0;
  for (std::int64_t n = 0; n < length; ++n) {
    const Root root = RootOfUnity(n * bin % nfft, nfft);
    re += static_cast<double>(x[static_cast<std::size_t>(n)]) * root.re;
    im += static_cast<double>(x[static_cast<std::size_t>(n)]) * root.im;
  }
  return re * re + im * im;
}

void TestSpectra() {
  // Powers of two, other small factors, odd, prime; two long ones of each kind.
  for (const std::int64_t nfft : {1,  2,   3,   4,   7,   8,    16,   30,    37,   60,    64,
                                  97, 400, 441, 509, 512, 1000, 8192, 16384, 9001, 12000, 48001}) {
    const std::int64_t length = nfft > 5 ? nfft - 3 : nfft;
    const auto x = Noise(length + 8, static_cast<unsigned>(nfft));
    const auto plan = SpectrumPlanFor(nfft);
    const SpectrumView& view = plan->view();
    const double most = 4.0 * static_cast<double>(length) * std::log2(2.0 + length);
    for (const Target target : Targets()) {
      const SpectrumKernels& kernels = SpectrumKernelsFor(target);
      const Work work(view.is_long ? LongWork(view) : LaneWork(view));
      const std::int64_t width = view.is_long ? 1 : 8;
      std::vector<float> out(static_cast<std::size_t>(width * view.bins()));
      const SignalPart part{.length = length, .window = nullptr};
      if (view.is_long) {
        kernels.one(view, x.data(), part, false, work.data(), out.data());
      } else {
        const float* signals[8];
        for (int k = 0; k < 8; ++k) signals[k] = x.data() + k;
        kernels.eight(view, signals, part, false, work.data(), out.data());
      }
      const std::int64_t apart = std::max<std::int64_t>(view.bins() / 50, 1);
      for (std::int64_t bin = 0; bin < view.bins(); bin += apart) {
        for (std::int64_t k = 0; k < width; k += 7) {
          const std::vector<float> own(x.begin() + k, x.begin() + k + length);
          const double error =
              out[static_cast<std::size_t>(bin * width + k)] - Power(own, length, nfft, bin);
          Check(std::abs(error) < 2e-6 * most, "spectrum of " + std::to_string(nfft), error / most);
        }
      }
    }
  }
}

void TestSpectrogram() {
  const auto x = Noise(100, 1);
  const auto plan = SpectrumPlanFor(16);
  std::vector<float> window(13), time_first(26 * 9), frequency_first(26 * 9);
  HannWindow(13, window.data());
  SpectrogramForm form{.window = 13, .step = 4, .root = true, .centred = true, .reflect = true};
  Check(Spectrogram(plan->view(), x.data(), 100, window.data(), form,
                    {.data = time_first.data(), .frames = 26, .bin_stride = 1, .frame_stride = 9}),
        "memory");
  Check(Spectrogram(
            plan->view(), x.data(), 100, window.data(), form,
            {.data = frequency_first.data(), .frames = 26, .bin_stride = 26, .frame_stride = 1}),
        "memory");
  for (std::size_t frame = 0; frame < 26; ++frame) {
    std::vector<float> own(13);
    for (std::size_t n = 0; n < 13; ++n) {
      auto at = static_cast<std::int64_t>(4 * frame + n) - 6;
      at = at < 0 ? -at : at > 99 ? 198 - at : at;
      own[n] = x[static_cast<std::size_t>(at)] * window[n];
    }
    for (std::size_t bin = 0; bin < 9; ++bin) {
      const double want = std::sqrt(Power(own, 13, 16, static_cast<std::int64_t>(bin)));
      Check(std::abs(time_first[frame * 9 + bin] - want) < 1e-5, "spectrogram", want);
      Check(time_first[frame * 9 + bin] == frequency_first[bin * 26 + frame], "order of axes");
    }
  }
}

void TestBands() {
  constexpr std::int64_t kSize = 21, kColumns = 45, kCount = 3;
  const auto x = Noise(kSize * kColumns, 2), weights = Noise(kSize, 3);
  const Band list[] = {{0, 5, weights.data()}, {4, 21, weights.data()}, {7, 7, weights.data()}};
  const auto want = [&](std::int64_t k, std::int64_t column, std::int64_t stride,
                        std::int64_t step) {
    double sum = 0;
    for (std::int64_t n = list[k].begin; n < list[k].end; ++n) {
      sum += static_cast<double>(weights[static_cast<std::size_t>(n - list[k].begin)]) *
             x[static_cast<std::size_t>(n * stride + column * step)];
    }
    return sum;
  };
  for (const Target target : Targets()) {
    const BandKernels& kernels = BandKernelsFor(target);
    std::vector<float> out(kCount * kColumns);
    kernels.columns({list, kCount}, x.data(), kColumns, kColumns, out.data(), kColumns);
    for (std::int64_t k = 0; k < kCount; ++k) {
      for (std::int64_t c = 0; c < kColumns; ++c) {
        const double error =
            out[static_cast<std::size_t>(k * kColumns + c)] - want(k, c, kColumns, 1);
        Check(std::abs(error) < 1e-5, "bands of columns", error);
      }
    }
    const float* rows[8];
    float* to[8];
    for (std::int64_t k = 0; k < 8; ++k) {
      rows[k] = x.data() + k * kSize;
      to[k] = out.data() + k * kCount;
    }
    const Work work(8 * (kSize + kCount));
    kernels.rows({list, kCount}, rows, kSize, 6, work.data(), to);
    for (std::int64_t c = 0; c < 6; ++c) {
      for (std::int64_t k = 0; k < kCount; ++k) {
        const double error = out[static_cast<std::size_t>(c * kCount + k)] - want(k, c, 1, kSize);
        Check(std::abs(error) < 1e-5, "bands of rows", error);
      }
    }
  }
}

void TestSinc() {
  // With weights that pick the nearest sample before, or interpolate to the one after it.
  constexpr std::int64_t kLobes = 3, kWidth = 8, kLength = 50;
  std::vector<float> weights(static_cast<std::size_t>((kSincPhases + 1) * kWidth));
  for (std::int64_t p = 0; p <= kSincPhases; ++p) {
    const float part = static_cast<float>(p) / kSincPhases;
    weights[static_cast<std::size_t>(p * kWidth + kLobes - 1)] = 1 - part;
    weights[static_cast<std::size_t>(p * kWidth + kLobes)] = part;
  }
  std::vector<float> x(kLobes + kLength + kWidth + 1);
  for (std::int64_t n = 0; n < kLength; ++n) {
    x[static_cast<std::size_t>(kLobes + n)] = static_cast<float>(n * n);
  }
  for (const Target target : Targets()) {
    std::vector<float> out(75);
    // Two thirds of a sample, the last digit cut off.
    SincKernelsFor(target).resample(x.data() + kLobes, kLength, {kLobes, kWidth, weights.data()},
                                    {0, (std::uint64_t{2} << 48) / 3}, 75, out.data());
    for (std::size_t k = 0; k < 73; ++k) {
      const double position = static_cast<double>(k) * 2 / 3, base = std::floor(position + 1e-9);
      const double want = base * base + (position - base) * (2 * base + 1);
      Check(std::abs(out[k] - want) < 1e-3, "resampling", out[k] - want);
    }
  }
}

void TestLevels() {
  const auto x = Noise(100, 4);
  for (const Target target : Targets()) {
    const LevelKernels& kernels = LevelKernelsFor(target);
    for (const std::int64_t n : {1, 7, 8, 9, 100}) {
      const auto size = static_cast<std::size_t>(n);
      std::vector<float> out(size);
      kernels.difference(x.data(), n, 3, 0.5f, out.data());
      for (std::size_t k = 0; k < size; ++k) {
        const float want = x[k] - 0.5f * (k > 0 ? x[k - 1] : 3);
        Check(std::abs(out[k] - want) < 1e-6f, "difference");
      }
      const float largest = *std::max_element(x.begin(), x.begin() + n);
      Check(kernels.largest(x.data(), n, -99) == largest, "largest");
      Check(kernels.largest(x.data(), n, 99) == 99, "least");
      std::vector<float> ratios(size);
      for (std::size_t k = 0; k < size; ++k) ratios[k] = std::exp(9 * x[k]);
      if (n > 9) ratios[8] = 0, ratios[9] = INFINITY, ratios[10] = NAN, ratios[11] = 1;
      kernels.decibels(ratios.data(), n, 10, 1, 1e-9f, out.data());
      for (std::size_t k = 0; k < size; ++k) {
        if (std::isnan(ratios[k])) {
          Check(std::isnan(out[k]), "decibels of NaN");
          continue;
        }
        const double want = 10 * std::log10(std::max(static_cast<double>(ratios[k]), 1e-9));
        const double error = std::isinf(want) ? out[k] != want : std::abs(out[k] - want);
        Check(error <= 3e-7 * std::abs(want) + 1e-7, "decibels", error);
      }
    }
  }
}

void TestLoudRegions() {
  const std::vector<float> x = {0, 0, 0, 0, 1, -1, 1, 0, 0, 0, 0, 0};
  const auto one = FindLoudRegion(x.data(), 12, 1, 0, 1e-6f);
  Check(one.begin == 4 && one.length == 3, "loud region");
  const auto wide = FindLoudRegion(x.data(), 12, 3, 0, 0.5f);
  Check(wide.begin == 3 && wide.length == 5, "loud region of a window");
  const auto none = FindLoudRegion(x.data(), 12, 3, 100, 1);
  Check(none.begin == 0 && none.length == 0, "no loud region");
}

void TestPcm() {
  const std::vector<std::uint8_t> bytes = {0, 128, 255, 1, 2, 131, 9};
  std::vector<float> out(7);
  PcmToFloat(bytes, 1, out);
  Check(out[0] == -1 && out[1] == 0 && out[2] == 127.0f / 128, "numbers of one byte");
  PcmToFloat(bytes, 2, out);
  Check(out[0] == -1 && out[1] == 511.0f / 32768, "numbers of two bytes");
  PcmToFloat(bytes, 3, out);
  Check(out[0] == -32768.0f / 8388608 && out[1] == -8191487.0f / 8388608, "three bytes");
  PcmToFloat(bytes, 4, std::span(out).first(1));
  Check(out[0] == static_cast<float>(0x01ff8000) / 2147483648.0f, "four bytes");
}

int Run() {
  TestPcm();
  TestSpectra();
  TestSpectrogram();
  TestBands();
  TestSinc();
  TestLevels();
  TestLoudRegions();
  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dynjax

int main() { return dynjax::Run(); }
