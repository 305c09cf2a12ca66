#include "io/tar_index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dynjax {
namespace {

constexpr std::int64_t kBlock = 512;
// Small members are passed over with the data around them, large ones hopped over.
constexpr std::int64_t kWindow = 256 << 10, kHop = 4 << 10;
// A header of headers is read into memory, so a hostile one must stay short.
constexpr std::int64_t kMaxExtension = 1 << 20;
// Sums of an offset and a size must not overflow.
constexpr std::int64_t kLargest = std::int64_t{1} << 60;

// Bytes of a file from any offset, read in windows.
class Window {
 public:
  ~Window() {
    if (fd_ >= 0) close(fd_);
  }

  // Returns errno.
  int Open(const std::string& path) {
    do {
      fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    } while (fd_ < 0 && errno == EINTR);
    struct stat info;
    if (fd_ < 0 || fstat(fd_, &info) != 0) return errno;
    if (S_ISDIR(info.st_mode)) return EISDIR;
    size_ = info.st_size;
    return 0;
  }

  std::int64_t size() const { return size_; }
  int error() const { return error_; }

  // Up to `count` bytes at `offset`; fewer at the end, or after an error.
  std::string_view Read(std::int64_t offset, std::int64_t count) {
    const auto end = start_ + static_cast<std::int64_t>(data_.size());
    if (offset < start_ || offset + count > end) {
      const bool near = offset >= start_ && offset <= end + kHop;
      Fill(offset, std::max(count, near ? kWindow : kHop));
    }
    const auto at = static_cast<std::size_t>(offset - start_);
    return std::string_view(data_).substr(std::min(at, data_.size()),
                                          static_cast<std::size_t>(count));
  }

 private:
  void Fill(std::int64_t offset, std::int64_t count) {
    start_ = offset;
    data_.resize(static_cast<std::size_t>(count));
    std::size_t done = 0;
    while (done < data_.size()) {
      const ssize_t got = pread(fd_, data_.data() + done, data_.size() - done,
                                offset + static_cast<std::int64_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) error_ = errno;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    data_.resize(done);
  }

  int fd_ = -1, error_ = 0;
  std::int64_t size_ = 0, start_ = 0;
  std::string data_;
};

// A number of a header, octal or in base 256; -1 if it is none.
std::int64_t Number(std::string_view field) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(field[i]); };
  std::int64_t value = 0;
  if (byte(0) & 0x80) {
    if (byte(0) != 0x80) return -1;
    for (std::size_t i = 1; i < field.size(); ++i) {
      if (value > kLargest >> 8) return kLargest;
      value = value << 8 | byte(i);
    }
    return value;
  }
  const auto blank = [](char c) { return c == ' ' || c == '\0'; };
  while (!field.empty() && blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && blank(field.back())) field.remove_suffix(1);
  for (const char c : field) {
    if (c < '0' || c > '7') return -1;
    value = value << 3 | (c - '0');
  }
  return value;
}

std::int64_t Checksum(std::string_view header) {
  std::int64_t sum = 8 * ' ';
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(header[i]);
  }
  return sum;
}

std::string_view Text(std::string_view field) { return field.substr(0, field.find('\0')); }

std::string NameOf(std::string_view header) {
  std::string name(Text(header.substr(0, 100)));
  if (header.substr(257, 6) != std::string_view("ustar\0", 6)) return name;
  const std::string_view prefix = Text(header.substr(345, 155));
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

// A decimal number of at most 18 digits; -1 if it is none.
std::int64_t Decimal(std::string_view digits) {
  if (digits.empty() || digits.size() > 18) return -1;
  std::int64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// What extension headers said about the next member.
struct Overrides {
  bool named = false, sized = false;
  std::string name;
  std::int64_t size = 0;
};

// Records "length key=value\n". False: malformed.
bool ReadPax(std::string_view content, Overrides* next) {
  while (!content.empty()) {
    const std::string_view digits = content.substr(0, content.find(' '));
    const std::int64_t length = Decimal(digits);
    if (length < static_cast<std::int64_t>(digits.size()) + 2 ||
        length > static_cast<std::int64_t>(content.size())) {
      return false;
    }
    const auto end = static_cast<std::size_t>(length);
    const std::string_view record = content.substr(digits.size() + 1, end - digits.size() - 2);
    const std::string_view key = record.substr(0, record.find('='));
    const std::string_view value = record.substr(std::min(key.size() + 1, record.size()));
    if (key == "path") {
      next->named = true;
      next->name = value;
    } else if (key == "size") {
      next->sized = true;
      next->size = Decimal(value);
      if (next->size < 0) return false;
    }
    content.remove_prefix(end);
  }
  return true;
}

}  // namespace

void TarMembers::Add(std::string_view name, std::int64_t offset, std::int64_t size) {
  const std::size_t slash = name.rfind('/');
  const std::size_t base = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = std::min(name.find('.', base), name.size());
  const std::size_t extension = std::min(dot + 1, name.size());
  std::int32_t sample = 0;
  if (!entries.empty()) {
    const TarEntry& last = entries.back();
    const std::string_view before(names.data() + last.name,
                                  static_cast<std::size_t>(last.name_size));
    const std::size_t stem = last.extension_size > 0 || before.ends_with('.')
                                 ? static_cast<std::size_t>(last.extension) - 1
                                 : before.size();
    sample = last.sample + (before.substr(0, stem) != name.substr(0, dot) ? 1 : 0);
  }
  entries.push_back({.offset = offset,
                     .size = size,
                     .name = static_cast<std::int64_t>(names.size()),
                     .name_size = static_cast<std::int32_t>(name.size()),
                     .extension = static_cast<std::int32_t>(extension),
                     .extension_size = static_cast<std::int32_t>(name.size() - extension),
                     .sample = sample});
  names += name;
}

TarMembers ScanTar(const std::string& path) {
  TarMembers out;
  const auto fail = [&out](TarFault fault, std::int64_t at, std::int64_t detail = 0) {
    out.fault = fault;
    out.at = at;
    out.detail = detail;
  };
  Window file;
  if (const int error = file.Open(path); error != 0) {
    fail(TarFault::kIo, 0, error);
    return out;
  }
  Overrides next;
  for (std::int64_t offset = 0;;) {
    const std::string_view header = file.Read(offset, kBlock);
    if (file.error() != 0) {
      fail(TarFault::kIo, offset, file.error());
      return out;
    }
    // Two empty blocks end an archive; one, or the end of the file, does too in practice.
    if (header.find_first_not_of('\0') == std::string_view::npos &&
        (header.empty() || header.size() == kBlock)) {
      return out;
    }
    if (header.size() < kBlock || Number(header.substr(124, 12)) < 0 ||
        Number(header.substr(148, 8)) != Checksum(header)) {
      fail(TarFault::kNoHeader, offset);
      return out;
    }
    std::int64_t length = std::min(Number(header.substr(124, 12)), kLargest);
    const char kind = header[156];
    const std::int64_t start = offset + kBlock;
    if (kind == 'L' || kind == 'x' || kind == 'g') {
      if (length > kMaxExtension) {
        fail(TarFault::kExtension, offset, length);
        return out;
      }
      std::string_view content = file.Read(start, length);
      if (kind == 'L') {
        while (content.ends_with('\0')) content.remove_suffix(1);
        next.named = true;
        next.name = content;
      } else if (kind == 'x' && !ReadPax(content, &next)) {
        fail(TarFault::kPax, offset);
        return out;
      }
    } else {
      if (next.sized) length = next.size;
      if (kind == '0' || kind == '\0' || kind == '7') {
        if (start + length > file.size()) {
          fail(TarFault::kBeyondEnd, offset);
          return out;
        }
        out.Add(next.named ? next.name : NameOf(header), start, length);
      }
      next = Overrides();
    }
    offset = start + (length + kBlock - 1) / kBlock * kBlock;
  }
}

bool SelectMembers(std::span<const TarEntry> entries, std::string_view names,
                   const std::vector<std::vector<std::string>>& outputs, bool fold,
                   TarSamples* out) {
  const auto limit = static_cast<std::int64_t>(names.size());
  for (const TarEntry& e : entries) {
    if (e.name < 0 || e.name_size < 0 || e.name > limit || e.name_size > limit - e.name ||
        e.extension < 0 || e.extension_size < 0 || e.extension > e.name_size ||
        e.extension_size > e.name_size - e.extension) {
      return false;
    }
  }
  std::string lower;
  for (std::size_t i = 0; i < entries.size();) {
    const std::size_t first = i, row = out->offsets.size();
    const TarEntry* named = nullptr;
    out->offsets.resize(row + outputs.size(), -1);
    out->sizes.resize(row + outputs.size(), 0);
    for (; i < entries.size() && entries[i].sample == entries[first].sample; ++i) {
      const TarEntry& e = entries[i];
      std::string_view extension = names.substr(static_cast<std::size_t>(e.name + e.extension),
                                                static_cast<std::size_t>(e.extension_size));
      if (fold) {
        lower = extension;
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        extension = lower;
      }
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (out->offsets[row + k] >= 0 ||
            std::ranges::find(outputs[k], extension) == outputs[k].end()) {
          continue;
        }
        out->offsets[row + k] = e.offset;
        out->sizes[row + k] = e.size;
        if (k == 0) named = &e;
      }
    }
    const TarEntry& shown = named != nullptr ? *named : entries[first];
    out->names += names.substr(static_cast<std::size_t>(shown.name),
                               static_cast<std::size_t>(shown.name_size));
    out->name_ends.push_back(static_cast<std::int64_t>(out->names.size()));
    out->firsts.push_back(shown.offset);
  }
  return true;
}

}  // namespace dynjax
