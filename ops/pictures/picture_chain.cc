#include "pictures/picture_chain.h"

#include <array>
#include <cstddef>
#include <cstdlib>

namespace dynjax {
namespace {

// Memory of one thread, used again for its next sample. Its content is arbitrary.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::free(data_); }

  // Room for `bytes`; null if there is none.
  std::byte* Take(std::size_t bytes) {
    if (bytes > size_) {
      std::free(data_);
      size_ = 0;
      data_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, Rounded(bytes)));
      if (data_ != nullptr) size_ = Rounded(bytes);
    }
    return data_;
  }

  // Gives memory back that only a very large picture needed.
  void Trim() {
    if (size_ <= kKeptBytes) return;
    std::free(data_);
    data_ = nullptr;
    size_ = 0;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kKeptBytes = std::size_t{8} << 20;
  static std::size_t Rounded(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// A sample without gaps; false if its size cannot be counted.
bool Describe(const Link& link, std::int64_t i, Sample* sample, std::size_t* bytes) {
  sample->extent = link.ExtentOf(i);
  std::int64_t step = 1;
  for (std::size_t a = link.rank; a-- > 0;) {
    sample->strides[a] = step;
    if (__builtin_mul_overflow(step, std::int64_t{sample->extent[a]}, &step)) return false;
  }
  return !__builtin_mul_overflow(static_cast<std::size_t>(step), link.item_bytes, bytes);
}

}  // namespace

bool PictureChain::IsSound(std::int64_t i, const Sample& from, const Sample& to) const {
  Stage::Extent before = from.extent;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const bool is_last = k + 1 == links_.size();
    const Stage::Extent after = is_last ? to.extent : links_[k].ExtentOf(i);
    for (const auto e : after) {
      if (e < 0) return false;
    }
    if (!links_[k].stage->IsSound(i, before, after)) return false;
    before = after;
  }
  return true;
}

Status PictureChain::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  // What one link writes the next one reads, while the one before has been read.
  thread_local std::array<Scratch, 2> scratch;
  Sample source = from;
  Status status;
  for (std::size_t k = 0; k < links_.size() && status.ok(); ++k) {
    Sample target = to;
    if (k + 1 < links_.size()) {
      std::size_t bytes = 0;
      if (!Describe(links_[k], i, &target, &bytes)) return StatusCode::kTooLarge;
      target.data = scratch[k % 2].Take(bytes);
      if (target.data == nullptr && bytes > 0) return StatusCode::kTooLarge;
    }
    status = links_[k].stage->Run(i, source, target);
    source = target;
  }
  for (Scratch& s : scratch) s.Trim();
  return status;
}

}  // namespace dynjax
