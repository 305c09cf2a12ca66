// Where the members of tar archives lie, and which of them make the samples of WebDataset.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dynjax {

// Kept in step with `dynjax/_readers/tar.py`.
enum class TarFault : std::int32_t {
  kNone = 0,
  kIo = 1,         // `detail` is errno
  kNoHeader = 2,   // no header at byte `at`
  kExtension = 3,  // the extension header at byte `at` has `detail` bytes
  kPax = 4,        // a pax header is malformed
  kBeyondEnd = 5,  // the member at byte `at` goes beyond the end
};

// A regular file in an archive. Name and extension lie in the names of all members.
struct TarEntry {
  std::int64_t offset, size;  // of its content
  std::int64_t name;          // where its name starts
  std::int32_t name_size;
  std::int32_t extension;  // where the extension starts, from the start of the name
  std::int32_t extension_size;
  std::int32_t sample;  // consecutive entries of one number make a sample
};

struct TarMembers {
  std::vector<TarEntry> entries;
  std::string names;
  TarFault fault = TarFault::kNone;
  std::int64_t at = 0, detail = 0;

  // Adds a file whose sample and extension part at the first dot of the base name.
  void Add(std::string_view name, std::int64_t offset, std::int64_t size);
};

// Reads the headers of an archive: the old, the ustar and the GNU form and pax headers.
TarMembers ScanTar(const std::string& path);

// Samples by number; columns have one element for each sample and wanted output.
struct TarSamples {
  std::vector<std::int64_t> offsets, sizes;  // offset -1: the sample lacks it
  std::string names;                         // of the first output, or the first member
  std::vector<std::int64_t> name_ends, firsts;
};

// Picks for each output the first member of a sample whose extension it accepts; with `fold` these
// are lower case and compared so. False: an entry reaches beyond `names`.
bool SelectMembers(std::span<const TarEntry> entries, std::string_view names,
                   const std::vector<std::vector<std::string>>& outputs, bool fold,
                   TarSamples* out);

}  // namespace dynjax
