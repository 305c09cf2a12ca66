// The outcome of one sample's work. Kernels return it; nothing in `ops/` throws.
#pragma once

#include <cstdint>

namespace dynjax {

// Kept in step with `dynjax/_native.py` by tests/native/test_status.py.
enum class StatusCode : std::int32_t {
  kOk = 0,
  kTruncated = 1,      // the stream ends before its picture does
  kCorrupt = 2,        // the stream contradicts itself or its format
  kUnrecognised = 3,   // no known format
  kUnsupported = 4,    // a known format, a feature that this build cannot decode
  kTooLarge = 5,       // more pixels than the limit allows, or than memory holds
  kShapeMismatch = 6,  // the stream is not of the size that its header promised at the call
  kIo = 7,             // a file could not be read; `detail` is errno
  kOutside = 8,        // the part that is wanted is empty or reaches beyond the picture
};

// A `detail` narrows a code down (errno, a codec's own number); 0 when there is none.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  constexpr Status(StatusCode code, std::int32_t detail = 0) : code_(code), detail_(detail) {}

  static constexpr Status Ok() { return {}; }
  constexpr bool ok() const { return code_ == StatusCode::kOk; }
  constexpr StatusCode code() const { return code_; }
  constexpr std::int32_t detail() const { return detail_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::int32_t detail_ = 0;
};

}  // namespace dynjax
