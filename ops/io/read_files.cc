#include "io/read_files.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "io/file.h"
#include "io/io_pool.h"

namespace dynjax {
namespace {

// Few enough that the parts of one batch are spread over the threads.
constexpr std::int64_t kPartsPerUnit = 4;
// Whole files up to this size are read when they are measured: asking for the size of a file and
// opening it later would find it twice.
constexpr std::int64_t kSmallFile = std::int64_t{16} << 10;
// A batch of small files of this many bytes together is put in one place by the thread that finds
// the last of them read.
constexpr std::int64_t kCopiedAtOnce = std::int64_t{256} << 10;
// So many files, of all jobs together, stay open from when they are measured until they are read.
// More might be more than a process may have.
constexpr int kKeptOpen = 128;
std::atomic<int> kept_open{0};

// The number of bytes of a part of a file of `size`. A length that comes from an index is believed
// only if the file has that many: memory is taken for it next.
Status Measure(const FilePart& part, std::int64_t size, std::int64_t* length) {
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

// A file that stays open, if there are not too many of them.
class KeptFile {
 public:
  KeptFile() = default;
  ~KeptFile() {
    if (file_.is_open()) --kept_open;
  }
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  void Keep(File file) {
    if (++kept_open > kKeptOpen) {
      --kept_open;
    } else {
      file_ = std::move(file);
    }
  }
  // The file; a closed one if it was not kept.
  File Take() {
    if (file_.is_open()) --kept_open;
    return std::move(file_);
  }

 private:
  File file_;
};

std::int64_t PhysicalMemory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

}  // namespace

// Parts are measured first and read once there is memory for all of them. Files in between are
// mostly closed: a large batch whose files were all open at once would exceed the limit on
// descriptors.
class ReadJob : public IoJob {
 public:
  explicit ReadJob(std::vector<FilePart> parts)
      : parts_(std::move(parts)),
        offsets_(parts_.size()),
        early_(parts_.size()),
        kept_(parts_.size()),
        result_(std::make_shared<ReadResult>()) {
    result_->lengths.resize(parts_.size());
    result_->status.resize(parts_.size());
  }

  const std::vector<FilePart>& parts() const { return parts_; }
  const std::shared_ptr<ReadResult>& result() const { return result_; }

 protected:
  void Run(std::int64_t unit) override {
    const auto begin = static_cast<std::size_t>(unit * kPartsPerUnit);
    const auto end = std::min(begin + kPartsPerUnit, parts_.size());
    stage_ == Stage::kMeasure ? MeasureParts(begin, end) : ReadParts(begin, end);
  }

  std::int64_t NextStage() override {
    switch (stage_) {
      case Stage::kNew:
        stage_ = Stage::kMeasure;
        break;
      case Stage::kMeasure:
        stage_ = Stage::kRead;
        Reserve();
        if (!IsReadEarly()) break;
        ReadParts(0, parts_.size());
        Compact();
        return 0;
      case Stage::kRead:
        Compact();
        return 0;
    }
    return (static_cast<std::int64_t>(parts_.size()) + kPartsPerUnit - 1) / kPartsPerUnit;
  }

 private:
  enum class Stage { kNew, kMeasure, kRead };

  // Whether a part lies in the file of the one before: asking and opening once will do for both.
  bool InSameFile(std::size_t i, std::size_t begin) const {
    return i > begin && parts_[i].path == parts_[i - 1].path;
  }

  void MeasureParts(std::size_t begin, std::size_t end) {
    Status found;
    std::int64_t size = 0;
    File file;
    for (std::size_t i = begin; i < end && !cancelled(); ++i) {
      if (parts_[i].length < 0) {
        file.Open(parts_[i].path);
        found = file.Size(&size);
        if (found.ok() && size <= kSmallFile) {
          found = ReadEarly(file, size, i);
        } else if (found.ok()) {
          kept_[i].Keep(std::move(file));
        }
      } else if (!InSameFile(i, begin)) {
        found = SizeOf(parts_[i].path, &size);
      }
      result_->status[i] = found.ok() ? Measure(parts_[i], size, &result_->lengths[i]) : found;
    }
  }

  void ReadParts(std::size_t begin, std::size_t end) {
    File file;
    bool asked = false;
    Status opened;
    std::int64_t size = 0;
    for (std::size_t i = begin; i < end && !cancelled(); ++i) {
      asked = asked && InSameFile(i, begin);
      if (!result_->status[i].ok()) continue;
      if (early_[i] != nullptr) {
        std::memcpy(result_->data.get() + offsets_[i], early_[i].get(),
                    static_cast<std::size_t>(result_->lengths[i]));
        early_[i].reset();
        continue;
      }
      if (!asked) {
        file = kept_[i].Take();
        if (!file.is_open()) file.Open(parts_[i].path);
        opened = file.Size(&size);
        asked = true;
      }
      result_->status[i] = opened.ok() ? Read(file, size, i) : opened;
    }
  }

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

  // Whether all there is to do is to copy a little, sooner than another thread would wake for it.
  bool IsReadEarly() const {
    if (result_->size > kCopiedAtOnce) return false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (early_[i] == nullptr && result_->status[i].ok() && result_->lengths[i] > 0) return false;
    }
    return true;
  }

  // Reads part `i` of a file that has `size` bytes now.
  Status Read(const File& file, std::int64_t size, std::size_t i) {
    const std::int64_t length = result_->lengths[i];
    const bool whole = parts_[i].length < 0;
    if (whole && size != length) return StatusCode::kTruncated;
    const std::int64_t offset = whole ? 0 : parts_[i].offset;
    return file.Read(offset, length, result_->data.get() + offsets_[i], stops_);
  }

  // Reads the whole of a small file.
  Status ReadEarly(const File& file, std::int64_t size, std::size_t i) {
    if (size == 0) return Status::Ok();
    early_[i].reset(new (std::nothrow) std::uint8_t[static_cast<std::size_t>(size)]);
    return early_[i] == nullptr ? Status::Ok() : file.Read(0, size, early_[i].get(), stops_);
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
  std::vector<std::unique_ptr<std::uint8_t[]>> early_;  // small files
  std::vector<KeptFile> kept_;                          // others
  const std::function<bool()> stops_ = [this] { return cancelled(); };
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
