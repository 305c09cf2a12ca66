// The XLA handler of CropMirrorNormalize.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], window s32[N, axes + 1]
// (the anchor of each axis, then the mirror flag), scale f32[N, 2 * C + 1] (means, factors, shift),
// fill f32[N, C_out]. Result: the samples. Attributes: addressed, source_dtype, axes, channel_axis,
// mirror_axis (input axes; -1: none), perm.
extern "C" XLA_FFI_Error* CropMirrorNormalizeHandler(XLA_FFI_CallFrame* call_frame);
