// Bands along one axis of the samples of a batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "audio/bands.h"
#include "base/samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {

// Bands with the memory of their weights.
class OwnedBands {
 public:
  // `size` weights for each band.
  OwnedBands(std::int64_t count, std::int64_t size);
  float* weights(std::int64_t band) { return weights_.data() + band * size_; }
  // Leaves out the zeros at both ends of each band.
  void Trim();
  Bands view() const { return {bands_.data(), static_cast<std::int64_t>(bands_.size())}; }

 private:
  std::int64_t size_;
  std::vector<float> weights_;
  std::vector<Band> bands_;
};

using BandsOf = std::function<std::shared_ptr<const OwnedBands>(std::int64_t sample)>;

// The frame of handlers of one float input: operands and their checks.
struct BandCall {
  Samples in, out;
  std::size_t axis;

  // nullopt unless the extents fit their buffers and agree along all axes but `axis`.
  static std::optional<BandCall> Of(bool addressed, std::int32_t source_dtype,
                                    const xla::ffi::AnyBuffer& source,
                                    const xla::ffi::Buffer<xla::ffi::S32>& extent,
                                    const xla::ffi::Buffer<xla::ffi::S32>& out_extent,
                                    const xla::ffi::AnyBuffer& result, std::int32_t axis);

  // The sums along the axis of each sample; `bands(i)` has as many as the result there. `same`:
  // those of the first sample serve all; of these there is one at least. False if there was no
  // memory to work in.
  bool Run(bool same, const BandsOf& bands) const;
};

}  // namespace dynjax
