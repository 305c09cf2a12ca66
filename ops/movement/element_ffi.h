// XLA's element types as Element.
#pragma once

#include <optional>

#include "movement/element.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {

inline std::optional<Element> ElementOf(xla::ffi::DataType type) {
  switch (type) {
    case xla::ffi::PRED:
      return Element::kBool;
    case xla::ffi::U8:
      return Element::kU8;
    case xla::ffi::S8:
      return Element::kI8;
    case xla::ffi::U16:
      return Element::kU16;
    case xla::ffi::S16:
      return Element::kI16;
    case xla::ffi::U32:
      return Element::kU32;
    case xla::ffi::S32:
      return Element::kI32;
    case xla::ffi::U64:
      return Element::kU64;
    case xla::ffi::S64:
      return Element::kI64;
    case xla::ffi::F16:
      return Element::kF16;
    case xla::ffi::BF16:
      return Element::kBF16;
    case xla::ffi::F32:
      return Element::kF32;
    case xla::ffi::F64:
      return Element::kF64;
    default:
      return std::nullopt;
  }
}

}  // namespace dynjax
