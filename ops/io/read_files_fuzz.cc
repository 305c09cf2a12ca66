// Fuzz target of reads: whatever parts of which files are asked for, those that exist arrive whole
// and the others are told, one by one.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/fuzz_input.h"
#include "io/read_files.h"

namespace dynjax {
namespace {

// Sizes about those that are treated differently: small files, and batches of little.
constexpr std::int64_t kSizes[] = {0, 1, 63, 64, 16383, 16384, 16385, 70000};
constexpr int kFiles = 8;

char ContentAt(int file, std::int64_t at) { return static_cast<char>(at * 31 + file * 7); }

// A folder with a file of each size, made once.
const std::string& Folder() {
  static const std::string* const folder = [] {
    std::string name = "/tmp/read_files_fuzz_XXXXXX";
    Promise(mkdtemp(name.data()) != nullptr);
    for (int k = 0; k < kFiles; ++k) {
      std::string content;
      for (std::int64_t at = 0; at < kSizes[k]; ++at) content.push_back(ContentAt(k, at));
      std::FILE* file = std::fopen((name + "/" + std::to_string(k)).c_str(), "wb");
      Promise(file != nullptr &&
              std::fwrite(content.data(), 1, content.size(), file) == content.size());
      std::fclose(file);
    }
    return new std::string(name);
  }();
  return *folder;
}

std::int64_t Place(FuzzInput* input) {
  constexpr std::int64_t kWild[] = {INT64_MIN, -1, INT64_MAX, std::int64_t{1} << 40};
  if (input->Byte() < 8) return kWild[input->Byte() % 4];
  return input->Of({0, 1, 16384, 60000}) + input->Between(0, 300);
}

void ReadParts(FuzzInput input) {
  std::vector<FilePart> parts;
  std::vector<int> files;
  const int count = input.Between(0, 40);
  for (int k = 0; k < count; ++k) {
    files.push_back(input.Between(0, kFiles + 1));  // two do not exist
    FilePart part(Folder() + "/" + std::to_string(files.back()));
    if (input.Bit()) {
      part.offset = Place(&input);
      part.length = Place(&input);
    }
    parts.push_back(part);
  }
  ReadTicket ticket(parts);
  if (input.Byte() < 16) return;  // dropped
  ticket.Wait();
  const ReadResult& result = *ticket.result();
  Promise(result.status.size() == parts.size() && result.lengths.size() == parts.size());
  std::int64_t at = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const FilePart& part = parts[k];
    const bool is_whole = part.length < 0;
    const bool exists = files[k] < kFiles;
    const std::int64_t size = exists ? kSizes[files[k]] : 0;
    const bool fits =
        is_whole || (part.offset >= 0 && part.offset <= size && part.length <= size - part.offset);
    Promise(result.status[k].ok() == (exists && fits));
    const std::int64_t wanted = !result.status[k].ok() ? 0 : is_whole ? size : part.length;
    Promise(result.lengths[k] == wanted);
    const std::int64_t begin = is_whole ? 0 : part.offset;
    for (std::int64_t j = 0; j < wanted; ++j) {
      Promise(static_cast<char>(result.data.get()[at + j]) == ContentAt(files[k], begin + j));
    }
    at += wanted;
  }
  Promise(at == result.size);
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::ReadParts(dynjax::FuzzInput(data, size));
  return 0;
}
