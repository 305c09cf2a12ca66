// Rows of noise against the formulas in double, on every target, and the targets against each
// other.

#include "random/noise_rows.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "random/draw_rows.h"

namespace dynjax {
namespace {

constexpr Words kKey{0x12345678u, 0x9abcdef0u};

int failures = 0;

void Check(bool ok, const char* what, std::int64_t n) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s, %lld numbers\n", what, static_cast<long long>(n));
  ++failures;
}

Words WordsOf(std::uint32_t start, std::size_t i) {
  return Threefry2x32(kKey, {0, start + static_cast<std::uint32_t>(i)});
}

double NormalOf(Words words) {
  const double radius = ((words.first >> 1) + 1.0) / 0x1p31;
  const double turn = (static_cast<std::int32_t>(words.second) >> 8) / 0x1p24;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * turn);
}

// The count whose interval of the distribution function holds `u`.
double CountOf(double rate, double u) {
  double count = 0, term = std::exp(-rate);
  for (; u >= term && term > 1e-30; ++count) {
    u -= term;
    term *= rate / (count + 1);
  }
  return count;
}

void TestNormal(Target target, std::uint32_t start, std::size_t n) {
  // One element more than is drawn, which stays as it is.
  std::vector<float> drawn(n + 1, -7), noisy(n + 1, 100);
  const auto size = static_cast<std::int64_t>(n);
  DrawRowsFor(target).normal(kKey, start, size, 3, 2, drawn.data());
  NoiseRowsFor(target).gaussian(kKey, start, size, 3, 2, noisy.data());
  for (std::size_t i = 0; i < n; ++i) {
    const double wanted = 3 + 2 * NormalOf(WordsOf(start, i));
    // The radius has 24 bits, which counts where it is next to 1, and the square root is of its
    // distance from 1.
    Check(std::fabs(drawn[i] - wanted) < 2e-3, "normal", size);
    Check(std::fabs(noisy[i] - (100.0f + drawn[i])) < 1e-5f, "gaussian", size);
  }
  Check(drawn[n] == -7 && noisy[n] == 100, "elements beyond normal numbers", size);
}

void TestShot(Target target, std::uint32_t start, std::size_t n) {
  std::vector<float> values(n + 1, 100);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 200) * 0.125f - 1;
  const std::vector<float> given = values;
  const auto size = static_cast<std::int64_t>(n);
  NoiseRowsFor(target).shot(kKey, start, size, 0.5f, values.data());
  for (std::size_t i = 0; i < n; ++i) {
    const double rate = std::fmax(2.0 * given[i], 0);
    const Words words = WordsOf(start, i);
    const double u = rate < 10 ? (words.first >> 8) / 0x1p24
                               : 0.5 * std::erfc(-NormalOf(words) / std::numbers::sqrt2);
    // What rounding and the expansion leave: next to a step either count is right.
    const double count = values[i] / 0.5;
    Check(count >= CountOf(rate, u - 6e-4) && count <= CountOf(rate, u + 6e-4), "shot", size);
  }
  Check(values[n] == 100, "elements beyond shots", size);
  NoiseRowsFor(target).shot(kKey, start, size, 0, values.data());
  for (std::size_t i = 0; i < n; ++i) Check(values[i] == 0, "a factor of 0", size);
}

template <typename T>
void TestReplace(Target target, std::size_t n) {
  const T salt = static_cast<T>(-3), pepper = 5;
  std::vector<std::uint8_t> kinds(n + 1, 9);
  const auto size = static_cast<std::int64_t>(n);
  NoiseRowsFor(target).salt_and_pepper(kKey, 3, size, 0.5f, 0.25f, kinds.data());
  std::vector<T> in(n), out(n + 1, 9);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<T>(i + 100);
  NoiseRowsFor(target).replace[std::bit_width(sizeof(T)) - 1](kinds.data(), size, in.data(), &salt,
                                                              &pepper, out.data());
  for (std::size_t i = 0; i < n; ++i) {
    const Words words = WordsOf(3, i);
    const T noise = words.second < 0x40000000u ? salt : pepper;
    Check(out[i] == (words.first < 0x80000000u ? noise : in[i]), "salt and pepper", size);
  }
  Check(kinds[n] == 9 && out[n] == 9, "elements beyond salt and pepper", size);
}

void TestBeta(Target target) {
  constexpr std::int64_t kSize = 100'001;
  std::vector<float> out(kSize + 1, -7);
  DrawRowsFor(target).beta(kKey, 0xfffffff0u, kSize, 2, 5, out.data());
  double sum = 0;
  for (std::int64_t i = 0; i < kSize; ++i) {
    const float x = out[static_cast<std::size_t>(i)];
    Check(x > 0 && x < 1, "beta", kSize);
    sum += x;
  }
  Check(std::fabs(sum / kSize - 2.0 / 7) < 5 * 0.16 / std::sqrt(kSize), "mean of beta", kSize);
  Check(out[kSize] == -7, "elements beyond beta", kSize);
}

void TestTargetsAgree() {
  constexpr std::size_t kNumbers = 100'000;
  for (const float scale : {0.0f, 0.01f, 1.0f, 100.0f, 1e30f}) {
    std::array<std::vector<float>, 2> gaussian, shot;
    for (std::size_t t = 0; t < 2; ++t) {
      const NoiseRows& rows = NoiseRowsFor(t == 0 ? Target::kScalar : BestTarget());
      gaussian[t].resize(kNumbers);
      for (std::size_t i = 0; i < kNumbers; ++i) {
        gaussian[t][i] = static_cast<float>(i) * 0.003f * scale - scale;
      }
      shot[t] = gaussian[t];
      rows.gaussian(kKey, 0xfffffff0u, kNumbers, 0.3f, scale, gaussian[t].data());
      rows.shot(kKey, 0xfffffff0u, kNumbers, 1.7f, shot[t].data());
    }
    std::array<std::vector<float>, 2> beta;
    for (std::size_t t = 0; t < 2; ++t) {
      beta[t].resize(kNumbers);
      DrawRowsFor(t == 0 ? Target::kScalar : BestTarget())
          .beta(kKey, 7, kNumbers, scale + 0.3f, 2.5f, beta[t].data());
    }
    Check(beta[0] == beta[1], "targets of beta", kNumbers);
    Check(gaussian[0] == gaussian[1], "targets of gaussian", kNumbers);
    Check(shot[0] == shot[1], "targets of shot", kNumbers);
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  for (const auto target : {dynjax::Target::kScalar, dynjax::BestTarget()}) {
    dynjax::TestBeta(target);
    for (const std::size_t n : {0, 1, 7, 63, 64, 65, 1000}) {
      dynjax::TestNormal(target, 3, n);
      dynjax::TestShot(target, 0xfffffffau, n);  // numbers that wrap around
      dynjax::TestReplace<std::uint8_t>(target, n);
      dynjax::TestReplace<std::uint16_t>(target, n);
      dynjax::TestReplace<std::uint32_t>(target, n);
      dynjax::TestReplace<std::uint64_t>(target, n);
    }
  }
  dynjax::TestTargetsAgree();
  if (dynjax::failures > 0) return 1;
  std::puts("ok");
  return 0;
}
