// The type of a decoder's pixels as XLA calls it.
#pragma once

#include <optional>

#include "decoders/pixels.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {

// nullopt for types that no decoder writes.
inline std::optional<PixelType> PixelTypeOf(xla::ffi::DataType dtype) {
  namespace ffi = xla::ffi;
  switch (dtype) {
    case ffi::U8:
      return PixelType::kU8;
    case ffi::S8:
      return PixelType::kI8;
    case ffi::U16:
      return PixelType::kU16;
    case ffi::S16:
      return PixelType::kI16;
    case ffi::U32:
      return PixelType::kU32;
    case ffi::S32:
      return PixelType::kI32;
    case ffi::F32:
      return PixelType::kF32;
    default:
      return std::nullopt;
  }
}

}  // namespace dynjax
