#include "base/empty_ffi.h"

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error Empty(ffi::AnyBuffer, ffi::Result<ffi::AnyBuffer>) {
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(EmptyHandler, Empty,
                              ffi::Ffi::Bind().Arg<ffi::AnyBuffer>().Ret<ffi::AnyBuffer>());
