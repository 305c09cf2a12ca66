// The XLA handler of `decoders.image`.
//
// Operands: into (recycled buffer, aliased to the result), source (encoded bytes or raw pixels;
//   addresses s32[N, 2] when `addressed`), extent s32[N, 1] (bytes of each sample), out_extent
//   s32[N, 3] (height, width, channels of the result), params s32[N, 5] = {source kind, raw height,
//   raw width, raw channels, raw orientation}, or s32[N, 7] with {first row, first column} of a
//   part of the upright picture behind them.
// Attributes: output_type (int32), adjust_orientation (bool), scale (int32, eighths),
//   addressed (bool), and source_dtype
//   (int32), which is ignored: the source is bytes.
// Results: pixels of the result buffer's dtype, status s32[N, 2] = {code, detail}.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* DecodeHandler(XLA_FFI_CallFrame* call_frame);
