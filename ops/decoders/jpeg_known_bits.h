// Which bits of its coefficients the scans of a progressive JPEG picture have brought so far.
#pragma once

#include <array>
#include <cstdint>

#include "decoders/jpeg_stream.h"

namespace dynjax {

class KnownBits {
 public:
  KnownBits() {
    for (auto& component : lowest_) component.fill(kNone);
  }

  // Whether the scan brings what is still missing: each bit once, in order, and the mean of a block
  // ahead of the rest.
  bool Add(const JpegScan& scan);

  // Whether that is all of these components.
  bool IsComplete(std::size_t components) const;

 private:
  static constexpr std::uint8_t kNone = 0xff;

  // The lowest bit of each coefficient, by zigzag order.
  std::array<std::array<std::uint8_t, 64>, 3> lowest_;
};

}  // namespace dynjax
