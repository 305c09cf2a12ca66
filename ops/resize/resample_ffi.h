// The XLA handler of Resample.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], roi f32[N, 2 * axes] (lo
// and hi of each axis), filter s32[N, axes] (values of Filter). Result: the samples. Attributes:
// addressed, source_dtype, axes (ascending), antialias, border (values of Border).
extern "C" XLA_FFI_Error* ResampleHandler(XLA_FFI_CallFrame* call_frame);
