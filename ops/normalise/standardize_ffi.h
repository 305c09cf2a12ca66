// The XLA handler of Standardize.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], mean f32 and its extent, deviation f32 and its
// extent, out_extent s32[N, rank], table f32[N, 4] (ddof, epsilon, scale, shift). Result: the
// samples, of any pixel type. Attributes: addressed, source_dtype, first and count (the axes that
// are reduced), has_mean, has_stddev.
extern "C" XLA_FFI_Error* NormalizeHandler(XLA_FFI_CallFrame* call_frame);
