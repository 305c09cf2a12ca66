// Random rows against Threefry2x32, number by number, on every target.

#include "random/draw_rows.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what, std::int64_t n) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s, %lld numbers\n", what, static_cast<long long>(n));
  ++failures;
}

std::vector<Target> Targets() {
  std::vector<Target> targets{Target::kScalar};
  if (BestTarget() != Target::kScalar) targets.push_back(BestTarget());
  return targets;
}

void Test(Target target, std::uint32_t start, std::int64_t n) {
  const DrawRows& rows = DrawRowsFor(target);
  const Words key{0x12345678u, 0x9abcdef0u};
  const auto size = static_cast<std::size_t>(n);
  // One element more than is drawn, which stays as it is.
  std::vector<float> range(size + 1, -7.0f), flip(size + 1, -7.0f), narrow(size + 1, -7.0f);
  std::vector<double> wide(size + 1, -7.0);
  const float last = std::nextafter(1.0f, 2.0f);
  rows.range(key, start, n, -3.0f, 1000.123f, range.data());
  rows.range(key, start, n, 1.0f, last, narrow.data());
  rows.range_double(key, start, n, -3.0, 1000.123, wide.data());
  rows.flip(key, start, n, 0.3f, flip.data());
  for (std::size_t i = 0; i < size; ++i) {
    const Words words = Threefry2x32(key, {0, start + static_cast<std::uint32_t>(i)});
    const float unit = static_cast<float>((words.first ^ words.second) >> 8) * 0x1p-24f;
    const double both = static_cast<double>(words.first >> 5) * 0x1p26 + (words.second >> 6);
    Check(range[i] == std::fma(unit, 1000.123f - -3.0f, -3.0f), "range", n);
    Check(narrow[i] == 1.0f, "the end of a range is excluded", n);
    Check(wide[i] == std::fma(both * 0x1p-53, 1000.123 - -3.0, -3.0), "range in double", n);
    Check(flip[i] == (unit < 0.3f ? 1.0f : 0.0f), "flip", n);
  }
  Check(range[size] == -7.0f && flip[size] == -7.0f && wide[size] == -7.0, "elements beyond", n);
}

}  // namespace
}  // namespace dynjax

int main() {
  for (const auto target : dynjax::Targets()) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 1000}) dynjax::Test(target, 3, n);
    dynjax::Test(target, 0xfffffffau, 20);  // numbers that wrap around
  }
  if (dynjax::failures > 0) return 1;
  std::puts("ok");
  return 0;
}
