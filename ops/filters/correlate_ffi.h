// The XLA handlers of Correlate.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], weights f32 (two axes a sample, or frames before
// them), their extent, [fill (a scalar of any pixel type for each sample, or one for each frame),
// its extent], out_extent s32[N, rank], table s32[N, frames * 2] (anchors). Result: the samples.
// Attributes: addressed, source_dtype, first_axis (of the two of the result that are filtered),
// border, spread (the result has frames in front, which the source lacks).
extern "C" XLA_FFI_Error* CorrelateHandler(XLA_FFI_CallFrame* call_frame);
extern "C" XLA_FFI_Error* CorrelateFilledHandler(XLA_FFI_CallFrame* call_frame);
