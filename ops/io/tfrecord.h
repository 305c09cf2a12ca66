// Batches of TFRecord records with `tf.train.Example` messages, as they lie in their files: length
// (8 bytes), its checksum (4), content, the content's checksum (4).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "io/example.h"

namespace dynjax {

// Kept in step with `dynjax/_readers/tfrecord.py`.
enum class RecordFault : std::int32_t {
  kNone = 0,
  kLength = 1,     // the record's header says another length than the index
  kChecksum = 2,   // of the length or the content
  kMalformed = 3,  // no tf.train.Example
};

// {present, message offset, message bytes, text offset, text bytes or number of values}; offsets
// from the start of the batch's data.
using FeatureRow = std::array<std::int64_t, 5>;

// Finds the wanted features of all records, of `lengths` bytes each, which together fill `data`.
// `rows` and `faults` are filled: record after record, feature after feature.
void FindInRecords(Message data, std::span<const std::int64_t> lengths,
                   std::span<const WantedFeature> wanted, bool checksums,
                   std::span<FeatureRow> rows, std::span<RecordFault> faults);

// Moves pieces of `data` to `out` without gaps. `out` may be the start of `data` itself if the
// pieces ascend.
void GatherPieces(Message data, std::span<const std::int64_t> offsets,
                  std::span<const std::int64_t> lengths, std::uint8_t* out);

}  // namespace dynjax
