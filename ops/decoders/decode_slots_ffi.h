// The XLA handler of `decoders.image` inside a compiled program, where sizes are not known ahead.
//
// Operands: encoded u8[..., N, bytes] in slots, extent s32[..., N, 1] (bytes of each sample).
// Attributes: output_type, adjust_orientation, scale as in decode_ffi.h; raises (bool): a sample
//   that cannot be decoded fails the program, with its number and the reason in the message;
//   otherwise it becomes a picture of `fill_height` x `fill_width` pixels of `fill_value`.
// Results: pixels [..., N, height, width, channels], zero outside the pictures; out_extent
//   s32[..., N, 3]. A picture larger than the slot counts as one that cannot be decoded.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* DecodeSlotsHandler(XLA_FFI_CallFrame* call_frame);
