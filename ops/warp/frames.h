// Samples as pictures or volumes: the axes before them count frames, those after them channels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/samples.h"
#include "warp/sampler.h"
#include "warp/warp.h"

namespace dynjax {

// Depth, height and width, or the last two of them: `count` axes from `first` on.
struct PictureAxes {
  std::int32_t first = 0;
  std::int32_t count = 2;
};

// nullopt unless there are two or three adjacent axes, followed by at most one more.
std::optional<PictureAxes> PictureAxesOf(std::span<const std::int64_t> axes, std::size_t rank);

std::int64_t Frames(const Sample& sample, PictureAxes axes);
std::int32_t Channels(const Sample& sample, PictureAxes axes);

// Whether frames and channels are the same and there is something to read, or nothing to write.
bool FramesAgree(const Sample& source, const Sample& target, PictureAxes axes);

// Frame `f`, in row-major order of the axes before `axes.first`.
Picture PictureOf(const Sample& sample, Pixel type, PictureAxes axes, std::int64_t f);
Canvas CanvasOf(const Sample& sample, Pixel type, PictureAxes axes, std::int64_t f);

}  // namespace dynjax
