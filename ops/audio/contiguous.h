// Elements along one axis, side by side.
#pragma once

#include <cstdint>
#include <optional>

#include "audio/work.h"

namespace dynjax {

// Where they lie side by side already, the memory itself; else a copy.
class ContiguousLine {
 public:
  ContiguousLine(const float* data, std::int64_t length, std::int64_t stride) : data_(data) {
    if (stride == 1 || length <= 1) return;
    copy_.emplace(length);
    data_ = copy_->data();
    for (std::int64_t n = 0; data_ != nullptr && n < length; ++n) {
      copy_->data()[n] = data[n * stride];
    }
  }
  // Null if there was no memory.
  const float* data() const { return data_; }

 private:
  std::optional<Work> copy_;
  const float* data_;
};

}  // namespace dynjax
