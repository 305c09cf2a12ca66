#include "resize/resample.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/array.h"
#include "resize/copy_pixels.h"
#include "resize/row_resampler.h"

namespace dynjax {
namespace {

using Index = std::array<std::int64_t, kMaxResampleRank>;

// The axes of a sample sorted by their part in the work. Absent axes have extent 1.
struct Roles {
  std::size_t width = 0;           // the last resampled axis
  std::int64_t channels = 1;       // all axes after it
  int height = -1, depth = -1;     // -1: none
  std::vector<std::size_t> outer;  // looped over
};

std::shared_ptr<const Taps> Identity(std::int32_t size) {
  return TapsFor({.in = size, .out = size, .lo = 0, .hi = static_cast<float>(size)}, false);
}

std::shared_ptr<const Taps> Outer(ResampleAxis axis) {
  axis.innermost = false;
  return TapsFor(axis, false);
}

Roles RolesOf(std::span<const std::int32_t> extent, std::span<const int> axes) {
  Roles roles;
  roles.width = static_cast<std::size_t>(axes.back());
  for (std::size_t a = roles.width + 1; a < extent.size(); ++a) roles.channels *= extent[a];
  if (axes.size() > 1) roles.height = axes[axes.size() - 2];
  if (axes.size() > 2) roles.depth = axes[axes.size() - 3];
  // Without a second resampled axis the nearest carried one gives the rows.
  if (axes.size() == 1 && roles.width > 0) roles.height = axes.back() - 1;
  for (int a = 0; a < axes.back(); ++a) {
    if (a != roles.height && a != roles.depth) roles.outer.push_back(static_cast<std::size_t>(a));
  }
  return roles;
}

// True when pixels of a row are adjacent: from `width` on, the array has no gaps.
bool RowsAreDense(const StridedView& view, std::size_t width) {
  std::int64_t step = 1;
  for (std::size_t a = view.extent.size(); a-- > width;) {
    if (view.extent[a] != 1 && view.strides[a] != step) return false;
    step *= view.extent[a];
  }
  return true;
}

std::vector<std::int64_t> DenseStrides(std::span<const std::int32_t> extent) {
  std::vector<std::int64_t> strides(extent.size());
  std::int64_t step = 1;
  for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) strides[a] = step;
  return strides;
}

// A gapless copy of `view`'s shape, for slots whose inner axes are padded.
struct DenseCopy {
  explicit DenseCopy(const StridedView& like) : strides(DenseStrides(like.extent)) {
    std::int64_t volume = 1;
    for (const auto e : like.extent) volume *= e;
    if (!bytes.Reset(static_cast<std::size_t>(volume) * Bytes(like.type))) return;
    view = {bytes.data(), like.type, like.extent, strides};
  }
  bool exists() const { return view.data != nullptr; }
  std::vector<std::int64_t> strides;
  Array<std::byte> bytes;
  StridedView view;
};

// Calls body(source offset, target offset), in elements, for each index of the outer axes.
template <typename Body>
void ForEachOuter(const StridedView& source, const StridedView& target,
                  std::span<const std::size_t> outer, const Body& body) {
  Index index{};
  while (true) {
    std::int64_t from = 0, to = 0;
    for (std::size_t k = 0; k < outer.size(); ++k) {
      from += index[k] * source.strides[outer[k]];
      to += index[k] * target.strides[outer[k]];
    }
    body(from, to);
    std::size_t k = outer.size();
    while (k > 0 && ++index[k - 1] == source.extent[outer[k - 1]]) index[--k] = 0;
    if (k == 0) return;
  }
}

// A row resampler for these taps, kept for the thread's next sample of the same sizes: its row
// buffers cost more to make than a small sample to resize. nullptr: no memory for them.
RowResampler* RowsFor(const std::shared_ptr<const Taps>& vertical,
                      const std::shared_ptr<const Taps>& horizontal, std::int64_t channels,
                      Target target) {
  struct Entry {
    std::shared_ptr<const Taps> vertical, horizontal;
    std::int64_t channels = 0;
    Target target = Target::kScalar;
    std::optional<RowResampler> rows;
  };
  thread_local std::array<Entry, 4> recent;
  thread_local std::size_t next = 0;
  for (Entry& entry : recent) {
    if (entry.rows && entry.vertical == vertical && entry.horizontal == horizontal &&
        entry.channels == channels && entry.target == target) {
      return &*entry.rows;
    }
  }
  Entry& entry = recent[next];
  next = (next + 1) % recent.size();
  entry.vertical = vertical;
  entry.horizontal = horizontal;
  entry.channels = channels;
  entry.target = target;
  if (entry.rows.emplace(vertical, horizontal, channels, target).Prepare()) return &*entry.rows;
  entry.rows.reset();
  return nullptr;
}

class Resampling {
 public:
  Resampling(const StridedView& source, const StridedView& target, std::span<const int> axes,
             Target instructions)
      : source_(source),
        target_(target),
        roles_(RolesOf(source.extent, axes)),
        passes_(RowPassesFor(instructions)) {}

  // Weights and working memory; false if there is no memory for them.
  bool Prepare(std::span<const ResampleAxis> window, Target instructions) {
    // Only the horizontal pass gains from padded taps.
    width_ = TapsFor(window.back(), source_.type != Pixel::kF32 && source_.type != Pixel::kF16);
    height_ = window.size() > 1    ? Outer(window[window.size() - 2])
              : roles_.height >= 0 ? Identity(Extent(roles_.height))
                                   : Identity(1);
    depth_ = window.size() > 2 ? Outer(window[0]) : Identity(1);
    if (width_ == nullptr || height_ == nullptr || depth_ == nullptr) return false;
    if (!Copies()) {
      rows_ = RowsFor(height_, width_, roles_.channels, instructions);
      if (rows_ == nullptr) return false;
    }
    if (depth_->copies()) return true;
    blended_row_ = static_cast<std::int64_t>(width_->in) * roles_.channels;
    return blended_.Reset(static_cast<std::size_t>(blended_row_ * height_->in)) &&
           layers_.Reset(static_cast<std::size_t>(depth_->width));
  }

  void Run() {
    ForEachOuter(source_, target_, roles_.outer, [&](std::int64_t from, std::int64_t to) {
      for (std::int32_t z = 0; z < depth_->out; ++z) {
        std::byte* out = target_.data + (to + z * Stride(target_, roles_.depth)) * TargetBytes();
        const PixelPlane plane = Layer(from, z);
        if (Copies()) {
          CopyPixels(plane, *height_, *width_, roles_.channels,
                     Stride(target_, roles_.height) * TargetBytes(), out);
        } else {
          RunPlane(plane, out);
        }
      }
    });
  }

 private:
  bool Copies() const {
    return source_.type == target_.type && depth_->copies() && height_->copies() &&
           width_->copies();
  }
  std::int32_t Extent(int axis) const { return source_.extent[static_cast<std::size_t>(axis)]; }
  static std::int64_t Stride(const StridedView& view, int axis) {
    return axis < 0 ? 0 : view.strides[static_cast<std::size_t>(axis)];
  }
  std::int64_t TargetBytes() const { return static_cast<std::int64_t>(Bytes(target_.type)); }
  const std::byte* Source(std::int64_t offset) const {
    return source_.data + offset * static_cast<std::int64_t>(Bytes(source_.type));
  }

  // The plane at output depth `z`; blended from several where the depth is filtered.
  PixelPlane Layer(std::int64_t from, std::int32_t z) {
    const auto o = static_cast<std::size_t>(z);
    const std::int64_t layer = Stride(source_, roles_.depth), row = Stride(source_, roles_.height);
    const std::int64_t first = from + depth_->first[o] * layer;
    if (depth_->copies()) {
      return {Source(first), source_.type, row * static_cast<std::int64_t>(Bytes(source_.type))};
    }
    for (std::int32_t y = height_->begin(); y < height_->end(); ++y) {
      for (std::int32_t t = 0; t < depth_->count[o]; ++t) {
        layers_[static_cast<std::size_t>(t)] = Source(first + t * layer + y * row);
      }
      passes_.blend[static_cast<std::size_t>(source_.type)](
          layers_.data(), &depth_->weights[o * static_cast<std::size_t>(depth_->width)],
          depth_->count[o], blended_row_, &blended_[static_cast<std::size_t>(y * blended_row_)]);
    }
    return {reinterpret_cast<const std::byte*>(blended_.data()), Pixel::kF32,
            blended_row_ * static_cast<std::int64_t>(sizeof(float))};
  }

  void RunPlane(const PixelPlane& plane, std::byte* out) {
    rows_->SetPlane(plane);
    const std::int64_t row_bytes = Stride(target_, roles_.height) * TargetBytes();
    for (std::int32_t y = 0; y < height_->out; ++y) {
      rows_->Row(y, target_.type, out + y * row_bytes);
    }
  }

  const StridedView& source_;
  const StridedView& target_;
  const Roles roles_;
  const RowPasses& passes_;
  std::shared_ptr<const Taps> depth_, height_, width_;
  RowResampler* rows_ = nullptr;
  std::int64_t blended_row_ = 0;
  Array<float> blended_;
  Array<const void*> layers_;
};

}  // namespace

Status Resample(const StridedView& source, const StridedView& target, std::span<const int> axes,
                std::span<const ResampleAxis> window, Target instructions) {
  const auto width = static_cast<std::size_t>(axes.back());
  if (!RowsAreDense(source, width)) {
    const DenseCopy copy(source);
    if (!copy.exists()) return StatusCode::kTooLarge;
    CopyStrided(source, copy.view);
    return Resample(copy.view, target, axes, window, instructions);
  }
  if (!RowsAreDense(target, width)) {
    const DenseCopy copy(target);
    if (!copy.exists()) return StatusCode::kTooLarge;
    const Status status = Resample(source, copy.view, axes, window, instructions);
    if (status.ok()) CopyStrided(copy.view, target);
    return status;
  }
  Resampling resampling(source, target, axes, instructions);
  if (!resampling.Prepare(window, instructions)) return StatusCode::kTooLarge;
  resampling.Run();
  return Status::Ok();
}

}  // namespace dynjax
