#include "decoders/image_info.h"

#include <initializer_list>

#include "decoders/codecs.h"
#include "decoders/jpeg_header.h"
#include "decoders/png_header.h"
#include "decoders/tiff_header.h"
#include "decoders/webp_header.h"

namespace dynjax {
namespace {

using namespace std::string_view_literals;

bool StartsWithAny(Bytes b, std::size_t at, std::initializer_list<std::string_view> texts) {
  for (const auto text : texts) {
    if (HasText(b, at, text)) return true;
  }
  return false;
}

bool IsPnm(Bytes b) {
  return b.size() >= 3 && b[0] == 'P' && b[1] >= '1' && b[1] <= '7' &&
         (b[2] == ' ' || b[2] == '#' || (b[2] >= '\t' && b[2] <= '\r'));
}

bool IsHeif(Bytes b) {
  return HasText(b, 4, "ftyp") &&
         StartsWithAny(b, 8, {"avif", "avis", "heic", "heix", "hevc", "hevx", "mif1", "msf1"});
}

}  // namespace

ImageFormat SniffFormat(Bytes b) {
  if (HasText(b, 0, "\xff\xd8\xff"sv)) return ImageFormat::kJpeg;
  if (HasText(b, 0, kPngSignature)) return ImageFormat::kPng;
  if (HasText(b, 0, "BM")) return ImageFormat::kBmp;
  if (StartsWithAny(b, 0, {"GIF87a", "GIF89a"})) return ImageFormat::kGif;
  if (StartsWithAny(b, 0, {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})) return ImageFormat::kTiff;
  if (HasText(b, 0, "RIFF") && HasText(b, 8, "WEBP")) return ImageFormat::kWebp;
  if (IsPnm(b)) return ImageFormat::kPnm;
  if (StartsWithAny(b, 0, {"\0\0\0\x0cjP  \r\n\x87\n"sv, "\xff\x4f\xff\x51"sv})) {
    return ImageFormat::kJpeg2000;
  }
  if (IsHeif(b)) return ImageFormat::kHeif;
  return ImageFormat::kUnknown;
}

Status PeekImage(Bytes encoded, ImageInfo* info) {
  *info = {};
  info->format = SniffFormat(encoded);
  switch (info->format) {
    case ImageFormat::kUnknown:
      return StatusCode::kUnrecognised;
    case ImageFormat::kJpeg:
      return ReadJpegHeader(encoded, info);
    case ImageFormat::kPng:
      return ReadPngHeader(encoded, info);
    case ImageFormat::kTiff:
      ReadTiffHeader(encoded, info);
      return Status::Ok();
    case ImageFormat::kWebp: {
      WebpFrame frame;
      return HasWebp() ? ReadWebpHeader(encoded, info, &frame) : Status::Ok();
    }
    default:
      return Status::Ok();
  }
}

}  // namespace dynjax
