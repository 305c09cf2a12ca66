#include "decoders/failure.h"

namespace dynjax {

const char* WhyNotDecoded(StatusCode code) {
  switch (code) {
    case StatusCode::kTruncated:
      return "the data are truncated";
    case StatusCode::kCorrupt:
      return "the data are corrupt";
    case StatusCode::kUnrecognised:
      return "the format was not recognised";
    case StatusCode::kUnsupported:
      return "inside jit only JPEG and PNG files are decoded, and this is none, or uses a feature "
             "of its format that is not supported";
    case StatusCode::kTooLarge:
      return "the picture is larger than is allowed";
    default:
      return "the picture is not of the size that its header gave";
  }
}

}  // namespace dynjax
