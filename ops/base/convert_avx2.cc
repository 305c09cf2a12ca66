#include "base/convert_avx2.h"

#if defined(__AVX2__)

#include "base/load_avx2.h"

namespace dynjax {
namespace {

template <typename T>
void Load(const void* in, std::int64_t n, float* out) {
  const auto* source = static_cast<const T*>(in);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, Load8(source + i));
  for (; i < n; ++i) out[i] = ToFloat(source[i]);
}

void Put8(__m256 value, std::int8_t* out) {
  const __m256i v = Round8(value, -128.0f, 127.0f);
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packs_epi16(words, words));
}

void Put8(__m256 value, std::uint16_t* out) {
  const __m256i v = Round8(value, 0.0f, 65535.0f);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
}

void Put8(__m256 value, std::int16_t* out) {
  const __m256i v = Round8(value, -32768.0f, 32767.0f);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
}

void Put8(__m256 value, Half* out) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

void Put8(__m256 value, float* out) { _mm256_storeu_ps(out, value); }

template <typename T>
void Store(const float* in, std::int64_t n, void* out) {
  auto* target = static_cast<T*>(out);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) Put8(_mm256_loadu_ps(in + i), target + i);
  for (; i < n; ++i) target[i] = FromFloat<T>(in[i]);
}

// Clamped first: then nothing is negative, and `max` has turned NaN into its second operand.
__m256i RoundByte8(const float* in) {
  const __m256 inside = _mm256_min_ps(_mm256_max_ps(_mm256_loadu_ps(in), _mm256_setzero_ps()),
                                      _mm256_set1_ps(255.0f));
  return _mm256_cvttps_epi32(_mm256_add_ps(inside, _mm256_set1_ps(kBelowHalf)));
}

// The most frequent result: 32 at once fill a vector of bytes.
void StoreBytes(const float* in, std::int64_t n, void* out) {
  auto* target = static_cast<std::uint8_t*>(out);
  // Packing works within halves: this puts the groups of four back in order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  std::int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i low = _mm256_packus_epi32(RoundByte8(in + i), RoundByte8(in + i + 8));
    const __m256i high = _mm256_packus_epi32(RoundByte8(in + i + 16), RoundByte8(in + i + 24));
    const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(target + i), bytes);
  }
  for (; i < n; ++i) target[i] = FromFloat<std::uint8_t>(in[i]);
}

// 32-bit integers saturate beyond what a float can name, so they take the scalar definition.
template <typename T>
void StoreWide(const float* in, std::int64_t n, void* out) {
  auto* target = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) target[i] = FromFloat<T>(in[i]);
}

constexpr Converters kAvx2{
    .load = {Load<std::uint8_t>, Load<std::int8_t>, Load<std::uint16_t>, Load<std::int16_t>,
             Load<std::uint32_t>, Load<std::int32_t>, Load<Half>, Load<float>},
    .store = {StoreBytes, Store<std::int8_t>, Store<std::uint16_t>, Store<std::int16_t>,
              StoreWide<std::uint32_t>, StoreWide<std::int32_t>, Store<Half>, Store<float>}};

}  // namespace

const Converters& Avx2Converters() { return kAvx2; }

}  // namespace dynjax

#endif  // __AVX2__
