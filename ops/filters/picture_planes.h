// The planes of samples whose result has their extents and type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/pixel_call.h"
#include "filters/plane_view.h"
#include "filters/planes.h"

namespace dynjax {

struct Planes {
  std::size_t lead = 0;  // axes before the plane
  std::size_t rank = 0;
  Pixel type = Pixel::kU8;

  // nullopt unless the result has the source's type and rank, and pixels of rows lie side by side.
  static std::optional<Planes> Of(const PixelCall& call, std::int32_t first_axis) {
    const std::size_t rank = call.source.rank();
    if (first_axis < 0 || static_cast<std::size_t>(first_axis) + 2 > rank ||
        call.target.rank() != rank || call.source_type != call.target_type) {
      return std::nullopt;
    }
    const auto lead = static_cast<std::size_t>(first_axis);
    for (std::int64_t i = 0; i < call.source.size(); ++i) {
      if (!HasWholeRows(call.source[i], lead + 1) || !HasWholeRows(call.target[i], lead + 1)) {
        return std::nullopt;
      }
    }
    return Planes{lead, rank, call.source_type};
  }

  // Calls body(plane, its result, the result's step) for those of a sample or frame.
  template <typename Body>
  void ForEach(const Sample& from, const Sample& to, const Body& body) const {
    const std::size_t own = lead - (rank - from.extent.size());
    PlaneView view{.type = type,
                   .height = from.extent[own],
                   .width = from.extent[own + 1],
                   .inner = InnerOf(from, own + 1),
                   .step = from.strides[own]};
    ForEachPlane(from, to, own, [&](std::int64_t at, std::int64_t out) {
      view.data = from.data + static_cast<std::size_t>(at) * Bytes(type);
      body(view, to.data + static_cast<std::size_t>(out) * Bytes(type), to.strides[own]);
    });
  }
};

}  // namespace dynjax
