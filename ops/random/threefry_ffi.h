// The XLA handler of the generator's blocks, for programs whose compiler would otherwise fuse the
// rounds into each use of them.
//
// Operands: the key's words and the counter's, u32 each, of one rank; an axis of length 1 serves
// all of it. Results: the block's words, u32 of the common shape.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* ThreefryHandler(XLA_FFI_CallFrame* call_frame);
