#include "filters/correlate_ffi.h"

#include <algorithm>
#include <optional>

#include "base/pixel_call.h"
#include "filters/correlate.h"
#include "filters/planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error Run(const ffi::AnyBuffer& source, const ffi::Buffer<ffi::S32>& extent,
               const ffi::AnyBuffer& weights, const ffi::Buffer<ffi::S32>& weights_extent,
               const std::optional<Samples>& fill, const ffi::Buffer<ffi::S32>& out_extent,
               const ffi::Buffer<ffi::S32>& table, ffi::AnyBuffer result, bool addressed,
               std::int32_t source_dtype, std::int32_t first_axis, std::int32_t border) {
  const auto wrong = [] {
    return ffi::Error::InvalidArgument("correlate: operands do not fit each other");
  };
  if (border < 0 || border >= kBorders) return wrong();
  // Along the filtered axes the extents may differ: `free` covers them and what is behind.
  const auto windows = Samples::Source(addressed, weights, weights_extent);
  const auto rank = static_cast<std::int32_t>(extent.dimensions().back());
  if (!windows || windows->rank() != 2 || first_axis < 0 || first_axis + 2 > rank) return wrong();
  const auto call =
      PixelCall::Of(addressed, source_dtype, source, extent, out_extent, result,
                    table.element_count(), 2, static_cast<std::size_t>(rank - first_axis));
  if (!call || windows->size() != call->source.size() ||
      (fill && fill->size() != call->source.size()) || (call->row > 2 && first_axis < 1)) {
    return wrong();
  }
  const auto last = static_cast<std::size_t>(first_axis + 1);
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Sample &from = call->source[i], &to = call->target[i];
    const bool same = from.extent.size() == to.extent.size() &&
                      std::equal(from.extent.begin() + first_axis + 2, from.extent.end(),
                                 to.extent.begin() + first_axis + 2);
    if (!same || !HasWholeRows(from, last) || !HasWholeRows(to, last)) return wrong();
  }
  const auto fill_load =
      ConvertersFor(Target::kScalar).load[static_cast<std::size_t>(call->source_type)];
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  const std::int32_t* anchors = table.typed_data();
  const std::int64_t area = windows->size() == 0 ? 1 : (*windows)[0].volume();
  call->RunIndexed(
      anchors, 2, 2 * std::max<std::int64_t>(area, 1),
      [&](std::int64_t i, const Sample& from, const Sample& to, const std::int32_t* anchor) {
        const Sample& own = (*windows)[i];
        CorrelationWindow window{.weights = own.as<const float>(),
                                 .rows = own.extent[0],
                                 .columns = own.extent[1],
                                 .step = own.strides[0],
                                 .anchor_y = anchor[0],
                                 .anchor_x = anchor[1],
                                 .border = static_cast<Border>(border)};
        if (fill) fill_load((*fill)[i].data, 1, &window.fill);
        const std::size_t lead =
            static_cast<std::size_t>(first_axis) - (call->source.rank() - from.extent.size());
        PlaneView view{.type = call->source_type,
                       .height = from.extent[lead],
                       .width = from.extent[lead + 1],
                       .inner = InnerOf(from, lead + 1),
                       .step = from.strides[lead]};
        ForEachPlane(from, to, lead, [&](std::int64_t at, std::int64_t out) {
          view.data = from.data + static_cast<std::size_t>(at) * in_bytes;
          Correlate(view, window, to.extent[lead], to.extent[lead + 1],
                    to.data + static_cast<std::size_t>(out) * out_bytes, call->target_type,
                    to.strides[lead]);
        });
      });
  return ffi::Error::Success();
}

ffi::Error CorrelateBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::AnyBuffer weights,
                          ffi::Buffer<ffi::S32> weights_extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                          bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                          std::int32_t border) {
  return Run(source, extent, weights, weights_extent, std::nullopt, out_extent, table, *result,
             addressed, source_dtype, first_axis, border);
}

ffi::Error CorrelateFilledBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                                ffi::Buffer<ffi::S32> extent, ffi::AnyBuffer weights,
                                ffi::Buffer<ffi::S32> weights_extent, ffi::AnyBuffer fill,
                                ffi::Buffer<ffi::S32> fill_extent, ffi::Buffer<ffi::S32> out_extent,
                                ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                                bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                                std::int32_t border) {
  const auto fills = Samples::Source(addressed, fill, fill_extent);
  if (!fills || fills->rank() != 0) {
    return ffi::Error::InvalidArgument("correlate: the fill value is no scalar");
  }
  return Run(source, extent, weights, weights_extent, fills, out_extent, table, *result, addressed,
             source_dtype, first_axis, border);
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(CorrelateHandler, dynjax::CorrelateBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::AnyBuffer>()              // weights
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // their extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<std::int32_t>("border"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(CorrelateFilledHandler, dynjax::CorrelateFilledBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::AnyBuffer>()              // weights
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // their extent
                                  .Arg<xla::ffi::AnyBuffer>()              // fill
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // its extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<std::int32_t>("border"));
