#include "resize/resample_ffi.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "resize/resample_stage.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error ResampleBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                         ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                         ffi::Buffer<ffi::F32> roi, ffi::Buffer<ffi::S32> filter,
                         ffi::Result<ffi::AnyBuffer> result, bool addressed,
                         std::int32_t source_dtype, ffi::Span<const std::int64_t> axes,
                         bool antialias, std::int32_t border) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  if (!from || !to || from->size() != to->size() || from->rank() != to->rank()) {
    return ffi::Error::InvalidArgument("resample: the extents do not fit their buffers");
  }
  const auto source_type =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  const auto target_type = PixelOf(result->element_type());
  if (!source_type || !target_type) {
    return ffi::Error::InvalidArgument("resample: want integers of at most 32 bits or floats");
  }
  const ResampleStage stage({.source = *source_type,
                             .target = *target_type,
                             .axes = std::vector<int>(axes.begin(), axes.end()),
                             .roi = {roi.typed_data(), roi.element_count()},
                             .filter = {filter.typed_data(), filter.element_count()},
                             .antialias = antialias,
                             .border = border});
  if (const char* fault = stage.Fault(from->size(), from->rank())) {
    return ffi::Error::InvalidArgument(std::string("resample: ") + fault);
  }
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!stage.IsSound(i, (*from)[i].extent, (*to)[i].extent)) {
      return ffi::Error::InvalidArgument(
          "resample: want finite windows, known filters, equal carried axes and no empty source");
    }
  }
  std::atomic<bool> exhausted = false;
  ForEachSample(*from, 4, [&](std::int64_t i) {
    if (!stage.Run(i, (*from)[i], (*to)[i]).ok()) exhausted.store(true, std::memory_order_relaxed);
    to->ZeroPadding(i);
  });
  if (exhausted.load()) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted,
                      "resample: no memory for the weights of a sample: its size is too large");
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ResampleHandler, dynjax::ResampleBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // roi
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // filter
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<bool>("antialias")
                                  .Attr<std::int32_t>("border"));
