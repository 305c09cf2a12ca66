#include "audio/audio_resample_ffi.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "audio/sinc.h"
#include "audio/work.h"
#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::int64_t kDigits = 4;

std::vector<float> SincWeights(std::int64_t lobes, std::int64_t width) {
  std::vector<float> weights(static_cast<std::size_t>((kSincPhases + 1) * width));
  const auto reach = static_cast<double>(lobes);
  for (std::int64_t p = 0; p <= kSincPhases; ++p) {
    for (std::int64_t n = 0; n < 2 * lobes; ++n) {
      const double t = static_cast<double>(n + 1 - lobes) -
                       static_cast<double>(p) / static_cast<double>(kSincPhases);
      if (std::abs(t) > reach) continue;
      const double x = std::numbers::pi * t;
      const double sinc = t == 0 ? 1 : std::sin(x) / x;
      weights[static_cast<std::size_t>(p * width + n)] =
          static_cast<float>(sinc * (1 + std::cos(x / (reach + 1.0 / 64))) / 2);
    }
  }
  return weights;
}

// Between an integer type and the float scale: value * scale + shift, and what results are
// multiplied with. As in `_ops/_lib/full_scale.py`.
struct Scales {
  float divisor = 1, factor = 1, shift = 0, out = 1;
};

struct Kind {
  bool integer = false, is_signed = true;
  float largest = 1;
};

Kind KindOf(Pixel type) {
  switch (type) {
    case Pixel::kU8:
      return {true, false, 255};
    case Pixel::kI8:
      return {true, true, 127};
    case Pixel::kU16:
      return {true, false, 65535};
    case Pixel::kI16:
      return {true, true, 32767};
    case Pixel::kU32:
      return {true, false, 4294967295.0f};
    case Pixel::kI32:
      return {true, true, 2147483647.0f};
    default:
      return {};
  }
}

Scales ScalesOf(Pixel from, Pixel to) {
  Scales scales;
  if (from == to) return scales;
  const Kind a = KindOf(from), b = KindOf(to);
  if (a.integer) scales.divisor = a.largest;
  if (b.integer) scales.out = b.largest;
  if (a.is_signed != b.is_signed) {
    scales.factor = a.is_signed ? 0.5f : 2.0f;
    scales.shift = a.is_signed ? 0.5f : -1.0f;
  }
  return scales;
}

struct Call {
  Pixel from, to;
  Scales scales;
  SincWindow window;
};

// One sample; its channels one after the other. False without memory.
bool ResampleSample(const Call& call, const Sample& from, const Sample& to, const SincStep& step) {
  const std::int64_t length = from.extent[0], count = to.extent[0];
  const std::int64_t channels = from.extent.size() > 1 ? from.extent[1] : 1;
  const std::int64_t before = call.window.lobes, behind = call.window.width + 1;
  const std::int64_t padded = before + length + behind;
  const Work work(padded + std::max(length, count) * channels + count);
  if (work.data() == nullptr) return false;
  float* line = work.data();
  float* all = line + padded;
  float* result = all + std::max(length, count) * channels;
  const Target target = BestTarget();
  const Converters& converters = ConvertersFor(target);
  const auto load = converters.load[static_cast<std::size_t>(call.from)];
  const auto store = converters.store[static_cast<std::size_t>(call.to)];
  const std::size_t in_bytes = Bytes(call.from), out_bytes = Bytes(call.to);
  const auto zero = [](float* at, std::int64_t n) { std::fill(at, at + n, 0.0f); };
  const auto scaled = [&](float* values, std::int64_t n) {
    const Scales& s = call.scales;
    if (s.divisor == 1 && s.factor == 1 && s.shift == 0) return;
    for (std::int64_t k = 0; k < n; ++k) values[k] = values[k] / s.divisor * s.factor + s.shift;
  };
  const auto louder = [&](float* values, std::int64_t n) {
    if (call.scales.out == 1) return;
    for (std::int64_t k = 0; k < n; ++k) values[k] *= call.scales.out;
  };
  zero(line, before);
  zero(line + before + length, behind);
  const SincKernels& kernels = SincKernelsFor(target);
  if (channels == 1 && from.strides[0] == 1 && to.strides[0] == 1) {
    load(from.data, length, line + before);
    scaled(line + before, length);
    if (call.to == Pixel::kF32) {
      kernels.resample(line + before, length, call.window, step, count, to.as<float>());
      return true;
    }
    kernels.resample(line + before, length, call.window, step, count, result);
    louder(result, count);
    store(result, count, to.data);
    return true;
  }
  // The planes of the results lie where those of the source lay: each is read before.
  std::vector<float> row(static_cast<std::size_t>(channels));
  Work planes(count * channels);
  if (planes.data() == nullptr) return false;
  for (std::int64_t n = 0; n < length; ++n) {
    load(from.data + static_cast<std::size_t>(n * from.strides[0]) * in_bytes, channels,
         all + n * channels);
  }
  scaled(all, length * channels);
  for (std::int64_t c = 0; c < channels; ++c) {
    for (std::int64_t n = 0; n < length; ++n) line[before + n] = all[n * channels + c];
    kernels.resample(line + before, length, call.window, step, count, planes.data() + c * count);
  }
  louder(planes.data(), count * channels);
  for (std::int64_t n = 0; n < count; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      row[static_cast<std::size_t>(c)] = planes.data()[c * count + n];
    }
    store(row.data(), channels, to.data + static_cast<std::size_t>(n * to.strides[0]) * out_bytes);
  }
  return true;
}

ffi::Error AudioResampleBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                              ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                              ffi::Buffer<ffi::S32> steps, ffi::Result<ffi::AnyBuffer> result,
                              bool addressed, std::int32_t source_dtype, std::int32_t lobes) {
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*result, out_extent);
  const auto from =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  const auto to = PixelOf(result->element_type());
  if (!in || !out || !from || !to || in->size() != out->size() || in->rank() != out->rank() ||
      in->rank() < 1 || in->rank() > 2 || lobes < 1 || lobes > 1024 ||
      static_cast<std::int64_t>(steps.element_count()) != kDigits * in->size()) {
    return ffi::Error::InvalidArgument("audio_resample: operands do not fit each other");
  }
  for (std::int64_t i = 0; i < in->size(); ++i) {
    if (in->rank() == 2 && (*in)[i].extent[1] != (*out)[i].extent[1]) {
      return ffi::Error::InvalidArgument("audio_resample: want as many channels in the result");
    }
  }
  const std::int64_t width = (2 * std::int64_t{lobes} + 7) / 8 * 8;
  const std::vector<float> weights = SincWeights(lobes, width);
  const Call call{.from = *from,
                  .to = *to,
                  .scales = ScalesOf(*from, *to),
                  .window = {.lobes = lobes, .width = width, .weights = weights.data()}};
  std::atomic<bool> full = false;
  ForEachSample(*out, 8, [&](std::int64_t i) {
    const std::int32_t* digits = steps.typed_data() + kDigits * i;
    SincStep step{.whole = digits[0]};
    for (int d = 1; d < kDigits; ++d) {
      step.fraction = step.fraction << 16 | static_cast<std::uint16_t>(digits[d]);
    }
    if ((*out)[i].volume() > 0 && !ResampleSample(call, (*in)[i], (*out)[i], step)) full = true;
    out->ZeroPadding(i);
  });
  if (full) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "audio_resample: out of memory");
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(AudioResampleHandler, dynjax::AudioResampleBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("lobes"));
