#include "audio/band_call.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "audio/work.h"
#include "base/runs.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::size_t kEight = 8;

// The sample without the axes from `axis` on.
Sample Before(const Sample& sample, std::size_t axis) {
  Sample view = sample;
  view.extent = sample.extent.first(axis);
  return view;
}

bool LiesSideBySide(const Sample& sample, std::size_t from, std::int64_t* count) {
  std::int64_t n = 1;
  for (std::size_t a = sample.extent.size(); a-- > from;) {
    if (sample.extent[a] > 1 && sample.strides[a] != n) return false;
    n *= sample.extent[a];
  }
  *count = n;
  return true;
}

// Rows along the last axis, eight at a time.
bool SumRows(const Sample& from, const Sample& to, const Bands& bands) {
  const BandKernels& kernels = BandKernelsFor(BestTarget());
  const std::size_t last = from.extent.size() - 1;
  const std::int64_t size = from.extent[last];
  const Work work(static_cast<std::int64_t>(kEight) * (size + bands.count));
  if (work.data() == nullptr) return false;
  std::array<const float*, kEight> rows{};
  std::array<float*, kEight> out{};
  std::size_t held = 0;
  const auto flush = [&] {
    if (held == 0) return;
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(held), rows.end(), rows[0]);
    kernels.rows(bands, rows.data(), size, static_cast<std::int64_t>(held), work.data(),
                 out.data());
    held = 0;
  };
  ForEachRun(Before(from, last), Before(to, last), last, size, bands.count,
             [&](std::int64_t at, std::int64_t target, std::int64_t n) {
               for (std::int64_t k = 0; k < n; ++k) {
                 rows[held] = from.as<float>() + at + k * size;
                 out[held++] = to.as<float>() + target + k * bands.count;
                 if (held == kEight) flush();
               }
             });
  flush();
  return true;
}

// Along an axis that others lie behind.
void SumColumns(const Sample& from, const Sample& to, std::size_t axis, const Bands& bands) {
  const BandKernels& kernels = BandKernelsFor(BestTarget());
  // What lies side by side behind the axis is one run of columns; else each innermost row.
  std::int64_t inner = 1, other = 1;
  std::size_t split = axis + 1;
  while (!LiesSideBySide(from, split, &inner) || !LiesSideBySide(to, split, &other)) ++split;
  std::array<std::int32_t, kMaxRank> extent{};
  std::copy(from.extent.begin(), from.extent.end(), extent.begin());
  extent[axis] = 1;
  Sample a = from, b = to;
  a.extent = b.extent = std::span<const std::int32_t>(extent.data(), split);
  // An item that no axis merges with, so that each run is one.
  ForEachRun(a, b, split, 0, 0, [&](std::int64_t at, std::int64_t target, std::int64_t) {
    kernels.columns(bands, from.as<float>() + at, from.strides[axis], inner,
                    to.as<float>() + target, to.strides[axis]);
  });
}

// Whether the extents agree along all axes but one.
bool AgreeBut(const Samples& in, const Samples& out, std::size_t axis) {
  if (in.size() != out.size() || in.rank() != out.rank() || axis >= in.rank()) return false;
  for (std::int64_t i = 0; i < in.size(); ++i) {
    for (std::size_t a = 0; a < in.rank(); ++a) {
      if (a != axis && in[i].extent[a] != out[i].extent[a]) return false;
    }
  }
  return true;
}

}  // namespace

OwnedBands::OwnedBands(std::int64_t count, std::int64_t size)
    : size_(size), weights_(static_cast<std::size_t>(count * size)) {
  for (std::int64_t k = 0; k < count; ++k) {
    bands_.push_back({.begin = 0, .end = size, .weights = weights(k)});
  }
}

void OwnedBands::Trim() {
  for (Band& band : bands_) {
    while (band.end > band.begin && band.weights[band.end - band.begin - 1] == 0) --band.end;
    while (band.end > band.begin && band.weights[0] == 0) {
      ++band.begin;
      ++band.weights;
    }
  }
}

std::optional<BandCall> BandCall::Of(bool addressed, std::int32_t source_dtype,
                                     const ffi::AnyBuffer& source,
                                     const ffi::Buffer<ffi::S32>& extent,
                                     const ffi::Buffer<ffi::S32>& out_extent,
                                     const ffi::AnyBuffer& result, std::int32_t axis) {
  auto from = Samples::Source(addressed, source, extent);
  auto to = Samples::Of(result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  const auto along = static_cast<std::size_t>(axis);
  if (!from || !to || type != ffi::F32 || result.element_type() != ffi::F32 || axis < 0 ||
      !AgreeBut(*from, *to, along)) {
    return std::nullopt;
  }
  return BandCall{*std::move(from), *std::move(to), along};
}

bool BandCall::Run(bool same, const BandsOf& bands) const {
  const auto shared = same ? bands(0) : nullptr;
  std::atomic<bool> full = false;
  ForEachSample(out, 8, [&](std::int64_t i) {
    if (out[i].volume() > 0) {
      const auto own = shared ? shared : bands(i);
      if (axis + 1 < in.rank()) {
        SumColumns(in[i], out[i], axis, own->view());
      } else if (!SumRows(in[i], out[i], own->view())) {
        full = true;
      }
    }
    out.ZeroPadding(i);
  });
  return !full;
}

}  // namespace dynjax
