// The only file that is compiled with the build's options (CMakeLists.txt), and what takes the
// place of the codecs that they leave out.
#include "decoders/codecs.h"

#include "decoders/tiff.h"
#include "decoders/webp.h"

namespace dynjax {

bool HasWebp() { return DYNJAX_WEBP; }

std::span<const char* const> NativeFormats() {
  static constexpr const char* kFormats[] = {
      "JPEG",
      "PNG",
#if DYNJAX_TIFF
      "TIFF",
#endif
#if DYNJAX_WEBP
      "WebP",
#endif
  };
  return kFormats;
}

#if !DYNJAX_TIFF
bool DecompressesTiff(std::int32_t) { return false; }

Status DecodeTiff(Bytes, const TiffLayout&, const Region&, RowSink*) {
  return StatusCode::kUnsupported;
}
#endif

#if !DYNJAX_WEBP
Status DecodeWebp(Bytes, const Region&, RowSink*) { return StatusCode::kUnsupported; }
#endif

}  // namespace dynjax
