// Exit code 0: records are parsed as feature.proto says, and damaged ones read nothing outside.
#include "io/example.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "io/crc32c.h"
#include "io/tfrecord.h"

namespace dynjax {
namespace {

int g_failures = 0;

#define EXPECT(condition)                                          \
  do {                                                             \
    if (!(condition)) {                                            \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      ++g_failures;                                                \
    }                                                              \
  } while (false)

std::string Block(int number, const std::string& content) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  for (std::size_t n = content.size(); out.size() < 2 || n > 0; n >>= 7) {
    out += static_cast<char>((n & 127) | (n > 127 ? 128 : 0));
  }
  return out + content;
}

std::string Entry(const std::string& name, const std::string& feature) {
  return Block(1, Block(1, name) + Block(2, feature));
}

Message AsMessage(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

const std::vector<WantedFeature> kWanted = {{"text", FeatureKind::kString},
                                            {"ints", FeatureKind::kInt64},
                                            {"floats", FeatureKind::kFloat},
                                            {"none", FeatureKind::kInt64}};

std::string Record() {
  const float value = 0.5f;
  std::string floats(sizeof(value), '\0');
  std::memcpy(floats.data(), &value, sizeof(value));
  // ints: packed {1, 300}, then single 5; floats: packed {0.5}, then a single one.
  return Block(1, Entry("other", Block(1, Block(1, std::string(300, 'o')))) +
                      Entry("text", Block(1, Block(1, "old"))) +
                      Entry("text", Block(1, Block(1, "value") + Block(1, "second"))) +
                      Entry("ints", Block(3, Block(1, "\x01\xac\x02") + "\x08\x05")) +
                      Entry("floats", Block(2, Block(1, floats) + "\x0d" + floats)));
}

void TestValues() {
  const std::string record = Record();
  std::vector<FoundFeature> found(kWanted.size());
  EXPECT(FindFeatures(AsMessage(record), kWanted, found));
  EXPECT(std::string(found[0].text.begin(), found[0].text.end()) == "value");
  EXPECT(found[1].count == 3 && found[2].count == 2 && !found[3].present);
  std::int64_t ints[3] = {};
  CopyInt64(found[1], ints);
  EXPECT(ints[0] == 1 && ints[1] == 300 && ints[2] == 5);
  float floats[2] = {};
  CopyFloats(found[2], floats);
  EXPECT(floats[0] == 0.5f && floats[1] == 0.5f);
}

void TestMalformed() {
  std::vector<FoundFeature> found(kWanted.size());
  EXPECT(FindFeatures({}, kWanted, found));
  for (const std::string bad :
       {"\x0a\x05", "\x02", "\x0f", "\x0a\x81\x81\x81\x81\x81\x81\x81\x81\x81\x81\x01", "\x80"}) {
    EXPECT(!FindFeatures(AsMessage(bad), kWanted, found));
  }
  // A length of 2^64 - 1 must not wrap around.
  EXPECT(!FindFeatures(AsMessage("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), kWanted, found));
}

// Every prefix and many changed bytes, each in a block of its own size, so that a sanitizer sees
// what is read beyond it; what is found can be copied.
void TestDamage() {
  const std::string record = Record();
  std::uint32_t random = 1;
  for (std::size_t k = 0; k < 20 * record.size(); ++k) {
    const std::size_t size = k < record.size() ? k : record.size();
    const auto block = std::make_unique<std::uint8_t[]>(size);
    std::memcpy(block.get(), record.data(), size);
    random = random * 1664525u + 1013904223u;
    if (k >= record.size()) block[(random >> 8) % size] = static_cast<std::uint8_t>(random >> 24);
    std::vector<FoundFeature> found(kWanted.size());
    if (!FindFeatures({block.get(), size}, kWanted, found)) continue;
    std::vector<std::int64_t> ints(static_cast<std::size_t>(found[1].count));
    CopyInt64(found[1], ints.data());
    std::vector<float> floats(static_cast<std::size_t>(found[2].count));
    CopyFloats(found[2], floats.data());
  }
}

void TestFrames() {
  EXPECT(Crc32c(AsMessage("123456789")) == 0xe3069283u);
  const std::string record = Record();
  const std::uint64_t length = record.size();
  std::string framed(12, '\0');
  std::memcpy(framed.data(), &length, 8);
  std::uint32_t crc = MaskedCrc32c(AsMessage(framed).first(8));
  std::memcpy(framed.data() + 8, &crc, 4);
  crc = MaskedCrc32c(AsMessage(record));
  framed += record + std::string(4, '\0');
  std::memcpy(framed.data() + framed.size() - 4, &crc, 4);
  const auto size = static_cast<std::int64_t>(framed.size());

  std::vector<FeatureRow> rows(kWanted.size());
  const auto fault = [&](std::int64_t bytes, bool checksums) {
    RecordFault result = RecordFault::kNone;
    FindInRecords(AsMessage(framed), {&bytes, 1}, kWanted, checksums, rows, {&result, 1});
    return result;
  };
  EXPECT(fault(size, true) == RecordFault::kNone);
  EXPECT(framed.substr(static_cast<std::size_t>(rows[0][3]), 5) == "value" && rows[0][4] == 5);
  EXPECT(fault(size - 1, true) == RecordFault::kLength);
  EXPECT(fault(3, true) == RecordFault::kLength);
  framed[40] = static_cast<char>(framed[40] ^ 1);  // inside the text that nobody wants
  EXPECT(fault(size, false) == RecordFault::kNone);
  EXPECT(fault(size, true) == RecordFault::kChecksum);
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestValues();
  dynjax::TestMalformed();
  dynjax::TestDamage();
  dynjax::TestFrames();
  return dynjax::g_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
