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
  std::byte* rows = nullptr;  // a band, or the whole picture when it is interlaced
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

void ReadRows(Reader* reader, int passes) {
  RowSink& sink = *reader->sink;
  const auto height = reader->info->height;
  const std::size_t stride = sink.source_row_bytes();
  const auto row = [&](std::int32_t y, std::int32_t first) {
    return reinterpret_cast<png_bytep>(
        sink.is_direct() ? sink.Row(y)
                         : reader->rows + static_cast<std::size_t>(y - first) * stride);
  };
  for (int pass = 0; pass + 1 < passes; ++pass) {
    for (std::int32_t y = 0; y < height; ++y) png_read_row(reader->codec, row(y, 0), nullptr);
  }
  const bool whole = passes > 1;
  for (std::int32_t first = 0; first < height; first += RowSink::kBandRows) {
    const std::int32_t end = std::min(first + RowSink::kBandRows, height);
    const std::int32_t origin = whole ? 0 : first;
    for (std::int32_t y = first; y < end; ++y) png_read_row(reader->codec, row(y, origin), nullptr);
    if (!sink.is_direct()) {
      sink.Write(first, end - first, reinterpret_cast<std::byte*>(row(first, origin)), stride);
    }
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
      png_get_rowbytes(codec, reader->header) != reader->sink->source_row_bytes()) {
    reader->failure = StatusCode::kShapeMismatch;
    return;
  }
  ReadRows(reader, passes);
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

Status DecodePng(Bytes encoded, const ImageInfo& info, RowSink* sink) {
  Reader reader;
  reader.rest = encoded;
  reader.info = &info;
  reader.sink = sink;
  std::unique_ptr<std::byte[]> rows;
  if (!sink->is_direct()) {
    const std::size_t count = static_cast<std::size_t>(
        IsInterlaced(encoded) ? info.height : std::min(info.height, RowSink::kBandRows));
    rows.reset(new (std::nothrow) std::byte[count * sink->source_row_bytes()]);
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
