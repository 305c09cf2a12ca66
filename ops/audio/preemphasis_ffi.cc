#include "audio/preemphasis_ffi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "audio/levels.h"
#include "base/one_input.h"
#include "base/pixel_call.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::int64_t kChunk = 2048;

// Element `index` in order of memory.
float ValueAt(const Sample& sample, std::int64_t index, Pixel type, const Converters& converters) {
  std::int64_t offset = 0;
  for (std::size_t a = sample.extent.size(); a-- > 0;) {
    offset += index % sample.extent[a] * sample.strides[a];
    index /= sample.extent[a];
  }
  float value = 0;
  converters.load[static_cast<std::size_t>(type)](
      sample.data + static_cast<std::size_t>(offset) * Bytes(type), 1, &value);
  return value;
}

ffi::Error PreemphasisFilterBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                                  ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                                  ffi::Buffer<ffi::F32> parts, ffi::Result<ffi::AnyBuffer> result,
                                  bool addressed, std::int32_t source_dtype,
                                  std::string_view border) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  parts.element_count(), 1);
  if (!call || call->row > 1) {
    return ffi::Error::InvalidArgument("preemphasis_filter: operands do not fit each other");
  }
  const Target target = BestTarget();
  const Converters& converters = ConvertersFor(target);
  const LevelKernels& kernels = LevelKernelsFor(target);
  const auto load = converters.load[static_cast<std::size_t>(call->source_type)];
  const auto store = converters.store[static_cast<std::size_t>(call->target_type)];
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  const bool direct = call->source_type == Pixel::kF32 && call->target_type == Pixel::kF32;
  call->Run(parts.typed_data(), 1, 2, [&](const Sample& from, const Sample& to, const float* part) {
    const std::int64_t volume = from.volume();
    if (volume == 0) return;
    float before = 0;
    if (border == "clamp") before = ValueAt(from, 0, call->source_type, converters);
    if (border == "reflect") {
      before = ValueAt(from, std::min<std::int64_t>(1, volume - 1), call->source_type, converters);
    }
    ForEachRun(
        from, to, from.extent.size(), 1, 1, [&](std::int64_t at, std::int64_t out, std::int64_t n) {
          if (direct) {
            const float* x = from.as<float>() + at;
            kernels.difference(x, n, before, *part, to.as<float>() + out);
            before = x[n - 1];
            return;
          }
          std::array<float, kChunk> values, results;
          for (std::int64_t k = 0; k < n; k += kChunk) {
            const std::int64_t count = std::min(kChunk, n - k);
            load(from.data + static_cast<std::size_t>(at + k) * in_bytes, count, values.data());
            kernels.difference(values.data(), count, before, *part, results.data());
            before = values[static_cast<std::size_t>(count - 1)];
            store(results.data(), count, to.data + static_cast<std::size_t>(out + k) * out_bytes);
          }
        });
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(PreemphasisFilterHandler, dynjax::PreemphasisFilterBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::string_view>("border"));
