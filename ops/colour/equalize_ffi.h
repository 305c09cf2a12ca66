// The XLA handler of histogram equalisation.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source u8, extent s32[N, rank], out_extent s32[N, rank]. Result: the samples.
// Attributes: addressed, source_dtype, first_axis (height; width follows, channels may).
extern "C" XLA_FFI_Error* EqualizeHandler(XLA_FFI_CallFrame* call_frame);
