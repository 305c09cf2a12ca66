#include "audio/spectrogram_ffi.h"

#include <atomic>
#include <cstdint>
#include <vector>

#include "audio/contiguous.h"
#include "audio/spectrogram.h"
#include "base/one_input.h"
#include "base/samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error SpectrogramBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                            ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                            ffi::RemainingArgs tables, ffi::Result<ffi::AnyBuffer> result,
                            bool addressed, std::int32_t source_dtype, std::int32_t axis,
                            std::int32_t nfft, std::int32_t window, std::int32_t step,
                            std::int32_t power, bool centred, bool reflect, bool time_first) {
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  if (!in || !out || in->size() != out->size() || out->rank() != 2 || type != ffi::F32 ||
      result->element_type() != ffi::F32 || axis < -1 ||
      axis >= static_cast<std::int32_t>(in->rank()) || window < 1 || step < 1 || nfft < window) {
    return ffi::Error::InvalidArgument("spectrogram: operands do not fit each other");
  }
  std::vector<float> hann;
  const float* weights = nullptr;
  if (tables.size() == 0) {
    hann.resize(static_cast<std::size_t>(window));
    HannWindow(window, hann.data());
  } else {
    const auto given = tables.get<ffi::Buffer<ffi::F32>>(0);
    if (!given || static_cast<std::int64_t>(given->element_count()) != out->size() * window) {
      return ffi::Error::InvalidArgument("spectrogram: want a window for each sample");
    }
    weights = given->typed_data();
  }
  const ffi::Error out_of_memory(ffi::ErrorCode::kResourceExhausted, "spectrogram: out of memory");
  const auto plan = SpectrumPlanFor(nfft);
  if (plan == nullptr) return out_of_memory;
  const SpectrogramForm form{
      .window = window, .step = step, .root = power == 1, .centred = centred, .reflect = reflect};
  const std::size_t time = time_first ? 0 : 1;
  for (std::int64_t i = 0; i < out->size(); ++i) {
    if ((*out)[i].extent[1 - time] != plan->view().bins()) {
      return ffi::Error::InvalidArgument("spectrogram: want nfft / 2 + 1 frequencies");
    }
  }
  std::atomic<bool> full = false;
  ForEachSample(*out, 8, [&](std::int64_t i) {
    const Sample &from = (*in)[i], &to = (*out)[i];
    const auto along = static_cast<std::size_t>(axis);
    const std::int64_t length = axis < 0 ? 1 : from.extent[along];
    if (length > 0) {
      const ContiguousLine signal(from.as<float>(), length, axis < 0 ? 1 : from.strides[along]);
      const SpectrogramTarget target{.data = to.as<float>(),
                                     .frames = to.extent[time],
                                     .bin_stride = to.strides[1 - time],
                                     .frame_stride = to.strides[time]};
      const float* own = weights == nullptr ? hann.data() : weights + i * window;
      if (!Spectrogram(plan->view(), signal.data(), length, own, form, target)) full = true;
    }
    out->ZeroPadding(i);
  });
  if (full) return out_of_memory;
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(SpectrogramHandler, dynjax::SpectrogramBatch,
                              dynjax::OneInput()
                                  .RemainingArgs()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("axis")
                                  .Attr<std::int32_t>("nfft")
                                  .Attr<std::int32_t>("window")
                                  .Attr<std::int32_t>("step")
                                  .Attr<std::int32_t>("power")
                                  .Attr<bool>("centred")
                                  .Attr<bool>("reflect")
                                  .Attr<bool>("time_first"));
