// Fuzz target of the random numbers and of noise: the same bits on all targets, whatever the
// parameters, the values and the number of elements, and nothing behind the last one.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/fuzz_input.h"
#include "random/draw_rows.h"
#include "random/noise_rows.h"

namespace dynjax {
namespace {

struct Elements {
  static Elements Of(FuzzInput& input) {
    const auto number = [&] { return static_cast<std::uint32_t>(input.Between(0, 65535)); };
    return {{number() << 16 | 1, number()}, number() << 16 | number(), input.Between(0, 200)};
  }
  std::size_t bytes(std::size_t item) const { return static_cast<std::size_t>(n) * item; }

  Words key;
  std::uint32_t start;
  std::int64_t n;
};

void SameFloats(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  PromiseSame(a, b, Pixel::kF32);
}

void RunDraws(FuzzInput& input) {
  const Elements e = Elements::Of(input);
  const float a = input.Number(), b = input.Number();
  const int which = input.Between(0, 3);
  ForBothTargets(
      e.bytes(sizeof(float)),
      [&](std::byte* bytes, Target target) {
        const DrawRows& rows = DrawRowsFor(target);
        auto* out = reinterpret_cast<float*>(bytes);
        if (which == 0) rows.range(e.key, e.start, e.n, a, b, out);
        if (which == 1) rows.normal(e.key, e.start, e.n, a, b, out);
        if (which == 2) rows.flip(e.key, e.start, e.n, a, out);
        if (which == 3) rows.beta(e.key, e.start, e.n, a, b, out);
      },
      SameFloats);
}

void RunNoise(FuzzInput& input) {
  const Elements e = Elements::Of(input);
  const float a = input.Number(), b = input.Number();
  const bool shot = input.Bit();
  const auto values = input.Numbers(static_cast<std::size_t>(e.n));
  ForBothTargets(
      e.bytes(sizeof(float)),
      [&](std::byte* bytes, Target target) {
        if (e.n > 0) std::memcpy(bytes, values.data(), e.bytes(sizeof(float)));
        auto* out = reinterpret_cast<float*>(bytes);
        if (shot) {
          NoiseRowsFor(target).shot(e.key, e.start, e.n, a, out);
        } else {
          NoiseRowsFor(target).gaussian(e.key, e.start, e.n, a, b, out);
        }
      },
      SameFloats);
}

void RunReplace(FuzzInput& input) {
  const Elements e = Elements::Of(input);
  const float probability = input.Number(), share = input.Number();
  const auto item = input.Of<std::size_t>({1, 2, 4, 8});
  const auto salt = input.Elements(8), pepper = input.Elements(8);
  const auto values = input.Elements(e.bytes(item));
  ForBothTargets(
      e.bytes(item + 1),
      [&](std::byte* out, Target target) {
        const NoiseRows& rows = NoiseRowsFor(target);
        auto* kinds = reinterpret_cast<std::uint8_t*>(out + e.bytes(item));
        rows.salt_and_pepper(e.key, e.start, e.n, probability, share, kinds);
        for (std::int64_t i = 0; i < e.n; ++i) Promise(kinds[i] < 3);
        rows.replace[static_cast<std::size_t>(std::bit_width(item)) - 1](
            kinds, e.n, values.data(), salt.data(), pepper.data(), out);
      },
      [](const auto& a, const auto& b) { Promise(a == b); });
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kRuns{dynjax::RunDraws, dynjax::RunNoise, dynjax::RunReplace};
  dynjax::FuzzInput input(data, size);
  kRuns[static_cast<std::size_t>(input.Between(0, 2))](input);
  return 0;
}
