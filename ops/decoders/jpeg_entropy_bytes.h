// The entropy-coded bytes of a JPEG scan without the zeros that are stuffed behind each 0xff.
#pragma once

#include <algorithm>

#include "decoders/bytes.h"

namespace dynjax {

// A window over one segment of a scan, which ends at a marker or with the stream. Taking the
// stuffed bytes out beforehand costs little, and lets the bit reader load eight bytes at a time
// without looking at them.
class EntropyBytes {
 public:
  // More than the blocks of a coded unit take at the most: 6 of 27 + 63 * 26 bits. As many bytes
  // can be read from any position that is not behind `limit()`.
  static constexpr std::size_t kAhead = 2048;

  // A reader is up to 8 bytes ahead of what it has used.
  static constexpr std::size_t kReadAhead = 8;

  // What the window takes at the most.
  static constexpr std::size_t kMaxMemory = (16 << 10) + kAhead + kReadAhead;
  // The same for a scan whose data these are, and what follows: a short one does not fill it.
  static std::size_t Memory(Bytes scan) {
    return std::min(kMaxMemory, scan.size() + 1 + kAhead + kReadAhead);
  }

  // `window` is `Memory(scan)` bytes.
  EntropyBytes(Bytes scan, std::uint8_t* window)
      : next_(scan.data()),
        stop_(scan.data() + scan.size()),
        window_(window),
        full_(window + Memory(scan) - kAhead - kReadAhead) {}

  // Starts a segment where the last one's marker ended; returns the reader's position.
  const std::uint8_t* Begin();

  // A reader behind this place calls `Advance` before it goes on.
  const std::uint8_t* limit() const { return limit_; }

  // Brings more bytes into the window, and `*position` to where its byte is then. False when the
  // position is behind the segment's end.
  bool Advance(const std::uint8_t** position);

  // The end of the segment's bytes in the window; zeros follow.
  const std::uint8_t* end() const { return end_; }
  bool is_complete() const { return is_complete_; }

  // The code of the next marker, behind what is left of the segment; 0 if there is none.
  std::uint8_t NextMarker();

 private:
  void Fill();

  const std::uint8_t* next_;
  const std::uint8_t* stop_;
  std::uint8_t* end_ = nullptr;
  const std::uint8_t* limit_ = nullptr;
  bool is_complete_ = false;  // up to the segment's end
  std::uint8_t* window_;
  std::uint8_t* full_;  // where it ends, but for `kAhead` and `kReadAhead`
};

}  // namespace dynjax
