// FLAC files written here, frame by frame, against the samples that they were made of.

#include "audio/flac.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "audio/flac_crc.h"
#include "audio/sounds.h"

namespace dynjax {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Channel = std::vector<std::int32_t>;
using Sound = std::vector<Channel>;

int failures = 0;

void Check(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  ++failures;
}

class BitWriter {
 public:
  void Put(std::uint64_t value, int bits) {
    while (bits-- > 0) {
      if (filled_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() |= static_cast<std::uint8_t>((value >> bits & 1) << (7 - filled_ % 8));
      ++filled_;
    }
  }
  void PutSigned(std::int64_t value, int bits) { Put(static_cast<std::uint64_t>(value), bits); }
  void PutUnary(std::uint32_t zeros) {
    for (; zeros > 32; zeros -= 32) Put(0, 32);
    Put(1, static_cast<int>(zeros) + 1);
  }
  void Align() { filled_ = 8 * bytes_.size(); }
  Bytes& bytes() { return bytes_; }

 private:
  Bytes bytes_;
  std::size_t filled_ = 0;
};

void PutRice(std::int64_t value, int parameter, BitWriter* out) {
  const auto code = static_cast<std::uint64_t>(value < 0 ? -2 * value - 1 : 2 * value);
  out->PutUnary(static_cast<std::uint32_t>(code >> parameter));
  out->Put(code, parameter);
}

// How a channel is written.
struct Form {
  enum Kind { kConstant, kVerbatim, kFixed, kLinear } kind = kVerbatim;
  std::vector<std::int32_t> coefficients{};  // kLinear; for kFixed only their number counts
  int shift = 0;
  int wasted = 0;
  int partition_order = 0;
  int parameter = 4;
  bool escaped = false;  // numbers of a fixed size instead of codes
  bool long_parameters = false;
};

void PutResidual(const Channel& residual, std::size_t order, const Form& form, BitWriter* out) {
  out->Put(form.long_parameters ? 1 : 0, 2);
  out->Put(static_cast<std::uint64_t>(form.partition_order), 4);
  const int width = form.long_parameters ? 5 : 4;
  const std::size_t each = residual.size() >> form.partition_order;
  for (std::size_t i = order; i < residual.size(); ++i) {
    if (i == order || i % each == 0) {
      out->Put(form.escaped ? 31 : static_cast<std::uint64_t>(form.parameter), width);
      if (form.escaped) out->Put(27, 5);
    }
    if (form.escaped) {
      out->PutSigned(residual[i], 27);
    } else {
      PutRice(residual[i], form.parameter, out);
    }
  }
}

void PutChannel(Channel x, int depth, const Form& form, BitWriter* out) {
  for (auto& value : x) value >>= form.wasted;
  depth -= form.wasted;
  std::vector<std::int32_t> coefficients = form.coefficients;
  const std::size_t order = coefficients.size();
  const std::array<std::vector<std::int32_t>, 5> fixed{
      {{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}};
  if (form.kind == Form::kFixed) coefficients = fixed[order];
  constexpr std::array<std::size_t, 4> kTypes{0, 1, 8, 31};
  const std::size_t added = form.kind >= Form::kFixed ? order : 0;
  out->Put(kTypes[form.kind] + added, 7);
  out->Put(form.wasted > 0, 1);
  if (form.wasted > 0) out->PutUnary(static_cast<std::uint32_t>(form.wasted) - 1);
  if (form.kind == Form::kConstant) return out->PutSigned(x[0], depth);
  const std::size_t plain = form.kind == Form::kVerbatim ? x.size() : order;
  for (std::size_t i = 0; i < plain; ++i) out->PutSigned(x[i], depth);
  if (form.kind == Form::kVerbatim) return;
  if (form.kind == Form::kLinear) {
    out->Put(14, 4);
    out->PutSigned(form.shift, 5);
    for (const auto c : coefficients) out->PutSigned(c, 15);
  }
  Channel residual = x;
  for (std::size_t i = order; i < x.size(); ++i) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < order; ++k) sum += std::int64_t{coefficients[k]} * x[i - 1 - k];
    residual[i] = static_cast<std::int32_t>(x[i] - (sum >> form.shift));
  }
  PutResidual(residual, order, form, out);
}

struct Layout {
  int bits = 16;
  int pair = 0;  // 8: left and side, 9: side and right, 10: mid and side
  bool variable = false;
  std::size_t block = 192;
};

void PutNumber(std::uint64_t number, BitWriter* out) {
  if (number < 128) return out->Put(number, 8);
  int more = 1;
  while (number >> (6 * more + 6 - more) != 0) ++more;
  out->Put((0xff00u >> (more + 1) & 0xff) | number >> (6 * more), 8);
  while (more-- > 0) out->Put(0x80 | (number >> (6 * more) & 0x3f), 8);
}

Bytes Frame(const Sound& sound, std::size_t start, std::size_t stop, std::uint64_t number,
            const Layout& layout, const Form& form) {
  BitWriter out;
  out.Put(0x3ffe, 14);
  out.Put(layout.variable, 2);
  out.Put(7, 4);  // the size follows in 16 bits
  out.Put(0, 4);
  out.Put(static_cast<std::uint64_t>(layout.pair != 0 ? layout.pair : sound.size() - 1), 4);
  out.Put(0, 4);
  PutNumber(number, &out);
  out.Put(stop - start - 1, 16);
  out.Put(FlacCrc8(out.bytes()), 8);
  for (std::size_t c = 0; c < sound.size(); ++c) {
    Channel x(sound[c].begin() + static_cast<std::ptrdiff_t>(start),
              sound[c].begin() + static_cast<std::ptrdiff_t>(stop));
    const bool is_side = layout.pair == 9 ? c == 0 : layout.pair >= 8 && c == 1;
    const bool is_mid = layout.pair == 10 && c == 0;
    for (std::size_t i = start; i < stop; ++i) {
      if (is_side) x[i - start] = sound[0][i] - sound[1][i];
      if (is_mid) x[i - start] = (sound[0][i] + sound[1][i]) >> 1;
    }
    PutChannel(x, layout.bits + (is_side ? 1 : 0), form, &out);
  }
  out.Align();
  out.Put(FlacCrc16(out.bytes()), 16);
  return out.bytes();
}

Bytes File(const Sound& sound, const Layout& layout, const Form& form) {
  const std::size_t frames = sound[0].size();
  BitWriter out;
  for (const char c : {'f', 'L', 'a', 'C'}) out.Put(static_cast<std::uint8_t>(c), 8);
  out.Put(0, 8);
  out.Put(34, 24);
  out.Put(layout.block, 16);
  out.Put(layout.block, 16);
  out.Put(0, 48);
  out.Put(16000, 20);
  out.Put(sound.size() - 1, 3);
  out.Put(static_cast<std::uint64_t>(layout.bits) - 1, 5);
  out.Put(frames, 36);
  for (int i = 0; i < 16; ++i) out.Put(0, 8);
  out.Put(0x81, 8);  // padding, the last block
  out.Put(5, 24);
  out.Put(0, 40);
  Bytes file = out.bytes();
  std::uint64_t number = 0;
  for (std::size_t start = 0; start < frames; start += layout.block, ++number) {
    const std::size_t stop = std::min(start + layout.block, frames);
    const Bytes frame = Frame(sound, start, stop, layout.variable ? start : number, layout, form);
    file.insert(file.end(), frame.begin(), frame.end());
  }
  return file;
}

template <typename T>
bool Decodes(const Bytes& file, SoundNumber number, std::vector<T>* out) {
  const auto stream = ReadFlacStream(file);
  if (!stream) return false;
  out->assign(static_cast<std::size_t>(stream->frames * stream->channels), T{});
  return DecodeFlac(file, *stream, number, out->data());
}

void CheckSame(const Bytes& file, const Sound& sound, int bits, const std::string& what) {
  std::vector<float> floats;
  std::vector<std::int16_t> shorts;
  std::vector<std::int32_t> longs;
  Check(Decodes(file, SoundNumber::kFloat32, &floats) &&
            Decodes(file, SoundNumber::kInt16, &shorts) &&
            Decodes(file, SoundNumber::kInt32, &longs),
        what + ": is decoded");
  bool same = floats.size() == sound.size() * sound[0].size();
  for (std::size_t k = 0; same && k < floats.size(); ++k) {
    const std::int32_t x = sound[k % sound.size()][k / sound.size()];
    same = floats[k] == std::ldexp(static_cast<float>(x), 1 - bits) &&
           longs[k] == x << (32 - bits) && shorts[k] == static_cast<std::int16_t>(longs[k] >> 16);
  }
  Check(same, what + ": samples");
}

Sound Noise(std::size_t channels, std::size_t frames, int bits, int wasted) {
  std::mt19937 random(static_cast<unsigned>(channels * frames) + static_cast<unsigned>(bits));
  const std::int32_t most = (1 << (bits - 1)) - 1;
  Sound sound(channels, Channel(frames));
  for (auto& channel : sound) {
    double level = 0;
    for (auto& x : channel) {
      level = level * 0.97 + std::normal_distribution<>(0, most / 12.0)(random);
      x = std::clamp(static_cast<std::int32_t>(level), -most - 1, most) >> wasted << wasted;
    }
  }
  return sound;
}

void TestForms() {
  for (const int bits : {4, 8, 12, 16, 20, 24}) {
    const int parameter = std::max(bits - 5, 0);
    for (const int wasted : {0, 2}) {
      const Sound sound = Noise(2, 500, bits, wasted);
      for (const int pair : {0, 8, 9, 10}) {
        for (const bool variable : {false, true}) {
          const Layout layout{.bits = bits, .pair = pair, .variable = variable};
          const auto check = [&](Form form, const char* what) {
            // The mean of two samples has a bit less of zeros.
            form.wasted = std::max(wasted - (pair == 10 ? 1 : 0), 0);
            CheckSame(File(sound, layout, form), sound, bits,
                      std::string(what) + ", " + std::to_string(bits) + " bits, pair " +
                          std::to_string(pair));
          };
          check({.kind = Form::kVerbatim}, "verbatim");
          for (std::size_t order = 0; order <= 4; ++order) {
            check({.kind = Form::kFixed,
                   .coefficients = std::vector<std::int32_t>(order),
                   .parameter = std::min(parameter, 14)},
                  "fixed");
          }
          check({.kind = Form::kLinear,
                 .coefficients = {15000, 400, -200},
                 .shift = 14,
                 .partition_order = 2,
                 .parameter = parameter,
                 .long_parameters = true},
                "linear");
          check(
              {.kind = Form::kFixed, .coefficients = {0}, .escaped = true, .long_parameters = true},
              "escaped");
        }
      }
    }
  }
}

void TestOrdersAndParameters() {
  const Sound sound = Noise(1, 384, 16, 0);
  for (std::size_t order = 1; order <= 32; ++order) {
    std::vector<std::int32_t> coefficients(order);
    for (std::size_t k = 0; k < order; ++k) {
      coefficients[k] = static_cast<std::int32_t>(k * 7919 % 800) - 400;
    }
    const Form form{
        .kind = Form::kLinear, .coefficients = coefficients, .shift = 9, .parameter = 11};
    CheckSame(File(sound, {}, form), sound, 16, "order " + std::to_string(order));
  }
  // The largest products that there are, whose sum needs more than 32 bits.
  Sound loud(1, Channel(384));
  for (std::size_t i = 0; i < 384; ++i) loud[0][i] = i % 5 < 2 ? -(1 << 23) : (1 << 23) - 1;
  const Form wide{.kind = Form::kLinear,
                  .coefficients = std::vector<std::int32_t>(32, -(1 << 14)),
                  .shift = 15,
                  .parameter = 26,
                  .long_parameters = true};
  CheckSame(File(loud, {.bits = 24}, wide), loud, 24, "wide sums");
  for (int parameter = 0; parameter < 31; ++parameter) {
    const Form form{.kind = Form::kFixed,
                    .coefficients = {0, 0},
                    .partition_order = 1,
                    .parameter = parameter,
                    .long_parameters = true};
    CheckSame(File(sound, {}, form), sound, 16, "parameter " + std::to_string(parameter));
  }
}

void TestSizes() {
  for (const std::size_t channels : {1u, 2u, 3u, 6u, 8u}) {
    for (const std::size_t frames : {1u, 2u, 15u, 16u, 191u, 192u, 193u, 1000u}) {
      const Sound sound = Noise(channels, frames, 16, 0);
      CheckSame(File(sound, {}, {}), sound, 16, "size");
    }
  }
  const Sound flat(2, Channel(100'000, -77));
  CheckSame(File(flat, {.block = 4096}, {.kind = Form::kConstant}), flat, 16, "constant");
  const Sound many(1, Channel(70'000, 5));  // numbers of frames of three bytes
  CheckSame(File(many, {.variable = true, .block = 16}, {.kind = Form::kConstant}), many, 16,
            "many frames");
}

void TestDamage() {
  const Sound sound = Noise(2, 150, 16, 0);
  const Form form{.kind = Form::kFixed, .coefficients = {0, 0}, .parameter = 10};
  const Bytes file = File(sound, {.pair = 10, .block = 64}, form);
  std::vector<float> out;
  const std::size_t start = 4 + 4 + 34 + 4 + 5;
  for (std::size_t bit = 8 * start; bit < 8 * file.size(); ++bit) {
    Bytes damaged = file;
    damaged[bit / 8] ^= static_cast<std::uint8_t>(0x80 >> bit % 8);
    Check(!Decodes(damaged, SoundNumber::kFloat32, &out), "bit " + std::to_string(bit));
  }
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    Check(!Decodes(cut, SoundNumber::kFloat32, &out), "cut to " + std::to_string(size));
  }
  Bytes claims = file;  // 2^32 samples and more
  claims[21] |= 1;
  Check(!ReadFlacStream(claims), "an implausible length");
  Bytes longer = file;
  longer.insert(longer.end(), {'T', 'A', 'G'});
  CheckSame(longer, sound, 16, "what follows");
}

void TestSounds() {
  const Sound sound = Noise(2, 5000, 16, 0);
  const Bytes file = File(sound, {}, {});
  std::vector<float> expected;
  Check(Decodes(file, SoundNumber::kFloat32, &expected), "the file is decoded");
  std::vector<std::vector<float>> outs(20, std::vector<float>(10'000));
  std::vector<EncodedSound> sounds;
  const Bytes pcm(20'000, 0x40);
  for (std::size_t i = 0; i < outs.size(); ++i) {
    const bool is_flac = i % 2 == 0;
    sounds.push_back({.width = is_flac ? 0 : 2,
                      .data = is_flac ? file : pcm,
                      .out = outs[i].data(),
                      .numbers = i == 6 ? 9'998 : 10'000});
  }
  sounds[3].number = SoundNumber::kInt16;
  std::vector<std::uint8_t> done(sounds.size());
  ReadSounds(sounds, done);
  for (std::size_t i = 0; i < outs.size(); ++i) {
    const bool refused = i == 6 || i == 3;
    Check(done[i] == (refused ? 0 : 1), "sound " + std::to_string(i));
    if (i % 2 == 0 && !refused) Check(outs[i] == expected, "samples of " + std::to_string(i));
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestForms();
  dynjax::TestOrdersAndParameters();
  dynjax::TestSizes();
  dynjax::TestDamage();
  dynjax::TestSounds();
  if (dynjax::failures == 0) std::puts("ok");
  return dynjax::failures == 0 ? 0 : 1;
}
