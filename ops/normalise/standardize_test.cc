// Standardize against its formula, in double precision, on every target.

#include "normalise/standardize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what, double detail) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s (%g)\n", what, detail);
  ++failures;
}

// What Standardize should give for column `k` of slice `l`, before it is rounded.
template <typename T>
std::vector<double> Wanted(const std::vector<T>& in, const Folded& e, std::int64_t l,
                           std::int64_t k, const Standardization& p) {
  std::vector<double> x;
  for (std::int64_t r = 0; r < e.reduced; ++r) {
    x.push_back(in[static_cast<std::size_t>((l * e.reduced + r) * e.kept + k)]);
  }
  const auto given = [&](std::span<const float> values) {
    return static_cast<double>(
        values[values.size() > 1 ? static_cast<std::size_t>(l * e.kept + k) : 0]);
  };
  double mean = 0, square = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  if (!p.mean.empty()) mean = given(p.mean);
  const double freedom = static_cast<double>(x.size()) - p.ddof;
  for (const double v : x) square += freedom > 0 ? (v - mean) * (v - mean) / freedom : 0;
  if (!p.deviation.empty()) square = std::pow(given(p.deviation), 2);
  square += p.epsilon;
  for (double& v : x) v = (square > 0 ? (v - mean) / std::sqrt(square) * p.scale : 0) + p.shift;
  return x;
}

template <typename T>
void Test(Pixel type, std::mt19937& random, const Folded& e, const Standardization& p) {
  const auto count = static_cast<std::size_t>(e.lead * e.reduced * e.kept);
  std::vector<T> in(count);
  for (auto& v : in) v = static_cast<T>(random() % 200);
  for (const Target target : {Target::kScalar, BestTarget()}) {
    std::vector<float> out(count);
    std::vector<std::int16_t> rounded(count);
    Standardize(in.data(), type, e, p, Pixel::kF32, out.data(), target);
    Standardize(in.data(), type, e, p, Pixel::kI16, rounded.data(), target);
    for (std::int64_t l = 0; l < e.lead; ++l) {
      for (std::int64_t k = 0; k < e.kept; ++k) {
        const auto wanted = Wanted(in, e, l, k, p);
        for (std::int64_t r = 0; r < e.reduced; ++r) {
          const auto at = static_cast<std::size_t>((l * e.reduced + r) * e.kept + k);
          const double want = wanted[static_cast<std::size_t>(r)];
          const double tolerance = 1e-4 * (1 + std::abs(want));
          Check(std::abs(out[at] - want) <= tolerance, "float32", out[at] - want);
          Check(std::abs(rounded[at] - want) <= 0.5 + tolerance, "int16", rounded[at] - want);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  using namespace dynjax;
  std::mt19937 random(1);
  const std::vector<float> one{50};
  for (const Folded& e : {Folded{1, 500, 3}, Folded{3, 41, 1}, Folded{2, 9, 800}, Folded{1, 1, 5},
                          Folded{2, 700, 16}, Folded{0, 5, 2}, Folded{1, 0, 2}}) {
    std::vector<float> each(static_cast<std::size_t>(std::max<std::int64_t>(e.lead * e.kept, 2)));
    for (auto& v : each) v = static_cast<float>(random() % 100 + 1);
    each.resize(static_cast<std::size_t>(e.lead * e.kept));
    for (const Standardization& p :
         {Standardization{}, Standardization{{}, {}, 1, 0.5f, 3, -20}, Standardization{one},
          Standardization{{}, one}, Standardization{each, each, 0, 0, 9, 1}}) {
      Test<std::uint8_t>(Pixel::kU8, random, e, p);
      Test<std::int32_t>(Pixel::kI32, random, e, p);
      Test<float>(Pixel::kF32, random, e, p);
    }
  }
  // Equal bytes have no spread at all.
  const std::vector<std::uint8_t> flat(1000, 77);
  std::vector<float> out(flat.size());
  Standardize(flat.data(), Pixel::kU8, {1, 1000, 1}, {.shift = 2}, Pixel::kF32, out.data());
  Check(std::ranges::all_of(out, [](float v) { return v == 2; }), "no spread", out[0]);
  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}
