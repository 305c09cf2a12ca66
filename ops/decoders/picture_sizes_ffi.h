// The XLA handler that reads the sizes of pictures inside a compiled program, before they are
// decoded by a chain of kernels (pictures/picture_chain_ffi.h).
//
// Operands: encoded u8[..., N, bytes] in slots, extent s32[..., N, 1] (bytes of each sample).
// Attributes: output_type, adjust_orientation, scale as in decode_ffi.h; max_pixels (s64): a
//   picture of more pixels fails the program, as one does that cannot be decoded; caller: the
//   operator, for messages.
// Result: s32[..., N, 3].
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* PictureSizesHandler(XLA_FFI_CallFrame* call_frame);
