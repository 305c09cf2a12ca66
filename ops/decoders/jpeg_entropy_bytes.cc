#include "decoders/jpeg_entropy_bytes.h"

namespace dynjax {

const std::uint8_t* EntropyBytes::Begin() {
  end_ = window_;
  is_complete_ = false;
  Fill();
  return window_;
}

bool EntropyBytes::Advance(const std::uint8_t** position) {
  if (is_complete_) return false;
  // The limit leaves kAhead bytes, and a coded unit takes fewer: the position is in the window.
  const auto rest = static_cast<std::size_t>(end_ - *position);
  std::memmove(window_, *position, rest);
  *position = window_;
  end_ = window_ + rest;
  Fill();
  return *position <= limit_;
}

void EntropyBytes::Fill() {
  while (end_ < full_ && !is_complete_) {
    const auto most = static_cast<std::size_t>(std::min(full_ - end_, stop_ - next_));
    const auto* found =
        most == 0 ? nullptr : static_cast<const std::uint8_t*>(std::memchr(next_, 0xff, most));
    const std::size_t plain = found == nullptr ? most : static_cast<std::size_t>(found - next_);
    if (plain > 0) std::memcpy(end_, next_, plain);
    end_ += plain;
    next_ += plain;
    if (found != nullptr && stop_ - next_ >= 2 && next_[1] == 0) {
      *end_++ = 0xff;
      next_ += 2;
    } else if (found != nullptr || next_ == stop_) {
      is_complete_ = true;
    }
  }
  if (is_complete_) {
    std::fill_n(end_, kAhead + kReadAhead, std::uint8_t{0});
    limit_ = end_ + kReadAhead;
  } else {
    limit_ = end_ - kAhead;
  }
}

std::uint8_t EntropyBytes::NextMarker() {
  while (next_ < stop_) {
    const void* const found = std::memchr(next_, 0xff, static_cast<std::size_t>(stop_ - next_));
    if (found == nullptr) break;
    next_ = static_cast<const std::uint8_t*>(found);
    while (next_ < stop_ && *next_ == 0xff) ++next_;
    if (next_ < stop_ && *next_ != 0) return *next_++;
  }
  next_ = stop_;
  return 0;
}

}  // namespace dynjax
