// Fuzz target of the parser of `tf.train.Example`: whatever the bytes say, nothing is read outside
// them, and as many numbers are copied as were counted.
#include <cstdint>
#include <vector>

#include "io/example.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  static const std::vector<WantedFeature> wanted = {
      {"a", FeatureKind::kString}, {"b", FeatureKind::kInt64}, {"c", FeatureKind::kFloat}};
  std::vector<FoundFeature> found(wanted.size());
  if (!FindFeatures({data, size}, wanted, found)) return 0;
  std::vector<std::int64_t> ints(static_cast<std::size_t>(found[1].count));
  CopyInt64(found[1], ints.data());
  std::vector<float> floats(static_cast<std::size_t>(found[2].count));
  CopyFloats(found[2], floats.data());
  return 0;
}
