// XLA's element types as Pixel.
#pragma once

#include <optional>

#include "base/convert.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {

inline std::optional<Pixel> PixelOf(xla::ffi::DataType type) {
  switch (type) {
    case xla::ffi::U8:
      return Pixel::kU8;
    case xla::ffi::S8:
      return Pixel::kI8;
    case xla::ffi::U16:
      return Pixel::kU16;
    case xla::ffi::S16:
      return Pixel::kI16;
    case xla::ffi::U32:
      return Pixel::kU32;
    case xla::ffi::S32:
      return Pixel::kI32;
    case xla::ffi::F16:
      return Pixel::kF16;
    case xla::ffi::F32:
      return Pixel::kF32;
    default:
      return std::nullopt;
  }
}

}  // namespace dynjax
