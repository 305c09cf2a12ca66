// The XLA handler of resampling.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], steps s32[N, 4]: samples of
// the source for each of the result, a whole number and three digits of 16 bits. Time is axis 0,
// channels may follow. Result: the samples. Attributes: addressed, source_dtype, lobes.
extern "C" XLA_FFI_Error* AudioResampleHandler(XLA_FFI_CallFrame* call_frame);
