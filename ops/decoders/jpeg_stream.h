// What the fast decoder needs to know of a JPEG stream ahead of its entropy-coded data.
#pragma once

#include <array>

#include "decoders/bytes.h"
#include "decoders/jpeg_huffman.h"

namespace dynjax {

struct JpegComponent {
  // Blocks of a minimum coded unit across and down; 1 x 1 where there is one component.
  std::int32_t h = 1, v = 1;
  std::array<std::uint16_t, 64> quant;  // in natural order, row by row
};

struct JpegFrame {
  std::int32_t height = 0, width = 0;
  std::int32_t count = 0;  // components: 1 (grey) or 3 (YCbCr)
  std::array<JpegComponent, 3> components;
  bool is_progressive = false;
};

struct JpegScan {
  struct Part {
    std::size_t component = 0;
    HuffmanCode dc, ac;
  };

  std::size_t count = 0;
  std::array<Part, 3> parts;
  // Its coefficients by zigzag order, and of these the bits from `low` on, of which those from
  // `high` on are known from scans before; 0 when there were none.
  std::uint32_t first = 0, last = 63;
  std::uint32_t high = 0, low = 0;
  std::uint32_t restart_interval = 0;  // in coded units; 0 for none
  // The entropy-coded data, and what follows: in progressive pictures the marker that ends them.
  Bytes data;
};

struct JpegStream {
  // Usual ones have ten or so.
  static constexpr std::size_t kMaxScans = 32;

  JpegFrame frame;
  std::size_t scan_count = 0;
  std::array<JpegScan, kMaxScans> scans;
  // There are enough bytes to make larger tables worth while.
  bool is_long = false;
};

// True when the stream is one that the fast decoder takes: 8 bits, Huffman-coded, grey or YCbCr
// with chroma at half or full resolution, with all bits of all coefficients, sequential in one scan
// or progressive. Anything else, and anything that libjpeg might call an error or read in a way of
// its own, is false.
bool ReadJpegStream(Bytes encoded, JpegStream* stream);

}  // namespace dynjax
