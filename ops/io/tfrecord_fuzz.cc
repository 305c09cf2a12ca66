// Fuzz target of the reading of TFRecord batches: whatever the bytes say, nothing is read outside
// them, and what was found lies inside.
#include "base/fuzz_input.h"
#include "io/tfrecord.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  const bool checksums = input.Bit();
  const std::size_t header = size > 0 ? 1 : 0;
  const Message content(data + header, size - header);
  // Up to four records share the bytes.
  std::vector<std::int64_t> lengths;
  auto left = static_cast<std::int64_t>(content.size());
  for (int k = 0; k < 3 && left > 40; ++k) {
    lengths.push_back(left / (2 + k));
    left -= lengths.back();
  }
  lengths.push_back(left);
  static const std::vector<WantedFeature> wanted = {
      {"a", FeatureKind::kString}, {"b", FeatureKind::kInt64}, {"c", FeatureKind::kFloat}};
  std::vector<FeatureRow> rows(lengths.size() * wanted.size());
  std::vector<RecordFault> faults(lengths.size());
  FindInRecords(content, lengths, wanted, checksums, rows, faults);
  const auto end = static_cast<std::int64_t>(content.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (faults[i / wanted.size()] != RecordFault::kNone || rows[i][0] == 0) continue;
    Promise(rows[i][1] >= 0 && rows[i][2] >= 0 && rows[i][1] + rows[i][2] <= end);
    if (i % wanted.size() == 0) {
      Promise(rows[i][3] >= 0 && rows[i][4] >= 0 && rows[i][3] + rows[i][4] <= end);
    }
  }
  return 0;
}
