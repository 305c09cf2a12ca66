// The XLA handler of DistortAsJpeg.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source u8, extent s32[N, rank] (3 or 4 axes, RGB last), out_extent s32[N, rank],
// table s32[N, 1] (quality). Result: the samples. Attributes: addressed, source_dtype.
extern "C" XLA_FFI_Error* JpegDistortionHandler(XLA_FFI_CallFrame* call_frame);
