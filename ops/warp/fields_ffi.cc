#include "warp/fields_ffi.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "warp/fields.h"
#include "warp/frames.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr PictureAxes kPicture{0, 2};  // height and width, then channels
constexpr std::int64_t kWeight = 8;

void Copy(const Sample& from, const Sample& to, std::int64_t item_bytes) {
  const auto pixels = static_cast<std::size_t>(from.extent[2] * item_bytes);
  for (std::int64_t y = 0; y < from.extent[0]; ++y) {
    for (std::int64_t x = 0; x < from.extent[1]; ++x) {
      std::memcpy(to.data + item_bytes * (y * to.strides[0] + x * to.strides[1]),
                  from.data + item_bytes * (y * from.strides[0] + x * from.strides[1]), pixels);
    }
  }
}

// `displace(picture, canvas, parameters, sampling)` for each sample whose mask is not 0.
template <std::size_t kParameters, typename Displace>
ffi::Error ForEachDisplaced(bool addressed, std::int32_t source_dtype, ffi::AnyBuffer source,
                            ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                            ffi::Buffer<ffi::S32> mask, ffi::Buffer<ffi::F32> fill,
                            ffi::Buffer<ffi::F32> parameters, ffi::AnyBuffer result,
                            std::int32_t interp, const Displace& displace) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(result, out_extent);
  const auto type = PixelOf(result.element_type());
  const auto given =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  if (!from || !to || from->size() != to->size() || from->rank() != 3 || to->rank() != 3 || !type ||
      given != type || !CanSample(*type, *type)) {
    return ffi::Error::InvalidArgument("want pictures of height, width, channels and one type");
  }
  const auto count = static_cast<std::size_t>(from->size());
  if (mask.element_count() != count || fill.element_count() != count ||
      parameters.element_count() != kParameters * count || interp < 0 || interp > 1) {
    return ffi::Error::InvalidArgument("want a mask, a fill and the parameters of each sample");
  }
  for (std::int64_t i = 0; i < from->size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      if ((*from)[i].extent[a] != (*to)[i].extent[a]) {
        return ffi::Error::InvalidArgument("want results of the sources' sizes");
      }
    }
  }
  ForEachSample(*to, kWeight, [&](std::int64_t i) {
    if ((*to)[i].volume() > 0 && mask.typed_data()[i] == 0) {
      Copy((*from)[i], (*to)[i], static_cast<std::int64_t>(Bytes(*type)));
    } else if ((*to)[i].volume() > 0) {
      const Sampling sampling{
          static_cast<Interpolation>(interp), Edge::kConstant, {fill.typed_data() + i, 1}};
      displace(PictureOf((*from)[i], *type, kPicture, 0), CanvasOf((*to)[i], *type, kPicture, 0),
               parameters.typed_data() + i * static_cast<std::int64_t>(kParameters), sampling);
    }
    to->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

ffi::Error SphereBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                       ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> mask,
                       ffi::Buffer<ffi::F32> fill, ffi::Buffer<ffi::F32> parameters,
                       ffi::Result<ffi::AnyBuffer> result, bool addressed,
                       std::int32_t source_dtype, std::int32_t interp) {
  return ForEachDisplaced<0>(addressed, source_dtype, source, extent, out_extent, mask, fill,
                             parameters, *result, interp,
                             [](const Picture& picture, const Canvas& canvas, const float*,
                                const Sampling& sampling) { Sphere(picture, canvas, sampling); });
}

ffi::Error WaterBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                      ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> mask,
                      ffi::Buffer<ffi::F32> fill, ffi::Buffer<ffi::F32> parameters,
                      ffi::Result<ffi::AnyBuffer> result, bool addressed, std::int32_t source_dtype,
                      std::int32_t interp) {
  return ForEachDisplaced<6>(
      addressed, source_dtype, source, extent, out_extent, mask, fill, parameters, *result, interp,
      [](const Picture& picture, const Canvas& canvas, const float* p, const Sampling& sampling) {
        Water(picture, canvas, {p[0], p[1], p[2], p[3], p[4], p[5]}, sampling);
      });
}

// Height and width of a map, whose last axis may be a 1, and whether it is for all frames.
struct MapView {
  PictureAxes axes;
  bool shared;
};

std::optional<MapView> MapViewOf(const Sample& map, const Sample& target) {
  const std::size_t rank = map.extent.size();
  const bool thin = rank > 2 && map.extent.back() == 1 &&
                    map.extent[rank - 2] == target.extent[target.extent.size() - 2];
  const std::size_t plain = rank - (thin ? 1 : 0);
  if (plain < 2 || plain > 3) return std::nullopt;
  const PictureAxes axes{static_cast<std::int32_t>(plain - 2), 2};
  const std::size_t to = target.extent.size() - 3;
  if (map.extent[plain - 2] != target.extent[to] ||
      map.extent[plain - 1] != target.extent[to + 1]) {
    return std::nullopt;
  }
  if (plain == 3 && (to == 0 || map.extent[0] != target.extent[0])) return std::nullopt;
  return MapView{axes, plain == 2};
}

PositionMap MapOf(const Sample& map, const MapView& view, std::int64_t f) {
  const Picture plane = PictureOf(map, Pixel::kF32, view.axes, view.shared ? 0 : f);
  return {reinterpret_cast<const float*>(plane.data), plane.strides[1]};
}

ffi::Error RemapBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                      ffi::AnyBuffer mapx, ffi::Buffer<ffi::S32> extent_x, ffi::AnyBuffer mapy,
                      ffi::Buffer<ffi::S32> extent_y, ffi::Buffer<ffi::S32> out_extent,
                      ffi::Buffer<ffi::F32> shift, ffi::Result<ffi::AnyBuffer> result,
                      bool addressed, std::int32_t source_dtype, std::int32_t interp) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto xs = Samples::Source(addressed, mapx, extent_x);
  const auto ys = Samples::Source(addressed, mapy, extent_y);
  const auto to = Samples::Of(*result, out_extent);
  const auto type = PixelOf(result->element_type());
  const auto given =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  if (!from || !xs || !ys || !to || from->size() != to->size() || xs->size() != to->size() ||
      ys->size() != to->size() || from->rank() != to->rank() || from->rank() < 3 ||
      from->rank() > 4 || !type || given != type || !CanSample(*type, *type) ||
      shift.element_count() != static_cast<std::size_t>(to->size()) || interp < 0 ||
      interp >= kInterpolations) {
    return ffi::Error::InvalidArgument("remap: want pictures, two maps and a shift each");
  }
  const PictureAxes axes{static_cast<std::int32_t>(from->rank()) - 3, 2};
  for (std::int64_t i = 0; i < to->size(); ++i) {
    if (!FramesAgree((*from)[i], (*to)[i], axes) ||
        ((*to)[i].volume() > 0 &&
         (!MapViewOf((*xs)[i], (*to)[i]) || !MapViewOf((*ys)[i], (*to)[i])))) {
      return ffi::Error::InvalidArgument("remap: want maps of the result's size, and a source");
    }
  }
  ForEachSample(*to, kWeight, [&](std::int64_t i) {
    if ((*to)[i].volume() > 0) {
      const MapView view_x = *MapViewOf((*xs)[i], (*to)[i]),
                    view_y = *MapViewOf((*ys)[i], (*to)[i]);
      constexpr std::array<float, 1> kZero{0};
      const Sampling sampling{static_cast<Interpolation>(interp), Edge::kConstant, kZero};
      for (std::int64_t f = 0; f < Frames((*to)[i], axes); ++f) {
        Remap(PictureOf((*from)[i], *type, axes, f), CanvasOf((*to)[i], *type, axes, f),
              MapOf((*xs)[i], view_x, f), MapOf((*ys)[i], view_y, f), shift.typed_data()[i],
              sampling);
      }
    }
    to->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(SphereHandler, dynjax::SphereBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // mask
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // fill
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // parameters
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("interp"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(WaterHandler, dynjax::WaterBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // mask
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // fill
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // parameters
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("interp"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(RemapHandler, dynjax::RemapBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::AnyBuffer>()              // mapx
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent_x
                                  .Arg<xla::ffi::AnyBuffer>()              // mapy
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent_y
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // shift
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("interp"));
