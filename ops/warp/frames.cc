#include "warp/frames.h"

#include <algorithm>

namespace dynjax {
namespace {

// Where frame `f` begins, in elements.
std::int64_t OffsetOf(const Sample& sample, PictureAxes axes, std::int64_t f) {
  std::int64_t offset = 0;
  for (auto a = static_cast<std::size_t>(axes.first); a-- > 0;) {
    offset += f % sample.extent[a] * sample.strides[a];
    f /= sample.extent[a];
  }
  return offset;
}

// Extents and strides of depth, height and width; a picture has one plane.
template <typename T>
void SetAxes(const Sample& sample, PictureAxes axes, T* view) {
  for (std::int32_t k = 0; k < axes.count; ++k) {
    const auto from = static_cast<std::size_t>(axes.first + k);
    const auto to = static_cast<std::size_t>(3 - axes.count + k);
    view->extent[to] = sample.extent[from];
    view->strides[to] = sample.strides[from];
  }
}

}  // namespace

std::optional<PictureAxes> PictureAxesOf(std::span<const std::int64_t> axes, std::size_t rank) {
  if (axes.size() < 2 || axes.size() > 3 || axes.front() < 0) return std::nullopt;
  for (std::size_t k = 1; k < axes.size(); ++k) {
    if (axes[k] != axes[0] + static_cast<std::int64_t>(k)) return std::nullopt;
  }
  const auto after = static_cast<std::int64_t>(rank) - 1 - axes.back();
  if (after < 0 || after > 1) return std::nullopt;
  return PictureAxes{static_cast<std::int32_t>(axes[0]), static_cast<std::int32_t>(axes.size())};
}

std::int64_t Frames(const Sample& sample, PictureAxes axes) {
  std::int64_t count = 1;
  for (std::int32_t a = 0; a < axes.first; ++a) count *= sample.extent[static_cast<std::size_t>(a)];
  return count;
}

std::int32_t Channels(const Sample& sample, PictureAxes axes) {
  const auto after = static_cast<std::size_t>(axes.first + axes.count);
  return after < sample.extent.size() ? sample.extent[after] : 1;
}

bool FramesAgree(const Sample& source, const Sample& target, PictureAxes axes) {
  if (target.volume() == 0) return true;
  if (source.volume() == 0 || Channels(source, axes) != Channels(target, axes)) return false;
  const auto before = static_cast<std::size_t>(axes.first);
  return std::equal(source.extent.begin(), source.extent.begin() + before, target.extent.begin());
}

Picture PictureOf(const Sample& sample, Pixel type, PictureAxes axes, std::int64_t f) {
  Picture picture;
  picture.type = type;
  picture.channels = Channels(sample, axes);
  picture.data = sample.data + OffsetOf(sample, axes, f) * static_cast<std::int64_t>(Bytes(type));
  SetAxes(sample, axes, &picture);
  return picture;
}

Canvas CanvasOf(const Sample& sample, Pixel type, PictureAxes axes, std::int64_t f) {
  Canvas canvas;
  canvas.type = type;
  canvas.data = sample.data + OffsetOf(sample, axes, f) * static_cast<std::int64_t>(Bytes(type));
  SetAxes(sample, axes, &canvas);
  return canvas;
}

}  // namespace dynjax
