// The entropy-coded data of a JPEG scan, segment by segment between its restart markers.
#pragma once

#include "decoders/jpeg_bits.h"
#include "decoders/jpeg_entropy_bytes.h"
#include "decoders/jpeg_stream.h"

namespace dynjax {

class ScanSegments {
 public:
  // `window` is `EntropyBytes::Memory(scan.data)` bytes.
  ScanSegments(const JpegScan& scan, std::uint8_t* window)
      : bytes_(scan.data, window), interval_(scan.restart_interval), left_(scan.restart_interval) {}

  // Readers of units keep the bits in a variable of their own.
  BitReader Begin() { return {.at = bytes_.Begin()}; }

  enum class Next { kUnit, kRestart, kEnd };

  // Before each unit: whether there is one, and whether it begins a segment.
  DYNJAX_INLINE Next Unit(BitReader* reader) {
    const bool is_restart = interval_ > 0 && left_ == 0;
    if (is_restart || reader->at > bytes_.limit()) [[unlikely]] {
      // By value, or else the reader would live in memory.
      const auto [next, moved] = Turn(*reader, is_restart);
      *reader = moved;
      if (next == Next::kEnd) return next;
    }
    --left_;
    return is_restart ? Next::kRestart : Next::kUnit;
  }

  // Whether units took bits that are not there, which is found out no earlier than asked.
  bool IsBehindEnd(const BitReader& reader) const;

  // After the last unit: whether this marker comes next.
  bool IsAtEnd(const BitReader& reader, std::uint8_t marker);

  bool has_restarts() const { return interval_ > 0; }

 private:
  struct Turned {
    Next next;
    BitReader reader;
  };
  Turned Turn(BitReader reader, bool is_restart);

  EntropyBytes bytes_;
  std::uint32_t interval_, left_;  // units from one restart marker to the next
  std::uint8_t next_restart_ = 0;
};

}  // namespace dynjax
