// The XLA handler of ScaleIntensity.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], table f32[N, frames * 2]
// (gain and offset). Result: the samples. Attributes: addressed, source_dtype.
extern "C" XLA_FFI_Error* IntensityHandler(XLA_FFI_CallFrame* call_frame);
