#include "audio/power_spectrum_ffi.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "audio/contiguous.h"
#include "audio/spectrum.h"
#include "base/one_input.h"
#include "base/runs.h"
#include "base/samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::size_t kEight = 8;

// Lines along an axis, gathered until there are eight.
class Lines {
 public:
  Lines(const SpectrumView& plan, std::int64_t length, bool root, std::int64_t out_stride)
      : plan_(plan),
        part_{.length = std::min(length, plan.length), .window = nullptr},
        root_(root),
        out_stride_(out_stride),
        padded_((part_.length + 15) / 16 * 16),
        work_size_(plan.is_long ? LongWork(plan) : LaneWork(plan)),
        memory_(work_size_ + static_cast<std::int64_t>(kEight) * (padded_ + plan.bins())) {}

  bool ok() const { return memory_.data() != nullptr; }

  void Add(const float* line, std::int64_t stride, float* out) {
    float* copy = memory_.data() + work_size_ + static_cast<std::int64_t>(held_) * padded_;
    if (stride != 1) {
      for (std::int64_t n = 0; n < part_.length; ++n) copy[n] = line[n * stride];
    }
    from_[held_] = stride == 1 ? line : copy;
    to_[held_++] = out;
    if (held_ == kEight || plan_.is_long) Flush();
  }

  void Flush() {
    if (held_ == 0) return;
    float* columns = memory_.data() + work_size_ + static_cast<std::int64_t>(kEight) * padded_;
    std::int64_t width = 1;
    if (plan_.is_long) {
      kernels_.one(plan_, from_[0], part_, root_, memory_.data(), columns);
    } else {
      std::fill(from_.begin() + static_cast<std::ptrdiff_t>(held_), from_.end(), from_[0]);
      kernels_.eight(plan_, from_.data(), part_, root_, memory_.data(), columns);
      width = kEight;
    }
    for (std::size_t k = 0; k < held_; ++k) {
      for (std::int64_t bin = 0; bin < plan_.bins(); ++bin) {
        to_[k][bin * out_stride_] = columns[bin * width + static_cast<std::int64_t>(k)];
      }
    }
    held_ = 0;
  }

 private:
  const SpectrumKernels& kernels_ = SpectrumKernelsFor(BestTarget());
  const SpectrumView& plan_;
  const SignalPart part_;
  const bool root_;
  const std::int64_t out_stride_, padded_, work_size_;
  const Work memory_;
  std::array<const float*, kEight> from_{};
  std::array<float*, kEight> to_{};
  std::size_t held_ = 0;
};

// The sample with a single element along `axis`: where its lines begin.
struct Starts {
  Starts(const Sample& sample, std::size_t axis) : view(sample) {
    std::copy(sample.extent.begin(), sample.extent.end(), extent.begin());
    extent[axis] = 1;
    view.extent = {extent.data(), sample.extent.size()};
  }
  std::array<std::int32_t, kMaxRank> extent{};
  Sample view;
};

ffi::Error PowerSpectrumBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                              ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                              ffi::Result<ffi::AnyBuffer> result, bool addressed,
                              std::int32_t source_dtype, std::int32_t axis, std::int32_t nfft,
                              std::int32_t power) {
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  const auto along = static_cast<std::size_t>(axis);
  if (!in || !out || in->size() != out->size() || in->rank() != out->rank() || type != ffi::F32 ||
      result->element_type() != ffi::F32 || axis < 0 || along >= in->rank() || nfft < 0) {
    return ffi::Error::InvalidArgument("power_spectrum: operands do not fit each other");
  }
  for (std::int64_t i = 0; i < out->size(); ++i) {
    const std::int64_t length = nfft > 0 ? nfft : (*in)[i].extent[along];
    bool fits = length < 1 || (*out)[i].extent[along] == length / 2 + 1;
    for (std::size_t a = 0; a < in->rank(); ++a) {
      fits = fits && (a == along || (*in)[i].extent[a] == (*out)[i].extent[a]);
    }
    if (!fits) return ffi::Error::InvalidArgument("power_spectrum: want length / 2 + 1 elements");
  }
  std::atomic<bool> full = false;
  ForEachSample(*out, 16, [&](std::int64_t i) {
    const Sample &from = (*in)[i], &to = (*out)[i];
    const std::int64_t length = nfft > 0 ? nfft : from.extent[along];
    if (length > 0 && to.volume() > 0) {
      const auto plan = SpectrumPlanFor(length);
      if (plan == nullptr) {
        full = true;
        return;
      }
      Lines lines(plan->view(), from.extent[along], power == 1, to.strides[along]);
      if (!lines.ok()) {
        full = true;
        return;
      }
      const Starts a(from, along), b(to, along);
      ForEachRun(a.view, b.view, from.extent.size(), 1, 1,
                 [&](std::int64_t at, std::int64_t target, std::int64_t n) {
                   for (std::int64_t k = 0; k < n; ++k) {
                     lines.Add(from.as<float>() + at + k, from.strides[along],
                               to.as<float>() + target + k);
                   }
                 });
      lines.Flush();
    }
    out->ZeroPadding(i);
  });
  if (full) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "power_spectrum: out of memory");
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(PowerSpectrumHandler, dynjax::PowerSpectrumBatch,
                              dynjax::OneInput()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("axis")
                                  .Attr<std::int32_t>("nfft")
                                  .Attr<std::int32_t>("power"));
