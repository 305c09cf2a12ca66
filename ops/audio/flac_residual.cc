#include "audio/flac_residual.h"

#include <bit>

namespace dynjax {
namespace {

constexpr int kLargestQuickParameter = 22;

// 0, 1, 2, 3, ... stand for 0, -1, 1, -2, ...
std::int32_t Unfold(std::uint32_t code) {
  return static_cast<std::int32_t>(code >> 1 ^ (0u - (code & 1)));
}

// One value, however long; false: it has more than 32 bits.
bool TakeRice(int parameter, FlacBits* bits, std::int32_t* value) {
  const std::uint32_t upper = bits->TakeUnary();
  if (upper > 0xffffffffu >> parameter) return false;
  *value = Unfold(upper << parameter | bits->Take(parameter));
  return true;
}

// As many values as come in groups of `kGroup` that fit into one word, `kGroup` being small enough
// for most to do so. Returns how many.
template <int kGroup>
std::size_t TakeGroups(int parameter, FlacBits* bits, std::span<std::int32_t> values) {
  const std::uint8_t* data = bits->data();
  const std::size_t last = bits->last_peek();
  std::size_t at = bits->bit(), done = 0;
  while (done + kGroup <= values.size() && at < last) {
    std::uint64_t word = FlacBits::PeekAt(data, at);
    int used = 0;
    std::int32_t group[kGroup];
    bool fits = true;
    for (int k = 0; k < kGroup; ++k) {
      const int upper = std::countl_zero(word | 1);
      const int length = upper + 1 + parameter;
      used += length;
      if (used > FlacBits::kPeeked) {
        fits = false;
        break;
      }
      const std::uint64_t lower = word << upper << 1 >> 1 >> (63 - parameter);
      group[k] = Unfold(static_cast<std::uint32_t>(upper) << parameter |
                        static_cast<std::uint32_t>(lower));
      word <<= length;
    }
    if (!fits) break;
    for (int k = 0; k < kGroup; ++k) values[done + k] = group[k];
    done += kGroup;
    at += static_cast<std::size_t>(used);
  }
  bits->Seek(at);
  return done;
}

std::size_t TakeQuickly(int parameter, FlacBits* bits, std::span<std::int32_t> values) {
  if (parameter <= 9) return TakeGroups<4>(parameter, bits, values);
  if (parameter <= 14) return TakeGroups<3>(parameter, bits, values);
  if (parameter <= kLargestQuickParameter) return TakeGroups<2>(parameter, bits, values);
  return 0;
}

bool TakePartition(int parameter, FlacBits* bits, std::span<std::int32_t> values) {
  while (!values.empty()) {
    values = values.subspan(TakeQuickly(parameter, bits, values));
    if (values.empty()) break;
    if (!TakeRice(parameter, bits, values.data())) return false;
    values = values.subspan(1);
  }
  return !bits->overrun();
}

}  // namespace

bool DecodeFlacResidual(std::size_t order, FlacBits* bits, std::span<std::int32_t> samples) {
  const std::uint32_t method = bits->Take(2), partition_order = bits->Take(4);
  const int parameter_bits = method == 0 ? 4 : 5;
  const std::size_t each = samples.size() >> partition_order;
  if (method > 1 || each << partition_order != samples.size() || each <= order) return false;
  for (std::size_t start = 0; start < samples.size(); start += each) {
    const std::size_t skipped = start == 0 ? order : 0;
    const auto values = samples.subspan(start + skipped, each - skipped);
    const std::uint32_t parameter = bits->Take(parameter_bits);
    if (parameter == (1u << parameter_bits) - 1) {  // no codes, but numbers of a fixed size
      const auto size = static_cast<int>(bits->Take(5));
      for (std::int32_t& value : values) value = bits->TakeSigned(size);
    } else if (!TakePartition(static_cast<int>(parameter), bits, values)) {
      return false;
    }
  }
  return !bits->overrun();
}

}  // namespace dynjax
