// Reads the bits of FLAC data, the first one from the top of its byte.
//
// Nothing is read outside the data: behind their end come zeros, and `overrun` says so.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dynjax {

class FlacBits {
 public:
  // The bits of a word from `Peek` that are there: a byte may be gone but for one bit.
  static constexpr int kPeeked = 57;

  FlacBits(std::span<const std::uint8_t> data, std::size_t start)
      : data_(data.data()), size_(data.size()), at_(8 * start) {}

  std::size_t bit() const { return at_; }
  std::size_t byte() const { return at_ / 8; }
  void Seek(std::size_t bit) { at_ = bit; }
  bool overrun() const { return at_ > 8 * size_; }

  // The next bits, from the top: `kPeeked` of them, then anything.
  std::uint64_t Peek() const { return byte() + 8 <= size_ ? PeekAt(data_, at_) : PeekAtEnd(); }
  void Skip(int bits) { at_ += static_cast<std::size_t>(bits); }

  // The next bits as a number; at most 32.
  std::uint32_t Take(int bits) {
    // Two shifts, because one of 64, for no bits, would be one of 0.
    const std::uint64_t value = Peek() >> 1 >> (63 - bits);
    Skip(bits);
    return static_cast<std::uint32_t>(value);
  }
  // The same in two's complement.
  std::int32_t TakeSigned(int bits) {
    if (bits == 0) return 0;
    const int unused = 32 - bits;
    return static_cast<std::int32_t>(Take(bits) << unused) >> unused;
  }
  // The number of zeros before the next one, which is passed too.
  std::uint32_t TakeUnary() {
    std::uint32_t zeros = 0;
    while (!overrun()) {
      const int found = std::countl_zero(Peek());
      if (found < kPeeked) {
        Skip(found + 1);
        return zeros + static_cast<std::uint32_t>(found);
      }
      Skip(kPeeked);
      zeros += kPeeked;
    }
    return zeros;
  }

  // For loops that keep the position to themselves: from this bit on, `PeekAt` would read outside.
  const std::uint8_t* data() const { return data_; }
  std::size_t last_peek() const { return size_ < 8 ? 0 : 8 * (size_ - 7); }

  static std::uint64_t PeekAt(const std::uint8_t* data, std::size_t bit) {
    std::uint64_t word;
    std::memcpy(&word, data + bit / 8, sizeof(word));
    static_assert(std::endian::native == std::endian::little);
    return __builtin_bswap64(word) << (bit % 8);
  }

 private:
  [[gnu::noinline, gnu::cold]] std::uint64_t PeekAtEnd() const {
    std::uint64_t word = 0;
    for (std::size_t i = byte(); i < byte() + 8; ++i) word = word << 8 | (i < size_ ? data_[i] : 0);
    return word << (at_ % 8);
  }

  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_;  // in bits
};

}  // namespace dynjax
