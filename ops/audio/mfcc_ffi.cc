#include "audio/mfcc_ffi.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "audio/band_call.h"
#include "audio/fft_plan.h"
#include "base/one_input.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// cos(pi numerator / denominator).
double Cosine(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t period = 2 * std::max<std::int64_t>(denominator, 1);
  return RootOfUnity(numerator, period).re;
}

// Element n of row k of the transform of `size` elements.
double Entry(std::int32_t kind, std::int64_t k, std::int64_t n, std::int64_t size, bool normalize) {
  const auto count = static_cast<double>(size);
  const auto scale = [&](std::int64_t index) {
    return normalize ? std::sqrt((index == 0 ? 1 : 2) / count) : 1;
  };
  switch (kind) {
    case 1:
      return Cosine(n * k, size - 1) * (n == 0 || n == size - 1 ? 0.5 : 1);
    case 2:
      return Cosine((2 * n + 1) * k, 2 * size) * scale(k);
    case 3:
      return Cosine(n * (2 * k + 1), 2 * size) * (normalize ? scale(n) : n == 0 ? 0.5 : 1);
    default:
      return Cosine((2 * n + 1) * (2 * k + 1), 4 * size) * scale(1);
  }
}

std::shared_ptr<const OwnedBands> Coefficients(std::int32_t kind, std::int64_t count,
                                               std::int64_t size, float lifter, bool normalize) {
  auto bands = std::make_shared<OwnedBands>(count, size);
  for (std::int64_t k = 0; k < count; ++k) {
    const double phase = std::numbers::pi / lifter * static_cast<double>(k + 1);
    const double lift = lifter == 0 ? 1 : 1 + lifter / 2 * std::sin(phase);
    for (std::int64_t n = 0; n < size; ++n) {
      bands->weights(k)[n] = static_cast<float>(lift * Entry(kind, k, n, size, normalize));
    }
  }
  return bands;
}

ffi::Error MfccBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                     ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::F32> lifters,
                     ffi::Result<ffi::AnyBuffer> result, bool addressed, std::int32_t source_dtype,
                     std::int32_t axis, std::int32_t kind, bool normalize) {
  const auto call =
      BandCall::Of(addressed, source_dtype, source, extent, out_extent, *result, axis);
  if (!call || static_cast<std::int64_t>(lifters.element_count()) != call->in.size()) {
    return ffi::Error::InvalidArgument("mfcc: operands do not fit each other");
  }
  const Samples &in = call->in, &out = call->out;
  if (in.size() == 0) return ffi::Error::Success();
  const std::size_t along = call->axis;
  bool same = true;
  for (std::int64_t i = 0; i < in.size(); ++i) {
    same = same && in[i].extent[along] == in[0].extent[along] &&
           out[i].extent[along] == out[0].extent[along] &&
           lifters.typed_data()[i] == lifters.typed_data()[0];
  }
  const bool done = call->Run(same, [&](std::int64_t i) {
    return Coefficients(kind, out[i].extent[along], in[i].extent[along], lifters.typed_data()[i],
                        normalize);
  });
  if (!done) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "mfcc: out of memory");
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(MfccHandler, dynjax::MfccBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("axis")
                                  .Attr<std::int32_t>("kind")
                                  .Attr<bool>("normalize"));
