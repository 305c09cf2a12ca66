#include "io/tfrecord.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "io/crc32c.h"

namespace dynjax {
namespace {

constexpr std::size_t kHeader = 12, kFooter = 4;

template <typename T>
T Load(Message bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

RecordFault Open(Message record, bool checksums, Message* content) {
  if (record.size() < kHeader + kFooter) return RecordFault::kLength;
  const std::size_t length = record.size() - kHeader - kFooter;
  if (Load<std::uint64_t>(record) != length) return RecordFault::kLength;
  *content = record.subspan(kHeader, length);
  if (checksums &&
      (MaskedCrc32c(record.first(8)) != Load<std::uint32_t>(record.subspan(8)) ||
       MaskedCrc32c(*content) != Load<std::uint32_t>(record.subspan(kHeader + length)))) {
    return RecordFault::kChecksum;
  }
  return RecordFault::kNone;
}

std::int64_t OffsetOf(Message part, Message data) {
  return part.empty() ? 0 : part.data() - data.data();
}

}  // namespace

void FindInRecords(Message data, std::span<const std::int64_t> lengths,
                   std::span<const WantedFeature> wanted, bool checksums,
                   std::span<FeatureRow> rows, std::span<RecordFault> faults) {
  std::vector<FoundFeature> found(wanted.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto length = static_cast<std::size_t>(lengths[i]);
    Message content;
    faults[i] = Open(data.subspan(at, length), checksums, &content);
    at += length;
    if (faults[i] == RecordFault::kNone && !FindFeatures(content, wanted, found)) {
      faults[i] = RecordFault::kMalformed;
    }
    if (faults[i] != RecordFault::kNone) std::ranges::fill(found, FoundFeature{});
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const FoundFeature& f = found[k];
      const bool text = wanted[k].kind == FeatureKind::kString;
      rows[i * wanted.size() + k] = {
          f.present, OffsetOf(f.message, data), static_cast<std::int64_t>(f.message.size()),
          OffsetOf(f.text, data), text ? static_cast<std::int64_t>(f.text.size()) : f.count};
    }
  }
}

void GatherPieces(Message data, std::span<const std::int64_t> offsets,
                  std::span<const std::int64_t> lengths, std::uint8_t* out) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto size = static_cast<std::size_t>(lengths[i]);
    if (size > 0) std::memmove(out, data.data() + offsets[i], size);
    out += size;
  }
}

}  // namespace dynjax
