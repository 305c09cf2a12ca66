// `tf.train.Example` messages: named lists of strings, floats or integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/wire.h"

namespace dynjax {

// As the numbers of the lists in feature.proto.
enum class FeatureKind : std::int32_t { kString = 1, kFloat = 2, kInt64 = 3 };

struct WantedFeature {
  std::string name;
  FeatureKind kind = FeatureKind::kString;
};

// A feature of one record.
struct FoundFeature {
  bool present = false;
  Message message;         // the Feature; empty if absent
  Message text;            // of a string: its first value
  std::int64_t count = 0;  // of numbers: how many there are of the wanted kind
};

// Finds the wanted features, all at once. A name that comes twice counts as its last; a list of
// another kind than wanted is empty. False if the record is malformed, as far as it is looked at:
// entries with other names are passed over.
bool FindFeatures(Message record, std::span<const WantedFeature> wanted,
                  std::span<FoundFeature> found);

// The one feature in a message of its own; `present` is false if it is malformed.
FoundFeature MeasureFeature(Message message, FeatureKind kind);

// Writes the `found.count` numbers of a feature that `FindFeatures` found.
void CopyInt64(const FoundFeature& found, std::int64_t* out);
void CopyFloats(const FoundFeature& found, float* out);

}  // namespace dynjax
