#include "decoders/jpeg.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>

// The numbers of the errors depend on the library's version, which only jpeglib.h knows.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include "decoders/jpeg_fast.h"

namespace dynjax {
namespace {

// A progressive file of a few kilobytes can ask for thousands of passes over a large picture; real
// ones have about ten scans.
constexpr int kMaxScans = 500;

// One decompression. A fresh libjpeg object for each picture costs 0.7 us and keeps the tables of
// one stream from being used by the next one that lacks them.
struct Decompressor {
  jpeg_decompress_struct codec;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  jpeg_source_mgr source;
  std::jmp_buf jump;
  bool is_truncated = false;

  OutputType type;
  const ImageInfo* info;
  RowSink* sink;
  Region part;
  std::int32_t scale;
  std::byte* band = nullptr;  // kBandRows rows for a sink that is not direct
  // kBandRows rows as libjpeg hands them out, where those are wider than the part or are to become
  // RGB; the part's first pixel in them is number `left`.
  JSAMPLE* wide = nullptr;
  JDIMENSION left = 0;
  StatusCode failure = StatusCode::kOk;
};

Decompressor* Of(j_common_ptr codec) { return static_cast<Decompressor*>(codec->client_data); }

[[noreturn]] void OnError(j_common_ptr codec) { std::longjmp(Of(codec)->jump, 1); }

// Warnings only say that the data is damaged, which does not stop the original either.
void OnMessage(j_common_ptr, int) {}

void OnProgress(j_common_ptr codec) {
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number > kMaxScans) OnError(codec);
}

// The whole stream is in memory: being asked for more means that it ended early.
boolean OnEndOfInput(j_decompress_ptr codec) {
  static constexpr JOCTET kEndOfImage[] = {0xff, JPEG_EOI};
  Of(reinterpret_cast<j_common_ptr>(codec))->is_truncated = true;
  codec->src->next_input_byte = kEndOfImage;
  codec->src->bytes_in_buffer = sizeof(kEndOfImage);
  return TRUE;
}

void Skip(j_decompress_ptr codec, long count) {
  if (count <= 0) return;
  if (static_cast<std::size_t>(count) > codec->src->bytes_in_buffer) {
    OnEndOfInput(codec);
    return;
  }
  codec->src->next_input_byte += count;
  codec->src->bytes_in_buffer -= static_cast<std::size_t>(count);
}

void Nothing(j_decompress_ptr) {}

J_COLOR_SPACE ColourSpace(OutputType type, int components) {
  if (components == 4) return JCS_CMYK;
  switch (type) {
    case OutputType::kBgr:
      return JCS_EXT_BGR;
    case OutputType::kGray:
      return JCS_GRAYSCALE;
    case OutputType::kAny:
      return components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    default:
      return JCS_RGB;
  }
}

// Adobe's files store the complement of the ink.
void CmykToRgb(const JSAMPLE* from, std::int64_t count, bool is_inverted, std::uint8_t* to) {
  const unsigned flip = is_inverted ? 0 : 255;
  for (std::int64_t i = 0; i < count; ++i, from += 4, to += 3) {
    const unsigned k = from[3] ^ flip;
    for (int c = 0; c < 3; ++c) to[c] = static_cast<std::uint8_t>((from[c] ^ flip) * k / 255);
  }
}

// Where row `y` of the part goes; `first` is the first row of the band that it belongs to.
JSAMPLE* Destination(const Decompressor& d, JDIMENSION y, JDIMENSION first) {
  const RowSink& sink = *d.sink;
  return reinterpret_cast<JSAMPLE*>(
      sink.is_direct() ? sink.Row(y) : d.band + (y - first) * sink.source_row_bytes());
}

void ReadRows(Decompressor* d, JSAMPROW* rows, JDIMENSION count) {
  for (JDIMENSION done = 0; done < count;) {
    done += jpeg_read_scanlines(&d->codec, rows + done, count - done);
  }
}

JSAMPLE* WideRow(const Decompressor& d, JDIMENSION i) {
  return d.wide + std::size_t{i} * d.codec.output_width *
                      static_cast<std::size_t>(d.codec.output_components);
}

// From a row of libjpeg's to one of the sink's source.
void Finish(const Decompressor& d, const JSAMPLE* row, JSAMPLE* to) {
  const auto width = static_cast<std::size_t>(d.part.width);
  const auto components = static_cast<std::size_t>(d.codec.output_components);
  if (d.wide != nullptr) row += d.left * components;
  const bool is_cmyk = d.codec.out_color_space == JCS_CMYK;
  if (is_cmyk && d.type != OutputType::kAny) {
    CmykToRgb(row, d.part.width, d.codec.saw_Adobe_marker, to);
    return;
  }
  if (row != to) std::memcpy(to, row, width * components);
  if (is_cmyk && d.codec.saw_Adobe_marker) {
    std::for_each_n(to, width * components, [](JSAMPLE& ink) { ink = static_cast<JSAMPLE>(~ink); });
  }
}

// Rows of the part from `first` on.
void ReadBand(Decompressor* d, JDIMENSION first, JDIMENSION count) {
  std::array<JSAMPROW, RowSink::kBandRows> rows;
  for (JDIMENSION i = 0; i < count; ++i) {
    rows[i] = d->wide != nullptr ? WideRow(*d, i) : Destination(*d, first + i, first);
  }
  ReadRows(d, rows.data(), count);
  for (JDIMENSION i = 0; i < count; ++i) Finish(*d, rows[i], Destination(*d, first + i, first));
  if (!d->sink->is_direct()) {
    d->sink->Write(first, count, d->band, d->sink->source_row_bytes());
  }
}

bool IsWhole(const Decompressor& d) {
  return d.part == WholeOf(ScaledSize(d.info->height, d.scale), ScaledSize(d.info->width, d.scale));
}

// Leaves out blocks that the part does not depend on. Smooth upsampling of the chroma looks at the
// next sample, which is up to two pixels away.
void Narrow(Decompressor* d) {
  jpeg_decompress_struct& codec = d->codec;
  const JDIMENSION beside = codec.max_h_samp_factor > 1 ? 2 : 0;
  const JDIMENSION above = codec.max_v_samp_factor > 1 ? 2 : 0;
  const auto x = static_cast<JDIMENSION>(d->part.x), y = static_cast<JDIMENSION>(d->part.y);
  const JDIMENSION end =
      std::min(x + static_cast<JDIMENSION>(d->part.width) + beside, codec.output_width);
  JDIMENSION start = x > beside ? x - beside : 0;
  if (start > 0 || end < codec.output_width) {
    JDIMENSION width = end - start;
    jpeg_crop_scanline(&codec, &start, &width);  // moves the start to that of a block
  }
  d->left = x - start;
  const auto block = static_cast<JDIMENSION>(codec.max_v_samp_factor * DCTSIZE);
  const JDIMENSION first = y > above ? (y - above) / block * block : 0;
  if (first > 0) jpeg_skip_scanlines(&codec, first);
  while (codec.output_scanline < y) {
    JSAMPROW row = WideRow(*d, 0);
    ReadRows(d, &row, 1);
  }
}

// Runs below `setjmp`: libjpeg's errors jump over this frame, so nothing in it may need destroying.
void Decode(Decompressor* d) {
  jpeg_decompress_struct& codec = d->codec;
  jpeg_create_decompress(&codec);
  codec.progress = &d->progress;
  codec.src = &d->source;
  jpeg_read_header(&codec, TRUE);
  if (codec.image_width != static_cast<JDIMENSION>(d->info->width) ||
      codec.image_height != static_cast<JDIMENSION>(d->info->height) ||
      codec.num_components != d->info->channels) {
    d->failure = StatusCode::kShapeMismatch;
    return;
  }
  codec.out_color_space = ColourSpace(d->type, codec.num_components);
  codec.scale_num = static_cast<unsigned>(d->scale);
  codec.scale_denom = kFullScale;
  jpeg_start_decompress(&codec);
  if (d->scale != kFullScale && (codec.output_width != static_cast<JDIMENSION>(d->part.width) ||
                                 codec.output_height != static_cast<JDIMENSION>(d->part.height))) {
    d->failure = StatusCode::kUnsupported;  // a coding that cannot be scaled
    return;
  }
  if (!IsWhole(*d)) Narrow(d);
  const auto height = static_cast<JDIMENSION>(d->part.height);
  for (JDIMENSION first = 0; first < height; first += RowSink::kBandRows) {
    ReadBand(d, first, std::min<JDIMENSION>(height - first, RowSink::kBandRows));
  }
  // Reads up to the end marker, and so notices when there is none. What follows a part is not read.
  if (codec.output_scanline == codec.output_height) jpeg_finish_decompress(&codec);
}

StatusCode Meaning(int error) {
  switch (error) {
    case JERR_OUT_OF_MEMORY:
      return StatusCode::kTooLarge;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
      return StatusCode::kUnsupported;
    default:
      return StatusCode::kCorrupt;
  }
}

Status Run(Decompressor* d) {
  if (setjmp(d->jump) == 0) {
    Decode(d);
    jpeg_destroy_decompress(&d->codec);
    if (d->failure != StatusCode::kOk) return d->failure;
    return d->is_truncated ? Status(StatusCode::kTruncated) : Status::Ok();
  }
  const int error = d->errors.msg_code;
  jpeg_destroy_decompress(&d->codec);
  return {d->is_truncated ? StatusCode::kTruncated : Meaning(error), error};
}

}  // namespace

JpegPixels JpegPixelsFor(const ImageInfo& info, OutputType type) {
  JpegPixels pixels{{.height = info.height, .width = info.width}, type};
  if (type == OutputType::kAny) {
    pixels.source.channels = info.channels;
  } else if (info.channels == 4) {
    pixels.source.channels = 3;
    pixels.source.gray = GrayRule::kCmyk;
  } else {
    pixels.source.channels = type == OutputType::kGray ? 1 : 3;
    if (type != OutputType::kYCbCr) pixels.rest = OutputType::kAny;
  }
  return pixels;
}

Status DecodeJpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                  std::int32_t scale, RowSink* sink) {
  if (DecodeFastJpeg(encoded, info, type, part, scale, sink)) return Status::Ok();
  return DecodeWithLibjpeg(encoded, info, type, part, scale, sink);
}

Status DecodeWithLibjpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                         std::int32_t scale, RowSink* sink) {
  Decompressor d;
  d.codec = {};
  d.codec.err = jpeg_std_error(&d.errors);
  d.codec.client_data = &d;
  d.errors.error_exit = OnError;
  d.errors.emit_message = OnMessage;
  d.progress = {};
  d.progress.progress_monitor = OnProgress;
  d.source = {.next_input_byte = encoded.data(),
              .bytes_in_buffer = encoded.size(),
              .init_source = Nothing,
              .fill_input_buffer = OnEndOfInput,
              .skip_input_data = Skip,
              .resync_to_restart = jpeg_resync_to_restart,
              .term_source = Nothing};
  d.type = type;
  d.info = &info;
  d.sink = sink;
  d.part = part;
  d.scale = scale;

  const bool is_cmyk = info.channels == 4;
  const bool needs_wide = !IsWhole(d) || (is_cmyk && type != OutputType::kAny);
  const std::size_t band_bytes =
      sink->is_direct() ? 0 : RowSink::kBandRows * sink->source_row_bytes();
  // Four bytes for each pixel of RGB too.
  const std::size_t wide_bytes =
      needs_wide ? RowSink::kBandRows * std::size_t{4} * static_cast<std::size_t>(info.width) : 0;
  std::unique_ptr<std::byte[]> scratch;
  if (band_bytes + wide_bytes > 0) {
    scratch.reset(new (std::nothrow) std::byte[band_bytes + wide_bytes]);
    if (scratch == nullptr) return StatusCode::kTooLarge;
    d.band = scratch.get();
    if (needs_wide) d.wide = reinterpret_cast<JSAMPLE*>(scratch.get() + band_bytes);
  }
  return Run(&d);
}

}  // namespace dynjax
