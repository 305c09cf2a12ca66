// How a kernel sees the samples of a batch: a pointer, the true extents and the strides, whatever
// form the batch is stored in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "xla/ffi/api/ffi.h"

namespace dynjax {

inline constexpr std::size_t kMaxRank = 8;

// One sample. `strides` are in elements; the innermost axis always has stride 1.
struct Sample {
  std::byte* data = nullptr;
  std::span<const std::int32_t> extent;
  std::array<std::int64_t, kMaxRank> strides{};

  std::int64_t volume() const {
    std::int64_t n = 1;
    for (const auto e : extent) n *= e;
    return n;
  }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
};

// The samples of one operand or result, from one of three forms:
//   packed     a flat buffer, samples one after the other, without gaps
//   slotted    [..., N, *slot]: sample i fills the leading corner of its slot
//   addressed  s32[N, 2]: the low and high half of each sample's address; contiguous samples
class Samples {
 public:
  // `extent` is s32[..., N, rank]; all leading axes are folded into the sample axis.
  // nullopt when the buffer cannot hold what `extent` says.
  static std::optional<Samples> Of(const xla::ffi::AnyBuffer& buffer,
                                   const xla::ffi::Buffer<xla::ffi::S32>& extent);
  static std::optional<Samples> At(const xla::ffi::AnyBuffer& addresses,
                                   const xla::ffi::Buffer<xla::ffi::S32>& extent);
  // `addressed` chooses between the two above.
  static std::optional<Samples> Source(bool addressed, const xla::ffi::AnyBuffer& buffer,
                                       const xla::ffi::Buffer<xla::ffi::S32>& extent) {
    return addressed ? At(buffer, extent) : Of(buffer, extent);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(samples_.size()); }
  std::size_t rank() const { return rank_; }
  const Sample& operator[](std::int64_t i) const { return samples_[static_cast<std::size_t>(i)]; }
  // True when samples lie in slots that may be larger than they are: a kernel then zeroes the rest.
  bool slotted() const { return slotted_; }
  // Sets the part of slot i that lies outside its extent to zero. No-op for the other forms.
  void ZeroPadding(std::int64_t i) const;

 private:
  std::vector<Sample> samples_;
  std::size_t rank_ = 0;
  bool slotted_ = false;
  std::size_t item_bytes_ = 0;
  std::vector<std::int64_t> slot_;
};

// Runs `body(i)` for every sample on the pool, the largest first, so that no thread is left with
// one at the end. Loops over few elements stay on the calling thread; `weight` is what an element
// costs in units of a copied one.
void ForEachSample(const Samples& samples, std::int64_t weight,
                   const std::function<void(std::int64_t)>& body);

}  // namespace dynjax
