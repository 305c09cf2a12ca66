#include "decoders/png.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <new>

namespace dynjax {
namespace {

struct Reader {
  png_structp codec = nullptr;
  png_infop header = nullptr;
  Bytes rest;
  bool is_truncated = false;
  std::jmp_buf jump;

  const ImageInfo* info;
  RowSink* sink;
  Region part;
  std::size_t row_bytes, pixel_bytes;  // as libpng hands them out
  std::byte* rows = nullptr;           // a band, or the whole picture when it is interlaced
  StatusCode failure = StatusCode::kOk;
};

[[noreturn]] void OnError(png_structp codec, png_const_charp) {
  std::longjmp(static_cast<Reader*>(png_get_error_ptr(codec))->jump, 1);
}

// libpng only warns when the pixels do not match the data's own checksum.
void OnWarning(png_structp codec, png_const_charp message) {
  if (std::strstr(message, "incorrect data check") != nullptr) OnError(codec, message);
}

void Read(png_structp codec, png_bytep to, png_size_t count) {
  auto* reader = static_cast<Reader*>(png_get_io_ptr(codec));
  if (count > reader->rest.size()) {
    reader->is_truncated = true;
    png_error(codec, "end of data");
  }
  std::memcpy(to, reader->rest.data(), count);
  reader->rest = reader->rest.subspan(count);
}

void SkipUnneededChunks(png_structp codec) {
  static constexpr png_byte kTransparency[] = {'t', 'R', 'N', 'S', '\0'};
  png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_NEVER, kTransparency, 1);
}

void RequestPixels(Reader* reader) {
  png_structp codec = reader->codec;
  const int colour = png_get_color_type(codec, reader->header);
  if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(codec);
  if (colour == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(codec);
  if (std::endian::native == std::endian::little) png_set_swap(codec);
  if ((colour & PNG_COLOR_MASK_ALPHA) != 0 && reader->sink->source().channels % 2 == 1) {
    png_set_strip_alpha(codec);
  }
}

bool IsNarrow(const Reader& reader) { return reader.part.width != reader.info->width; }

// Rows of the part that lie, in full width, at `rows`.
void Deliver(Reader* reader, std::int32_t first, std::int32_t count, const std::byte* rows) {
  RowSink& sink = *reader->sink;
  rows += static_cast<std::size_t>(reader->part.x) * reader->pixel_bytes;
  if (!sink.is_direct()) {
    sink.Write(first, count, rows, reader->row_bytes);
    return;
  }
  for (std::int32_t i = 0; i < count; ++i) {
    std::memcpy(sink.Row(first + i), rows + static_cast<std::size_t>(i) * reader->row_bytes,
                sink.source_row_bytes());
  }
}

void ReadInterlaced(Reader* reader, int passes) {
  const auto row = [reader](std::int32_t y) {
    return reader->rows + static_cast<std::size_t>(y) * reader->row_bytes;
  };
  for (int pass = 0; pass < passes; ++pass) {
    for (std::int32_t y = 0; y < reader->info->height; ++y) {
      png_read_row(reader->codec, reinterpret_cast<png_bytep>(row(y)), nullptr);
    }
  }
  const Region& part = reader->part;
  for (std::int32_t y = 0; y < part.height; y += RowSink::kBandRows) {
    Deliver(reader, y, std::min(RowSink::kBandRows, part.height - y), row(part.y + y));
  }
}

void ReadRows(Reader* reader) {
  const Region& part = reader->part;
  const bool is_placed = reader->sink->is_direct() && !IsNarrow(*reader);
  for (std::int32_t y = 0; y < part.y; ++y) {
    png_read_row(reader->codec, reinterpret_cast<png_bytep>(reader->rows), nullptr);
  }
  for (std::int32_t first = 0; first < part.height; first += RowSink::kBandRows) {
    const std::int32_t count = std::min(RowSink::kBandRows, part.height - first);
    for (std::int32_t i = 0; i < count; ++i) {
      std::byte* row = is_placed ? reader->sink->Row(first + i)
                                 : reader->rows + static_cast<std::size_t>(i) * reader->row_bytes;
      png_read_row(reader->codec, reinterpret_cast<png_bytep>(row), nullptr);
    }
    if (!is_placed) Deliver(reader, first, count, reader->rows);
  }
}

// Runs below `setjmp`: libpng's errors jump over this frame, so nothing in it may need destroying.
void Decode(Reader* reader) {
  png_structp codec = reader->codec;
  png_set_read_fn(codec, reader, Read);
  png_set_user_limits(codec, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  SkipUnneededChunks(codec);
  png_read_info(codec, reader->header);
  RequestPixels(reader);
  const int passes = png_set_interlace_handling(codec);
  png_read_update_info(codec, reader->header);
  if (png_get_image_width(codec, reader->header) != static_cast<png_uint_32>(reader->info->width) ||
      png_get_image_height(codec, reader->header) !=
          static_cast<png_uint_32>(reader->info->height) ||
      png_get_rowbytes(codec, reader->header) != reader->row_bytes) {
    reader->failure = StatusCode::kShapeMismatch;
    return;
  }
  if (passes > 1) {
    ReadInterlaced(reader, passes);
  } else {
    ReadRows(reader);
  }
}

Status Run(Reader* reader) {
  if (setjmp(reader->jump) == 0) {
    Decode(reader);
    return reader->failure;
  }
  return reader->is_truncated ? StatusCode::kTruncated : StatusCode::kCorrupt;
}

bool IsInterlaced(Bytes encoded) { return encoded[28] != 0; }

}  // namespace

SourcePixels PngPixelsFor(const ImageInfo& info, OutputType type) {
  const bool keeps_alpha = type == OutputType::kAny || info.channels % 2 == 1;
  return {.height = info.height,
          .width = info.width,
          .channels = keeps_alpha ? info.channels : info.channels - 1,
          .type = info.bit_depth == 16 ? PixelType::kU16 : PixelType::kU8,
          .gray = GrayRule::kPng};
}

Status DecodePng(Bytes encoded, const ImageInfo& info, const Region& part, RowSink* sink) {
  Reader reader;
  reader.rest = encoded;
  reader.info = &info;
  reader.sink = sink;
  reader.part = part;
  const SourcePixels& source = sink->source();
  reader.pixel_bytes = static_cast<std::size_t>(source.channels) * ItemBytes(source.type);
  reader.row_bytes = static_cast<std::size_t>(info.width) * reader.pixel_bytes;
  std::unique_ptr<std::byte[]> rows;
  const bool is_interlaced = IsInterlaced(encoded);
  if (is_interlaced || !sink->is_direct() || part != WholeOf(info.height, info.width)) {
    const std::size_t count = static_cast<std::size_t>(
        is_interlaced ? info.height : std::min(info.height, RowSink::kBandRows));
    rows.reset(new (std::nothrow) std::byte[count * reader.row_bytes]);
    if (rows == nullptr) return StatusCode::kTooLarge;
    reader.rows = rows.get();
  }
  reader.codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, OnError, OnWarning);
  if (reader.codec == nullptr) return StatusCode::kTooLarge;
  reader.header = png_create_info_struct(reader.codec);
  const Status status = reader.header == nullptr ? StatusCode::kTooLarge : Run(&reader);
  png_destroy_read_struct(&reader.codec, &reader.header, nullptr);
  return status;
}

}  // namespace dynjax
