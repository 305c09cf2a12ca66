// The operands that every handler of one input begins with.
#pragma once

#include "xla/ffi/api/ffi.h"

namespace dynjax {

inline auto OneInput() {
  return xla::ffi::Ffi::Bind()
      .Arg<xla::ffi::AnyBuffer>()               // into
      .Arg<xla::ffi::AnyBuffer>()               // source
      .Arg<xla::ffi::Buffer<xla::ffi::S32>>()   // extent
      .Arg<xla::ffi::Buffer<xla::ffi::S32>>();  // out_extent
}

}  // namespace dynjax
