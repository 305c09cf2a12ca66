// The XLA handler of `erase`.
//
// Operands: into (recycled buffer, aliased to the result), source (any type; addresses s32[N, 2]
//   when `addressed`), extent s32[N, rank], out_extent s32[N, rank] (the same), limits
//   s32[N, regions * 2 * axes] as in Regions, fill f32[N, values].
// Attributes: axes (int64[]), fill_axis (int32), addressed (bool), source_dtype (int32).
// Result: the samples with their regions filled, of the source's type.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* EraseHandler(XLA_FFI_CallFrame* call_frame);
