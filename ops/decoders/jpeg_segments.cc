#include "decoders/jpeg_segments.h"

namespace dynjax {

constexpr std::uint8_t kFirstRestart = 0xd0;

bool ScanSegments::IsBehindEnd(const BitReader& reader) const {
  return (reader.at - bytes_.end()) * 8 > static_cast<std::ptrdiff_t>(reader.count);
}

bool ScanSegments::IsAtEnd(const BitReader& reader, std::uint8_t marker) {
  return !IsBehindEnd(reader) && bytes_.NextMarker() == marker;
}

ScanSegments::Turned ScanSegments::Turn(BitReader reader, bool is_restart) {
  if (!is_restart) return {bytes_.Advance(&reader.at) ? Next::kUnit : Next::kEnd, reader};
  if (!IsAtEnd(reader, kFirstRestart + next_restart_)) return {Next::kEnd, reader};
  next_restart_ = (next_restart_ + 1) % 8;
  left_ = interval_;
  return {Next::kRestart, Begin()};
}

}  // namespace dynjax
