// Source: tensorflow/core/example/example.proto, feature.proto.
#include "io/example.h"

#include <algorithm>
#include <cstring>

namespace dynjax {
namespace {

// Calls `use` with each value of the wanted list of a Feature: the fields numbered 1. Lists of one
// kind may come several times and are then one. False if malformed, or `use` says so.
template <typename Use>
bool ForValues(Message feature, FeatureKind kind, const Use& use) {
  FieldReader lists(feature);
  Field list, value;
  while (lists.Next(&list)) {
    if (list.wire != Wire::kBytes || list.number != static_cast<std::uint32_t>(kind)) continue;
    FieldReader values(list.content);
    while (values.Next(&value)) {
      if (value.number == 1 && !use(value)) return false;
    }
    if (!values.ok()) return false;
  }
  return lists.ok();
}

// The number of values in a packed list, or -1.
std::int64_t CountPacked(Message packed) {
  std::int64_t count = 0;
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < packed.size(); ++count) {
    if (!ReadVarint(packed, &at, &value)) return -1;
  }
  return count;
}

bool Measure(FeatureKind kind, FoundFeature* found) {
  bool first = true;
  return ForValues(found->message, kind, [&](const Field& value) {
    switch (kind) {
      case FeatureKind::kString:
        if (value.wire == Wire::kBytes && first) {
          found->text = value.content;
          first = false;
        }
        return true;
      case FeatureKind::kFloat:
        if (value.wire != Wire::kBytes && value.wire != Wire::kFixed32) return true;
        found->count += static_cast<std::int64_t>(value.content.size() / sizeof(float));
        return value.content.size() % sizeof(float) == 0;
      case FeatureKind::kInt64:
        if (value.wire == Wire::kVarint) ++found->count;
        if (value.wire != Wire::kBytes) return true;
        const std::int64_t count = CountPacked(value.content);
        found->count += std::max<std::int64_t>(count, 0);
        return count >= 0;
    }
    return false;
  });
}

// One entry of the map: a name and a Feature.
bool FindEntry(Message entry, std::span<const WantedFeature> wanted,
               std::span<FoundFeature> found) {
  FieldReader fields(entry);
  Field field;
  std::size_t which = wanted.size();
  Message message;
  while (fields.Next(&field)) {
    if (field.wire != Wire::kBytes) continue;
    if (field.number == 1) {
      for (which = 0; which < wanted.size(); ++which) {
        const std::string& name = wanted[which].name;
        if (name.size() == field.content.size() &&
            std::memcmp(name.data(), field.content.data(), name.size()) == 0) {
          break;
        }
      }
      if (which == wanted.size()) return true;
    } else if (field.number == 2) {
      message = field.content;
    }
  }
  if (!fields.ok()) return false;
  if (which < wanted.size()) {
    found[which].present = true;
    found[which].message = message;
  }
  return true;
}

}  // namespace

bool FindFeatures(Message record, std::span<const WantedFeature> wanted,
                  std::span<FoundFeature> found) {
  std::ranges::fill(found, FoundFeature{});
  FieldReader blocks(record);
  Field block, entry;
  while (blocks.Next(&block)) {
    if (block.number != 1 || block.wire != Wire::kBytes) continue;
    FieldReader entries(block.content);
    while (entries.Next(&entry)) {
      if (entry.number != 1 || entry.wire != Wire::kBytes) continue;
      if (!FindEntry(entry.content, wanted, found)) return false;
    }
    if (!entries.ok()) return false;
  }
  if (!blocks.ok()) return false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!Measure(wanted[k].kind, &found[k])) return false;
  }
  return true;
}

FoundFeature MeasureFeature(Message message, FeatureKind kind) {
  FoundFeature found;
  found.present = true;
  found.message = message;
  return Measure(kind, &found) ? found : FoundFeature{};
}

void CopyInt64(const FoundFeature& found, std::int64_t* out) {
  ForValues(found.message, FeatureKind::kInt64, [&](const Field& value) {
    if (value.wire == Wire::kVarint) *out++ = static_cast<std::int64_t>(value.value);
    if (value.wire != Wire::kBytes) return true;
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < value.content.size();) {
      if (!ReadVarint(value.content, &at, &number)) return false;
      *out++ = static_cast<std::int64_t>(number);
    }
    return true;
  });
}

void CopyFloats(const FoundFeature& found, float* out) {
  ForValues(found.message, FeatureKind::kFloat, [&](const Field& value) {
    if (value.wire != Wire::kBytes && value.wire != Wire::kFixed32) return true;
    if (!value.content.empty()) std::memcpy(out, value.content.data(), value.content.size());
    out += value.content.size() / sizeof(float);
    return true;
  });
}

}  // namespace dynjax
