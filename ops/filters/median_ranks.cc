#include "filters/median_ranks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "filters/order_keys.h"

namespace dynjax {
namespace {

// A set of numbers below a limit, in which the number of a given rank is found near the last one.
class RankedSet {
 public:
  void Clear(std::int64_t limit) {
    const auto words = static_cast<std::size_t>(limit / 64 + 1);
    bits_.assign(words, 0);
    held_.assign(words, 0);
    word_ = 0;
    below_ = 0;
  }
  void Add(std::uint32_t number) { Change(number, 1); }
  void Remove(std::uint32_t number) { Change(number, -1); }

  // The number with `rank` numbers below it; there are more than that.
  std::uint32_t Find(std::int32_t rank) {
    while (below_ > rank) below_ -= held_[--word_];
    while (below_ + held_[word_] <= rank) below_ += held_[word_++];
    std::uint64_t bits = bits_[word_];
    for (std::int32_t k = below_; k < rank; ++k) bits &= bits - 1;
    return static_cast<std::uint32_t>(64 * word_) +
           static_cast<std::uint32_t>(std::countr_zero(bits));
  }

 private:
  void Change(std::uint32_t number, std::int32_t by) {
    const std::size_t word = number / 64;
    bits_[word] ^= std::uint64_t{1} << (number % 64);
    held_[word] += by;
    below_ += word < word_ ? by : 0;
  }

  std::vector<std::uint64_t> bits_;
  std::vector<std::int32_t> held_;  // bits of each word
  std::size_t word_ = 0;
  std::int32_t below_ = 0;  // bits of the words before word_
};

// The unsigned number of a key's order; of floats, 0 and -0 are the same.
template <typename Key>
std::uint32_t Unsigned(Key key, Pixel type) {
  if (type == Pixel::kF32 && key == -1) key = 0;
  if constexpr (std::is_unsigned_v<Key>) return key;
  return static_cast<std::uint32_t>(key) -
         static_cast<std::uint32_t>(std::numeric_limits<Key>::min());
}

// The places of keys in ascending order.
class Sorting {
 public:
  // `entries`: key << 32 | number, in the order of the numbers, of which keys use `bytes` bytes.
  std::vector<std::uint64_t>& entries() { return entries_; }

  void Sort(std::size_t bytes) {
    spare_.resize(entries_.size());
    for (std::size_t byte = 0; byte < bytes; ++byte) {
      const auto digit = [byte](std::uint64_t entry) {
        return static_cast<std::size_t>(entry >> (32 + 8 * byte)) & 255;
      };
      std::array<std::size_t, 256> begins{};
      for (const auto entry : entries_) ++begins[digit(entry)];
      if (!entries_.empty() && begins[digit(entries_[0])] == entries_.size()) continue;
      std::size_t sum = 0;
      for (auto& begin : begins) {
        const std::size_t count = begin;
        begin = sum;
        sum += count;
      }
      for (const auto entry : entries_) spare_[begins[digit(entry)]++] = entry;
      std::swap(entries_, spare_);
    }
  }

 private:
  std::vector<std::uint64_t> entries_, spare_;
};

template <typename Key>
class RankFilter {
 public:
  RankFilter(const PlaneView& in, const MedianWindow& window) : in_(in), window_(window) {}

  // The result of tile [top, bottom) x [left, right) of one channel.
  void Tile(std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right,
            std::int64_t channel, std::byte* out, std::int64_t out_step) {
    width_ = right - left + window_.columns - 1;
    Rank(top - window_.anchor_y, bottom - top + window_.rows - 1, left - window_.anchor_x, channel);
    set_.Clear(static_cast<std::int64_t>(places_.size()));
    for (std::int64_t i = 0; i < window_.rows; ++i) {
      for (std::int64_t j = 0; j < window_.columns; ++j) set_.Add(places_[At(i, j)]);
    }
    // To and fro, so that the window only ever moves by one pixel.
    std::int64_t x = 0;
    const std::int64_t last = right - left - 1;
    for (std::int64_t y = 0; y < bottom - top; ++y) {
      if (y > 0) MoveDown(y, x);
      const std::int64_t step = y % 2 == 0 ? 1 : -1;
      while (true) {
        const std::int64_t to = (y + top) * out_step + (x + left) * in_.inner + channel;
        Write(set_.Find(static_cast<std::int32_t>(window_.rank)), out, to);
        if (x == (step > 0 ? last : 0)) break;
        x += step;
        MoveAlong(y, step > 0 ? x - 1 : x + window_.columns,
                  step > 0 ? x + window_.columns - 1 : x);
      }
    }
  }

 private:
  std::size_t At(std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>(y * width_ + x);
  }

  void MoveDown(std::int64_t y, std::int64_t x) {
    for (std::int64_t j = 0; j < window_.columns; ++j) {
      set_.Remove(places_[At(y - 1, x + j)]);
      set_.Add(places_[At(y - 1 + window_.rows, x + j)]);
    }
  }
  void MoveAlong(std::int64_t y, std::int64_t leaving, std::int64_t entering) {
    for (std::int64_t i = 0; i < window_.rows; ++i) {
      set_.Remove(places_[At(y + i, leaving)]);
      set_.Add(places_[At(y + i, entering)]);
    }
  }

  // Reads `height` rows of `width_` elements from (top, left) on and finds their places.
  void Rank(std::int64_t top, std::int64_t height, std::int64_t left, std::int64_t channel) {
    auto& entries = sorting_.entries();
    entries.resize(static_cast<std::size_t>(height * width_));
    keys_.resize(entries.size());
    const auto column = [&](std::int64_t x) {
      return std::clamp<std::int64_t>(left + x, 0, in_.width - 1);
    };
    const std::int64_t first = column(0), size = (column(width_ - 1) + 1 - first) * in_.inner;
    line_.resize(static_cast<std::size_t>(size));
    std::size_t number = 0;
    for (std::int64_t y = 0; y < height; ++y) {
      const std::byte* row = in_.Row(std::clamp<std::int64_t>(top + y, 0, in_.height - 1));
      ToKeys(row + static_cast<std::size_t>(first * in_.inner) * sizeof(Key), in_.type, size,
             NanPlace::kLast, line_.data());
      for (std::int64_t x = 0; x < width_; ++x, ++number) {
        const Key key = line_[static_cast<std::size_t>((column(x) - first) * in_.inner + channel)];
        keys_[number] = key;
        entries[number] = std::uint64_t{Unsigned(key, in_.type)} << 32 | number;
      }
    }
    sorting_.Sort(sizeof(Key));
    places_.resize(entries.size());
    std::uint32_t place = 0;
    for (const auto entry : entries) places_[entry & 0xffffffffu] = place++;
  }

  void Write(std::uint32_t place, std::byte* out, std::int64_t to) {
    const Key key = keys_[sorting_.entries()[place] & 0xffffffffu];
    FromKeys(&key, in_.type, 1, out + static_cast<std::size_t>(to) * sizeof(Key));
  }

  const PlaneView& in_;
  const MedianWindow& window_;
  std::int64_t width_ = 0;  // of what is sorted
  Sorting sorting_;
  RankedSet set_;
  std::vector<Key> line_, keys_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

template <typename Key>
void MedianByRanks(const PlaneView& in, const MedianWindow& window, std::byte* out,
                   std::int64_t out_step) {
  RankFilter<Key> filter(in, window);
  constexpr std::int64_t kSide = 64;  // smaller tiles sort their surroundings more often
  const std::int64_t height = std::max(kSide, window.rows);
  const std::int64_t width = std::max(kSide, window.columns);
  for (std::int64_t y = 0; y < in.height; y += height) {
    for (std::int64_t x = 0; x < in.width; x += width) {
      for (std::int64_t c = 0; c < in.inner; ++c) {
        filter.Tile(y, std::min(y + height, in.height), x, std::min(x + width, in.width), c, out,
                    out_step);
      }
    }
  }
}

template void MedianByRanks<std::uint8_t>(const PlaneView&, const MedianWindow&, std::byte*,
                                          std::int64_t);
template void MedianByRanks<std::int16_t>(const PlaneView&, const MedianWindow&, std::byte*,
                                          std::int64_t);
template void MedianByRanks<std::int32_t>(const PlaneView&, const MedianWindow&, std::byte*,
                                          std::int64_t);

}  // namespace dynjax
