#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace dynjax {
namespace {

// Between two chunks a long read asks whether anybody still wants it.
constexpr std::int64_t kChunk = std::int64_t{8} << 20;

Status Errno() { return {StatusCode::kIo, errno}; }

Status RegularSize(const struct stat& info, std::int64_t* size) {
  if (S_ISDIR(info.st_mode)) return {StatusCode::kIo, EISDIR};
  if (!S_ISREG(info.st_mode)) return StatusCode::kUnsupported;
  *size = info.st_size;
  return Status::Ok();
}

}  // namespace

// Without O_NONBLOCK, a pipe that took the file's place would block until someone writes to it.
void File::Open(const std::string& path) {
  Close();
  do {
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  } while (fd_ < 0 && errno == EINTR);
}

void File::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Status File::Size(std::int64_t* size) const {
  struct stat info;
  if (fd_ < 0 || fstat(fd_, &info) != 0) return Errno();
  return RegularSize(info, size);
}

Status File::Read(std::int64_t offset, std::int64_t length, std::uint8_t* target,
                  const std::function<bool()>& stops) const {
  for (std::int64_t done = 0; done < length && !stops();) {
    const ssize_t got =
        pread(fd_, target + done, static_cast<std::size_t>(std::min(length - done, kChunk)),
              offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno();
    if (got == 0) return StatusCode::kTruncated;
    done += got;
  }
  return Status::Ok();
}

Status SizeOf(const std::string& path, std::int64_t* size) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Errno();
  return RegularSize(info, size);
}

}  // namespace dynjax
