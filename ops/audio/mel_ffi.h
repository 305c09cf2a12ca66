// The XLA handler of bands on the mel scale.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source f32, extent s32[N, rank], out_extent s32[N, rank], heights f32[N, 1], and
// the corners of the bands in bins as sums of corners f32[N, bands + 2] and rests f32[N, bands +
// 2]. Result: the bands. Attributes: addressed, source_dtype, axis, normalize (divide a band's
// weights by its width, and multiply by the sample's height).
extern "C" XLA_FFI_Error* MelFilterBankHandler(XLA_FFI_CallFrame* call_frame);
