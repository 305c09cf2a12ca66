#include "decoders/failure.h"

#include "decoders/codecs.h"

namespace dynjax {
namespace {

std::string NotNative() {
  std::string formats;
  for (const char* name : NativeFormats()) {
    formats += std::string(formats.empty() ? "" : ", ") + name;
  }
  return "inside jit only " + formats +
         " files are decoded, and this is none, or uses a feature of its format that is not "
         "supported";
}

}  // namespace

std::string WhyNotDecoded(StatusCode code) {
  switch (code) {
    case StatusCode::kTruncated:
      return "the data are truncated";
    case StatusCode::kCorrupt:
      return "the data are corrupt";
    case StatusCode::kUnrecognised:
      return "the format was not recognised";
    case StatusCode::kUnsupported:
      return NotNative();
    case StatusCode::kTooLarge:
      return "the picture is larger than is allowed";
    case StatusCode::kOutside:
      return "the window is empty or reaches beyond the picture";
    default:
      return "the picture is not of the size that its header gave";
  }
}

}  // namespace dynjax
