// CropMirrorNormalize against its formula, element by element.

#include "normalise/crop_mirror_normalize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/scalar_convert.h"

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

std::vector<std::int64_t> RowMajor(const std::vector<std::int32_t>& extent) {
  std::vector<std::int64_t> strides(extent.size());
  std::int64_t step = 1;
  for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) strides[a] = step;
  return strides;
}

std::int64_t Volume(const std::vector<std::int32_t>& extent) {
  std::int64_t n = 1;
  for (const auto e : extent) n *= e;
  return n;
}

// A sample of random values and a random window over it. `layout` and `target_layout` are letters.
struct Case {
  Case(std::mt19937& random, const std::string& from, const std::string& to) {
    const auto upto = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    channel_axis = static_cast<int>(from.find('C'));
    mirror_axis = static_cast<int>(from.find('W'));
    static constexpr std::array<int, 6> kChannels{1, 2, 3, 3, 4, 5};
    channels = from.find('C') == std::string::npos ? 1 : kChannels[random() % kChannels.size()];
    out_channels = channels;
    if (from.find('C') == std::string::npos) {
      channel_axis = -1;
    } else if (random() % 3 == 0) {
      out_channels += 2;
    }
    for (const char letter : from) {
      const int size = letter == 'C' ? channels : upto(1, from.size() > 3 ? 7 : 41);
      const bool crops = letter != 'C' && letter != 'F' && random() % 2 == 0;
      extent.push_back(size);
      anchor.push_back(crops ? upto(-9, size + 2) : 0);
      window.push_back(letter == 'C' ? out_channels : crops ? upto(1, size + 9) : size);
    }
    for (const char letter : to) {
      perm.push_back(static_cast<int>(from.find(letter)));
      target_extent.push_back(window[static_cast<std::size_t>(perm.back())]);
    }
    mirror = random() % 2 == 0;
    shift = random() % 2 == 0 ? 0.0f : 3.25f;
    std::uniform_real_distribution<float> value(0.25f, 99.0f);
    for (int c = 0; c < out_channels; ++c) fill.push_back(std::floor(value(random)));
    for (int c = 0; c < channels; ++c) mean.push_back(value(random));
    for (int c = 0; c < channels; ++c) mul.push_back(value(random) / 50);
  }

  // What belongs at the target's position `at`, before rounding.
  template <typename T>
  double Want(const std::vector<T>& source, const std::vector<std::int32_t>& at) const {
    std::int64_t offset = 0;
    int channel = 0;
    bool inside = true;
    const auto strides = RowMajor(extent);
    for (std::size_t a = 0; a < perm.size(); ++a) {
      const auto in = static_cast<std::size_t>(perm[a]);
      if (perm[a] == channel_axis) {
        channel = at[a];
        offset += std::min(channel, channels - 1) * strides[in];
        continue;
      }
      const bool reversed = mirror && perm[a] == mirror_axis;
      const int i = anchor[in] + (reversed ? window[in] - 1 - at[a] : at[a]);
      inside = inside && i >= 0 && i < extent[in];
      offset += std::clamp(i, 0, extent[in] - 1) * strides[in];
    }
    const auto c = static_cast<std::size_t>(channel);
    if (!inside) return fill[c];
    if (channel >= channels) return 0;
    return (static_cast<double>(ToFloat(source[static_cast<std::size_t>(offset)])) - mean[c]) *
               mul[c] +
           shift;
  }

  int channel_axis, mirror_axis, channels, out_channels;
  std::vector<std::int32_t> extent, anchor, window, target_extent;
  std::vector<int> perm;
  bool mirror;
  float shift;
  std::vector<float> fill, mean, mul;
};

template <typename From, typename To>
void Compare(std::mt19937& random, const std::string& layouts, Pixel from, Pixel to) {
  const std::size_t half = layouts.size() / 2;
  const Case c(random, layouts.substr(0, half), layouts.substr(half));
  std::vector<From> source(static_cast<std::size_t>(Volume(c.extent)));
  std::uniform_real_distribution<float> value(std::is_same_v<From, std::uint8_t> ? 0 : -100, 255);
  for (auto& v : source) v = FromFloat<From>(value(random));
  // Slots one larger than the sample on each axis, every other time.
  auto slot = c.target_extent;
  if (random() % 2 == 0) {
    for (auto& s : slot) ++s;
  }
  const auto in_strides = RowMajor(c.extent), out_strides = RowMajor(slot);
  constexpr bool kWhole = !std::is_same_v<To, float> && !std::is_same_v<To, Half>;
  std::vector<To> first;
  for (const Target instructions : Targets()) {
    std::vector<To> target(static_cast<std::size_t>(Volume(slot)));
    std::memset(static_cast<void*>(target.data()), 0x55, target.size() * sizeof(To));
    std::size_t untouched = 0;
    CropMirrorNormalize(
        {reinterpret_cast<std::byte*>(source.data()), from, c.extent, in_strides},
        {reinterpret_cast<std::byte*>(target.data()), to, c.target_extent, out_strides},
        {.perm = c.perm,
         .channel_axis = c.channel_axis,
         .mirror_axis = c.mirror_axis,
         .shift = c.shift,
         .fill = c.fill},
        {.anchor = c.anchor, .mirror = c.mirror, .mean = c.mean, .mul = c.mul}, instructions);
    std::vector<std::int32_t> at(slot.size());
    for (std::size_t i = 0; i < target.size(); ++i) {
      bool inside = true;
      std::int64_t rest = static_cast<std::int64_t>(i);
      for (std::size_t a = 0; a < slot.size(); ++a) {
        at[a] = static_cast<std::int32_t>(rest / out_strides[a]);
        rest %= out_strides[a];
        inside = inside && at[a] < c.target_extent[a];
      }
      const To got = target[i];
      if (!inside) {
        std::array<unsigned char, sizeof(To)> bytes;
        std::memcpy(bytes.data(), &got, sizeof(To));
        untouched += bytes[0] == 0x55 ? 0 : 1;
        continue;
      }
      double want = c.Want(source, at);
      double tolerance = 1e-4;
      if constexpr (kWhole) {
        want = std::clamp<double>(want, std::numeric_limits<To>::min(),
                                  std::numeric_limits<To>::max());
        tolerance = 0.5 + 1e-4;  // rounding, and the float32 error before it
      } else if (std::is_same_v<To, Half>) {
        tolerance = 1e-3 * std::max(1.0, std::abs(want));
      }
      const double error = std::abs(want - static_cast<double>(ToFloat(got)));
      Check(error <= tolerance, layouts + " formula", error);
    }
    Check(untouched == 0, layouts + " padding is left alone");
    if (first.empty()) first = target;
    Check(std::memcmp(first.data(), target.data(), first.size() * sizeof(To)) == 0,
          layouts + " targets agree to the bit");
  }
}

void TestFormula() {
  std::mt19937 random(11);
  for (const char* layouts :
       {"HWCCHW", "HWCHWC", "CHWCHW", "CHWHWC", "HWCWHC", "HWHW", "WHCCHW", "FHWCFCHW", "FHWCFHWC",
        "DHWCCDHW", "CDHWDHWC", "FDHWCFCDHW", "CC", "WW", "HWCHCW"}) {
    for (int round = 0; round < 24; ++round) {
      Compare<std::uint8_t, float>(random, layouts, Pixel::kU8, Pixel::kF32);
      Compare<std::uint8_t, Half>(random, layouts, Pixel::kU8, Pixel::kF16);
      Compare<std::uint8_t, std::uint8_t>(random, layouts, Pixel::kU8, Pixel::kU8);
      Compare<std::uint8_t, std::int8_t>(random, layouts, Pixel::kU8, Pixel::kI8);
      Compare<std::int16_t, float>(random, layouts, Pixel::kI16, Pixel::kF32);
      Compare<Half, float>(random, layouts, Pixel::kF16, Pixel::kF32);
      Compare<float, Half>(random, layouts, Pixel::kF32, Pixel::kF16);
      Compare<float, std::int16_t>(random, layouts, Pixel::kF32, Pixel::kI16);
      Compare<std::int32_t, std::uint16_t>(random, layouts, Pixel::kI32, Pixel::kU16);
    }
  }
}

// Halves go away from zero, the float below one half does not, NaN is 0, the rest saturates.
void TestRounding() {
  std::vector<float> source{0.5f,
                            1.5f,
                            2.5f,
                            -0.5f,
                            -1.5f,
                            0.49999997f,
                            300,
                            -300,
                            1e30f,
                            -1e30f,
                            127.5f,
                            -128.5f,
                            std::numeric_limits<float>::quiet_NaN(),
                            254.5f,
                            255.5f,
                            3,
                            4};
  const std::vector<int> bytes{1, 2, 3, 0, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 3, 4};
  const std::vector<int> chars{1,    2,   3,    -1, -2,  0,   127, -128, 127,
                               -128, 127, -128, 0,  127, 127, 3,   4};
  const std::vector<std::int32_t> extent{static_cast<std::int32_t>(source.size())}, anchor{0};
  const std::vector<std::int64_t> strides{1};
  const std::vector<int> perm{0};
  const float zero = 0, one = 1;
  for (const Target instructions : Targets()) {
    const auto run = [&](Pixel type, void* out) {
      CropMirrorNormalize(
          {reinterpret_cast<std::byte*>(source.data()), Pixel::kF32, extent, strides},
          {static_cast<std::byte*>(out), type, extent, strides}, {.perm = perm, .fill = {&zero, 1}},
          {.anchor = anchor, .mean = {&zero, 1}, .mul = {&one, 1}}, instructions);
    };
    std::vector<std::uint8_t> u8(source.size());
    std::vector<std::int8_t> i8(source.size());
    run(Pixel::kU8, u8.data());
    run(Pixel::kI8, i8.data());
    Check(std::equal(u8.begin(), u8.end(), bytes.begin()), "rounding to uint8");
    Check(std::equal(i8.begin(), i8.end(), chars.begin()), "rounding to int8");
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestFormula();
  dynjax::TestRounding();
  if (dynjax::failures > 0) std::fprintf(stderr, "%d checks failed\n", dynjax::failures);
  return dynjax::failures == 0 ? 0 : 1;
}
