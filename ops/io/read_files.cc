#include "io/read_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/io_pool.h"

namespace dynjax {
namespace {

// Few enough that the parts of one batch are spread over the threads.
constexpr std::int64_t kPartsPerUnit = 4;
// Between two chunks a long read notices that nobody wants it any more.
constexpr std::int64_t kChunk = std::int64_t{8} << 20;

Status Errno() { return {StatusCode::kIo, errno}; }

// A file's size, if it is one that has a size.
Status RegularSize(const struct stat& info, std::int64_t* size) {
  if (S_ISDIR(info.st_mode)) return {StatusCode::kIo, EISDIR};
  if (!S_ISREG(info.st_mode)) return StatusCode::kUnsupported;
  *size = info.st_size;
  return Status::Ok();
}

// The number of bytes of a part. A length that comes from an index is believed only if the file
// has that many: memory is taken for it next.
Status Measure(const FilePart& part, std::int64_t* length) {
  struct stat info;
  if (stat(part.path.c_str(), &info) != 0) return Errno();
  std::int64_t size = 0;
  if (const Status status = RegularSize(info, &size); !status.ok()) return status;
  if (part.length < 0) {
    *length = size;
    return Status::Ok();
  }
  if (part.offset < 0 || part.offset > size || part.length > size - part.offset) {
    return StatusCode::kTruncated;
  }
  *length = part.length;
  return Status::Ok();
}

class File {
 public:
  // Without O_NONBLOCK, a pipe that took the file's place would block until someone writes to it.
  explicit File(const std::string& path) {
    do {
      fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    } while (fd_ < 0 && errno == EINTR);
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::int64_t PhysicalMemory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

}  // namespace

// Parts are measured by path first and opened later, one by one in each thread: a large batch whose
// files were all open at once would exceed the limit on descriptors.
class ReadJob : public IoJob {
 public:
  explicit ReadJob(std::vector<FilePart> parts)
      : parts_(std::move(parts)), offsets_(parts_.size()), result_(std::make_shared<ReadResult>()) {
    result_->lengths.resize(parts_.size());
    result_->status.resize(parts_.size());
  }

  const std::vector<FilePart>& parts() const { return parts_; }
  const std::shared_ptr<ReadResult>& result() const { return result_; }

 protected:
  void Run(std::int64_t unit) override {
    const auto begin = static_cast<std::size_t>(unit * kPartsPerUnit);
    const auto end = std::min(begin + kPartsPerUnit, parts_.size());
    for (std::size_t i = begin; i < end && !cancelled(); ++i) {
      Status& status = result_->status[i];
      if (stage_ == Stage::kMeasure) {
        status = Measure(parts_[i], &result_->lengths[i]);
      } else if (status.ok()) {
        status = Read(i);
      }
    }
  }

  std::int64_t NextStage() override {
    switch (stage_) {
      case Stage::kNew:
        stage_ = Stage::kMeasure;
        break;
      case Stage::kMeasure:
        stage_ = Stage::kRead;
        Reserve();
        break;
      case Stage::kRead:
        Compact();
        return 0;
    }
    return (static_cast<std::int64_t>(parts_.size()) + kPartsPerUnit - 1) / kPartsPerUnit;
  }

 private:
  enum class Stage { kNew, kMeasure, kRead };

  // Gives every part its place; refuses those that do not fit into the machine's memory.
  void Reserve() {
    ReadResult& out = *result_;
    const std::int64_t limit = PhysicalMemory();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      offsets_[i] = out.size;
      if (out.status[i].ok() && out.lengths[i] > limit - out.size) {
        out.status[i] = StatusCode::kTooLarge;
      }
      if (out.status[i].ok()) out.size += out.lengths[i];
    }
    out.data = TakeBuffer(out.size);
    if (out.data != nullptr) return;
    out.size = 0;
    for (Status& status : out.status) {
      if (status.ok()) status = {StatusCode::kTooLarge, ENOMEM};
    }
  }

  Status Read(std::size_t i) {
    const File file(parts_[i].path);
    if (file.fd() < 0) return Errno();
    struct stat info;
    if (fstat(file.fd(), &info) != 0) return Errno();
    std::int64_t size = 0;
    if (const Status status = RegularSize(info, &size); !status.ok()) return status;
    const std::int64_t length = result_->lengths[i];
    if (parts_[i].length < 0 && size != length) return StatusCode::kTruncated;
    std::uint8_t* target = result_->data.get() + offsets_[i];
    for (std::int64_t done = 0; done < length && !cancelled();) {
      const ssize_t got =
          pread(file.fd(), target + done, static_cast<std::size_t>(std::min(length - done, kChunk)),
                parts_[i].offset + done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Errno();
      if (got == 0) return StatusCode::kTruncated;
      done += got;
    }
    return Status::Ok();
  }

  // Closes the gaps that parts leave which were measured but could not be read.
  void Compact() {
    ReadResult& out = *result_;
    out.size = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!out.status[i].ok()) out.lengths[i] = 0;
      if (offsets_[i] != out.size && out.lengths[i] > 0) {
        std::memmove(out.data.get() + out.size, out.data.get() + offsets_[i],
                     static_cast<std::size_t>(out.lengths[i]));
      }
      out.size += out.lengths[i];
    }
  }

  std::vector<FilePart> parts_;
  std::vector<std::int64_t> offsets_;
  Stage stage_ = Stage::kNew;
  std::shared_ptr<ReadResult> result_;
};

ReadTicket::ReadTicket(std::vector<FilePart> parts)
    : job_(std::make_shared<ReadJob>(std::move(parts))) {
  StartIo(job_);
}

ReadTicket::~ReadTicket() { CancelIo(job_); }

bool ReadTicket::WaitFor(std::chrono::milliseconds timeout) {
  if (IsForeign(*job_)) {
    job_ = std::make_shared<ReadJob>(job_->parts());
    StartIo(job_);
  }
  return WaitForIo(job_, timeout);
}

void ReadTicket::Wait() {
  while (!WaitFor(std::chrono::hours(1))) {
  }
}

std::shared_ptr<const ReadResult> ReadTicket::result() const { return job_->result(); }

}  // namespace dynjax
