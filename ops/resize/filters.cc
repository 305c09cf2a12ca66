#include "resize/filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "resize/kernels.h"

namespace dynjax {
namespace {

// A normalised weight below this moves no float32 result; trimming it makes sums shorter, and
// exact where the sines of whole numbers are not quite zero.
constexpr double kNegligible = 1e-10;

double Nearest(double position, std::int32_t size) {
  return std::clamp(std::floor(position), 0.0, size - 1.0);
}

void CopyOne(Taps* taps, std::int32_t o, double index) {
  const auto slot = static_cast<std::size_t>(o);
  taps->first[slot] = static_cast<std::int32_t>(index);
  taps->count[slot] = 1;
  taps->weights[slot * static_cast<std::size_t>(taps->width)] = 1.0f;
}

// All of the memory before any of it is used.
bool MakeRoom(const ResampleAxis& axis, std::int32_t width, Taps* taps) {
  const auto out = static_cast<std::size_t>(axis.out);
  taps->width = width;
  return taps->weights.Reset(out * static_cast<std::size_t>(width)) && taps->first.Reset(out) &&
         taps->count.Reset(out);
}

// The sum and the product of floats, each rounded to float: never fused into one operation, on any
// processor (a product of floats is exact in double, and a sum rounds the same by way of double).
float Sum(float a, float b) { return static_cast<float>(static_cast<double>(a) + b); }
float Product(float a, float b) { return static_cast<float>(static_cast<double>(a) * b); }

// Positions that fall on the border of two pixels, as in 30 -> 41, go where rounding sends them.
// The original computes in float32 from the first whole pixel of the window on; it multiplies on
// the innermost axis and adds up on the others. Both were found by recording all sizes up to 64
// -> 96.
bool BuildNearest(const ResampleAxis& axis, Taps* taps) {
  if (!MakeRoom(axis, 1, taps)) return false;
  const float base = std::max(std::floor(std::min(axis.lo, axis.hi)), 0.0f);
  const float lo = axis.lo - base, hi = axis.hi - base;
  const float scale = (hi - lo) / static_cast<float>(axis.out);
  float running = Sum(lo, Product(0.5f, scale));
  for (std::int32_t o = 0; o < axis.out; ++o) {
    const float position =
        axis.innermost ? Sum(lo, Product(static_cast<float>(o) + 0.5f, scale)) : running;
    CopyOne(taps, o, Nearest(static_cast<double>(std::floor(position)) + base, axis.in));
    running = Sum(running, scale);
  }
  return true;
}

// Conversions in place of floor and ceil, which are calls without SSE4.1.
std::int64_t Ceil(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return whole + (static_cast<double>(whole) < x ? 1 : 0);
}
std::int64_t Floor(double x) { return -Ceil(-x); }

// Writes the weights of output `o`, whose taps lie within `reach` of `center`; `sums` has room for
// them. Positions are far from overflow.
template <typename Kernel>
void BuildOne(const ResampleAxis& axis, std::int32_t o, double center, double reach, double pitch,
              double* sums, Taps* taps) {
  const std::int64_t last = axis.in - 1;
  std::int64_t i0 = Ceil(center - reach), i1 = Floor(center + reach);
  if (axis.border == Border::kRenormalize) {
    i0 = std::max<std::int64_t>(i0, 0);
    i1 = std::min(i1, last);
  }
  const std::int64_t begin = std::clamp<std::int64_t>(i0, 0, last);
  const std::int64_t end = std::clamp(i1, begin, last);
  std::fill_n(sums, end - begin + 1, 0.0);
  double total = 0;
  Kernel kernel((static_cast<double>(i0) - center) * pitch, pitch);
  for (std::int64_t i = i0; i <= i1; ++i) {
    const double w = kernel.Next();
    sums[std::clamp(i, begin, end) - begin] += w;
    total += w;
  }
  if (total == 0) {  // nothing of the kernel meets the image
    CopyOne(taps, o, Nearest(center + 0.5, axis.in));
    return;
  }
  const double unit = 1 / total, negligible = kNegligible * std::abs(total);
  std::int64_t skip = 0, size = end - begin + 1;
  while (skip + 1 < size && std::abs(sums[skip]) < negligible) ++skip;
  while (size > skip + 1 && std::abs(sums[size - 1]) < negligible) --size;
  float* weights =
      &taps->weights[static_cast<std::size_t>(o) * static_cast<std::size_t>(taps->width)];
  for (std::int64_t k = skip; k < size; ++k) *weights++ = static_cast<float>(sums[k] * unit);
  taps->first[static_cast<std::size_t>(o)] = static_cast<std::int32_t>(begin + skip);
  taps->count[static_cast<std::size_t>(o)] = static_cast<std::int32_t>(size - skip);
}

template <typename Kernel>
bool Build(const ResampleAxis& axis, Taps* taps) {
  const double scale = (static_cast<double>(axis.hi) - axis.lo) / axis.out;
  const double stretch = axis.antialias ? std::max(1.0, std::abs(scale)) : 1.0;
  const double reach = Kernel::kSupport * stretch;
  const double width = std::min<double>(axis.in, std::floor(2 * reach) + 1);
  Array<double> sums;
  if (!MakeRoom(axis, static_cast<std::int32_t>(width), taps) ||
      !sums.Reset(static_cast<std::size_t>(width) + 1)) {
    return false;
  }
  for (std::int32_t o = 0; o < axis.out; ++o) {
    const double center = axis.lo + (o + 0.5) * scale - 0.5;
    BuildOne<Kernel>(axis, o, center, reach, 1 / stretch, sums.data(), taps);
  }
  return true;
}

// Shortens the rows of `weights` to the longest count; `padded` as for TapsFor.
void Compact(bool padded, Taps* taps) {
  const auto old_width = static_cast<std::size_t>(taps->width);
  taps->width = *std::max_element(taps->count.begin(), taps->count.end());
  const auto width = static_cast<std::size_t>(taps->width);
  for (std::size_t o = 0; o < taps->first.size(); ++o) {
    auto count = static_cast<std::size_t>(taps->count[o]);
    const float* from = &taps->weights[o * old_width];
    float* to = &taps->weights[o * width];
    std::copy(from, from + count, to);
    // The next row begins at or after this point, so it is not yet overwritten.
    std::fill(to + count, to + width, 0.0f);
    if (!padded) continue;
    const std::int32_t over = std::max(taps->first[o] + taps->width - taps->in, 0);
    taps->first[o] -= over;
    std::rotate(to, to + (width - static_cast<std::size_t>(over)), to + width);
    taps->count[o] = taps->width;
  }
  taps->weights.Shorten(taps->first.size() * width);
}

bool BuildCopy(const ResampleAxis& axis, Taps* taps) {
  if (!MakeRoom(axis, 1, taps)) return false;
  for (std::int32_t o = 0; o < axis.out; ++o) CopyOne(taps, o, o);
  return true;
}

bool BuildFiltered(const ResampleAxis& axis, Taps* taps) {
  switch (axis.filter) {
    case Filter::kNearest:
      return BuildNearest(axis, taps);
    case Filter::kLinear:
    case Filter::kTriangular:
      return Build<Walk<Triangle>>(axis, taps);
    case Filter::kCubic:
      return Build<Walk<Cubic>>(axis, taps);
    case Filter::kLanczos3:
      return Build<LanczosWalk>(axis, taps);
    case Filter::kGaussian:
      return Build<Walk<Gaussian>>(axis, taps);
  }
  return false;
}

std::shared_ptr<const Taps> BuildTaps(const ResampleAxis& axis, bool padded) {
  auto taps = std::make_shared<Taps>();
  taps->in = axis.in;
  taps->out = axis.out;
  if (axis.lo == 0 && axis.out == axis.in && axis.hi == static_cast<float>(axis.in)) {
    if (!BuildCopy(axis, taps.get())) return nullptr;
  } else {
    if (!BuildFiltered(axis, taps.get())) return nullptr;
    Compact(padded, taps.get());
  }
  taps->Finish();
  return taps;
}

}  // namespace

void Taps::Finish() {
  begin_ = in;
  end_ = 0;
  shifts_ = width == 1;
  uniform_ = true;
  double taps = 0;
  for (std::size_t o = 0; o < first.size(); ++o) {
    begin_ = std::min(begin_, first[o]);
    end_ = std::max(end_, first[o] + count[o]);
    shifts_ = shifts_ && first[o] == first[0] + static_cast<std::int32_t>(o);
    uniform_ = uniform_ && count[o] == width;
    taps += count[o];
  }
  mean_count_ = taps / static_cast<double>(first.size());
}

std::shared_ptr<const Taps> TapsFor(const ResampleAxis& axis, bool padded) {
  // Samples of one size mostly come in runs: three axes of the last two sizes.
  struct Entry {
    ResampleAxis axis;
    bool padded = false;
    std::shared_ptr<const Taps> taps;
  };
  thread_local std::array<Entry, 6> recent;
  thread_local std::size_t next = 0;
  for (const Entry& entry : recent) {
    if (entry.taps != nullptr && entry.axis == axis && entry.padded == padded) return entry.taps;
  }
  auto taps = BuildTaps(axis, padded);
  if (taps == nullptr) return nullptr;
  recent[next] = {axis, padded, taps};
  next = (next + 1) % recent.size();
  return taps;
}

}  // namespace dynjax
