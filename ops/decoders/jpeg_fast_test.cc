// The fast JPEG decoder against libjpeg-turbo: the same pixels, and what it leaves alone.

#include "decoders/jpeg_fast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

// clang-format off
#include <jpeglib.h>
// clang-format on

#include "base/simd.h"
#include "decoders/jpeg.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what, int a = 0, int b = 0) {
  if (ok) return;
  if (++failures < 20) std::fprintf(stderr, "FAILED: %s (%d, %d)\n", what, a, b);
}

enum class Content { kNoise, kSmooth, kExtremes };

// How the coefficients are spread over scans.
enum class Scans {
  kOne,    // sequential
  kUsual,  // progressive as most files are
  kBands,  // all bits at once, each component on its own
  kDeep,   // bit by bit from the fourth one on
  kLossy,  // the last bits are missing
};

struct Coding {
  int height, width, channels = 3, h = 1, v = 1, quality = 75;
  unsigned restart = 0;
  Content content = Content::kNoise;
  bool is_optimised = false, has_one_table = false;
  Scans scans = Scans::kOne;
};

std::vector<jpeg_scan_info> ScriptOf(Scans scans, int channels) {
  std::vector<jpeg_scan_info> script;
  const auto add = [&script](std::vector<int> of, int first, int last, int high, int low) {
    jpeg_scan_info scan{static_cast<int>(of.size()), {}, first, last, high, low};
    std::copy(of.begin(), of.end(), scan.component_index);
    script.push_back(scan);
  };
  if (scans == Scans::kBands) {
    for (int c = 0; c < channels; ++c) {
      add({c}, 0, 0, 0, 0);
      for (const auto& [first, last] : {std::pair{1, 2}, {3, 9}, {10, 63}}) {
        add({c}, first, last, 0, 0);
      }
    }
    return script;
  }
  add({0}, 0, 0, 0, 3);
  if (channels == 3) add({1, 2}, 0, 0, 0, 3);
  for (int c = 0; c < channels; ++c) {
    add({c}, 1, 5, 0, 3);
    add({c}, 6, 63, 0, 2);
    add({c}, 1, 5, 3, 2);
  }
  for (int low = 2; low >= (scans == Scans::kLossy ? 1 : 0); --low) {
    for (int c = 0; c < channels && low < 2; ++c) add({c}, 1, 63, low + 1, low);
    if (channels == 3) {
      add({0, 1, 2}, 0, 0, low + 1, low);
    } else {
      add({0}, 0, 0, low + 1, low);
    }
  }
  return script;
}

JSAMPLE Sample(Content content, int y, int x, int c, std::mt19937* random) {
  switch (content) {
    case Content::kSmooth:
      return static_cast<JSAMPLE>(128 + 120 * std::sin(0.11 * y + 0.07 * x + c));
    case Content::kExtremes:
      return (*random)() % 2 == 0 ? 0 : 255;
    default:
      return static_cast<JSAMPLE>((*random)());
  }
}

std::vector<std::uint8_t> Encoded(const Coding& as) {
  jpeg_compress_struct codec;
  jpeg_error_mgr errors;
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &memory, &size);
  codec.image_width = static_cast<JDIMENSION>(as.width);
  codec.image_height = static_cast<JDIMENSION>(as.height);
  codec.input_components = as.channels;
  codec.in_color_space = as.channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, as.quality, TRUE);
  codec.comp_info[0].h_samp_factor = as.h;
  codec.comp_info[0].v_samp_factor = as.v;
  codec.restart_interval = as.restart;
  codec.optimize_coding = as.is_optimised ? TRUE : FALSE;
  for (int c = 0; c < as.channels && as.has_one_table; ++c) {
    codec.comp_info[c].dc_tbl_no = codec.comp_info[c].ac_tbl_no = 0;
  }
  const auto script = ScriptOf(as.scans, as.channels);
  if (as.scans == Scans::kUsual) {
    jpeg_simple_progression(&codec);
  } else if (as.scans != Scans::kOne) {
    codec.scan_info = script.data();
    codec.num_scans = static_cast<int>(script.size());
  }
  jpeg_start_compress(&codec, TRUE);
  std::mt19937 random(static_cast<unsigned>(as.height * 1000 + as.width));
  std::vector<JSAMPLE> row(static_cast<std::size_t>(as.width * as.channels));
  while (codec.next_scanline < codec.image_height) {
    const int y = static_cast<int>(codec.next_scanline);
    for (int i = 0; i < as.width * as.channels; ++i) {
      row[static_cast<std::size_t>(i)] =
          Sample(as.content, y, i / as.channels, i % as.channels, &random);
    }
    JSAMPROW rows[] = {row.data()};
    jpeg_write_scanlines(&codec, rows, 1);
  }
  jpeg_finish_compress(&codec);
  std::vector<std::uint8_t> out(memory, memory + size);
  jpeg_destroy_compress(&codec);
  std::free(memory);
  return out;
}

struct Picture {
  bool ok = false;
  std::vector<std::byte> pixels;
  bool operator==(const Picture&) const = default;
};

Picture Decoded(bool is_fast, Bytes encoded, OutputType type, std::int32_t scale,
                std::optional<Region> part = {}) {
  ImageInfo info;
  Check(PeekImage(encoded, &info).ok(), "header");
  const Region of =
      part.value_or(WholeOf(ScaledSize(info.height, scale), ScaledSize(info.width, scale)));
  auto [source, rest] = JpegPixelsFor(info, type);
  source.height = of.height;
  source.width = of.width;
  const std::int32_t channels = OutputChannels(rest, source.channels);
  Picture picture;
  picture.pixels.resize(static_cast<std::size_t>(of.height) * static_cast<std::size_t>(of.width) *
                        static_cast<std::size_t>(channels));
  const ImageTarget target{.data = picture.pixels.data(),
                           .height = of.height,
                           .width = of.width,
                           .channels = channels,
                           .row_stride = std::int64_t{of.width} * channels,
                           .pixel_stride = channels,
                           .type = PixelType::kU8};
  RowSink sink(source, rest, 1, target);
  Check(sink.Prepare(), "memory");
  picture.ok = is_fast ? DecodeFastJpeg(encoded, info, type, of, scale, &sink)
                       : DecodeWithLibjpeg(encoded, info, type, of, scale, &sink).ok();
  return picture;
}

// Of very narrow pictures libjpeg repeats the chroma rather than filter it.
bool IsTaken(const Coding& as, OutputType type, std::int32_t scale) {
  if (as.channels == 1 || as.h == 1 || type == OutputType::kGray) return true;
  if (as.v == 2 && scale < 8) return true;
  return scale > 1 && (as.width * scale + 15) / 16 > 2;
}

void TestWhole(const Coding& as) {
  const auto encoded = Encoded(as);
  for (const auto type :
       {OutputType::kRgb, OutputType::kBgr, OutputType::kGray, OutputType::kYCbCr}) {
    for (const std::int32_t scale : {8, 4, 2, 1}) {
      const Picture fast = Decoded(true, encoded, type, scale);
      Check(fast.ok == IsTaken(as, type, scale), "what it takes", as.width, scale);
      if (fast.ok) {
        Check(fast == Decoded(false, encoded, type, scale), "the same pixels", as.width, scale);
      }
    }
  }
}

void TestParts(const Coding& as) {
  const auto encoded = Encoded(as);
  std::mt19937 random(1);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  // libjpeg reads all of a progressive picture for each.
  const int count = as.scans == Scans::kOne ? 40 : 6;
  for (int k = 0; k < count; ++k) {
    Region part;
    part.y = below(as.height);
    part.x = below(as.width);
    part.height = 1 + below(as.height - part.y);
    part.width = 1 + below(as.width - part.x);
    const Picture fast = Decoded(true, encoded, OutputType::kRgb, 8, part);
    Check(fast.ok, "takes parts", part.y, part.x);
    Check(fast == Decoded(false, encoded, OutputType::kRgb, 8, part), "the same part", part.y,
          part.x);
  }
}

// The decoder says no, whatever it is that is wrong, and the picture is libjpeg's.
void TestLeft() {
  const Coding plain{.height = 40, .width = 60, .h = 2, .v = 2, .restart = 2};
  const auto encoded = Encoded(plain);
  const auto takes = [](Bytes bytes) { return Decoded(true, bytes, OutputType::kRgb, 8).ok; };
  Check(takes(encoded), "the plain picture");
  Check(!takes(Encoded({.height = 40, .width = 60, .scans = Scans::kLossy})), "missing bits");
  Check(!takes(Encoded({.height = 40, .width = 60, .h = 1, .v = 2})), "tall chroma");
  Check(!Decoded(true, encoded, OutputType::kRgb, 5).ok, "five eighths");

  std::size_t scan = 0;
  while (encoded[scan] != 0xff || encoded[scan + 1] != 0xda) ++scan;
  auto cut = encoded;
  cut.resize(cut.size() - 2);
  Check(!takes(cut), "no end marker");
  cut.resize(scan + 200);
  Check(!takes(cut), "cut short");
  auto renumbered = encoded;
  for (std::size_t i = scan; i + 1 < encoded.size(); ++i) {
    if (encoded[i] == 0xff && encoded[i + 1] == 0xd1) renumbered[i + 1] = 0xd2;
  }
  Check(!takes(renumbered), "restart markers out of order");
  // Coefficients beyond what 16 bits hold once they are multiplied by quantisers.
  auto wild = Encoded({.height = 40, .width = 60, .quality = 100});
  for (std::size_t i = 0; i + 1 < wild.size(); ++i) {
    if (wild[i] == 0xff && wild[i + 1] == 0xdb) {
      for (std::size_t k = 0; k < 64; ++k) wild[i + 5 + k] = 255;
    }
  }
  Check(!takes(wild), "wild coefficients");

  // A progressive picture without one of its scans, the first and the last included.
  const auto progressive =
      Encoded({.height = 40, .width = 60, .h = 2, .v = 2, .scans = Scans::kDeep});
  Check(takes(progressive), "the progressive picture");
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i + 1 < progressive.size(); ++i) {
    if (progressive[i] == 0xff && progressive[i + 1] == 0xda) starts.push_back(i);
  }
  starts.push_back(progressive.size() - 2);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    auto less = progressive;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(starts[i]),
               less.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
    Check(!takes(less), "a scan is missing", static_cast<int>(i));
    auto short_one = progressive;
    short_one.erase(short_one.begin() + static_cast<std::ptrdiff_t>(starts[i]) + 14,
                    short_one.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
    Check(!takes(short_one), "a scan is cut", static_cast<int>(i));
  }
}

// An eighth of a progressive picture takes nothing from most of its scans: what is wrong with their
// bits changes no pixel, what is wrong with their codes is an error nevertheless.
void TestUnread() {
  const auto encoded = Encoded({.height = 90, .width = 130, .h = 2, .v = 2, .scans = Scans::kDeep});
  const std::uint8_t luma = 1;
  std::size_t codes = 0;  // of the scan
  int scans = 0;
  for (std::size_t i = 2; encoded[i + 1] != 0xd9;) {
    const std::size_t next = i + 2 + (std::size_t{encoded[i + 2]} << 8 | encoded[i + 3]);
    if (encoded[i + 1] == 0xc4) codes = i + 5;
    if (encoded[i + 1] != 0xda) {
      i = next;
      continue;
    }
    std::size_t end = next;
    while (encoded[end] != 0xff || encoded[end + 1] == 0) ++end;
    const bool is_luma_ac = encoded[i + 4] == 1 && encoded[i + 5] == luma && encoded[i + 7] > 0;
    i = end;
    if (!is_luma_ac) continue;
    ++scans;
    auto damaged = encoded;
    for (std::size_t at = next; at < end; ++at) damaged[at] = static_cast<std::uint8_t>(at % 251);
    for (const auto type : {OutputType::kRgb, OutputType::kGray}) {
      const Picture fast = Decoded(true, damaged, type, 1);
      Check(fast.ok && fast == Decoded(false, damaged, type, 1), "damage that is not read", scans);
      Check(fast == Decoded(true, encoded, type, 1), "no trace of the damage", scans);
      Check(!Decoded(true, damaged, type, 2).ok, "damage that is read", scans);
    }
    auto miscoded = encoded;
    std::fill_n(miscoded.begin() + static_cast<std::ptrdiff_t>(codes), 16, std::uint8_t{0});
    miscoded[codes] = static_cast<std::uint8_t>(
        std::accumulate(&encoded[codes], &encoded[codes] + 16, 0));  // codes of a single bit
    if (miscoded[codes] <= 2) continue;
    Check(!Decoded(false, miscoded, OutputType::kRgb, 1).ok, "an error of libjpeg's", scans);
    Check(!Decoded(true, miscoded, OutputType::kRgb, 1).ok, "no code", scans);
  }
  Check(scans == 5, "scans of luma", scans);
}

void TestAll(Scans scans) {
  constexpr std::array kFactors{std::array{1, 1}, std::array{2, 1}, std::array{2, 2}};
  constexpr std::array kQualities{1, 30, 75, 92, 100};
  for (int width = 1; width <= 70; ++width) {
    for (const auto [h, v] : kFactors) {
      const Coding as{.height = 1 + width * 37 % 70,
                      .width = width,
                      .h = h,
                      .v = v,
                      .quality = kQualities[static_cast<std::size_t>(width) % 5],
                      .restart = static_cast<unsigned>(width % 4),
                      .content = static_cast<Content>(width % 3),
                      .is_optimised = width % 2 == 0,
                      .scans = scans};
      TestWhole(as);
      if (width > 4) TestParts(as);
    }
    TestWhole({.height = 71 - width, .width = width, .channels = 1, .restart = 3, .scans = scans});
  }
  for (const auto [h, v] : kFactors) {
    // Long enough for tables of pairs and several windows of bytes.
    for (const Content content : {Content::kNoise, Content::kSmooth, Content::kExtremes}) {
      for (const int quality : {1, 60, 98, 100}) {
        // libjpeg takes long for the others.
        const int enough = content == Content::kNoise ? 100 : 98;
        if (scans != Scans::kOne && quality != enough) continue;
        const Coding as{.height = 201,
                        .width = 303,
                        .h = h,
                        .v = v,
                        .quality = quality,
                        .restart = quality == 98 ? 7u : 0u,
                        .content = content,
                        .is_optimised = quality != 60,
                        .has_one_table = quality == 100 && scans == Scans::kOne,
                        .scans = scans};
        TestWhole(as);
        TestParts(as);
      }
    }
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  if (dynjax::BestTarget() != dynjax::Target::kAvx2) {
    std::puts("skipped: no AVX2");
    return 0;
  }
  for (const auto scans :
       {dynjax::Scans::kOne, dynjax::Scans::kUsual, dynjax::Scans::kBands, dynjax::Scans::kDeep}) {
    dynjax::TestAll(scans);
  }
  dynjax::TestLeft();
  dynjax::TestUnread();
  if (dynjax::failures == 0) std::puts("ok");
  return dynjax::failures == 0 ? 0 : 1;
}
