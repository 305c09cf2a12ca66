#include "normalise/crop_mirror_normalize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/scalar_convert.h"
#include "normalise/normalize_rows.h"

namespace dynjax {
namespace {

// One output axis and where it reads. Output index i reads the source at origin + i * step, for i
// in [begin, end); outside it is fill.
struct OutputAxis {
  std::int64_t size = 1, out_stride = 0;
  std::int64_t step = 0, origin = 0;
  std::int64_t begin = 0, end = 1;
};

OutputAxis AxisOf(std::int64_t size, std::int64_t out_stride, std::int64_t in_size,
                  std::int64_t in_stride, std::int64_t anchor, bool mirrored) {
  OutputAxis axis{.size = size, .out_stride = out_stride};
  axis.step = mirrored ? -in_stride : in_stride;
  axis.origin = (mirrored ? anchor + size - 1 : anchor) * in_stride;
  axis.begin = std::clamp<std::int64_t>(mirrored ? anchor + size - in_size : -anchor, 0, size);
  axis.end =
      std::clamp<std::int64_t>(mirrored ? anchor + size : in_size - anchor, axis.begin, size);
  return axis;
}

template <typename T>
void GatherAs(const std::byte* in, std::int64_t n, std::int64_t step, std::int64_t out_step,
              float* out) {
  const auto* source = reinterpret_cast<const T*>(in);
  for (std::int64_t i = 0; i < n; ++i) out[i * out_step] = ToFloat(source[i * step]);
}

using Gather = void (*)(const std::byte*, std::int64_t, std::int64_t, std::int64_t, float*);
constexpr std::array<Gather, kPixels> kGather{GatherAs<std::uint8_t>,  GatherAs<std::int8_t>,
                                              GatherAs<std::uint16_t>, GatherAs<std::int16_t>,
                                              GatherAs<std::uint32_t>, GatherAs<std::int32_t>,
                                              GatherAs<Half>,          GatherAs<float>};

class Normalizing {
 public:
  Normalizing(const StridedView& source, const StridedView& target, const NormalizeLayout& layout,
              const NormalizeWindow& window, Target instructions)
      : source_(source),
        target_(target),
        layout_(layout),
        window_(window),
        rows_(NormalizeRowsFor(instructions)),
        convert_(ConvertersFor(instructions)),
        source_bytes_(static_cast<std::int64_t>(Bytes(source.type))),
        target_bytes_(static_cast<std::int64_t>(Bytes(target.type))) {
    for (std::size_t a = 0; a < layout.perm.size(); ++a) AddAxis(a);
    JoinRows();
    chunk_ = std::max<std::int64_t>(1, kChunk / std::max<std::int64_t>(1, channels_.size));
    chunk_ = std::clamp<std::int64_t>(pixels_.size, 1, chunk_);
  }

  // Outer axes by recursion; the last step is a row of pixels with all their channels.
  void Run() { Outer(0, 0, target_.data, true); }

 private:
  // Enough elements for vectors to pay, few enough to stay in the first cache.
  static constexpr std::int64_t kChunk = 768;

  void AddAxis(std::size_t a) {
    const int p = layout_.perm[a];
    const auto in = static_cast<std::size_t>(p);
    const OutputAxis axis =
        AxisOf(target_.extent[a], target_.strides[a], source_.extent[in], source_.strides[in],
               window_.anchor[in], window_.mirror && p == layout_.mirror_axis);
    if (p == layout_.channel_axis) {
      channels_ = axis;
    } else {
      if (has_pixels_) outer_.push_back(pixels_);
      pixels_ = axis;
      has_pixels_ = true;
    }
  }

  // Rows that follow each other without a gap in source and target are one long row.
  void JoinRows() {
    while (!outer_.empty()) {
      const OutputAxis& rows = outer_.back();
      const bool whole = pixels_.begin == 0 && pixels_.end == pixels_.size && rows.begin == 0 &&
                         rows.end == rows.size;
      if (!whole || rows.step != pixels_.size * pixels_.step ||
          rows.out_stride != pixels_.size * pixels_.out_stride) {
        return;
      }
      pixels_.size *= rows.size;
      pixels_.end = pixels_.size;
      pixels_.origin += rows.origin;
      outer_.pop_back();
    }
  }

  // Working memory outlives the sample: it costs more to make than a small sample to normalise.
  struct Scratch {
    std::vector<float> buffer, mean, mul;  // a chunk, and its channels' values
    std::vector<std::byte> fill;           // in target elements, one per channel
  };
  static Scratch& ThreadScratch() {
    thread_local Scratch scratch;
    return scratch;
  }

  // For the paths that go through a chunk in float32.
  std::size_t PrepareBuffer() {
    const auto room = static_cast<std::size_t>(chunk_ * channels_.size);
    if (buffer_.size() < room) buffer_.resize(room);
    return room;
  }

  // For those of them whose chunk holds all channels of its pixels.
  void PrepareChunk() {
    if (has_chunk_) return;
    has_chunk_ = true;
    const std::size_t room = PrepareBuffer();
    mean_.resize(std::max(mean_.size(), room));
    mul_.resize(std::max(mul_.size(), room));
    const auto size = static_cast<std::size_t>(channels_.size);
    const auto present = static_cast<std::size_t>(channels_.end);
    for (std::size_t k = 0; k < room; k += size) {
      for (std::size_t c = 0; c < size; ++c) {
        mean_[k + c] = c < present ? window_.mean[c] : 0.0f;
        mul_[k + c] = c < present ? window_.mul[c] : 0.0f;
      }
    }
  }

  void ConvertFill() {
    if (has_fill_) return;
    has_fill_ = true;
    const bool whole = target_.type != Pixel::kF32 && target_.type != Pixel::kF16;
    std::vector<float> fill(static_cast<std::size_t>(channels_.size));
    for (std::size_t c = 0; c < fill.size(); ++c) {
      fill[c] = whole ? std::trunc(layout_.fill[c]) : layout_.fill[c];
    }
    fill_.resize(fill.size() * static_cast<std::size_t>(target_bytes_));
    Store(fill.data(), channels_.size, fill_.data());
  }

  void Store(const float* row, std::int64_t n, std::byte* out) const {
    convert_.store[static_cast<std::size_t>(target_.type)](row, n, out);
  }

  void Outer(std::size_t depth, std::int64_t from, std::byte* out, bool inside) {
    if (depth == outer_.size()) {
      if (!inside) return Fill(0, pixels_.size, out);
      return Row(from + pixels_.origin + channels_.origin, out);
    }
    const OutputAxis& axis = outer_[depth];
    for (std::int64_t i = 0; i < axis.size; ++i) {
      Outer(depth + 1, from + axis.origin + i * axis.step,
            out + i * axis.out_stride * target_bytes_, inside && i >= axis.begin && i < axis.end);
    }
  }

  // Pixels [begin, end) of the row at `out`, all channels.
  void Fill(std::int64_t begin, std::int64_t end, std::byte* out) {
    if (begin == end) return;
    ConvertFill();
    const auto bytes = static_cast<std::size_t>(target_bytes_);
    for (std::int64_t c = 0; c < channels_.size; ++c) {
      const std::byte* value = &fill_[static_cast<std::size_t>(c) * bytes];
      for (std::int64_t i = begin; i < end; ++i) {
        std::memcpy(out + (i * pixels_.out_stride + c * channels_.out_stride) * target_bytes_,
                    value, bytes);
      }
    }
  }

  // `from` is where pixel 0 of the row would be, inside the source or not, in elements.
  void Row(std::int64_t from, std::byte* out) {
    Fill(0, pixels_.begin, out);
    Fill(pixels_.end, pixels_.size, out);
    const std::int64_t n = pixels_.end - pixels_.begin;
    if (n == 0) return;
    const std::byte* in = source_.data + (from + pixels_.begin * pixels_.step) * source_bytes_;
    out += pixels_.begin * pixels_.out_stride * target_bytes_;
    if (pixels_.out_stride != 1) return Interleaved(in, n, out);
    ZeroMissing(n, out);
    if (SplitsBytes()) return Split(in, n, out);
    for (std::int64_t c = 0; c < channels_.end; ++c) {
      Plane(in + c * channels_.step * source_bytes_, c, n,
            out + c * channels_.out_stride * target_bytes_);
    }
  }

  // Planes of channels that the source lacks.
  void ZeroMissing(std::int64_t n, std::byte* out) const {
    for (std::int64_t c = channels_.end; c < channels_.size; ++c) {
      std::memset(out + c * channels_.out_stride * target_bytes_, 0,
                  static_cast<std::size_t>(n * target_bytes_));
    }
  }

  bool IsPackedRgb() const {
    return source_.type == Pixel::kU8 && channels_.end == 3 && channels_.step == 1 &&
           std::abs(pixels_.step) == 3;
  }
  bool SplitsBytes() const {
    return IsPackedRgb() && pixels_.out_stride == 1 &&
           (target_.type == Pixel::kF32 || target_.type == Pixel::kF16);
  }

  void Split(const std::byte* in, std::int64_t n, std::byte* out) const {
    const bool reversed = pixels_.step < 0;
    if (reversed) in += (n - 1) * pixels_.step;
    const std::int64_t plane = channels_.out_stride * target_bytes_;
    void* const planes[3] = {out, out + plane, out + 2 * plane};
    const auto split = target_.type == Pixel::kF32 ? rows_.split_f32 : rows_.split_f16;
    split(reinterpret_cast<const std::uint8_t*>(in), n, reversed, window_.mean.data(),
          window_.mul.data(), layout_.shift, planes);
  }

  void Load(const std::byte* in, std::int64_t n, std::int64_t step, std::int64_t out_step,
            float* out) const {
    const auto type = static_cast<std::size_t>(source_.type);
    if (step == 1 && out_step == 1) return convert_.load[type](in, n, out);
    kGather[type](in, n, step, out_step, out);
  }

  // One channel of a row; its pixels are adjacent in the target.
  void Plane(const std::byte* in, std::int64_t c, std::int64_t n, std::byte* out) {
    PrepareBuffer();
    const auto channel = static_cast<std::size_t>(c);
    const std::int64_t chunk = chunk_ * channels_.size;
    for (std::int64_t i = 0; i < n; i += chunk) {
      const std::int64_t m = std::min(chunk, n - i);
      Load(in + i * pixels_.step * source_bytes_, m, pixels_.step, 1, buffer_.data());
      rows_.affine(&window_.mean[channel], &window_.mul[channel], 0, layout_.shift, m,
                   buffer_.data());
      Store(buffer_.data(), m, out + i * target_bytes_);
    }
  }

  // A row whose target holds the channels of each pixel side by side.
  void Interleaved(const std::byte* in, std::int64_t n, std::byte* out) {
    const bool gaps = pixels_.out_stride != channels_.size;
    const bool bytes = IsPackedRgb() && channels_.size == 3;
    if (bytes && !gaps && target_.type == Pixel::kF32) {
      return InterleaveBytes(in, n, reinterpret_cast<float*>(out));
    }
    PrepareChunk();
    const std::int64_t chunk = gaps ? 1 : chunk_;
    for (std::int64_t i = 0; i < n; i += chunk) {
      const std::int64_t m = std::min(chunk, n - i);
      const std::byte* from = in + i * pixels_.step * source_bytes_;
      if (bytes) {
        InterleaveBytes(from, m, buffer_.data());
      } else {
        InterleaveAny(from, m);
      }
      Store(buffer_.data(), m * channels_.size, out + i * pixels_.out_stride * target_bytes_);
    }
  }

  void InterleaveBytes(const std::byte* in, std::int64_t n, float* out) const {
    const bool reversed = pixels_.step < 0;
    if (reversed) in += (n - 1) * pixels_.step;
    rows_.interleave(reinterpret_cast<const std::uint8_t*>(in), n, reversed, window_.mean.data(),
                     window_.mul.data(), layout_.shift, out);
  }

  // The next `m` pixels, normalised, into the buffer.
  void InterleaveAny(const std::byte* in, std::int64_t m) {
    const std::int64_t size = channels_.size;
    if (channels_.end == size && channels_.step == 1 && pixels_.step == size) {
      Load(in, m * size, 1, 1, buffer_.data());
    } else {
      for (std::int64_t c = 0; c < channels_.end; ++c) {
        Load(in + c * channels_.step * source_bytes_, m, pixels_.step, size, &buffer_[c]);
      }
    }
    rows_.affine(mean_.data(), mul_.data(), 1, layout_.shift, m * size, buffer_.data());
    for (std::int64_t c = channels_.end; c < size; ++c) {
      for (std::int64_t k = 0; k < m; ++k) buffer_[static_cast<std::size_t>(k * size + c)] = 0.0f;
    }
  }

  const StridedView& source_;
  const StridedView& target_;
  const NormalizeLayout& layout_;
  const NormalizeWindow& window_;
  const NormalizeRows& rows_;
  const Converters& convert_;
  const std::int64_t source_bytes_, target_bytes_;
  std::vector<OutputAxis> outer_;
  OutputAxis pixels_, channels_;  // extent 1 where there is no such axis
  bool has_pixels_ = false;
  std::int64_t chunk_ = 1;  // pixels
  bool has_chunk_ = false, has_fill_ = false;
  Scratch& scratch_ = ThreadScratch();
  std::vector<float>&buffer_ = scratch_.buffer, &mean_ = scratch_.mean, &mul_ = scratch_.mul;
  std::vector<std::byte>& fill_ = scratch_.fill;
};

}  // namespace

void CropMirrorNormalize(const StridedView& source, const StridedView& target,
                         const NormalizeLayout& layout, const NormalizeWindow& window,
                         Target instructions) {
  for (const auto e : target.extent) {
    if (e == 0) return;
  }
  Normalizing(source, target, layout, window, instructions).Run();
}

}  // namespace dynjax
