#include "audio/mel_ffi.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "audio/band_call.h"
#include "base/one_input.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// Triangles between the corners k and k + 2.
std::shared_ptr<const OwnedBands> MelBands(std::int64_t bins, std::int64_t count, float height,
                                           const float* corners, const float* rests,
                                           bool normalize) {
  auto bands = std::make_shared<OwnedBands>(count, bins);
  const auto corner = [&](std::int64_t k) {
    return static_cast<double>(corners[k]) + static_cast<double>(rests[k]);
  };
  for (std::int64_t k = 0; k < count; ++k) {
    const double low = corner(k), middle = corner(k + 1), high = corner(k + 2);
    const double scale = normalize ? height / (high - low) : 1;
    float* weights = bands->weights(k);
    for (std::int64_t n = 0; n < bins; ++n) {
      const auto bin = static_cast<double>(n);
      if (bin <= low || bin >= high) continue;
      const double weight = std::min((bin - low) / (middle - low), (high - bin) / (high - middle));
      weights[n] = static_cast<float>(std::max(0.0, weight) * scale);
    }
  }
  bands->Trim();
  return bands;
}

ffi::Error MelFilterBankBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                              ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                              ffi::Buffer<ffi::F32> heights, ffi::Buffer<ffi::F32> corners,
                              ffi::Buffer<ffi::F32> rests, ffi::Result<ffi::AnyBuffer> result,
                              bool addressed, std::int32_t source_dtype, std::int32_t axis,
                              bool normalize) {
  const auto call =
      BandCall::Of(addressed, source_dtype, source, extent, out_extent, *result, axis);
  if (!call || static_cast<std::int64_t>(heights.element_count()) != call->in.size() ||
      corners.element_count() != rests.element_count()) {
    return ffi::Error::InvalidArgument("mel_filter_bank: operands do not fit each other");
  }
  const Samples &in = call->in, &out = call->out;
  if (in.size() == 0) return ffi::Error::Success();
  const std::size_t along = call->axis;
  const std::int64_t row = static_cast<std::int64_t>(corners.element_count()) / in.size();
  bool same = true;
  for (std::int64_t i = 0; i < in.size(); ++i) {
    if (out[i].extent[along] != row - 2) {
      return ffi::Error::InvalidArgument("mel_filter_bank: want two corners more than bands");
    }
    const auto bytes = static_cast<std::size_t>(row) * sizeof(float);
    same = same && in[i].extent[along] == in[0].extent[along] &&
           heights.typed_data()[i] == heights.typed_data()[0] &&
           std::memcmp(corners.typed_data() + i * row, corners.typed_data(), bytes) == 0 &&
           std::memcmp(rests.typed_data() + i * row, rests.typed_data(), bytes) == 0;
  }
  const bool done = call->Run(same, [&](std::int64_t i) {
    return MelBands(in[i].extent[along], row - 2, heights.typed_data()[i],
                    corners.typed_data() + i * row, rests.typed_data() + i * row, normalize);
  });
  if (!done) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "mel_filter_bank: no memory");
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(MelFilterBankHandler, dynjax::MelFilterBankBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("axis")
                                  .Attr<bool>("normalize"));
