// Fuzz target of the kernels of sound: nothing outside the arrays is touched, whatever the lengths,
// steps and numbers; what is counted or compared is the same on all targets.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "audio/bands.h"
#include "audio/levels.h"
#include "audio/loud_regions.h"
#include "audio/pcm.h"
#include "audio/sinc.h"
#include "audio/spectrogram.h"
#include "base/fuzz_input.h"

namespace dynjax {
namespace {

// Cheap to make, however many there are.
std::vector<float> Signal(FuzzInput& input, std::int64_t count) {
  const auto bytes = input.Elements(static_cast<std::size_t>(count) * sizeof(float));
  std::vector<float> out(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

void RunSpectrogram(FuzzInput& input) {
  const std::int64_t nfft = input.Bit() ? input.Between(1, 300) : input.Between(1, 20'000);
  const auto plan = SpectrumPlanFor(nfft);
  const SpectrogramForm form{
      .window = 1 + input.Between(0, 65'000) % nfft,
      .step = input.Between(1, 400),
      .root = input.Bit(),
      .centred = input.Bit(),
      .reflect = input.Bit(),
  };
  const std::int64_t frames = input.Between(0, 20), bins = plan->view().bins();
  const bool time_first = input.Bit();
  const std::int64_t length = input.Between(1, 3'000);
  const auto signal = Signal(input, length);
  std::vector<float> weights(static_cast<std::size_t>(form.window));
  HannWindow(form.window, weights.data());
  std::vector<float> out(static_cast<std::size_t>(frames * bins));
  const SpectrogramTarget target{.data = out.data(),
                                 .frames = frames,
                                 .bin_stride = time_first ? 1 : frames,
                                 .frame_stride = time_first ? bins : 1};
  Promise(Spectrogram(plan->view(), signal.data(), length, weights.data(), form, target));
}

void RunBands(FuzzInput& input) {
  const std::int64_t size = input.Between(1, 70), columns = input.Between(1, 40);
  std::vector<Band> list;
  const auto weights = input.Tames(static_cast<std::size_t>(size));
  for (int k = input.Between(1, 9); k > 0; --k) {
    const std::int64_t begin = input.Between(0, static_cast<std::int32_t>(size));
    const std::int64_t end = begin + input.Between(0, static_cast<std::int32_t>(size - begin));
    list.push_back({begin, end, weights.data()});
  }
  const Bands bands{list.data(), static_cast<std::int64_t>(list.size())};
  const auto x = Signal(input, size * std::max<std::int64_t>(columns, 8));
  for (const Target target : {Target::kScalar, BestTarget()}) {
    const BandKernels& kernels = BandKernelsFor(target);
    std::vector<float> out(static_cast<std::size_t>(bands.count * columns));
    kernels.columns(bands, x.data(), columns, columns, out.data(), columns);
    const float* rows[8];
    float* to[8];
    std::vector<std::vector<float>> results(8);
    for (std::size_t k = 0; k < 8; ++k) {
      rows[k] = x.data() + static_cast<std::int64_t>(k) * size;
      results[k].resize(static_cast<std::size_t>(bands.count));
      to[k] = results[k].data();
    }
    struct alignas(32) Eight {
      float values[8];
    };
    std::vector<Eight> work(static_cast<std::size_t>(size + bands.count));
    kernels.rows(bands, rows, size, input.Between(1, 8), work.data()->values, to);
  }
}

void RunSinc(FuzzInput& input) {
  const std::int64_t lobes = input.Between(1, 70), width = (2 * lobes + 7) / 8 * 8;
  const std::int64_t length = input.Between(0, 600), count = input.Between(0, 700);
  const auto weights = Signal(input, (kSincPhases + 1) * width);
  const SincStep step{.whole = input.Between(0, 40),
                      .fraction = static_cast<std::uint64_t>(input.Between(0, 65535)) << 32 |
                                  static_cast<std::uint64_t>(input.Between(0, 65535))};
  std::vector<float> x(static_cast<std::size_t>(lobes - 1 + length + width + 1));
  const auto signal = Signal(input, length);
  std::copy(signal.begin(), signal.end(), x.begin() + lobes - 1);
  for (const Target target : {Target::kScalar, BestTarget()}) {
    std::vector<float> out(static_cast<std::size_t>(count));
    SincKernelsFor(target).resample(x.data() + lobes - 1, length, {lobes, width, weights.data()},
                                    step, count, out.data());
  }
}

void RunLevels(FuzzInput& input) {
  const std::int64_t n = input.Between(0, 70);
  const float before = input.Number(), part = input.Number(), least = input.Tame();
  const float reference = input.Number();
  const auto x = input.Numbers(static_cast<std::size_t>(n));
  const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
  ForBothTargets(
      bytes + sizeof(float),
      [&](std::byte* out, Target target) {
        const float largest = LevelKernelsFor(target).largest(x.data(), n, least);
        Promise(largest >= least);
        std::memcpy(out + bytes, &largest, sizeof(float));
        auto* values = reinterpret_cast<float*>(out);
        LevelKernelsFor(target).difference(x.data(), n, before, part, values);
        LevelKernelsFor(target).decibels(x.data(), n, part, reference, 1e-10f, values);
        std::memset(out, 0, bytes);
      },
      [](const auto& a, const auto& b) { Promise(a == b); });
}

void RunLoudRegion(FuzzInput& input) {
  const std::int64_t length = input.Between(0, 90), window = input.Between(1, 120);
  const float reference = input.Number(), ratio = input.Number();
  const auto x = input.Numbers(static_cast<std::size_t>(length));
  const LoudRegion region = FindLoudRegion(x.data(), length, window, reference, ratio);
  Promise(region.begin >= 0 && region.length >= 0 && region.begin + region.length <= length);
}

void RunPcm(FuzzInput& input) {
  const auto width = static_cast<std::size_t>(input.Between(1, 4));
  std::vector<float> out(static_cast<std::size_t>(input.Between(0, 80)), 2);
  const auto bytes = input.Elements(static_cast<std::size_t>(input.Between(0, 300)));
  PcmToFloat({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, width, out);
  const std::size_t numbers = std::min(out.size(), bytes.size() / width);
  for (std::size_t k = 0; k < out.size(); ++k) {
    Promise(k < numbers ? out[k] >= -1 && out[k] <= 1 : out[k] == 2);
  }
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*kRuns[])(dynjax::FuzzInput&) = {dynjax::RunSpectrogram, dynjax::RunBands,
                                                   dynjax::RunSinc,        dynjax::RunLevels,
                                                   dynjax::RunLoudRegion,  dynjax::RunPcm};
  dynjax::FuzzInput input(data, size);
  kRuns[input.Between(0, 5)](input);
  return 0;
}
