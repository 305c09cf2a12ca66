// The XLA handler of Warp.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], maps f32[N, T * entries]
// (one map for each sample, or one for each position of the first axis), fill f32[N, 1 or
// channels]. Result: the samples. Attributes: addressed, source_dtype, axes (2 or 3 adjacent ones:
// depth, height, width), interp (values of Interpolation), border (values of Edge), perspective,
// channel_first (what precedes `axes` ends with the channels).
extern "C" XLA_FFI_Error* WarpHandler(XLA_FFI_CallFrame* call_frame);
