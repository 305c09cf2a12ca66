#include "filters/correlate_ffi.h"

#include <algorithm>
#include <optional>

#include "base/pixel_call.h"
#include "base/runs.h"
#include "filters/correlate.h"
#include "filters/planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// What a frame takes of an operand that has frames, or one value for all: the last for all frames
// after it. nullopt where there is none.
std::optional<Sample> TakenBy(const Sample& sample, std::size_t rank, std::int32_t frame,
                              std::size_t item_bytes) {
  if (sample.extent.size() == rank) return sample;
  if (sample.extent[0] < 1) return std::nullopt;
  return FrameOf(sample, std::min(frame, sample.extent[0] - 1), item_bytes);
}

// Whether all axes but the two that are filtered agree. Those of `to` have a frame in front where
// `spread`.
bool Agree(const Sample& from, const Sample& to, std::size_t first_axis, bool spread) {
  const std::size_t shift = spread ? 1 : 0;
  if (from.extent.size() + shift != to.extent.size()) return false;
  for (std::size_t a = shift; a < to.extent.size(); ++a) {
    const bool is_filtered = a == first_axis || a == first_axis + 1;
    if (!is_filtered && from.extent[a - shift] != to.extent[a]) return false;
  }
  return true;
}

ffi::Error Run(const ffi::AnyBuffer& source, const ffi::Buffer<ffi::S32>& extent,
               const ffi::AnyBuffer& weights, const ffi::Buffer<ffi::S32>& weights_extent,
               const std::optional<Samples>& fill, const ffi::Buffer<ffi::S32>& out_extent,
               const ffi::Buffer<ffi::S32>& table, ffi::AnyBuffer result, bool addressed,
               std::int32_t source_dtype, std::int32_t first_axis, std::int32_t border,
               bool spread) {
  const auto wrong = [] {
    return ffi::Error::InvalidArgument("correlate: operands do not fit each other");
  };
  if (border < 0 || border >= kBorders) return wrong();
  const auto windows = Samples::Source(addressed, weights, weights_extent);
  if (!windows || windows->rank() < 2 || windows->rank() > 3) return wrong();
  const auto rank = static_cast<std::int32_t>(out_extent.dimensions().back());
  if (first_axis < (spread ? 1 : 0) || first_axis + 2 > rank) return wrong();
  const auto source_rank = static_cast<std::size_t>(extent.dimensions().back());
  // Which extents must agree is checked below.
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, result,
                                  table.element_count(), 2,
                                  std::min(source_rank, static_cast<std::size_t>(rank)));
  if (!call || windows->size() != call->source.size() ||
      (fill && fill->size() != call->source.size())) {
    return wrong();
  }
  const auto first = static_cast<std::size_t>(first_axis);
  const bool has_frames =
      spread || call->row > 2 || windows->rank() == 3 || (fill && fill->rank() == 1);
  if (has_frames && first < 1) return wrong();
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Sample &from = call->source[i], &to = call->target[i];
    if (!Agree(from, to, first, spread) || !HasWholeRows(from, spread ? first : first + 1) ||
        !HasWholeRows(to, first + 1)) {
      return wrong();
    }
  }
  const auto fill_load =
      ConvertersFor(Target::kScalar).load[static_cast<std::size_t>(call->source_type)];
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  const auto run = [&](const Sample& from, const Sample& to, std::size_t lead,
                       const CorrelationWindow& window) {
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
  };
  const auto window_of = [&](std::int64_t i, std::int32_t frame, const std::int32_t* anchor) {
    // A window without weights gives zeros.
    static constexpr float kNone = 0;
    CorrelationWindow window{.weights = &kNone, .border = static_cast<Border>(border)};
    const auto own = TakenBy((*windows)[i], 2, frame, sizeof(float));
    if (own && own->extent[0] > 0 && own->extent[1] > 0) {
      window.weights = own->as<const float>();
      window.rows = own->extent[0];
      window.columns = own->extent[1];
      window.step = own->strides[0];
      window.anchor_y = anchor[0];
      window.anchor_x = anchor[1];
    }
    if (fill) {
      if (const auto value = TakenBy((*fill)[i], 0, frame, in_bytes)) {
        fill_load(value->data, 1, &window.fill);
      }
    }
    return window;
  };
  const std::int64_t area =
      windows->size() == 0 ? 1 : std::max<std::int64_t>((*windows)[0].volume(), 1);
  const auto anchors = static_cast<std::int32_t>(call->row / 2);
  call->RunIndexed(
      table.typed_data(), call->row, 2 * area,
      [&](std::int64_t i, const Sample& from, const Sample& to, const std::int32_t* values) {
        if (!has_frames) return run(from, to, first, window_of(i, 0, values));
        for (std::int32_t f = 0; f < to.extent[0]; ++f) {
          run(spread ? from : FrameOf(from, f, in_bytes), FrameOf(to, f, out_bytes), first - 1,
              window_of(i, f, values + 2 * std::min(f, anchors - 1)));
        }
      });
  return ffi::Error::Success();
}

ffi::Error CorrelateBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::AnyBuffer weights,
                          ffi::Buffer<ffi::S32> weights_extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                          bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                          std::int32_t border, bool spread) {
  return Run(source, extent, weights, weights_extent, std::nullopt, out_extent, table, *result,
             addressed, source_dtype, first_axis, border, spread);
}

ffi::Error CorrelateFilledBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                                ffi::Buffer<ffi::S32> extent, ffi::AnyBuffer weights,
                                ffi::Buffer<ffi::S32> weights_extent, ffi::AnyBuffer fill,
                                ffi::Buffer<ffi::S32> fill_extent, ffi::Buffer<ffi::S32> out_extent,
                                ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                                bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                                std::int32_t border, bool spread) {
  const auto fills = Samples::Source(addressed, fill, fill_extent);
  if (!fills || fills->rank() > 1) {
    return ffi::Error::InvalidArgument("correlate: the fill value is no scalar");
  }
  return Run(source, extent, weights, weights_extent, fills, out_extent, table, *result, addressed,
             source_dtype, first_axis, border, spread);
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
                                  .Attr<std::int32_t>("border")
                                  .Attr<bool>("spread"));

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
                                  .Attr<std::int32_t>("border")
                                  .Attr<bool>("spread"));
