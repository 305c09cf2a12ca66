#include "io/tar_index.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace dynjax {
namespace {

void Expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

std::string Header(const std::string& name, std::size_t size, char kind = '0') {
  std::string block(512, '\0');
  std::memcpy(block.data(), name.data(), name.size());
  std::snprintf(block.data() + 124, 12, "%011zo", size);
  block[156] = kind;
  std::memset(block.data() + 148, ' ', 8);
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  std::snprintf(block.data() + 148, 8, "%06o", sum);
  return block;
}

std::string Member(const std::string& name, const std::string& content, char kind = '0') {
  std::string data = Header(name, content.size(), kind) + content;
  data.resize((data.size() + 511) / 512 * 512);
  return data;
}

TarMembers Scan(const std::string& bytes) {
  const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") +
                           "/tar_index_test_" + std::to_string(std::rand());
  std::ofstream(path, std::ios::binary) << bytes;
  TarMembers found = ScanTar(path);
  std::remove(path.c_str());
  return found;
}

void TestScan() {
  const std::string large(300 << 10, 'x');
  const std::string whole = Member("d", "", '5') + Member("d/a.jpg", large) +
                            Member("long", "d/b.seg.png", 'L') + Member("short", "12") +
                            std::string(1024, '\0');
  const TarMembers found = Scan(whole);
  Expect(found.fault == TarFault::kNone && found.entries.size() == 2, "members");
  Expect(found.names == "d/a.jpgd/b.seg.png", "names");
  Expect(found.entries[0].offset == 1024 && found.entries[0].size == 300 << 10, "first");
  Expect(found.entries[1].extension == 4 && found.entries[1].extension_size == 7, "extension");
  Expect(found.entries[1].sample == 1, "samples");
}

void TestFaults() {
  Expect(ScanTar("/no/such/file").fault == TarFault::kIo, "missing file");
  Expect(Scan("no tar").fault == TarFault::kNoHeader, "no header");
  Expect(Scan(Header("a", 600)).fault == TarFault::kBeyondEnd, "cut off");
  Expect(Scan(Header("a", 1 << 21, 'x')).fault == TarFault::kExtension, "long extension");
  Expect(Scan(Member("a", "9999 path=x\n", 'x')).fault == TarFault::kPax, "pax");
  Expect(Scan(std::string(1, '\0')).fault == TarFault::kNoHeader, "part of a block");
}

void TestSelect() {
  TarMembers members;
  for (const char* name : {"a.JPG", "a.cls", "a.cls", "b.cls", "c"}) {
    members.Add(name, static_cast<std::int64_t>(members.entries.size()) + 10, 1);
  }
  TarSamples found;
  Expect(SelectMembers(members.entries, members.names, {{"jpg"}, {"cls"}}, true, &found), "sound");
  Expect(found.offsets == std::vector<std::int64_t>({10, 11, -1, 13, -1, -1}), "offsets");
  Expect(found.names == "a.JPGb.clsc" && found.firsts.size() == 3, "names");
  members.entries[0].name_size = 1000;
  Expect(!SelectMembers(members.entries, members.names, {{"jpg"}}, false, &found), "bounds");
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestScan();
  dynjax::TestFaults();
  dynjax::TestSelect();
  return 0;
}
