// A regular file that is open for reading.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/status.h"

namespace dynjax {

class File {
 public:
  File() = default;
  ~File() { Close(); }
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  // Instead of the file before. What goes wrong is told by `Size`.
  void Open(const std::string& path);
  void Close();
  bool is_open() const { return fd_ >= 0; }

  // The number of bytes. kIo: it could not be opened or is a folder. kUnsupported: another thing
  // that is no file.
  Status Size(std::int64_t* size) const;

  // `length` bytes from `offset` on. kTruncated: there are fewer. Long reads ask `stops` now and
  // then whether to leave the rest.
  Status Read(std::int64_t offset, std::int64_t length, std::uint8_t* target,
              const std::function<bool()>& stops) const;

 private:
  int fd_ = -1;
};

// The size of a file that is not open; the same errors.
Status SizeOf(const std::string& path, std::int64_t* size);

}  // namespace dynjax
