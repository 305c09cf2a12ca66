// Bands along one axis of the samples of a batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "audio/bands.h"
#include "base/samples.h"

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

// The sums along `axis` of each sample; `bands(i)` has as many as the result along that axis.
// False if there was no memory to work in.
bool ApplyBands(const Samples& in, const Samples& out, std::size_t axis, const BandsOf& bands);

// Whether the extents agree along all axes but one.
bool AgreeBut(const Samples& in, const Samples& out, std::size_t axis);

}  // namespace dynjax
