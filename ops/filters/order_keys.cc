#include "filters/order_keys.h"

#include <cstring>
#include <limits>
#include <type_traits>

namespace dynjax {
namespace {

constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
constexpr std::int32_t kNan = 0x7fc00000;

// Bits of floats to integers of their order, and back.
std::int32_t Ordered(std::int32_t bits) { return bits ^ ((bits >> 31) & kMagnitude); }

// Whether the elements' order is that of the keys once the highest bit is turned.
template <typename Key>
bool IsTurned(Pixel type) {
  const bool is_signed = type == Pixel::kI8 || type == Pixel::kI16 || type == Pixel::kI32;
  return is_signed != std::is_signed_v<Key>;
}

template <typename Key>
void TurnHighestBit(const Key* in, std::int64_t n, Key* out) {
  constexpr auto kHighest = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Key>(in[i] ^ kHighest);
}

template <typename Key>
void TurnOrCopy(const void* in, Pixel type, std::int64_t n, void* out) {
  if (IsTurned<Key>(type)) {
    TurnHighestBit(static_cast<const Key*>(in), n, static_cast<Key*>(out));
  } else if (n > 0) {
    std::memcpy(out, in, static_cast<std::size_t>(n) * sizeof(Key));
  }
}

}  // namespace

template <typename Key>
void ToKeys(const void* in, Pixel type, std::int64_t n, NanPlace nans, Key* out) {
  if constexpr (std::is_same_v<Key, std::int32_t>) {
    if (type == Pixel::kF32) {
      const auto* bits = static_cast<const std::int32_t*>(in);
      const std::int32_t nan = nans == NanPlace::kLast ? kNan : Ordered(kNan | ~kMagnitude);
      for (std::int64_t i = 0; i < n; ++i) {
        out[i] = (bits[i] & kMagnitude) > kInfinity ? nan : Ordered(bits[i]);
      }
      return;
    }
  }
  TurnOrCopy<Key>(in, type, n, out);
}

template <typename Key>
void FromKeys(const Key* in, Pixel type, std::int64_t n, void* out) {
  if constexpr (std::is_same_v<Key, std::int32_t>) {
    if (type == Pixel::kF32) {
      auto* bits = static_cast<std::int32_t*>(out);
      for (std::int64_t i = 0; i < n; ++i) bits[i] = Ordered(in[i]);
      return;
    }
  }
  TurnOrCopy<Key>(in, type, n, out);
}

template void ToKeys(const void*, Pixel, std::int64_t, NanPlace, std::uint8_t*);
template void ToKeys(const void*, Pixel, std::int64_t, NanPlace, std::int16_t*);
template void ToKeys(const void*, Pixel, std::int64_t, NanPlace, std::int32_t*);
template void FromKeys(const std::uint8_t*, Pixel, std::int64_t, void*);
template void FromKeys(const std::int16_t*, Pixel, std::int64_t, void*);
template void FromKeys(const std::int32_t*, Pixel, std::int64_t, void*);

}  // namespace dynjax
