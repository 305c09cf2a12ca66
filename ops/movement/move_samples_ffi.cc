#include "movement/move_samples_ffi.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/one_input.h"
#include "base/samples.h"
#include "movement/element_ffi.h"
#include "movement/move_samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

using Extents = ffi::Buffer<ffi::S32>;

ffi::Error Wrong(const char* kernel, const char* what) {
  return ffi::Error::InvalidArgument(std::string(kernel) + ": " + what);
}

ffi::Error Outcome(const char* kernel, const char* wrong) {
  return wrong == nullptr ? ffi::Error::Success() : Wrong(kernel, wrong);
}

std::optional<Element> SourceType(bool addressed, std::int32_t dtype,
                                  const ffi::AnyBuffer& source) {
  return ElementOf(addressed ? static_cast<ffi::DataType>(dtype) : source.element_type());
}

// Source and target of a call with one input, or why there are none.
struct Operands {
  Operands(bool addressed, std::int32_t dtype, const ffi::AnyBuffer& source, const Extents& extent,
           const ffi::AnyBuffer& result, const Extents& out_extent)
      : from(Samples::Source(addressed, source, extent)),
        to(Samples::Of(result, out_extent)),
        from_type(SourceType(addressed, dtype, source)),
        to_type(ElementOf(result.element_type())) {}

  bool ok() const { return from && to && from_type && to_type; }
  Typed source() const { return {*from, *from_type}; }
  Typed target() const { return {*to, *to_type}; }

  std::optional<Samples> from, to;
  std::optional<Element> from_type, to_type;
};

constexpr const char* kUnfit =
    "the extents do not fit their buffers, or an element type is unknown";

template <typename T>
std::span<const T> Values(const T* data, std::size_t count) {
  return {data, count};
}

ffi::Error StridedCopyBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, Extents extent,
                            Extents out_extent, ffi::Buffer<ffi::S32> window,
                            ffi::Buffer<ffi::F32> fill, ffi::Result<ffi::AnyBuffer> result,
                            bool addressed, std::int32_t source_dtype,
                            ffi::Span<const std::int64_t> axes, ffi::Span<const std::int64_t> perm,
                            std::int32_t fill_axis) {
  const Operands call(addressed, source_dtype, source, extent, *result, out_extent);
  if (!call.ok()) return Wrong("strided_copy", kUnfit);
  const std::vector<int> own_axes(axes.begin(), axes.end()), own_perm(perm.begin(), perm.end());
  return Outcome("strided_copy",
                 CopyWindows(call.source(), call.target(),
                             {.axes = own_axes,
                              .perm = own_perm,
                              .table = Values(window.typed_data(), window.element_count()),
                              .fill = Values(fill.typed_data(), fill.element_count()),
                              .fill_axis = fill_axis}));
}

ffi::Error CastBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, Extents extent,
                     Extents out_extent, ffi::Result<ffi::AnyBuffer> result, bool addressed,
                     std::int32_t source_dtype) {
  const Operands call(addressed, source_dtype, source, extent, *result, out_extent);
  if (!call.ok()) return Wrong("cast", kUnfit);
  return Outcome("cast", ConvertSamples(call.source(), call.target()));
}

ffi::Error FramesBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, Extents extent,
                       Extents out_extent, ffi::Buffer<ffi::S32> order,
                       ffi::Result<ffi::AnyBuffer> result, bool addressed,
                       std::int32_t source_dtype, bool single) {
  const Operands call(addressed, source_dtype, source, extent, *result, out_extent);
  if (!call.ok()) return Wrong("frames", kUnfit);
  if (single != (call.to->rank() + 1 == call.from->rank())) {
    return Wrong("frames", "the result has a wrong number of axes");
  }
  return Outcome("frames", TakeFrames(call.source(), call.target(),
                                      Values(order.typed_data(), order.element_count())));
}

ffi::Error JoiningBatch(ffi::AnyBuffer /*into*/, ffi::RemainingArgs operands,
                        ffi::Result<ffi::AnyBuffer> result, bool addressed,
                        std::int32_t source_dtype, std::int32_t axis, bool stacked) {
  const std::size_t inputs = operands.size() / 2;
  const auto out_extent = operands.get<Extents>(2 * inputs);
  const auto type = ElementOf(result->element_type());
  if (operands.size() % 2 != 1 || !out_extent.has_value() || !type) {
    return Wrong("joining", "want source and extent of each input, then out_extent");
  }
  const auto to = Samples::Of(*result, *out_extent);
  std::vector<Samples> sources;
  sources.reserve(inputs);
  for (std::size_t k = 0; k < inputs; ++k) {
    const auto source = operands.get<ffi::AnyBuffer>(2 * k);
    const auto extent = operands.get<Extents>(2 * k + 1);
    if (!source.has_value() || !extent.has_value()) return Wrong("joining", kUnfit);
    auto samples = Samples::Source(addressed, *source, *extent);
    if (!samples || SourceType(addressed, source_dtype, *source) != type) {
      return Wrong("joining", kUnfit);
    }
    sources.push_back(std::move(*samples));
  }
  if (!to) return Wrong("joining", kUnfit);
  return Outcome("joining", JoinSamples(sources, {*to, *type}, axis, stacked));
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(StridedCopyHandler, dynjax::StridedCopyBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // window
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // fill
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("perm")
                                  .Attr<std::int32_t>("fill_axis"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(CastHandler, dynjax::CastBatch,
                              dynjax::OneInput()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(FramesHandler, dynjax::FramesBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // order
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<bool>("single"));

XLA_FFI_DEFINE_HANDLER_SYMBOL(JoiningHandler, dynjax::JoiningBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()  // into
                                  .RemainingArgs()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("axis")
                                  .Attr<bool>("stacked"));
