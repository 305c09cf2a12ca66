// What the fast decoder needs to know of a JPEG stream ahead of its entropy-coded data.
#pragma once

#include <array>

#include "decoders/bytes.h"
#include "decoders/jpeg_huffman.h"

namespace dynjax {

struct BaselineComponent {
  // Blocks of a minimum coded unit across and down; 1 x 1 where there is one component.
  std::int32_t h = 1, v = 1;
  std::array<std::uint16_t, 64> quant;       // in natural order, row by row
  std::size_t dc_number = 0, ac_number = 0;  // of its tables
};

struct BaselineHeader {
  std::int32_t height = 0, width = 0;
  std::int32_t count = 0;  // components: 1 (grey) or 3 (YCbCr)
  std::array<BaselineComponent, 3> components;
  std::uint32_t restart_interval = 0;  // in coded units; 0 for none
  std::size_t scan = 0;                // where the entropy-coded data begin
  std::array<HuffmanTable, 4> dc_tables, ac_tables;
};

// True when the stream is one that the fast decoder takes: 8 bits, sequential, Huffman-coded, grey
// or YCbCr with chroma at half or full resolution, one scan, and every table in place. Anything
// else, and anything that libjpeg might call an error or read in a way of its own, is false.
bool ReadBaselineHeader(Bytes encoded, BaselineHeader* header);

}  // namespace dynjax
