// The XLA handlers of Sphere, Water and Remap, for samples of height, width and channels.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, 3], out_extent s32[N, 3], mask s32[N, 1] (0: the sample is
// copied), fill f32[N, 1], parameters f32[N, k] (none; the six numbers of Waves). Result: the
// samples, of the source's size and type. Attributes: addressed, source_dtype, interp.
extern "C" XLA_FFI_Error* SphereHandler(XLA_FFI_CallFrame* call_frame);
extern "C" XLA_FFI_Error* WaterHandler(XLA_FFI_CallFrame* call_frame);

// Operands: into, then source, mapx and mapy, each followed by its extent, out_extent
// s32[N, rank], shift f32[N, 1]. Samples are [..., height, width, channels]; a map has the result's
// height and width, or those for each frame. Result: the samples. Attributes: addressed,
// source_dtype, interp.
extern "C" XLA_FFI_Error* RemapHandler(XLA_FFI_CallFrame* call_frame);
