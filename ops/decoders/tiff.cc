#include "decoders/tiff.h"

#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include "decoders/tiff_pixels.h"

namespace dynjax {
namespace {

static_assert(TIFFLIB_VERSION >= 20210416, "libtiff 4.3 or newer is needed");

// What libtiff takes for a file.
struct Memory {
  Bytes bytes;
  std::uint64_t at = 0;
};

tmsize_t Read(thandle_t handle, void* to, tmsize_t size) {
  auto* memory = static_cast<Memory*>(handle);
  const std::uint64_t rest =
      memory->at < memory->bytes.size() ? memory->bytes.size() - memory->at : 0;
  const auto count = std::min(static_cast<std::uint64_t>(std::max<tmsize_t>(size, 0)), rest);
  if (count > 0) std::memcpy(to, memory->bytes.data() + memory->at, count);
  memory->at += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t Write(thandle_t, void*, tmsize_t) { return 0; }

toff_t Seek(thandle_t handle, toff_t offset, int whence) {
  auto* memory = static_cast<Memory*>(handle);
  const toff_t from = whence == SEEK_CUR   ? memory->at
                      : whence == SEEK_END ? memory->bytes.size()
                                           : 0;
  return memory->at = from + offset;
}

int Close(thandle_t) { return 0; }

toff_t Size(thandle_t handle) { return static_cast<Memory*>(handle)->bytes.size(); }

// libtiff reads where it can without copying; it does not write to what it mapped.
int Map(thandle_t handle, void** base, toff_t* size) {
  const Bytes bytes = static_cast<Memory*>(handle)->bytes;
  *base = const_cast<std::uint8_t*>(bytes.data());
  *size = bytes.size();
  return 1;
}

void Unmap(thandle_t, void*, toff_t) {}

struct Closer {
  void operator()(TIFF* file) const { TIFFClose(file); }
};
using File = std::unique_ptr<TIFF, Closer>;

// Strips as the file has them ("c"); nothing is printed.
constexpr char kName[] = "", kMode[] = "rc";

#if TIFFLIB_VERSION >= 20221213
int Ignore(TIFF*, void*, const char*, const char*, va_list) { return 1; }

File Open(Memory* memory, std::size_t most_memory) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (options == nullptr) return nullptr;
  TIFFOpenOptionsSetErrorHandlerExtR(options, Ignore, nullptr);
  TIFFOpenOptionsSetWarningHandlerExtR(options, Ignore, nullptr);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, static_cast<tmsize_t>(most_memory));
  File file(
      TIFFClientOpenExt(kName, kMode, memory, Read, Write, Seek, Close, Size, Map, Unmap, options));
  TIFFOpenOptionsFree(options);
  return file;
}
#else
// Before 4.5 handlers and memory are the process's, not the file's.
File Open(Memory* memory, std::size_t /*most_memory*/) {
  static std::once_flag once;
  std::call_once(once, [] {
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
  });
  return File(TIFFClientOpen(kName, kMode, memory, Read, Write, Seek, Close, Size, Map, Unmap));
}
#endif

std::uint32_t Field(TIFF* file, std::uint32_t tag) {
  std::uint16_t value = 0;
  return TIFFGetFieldDefaulted(file, tag, &value) == 1 ? value : 0;
}

std::int64_t WideField(TIFF* file, std::uint32_t tag) {
  std::uint32_t value = 0;
  return TIFFGetField(file, tag, &value) == 1 ? value : 0;
}

// Whether libtiff reads the directory as we did: some numbers it mends or takes from elsewhere.
bool Agrees(TIFF* file, const TiffLayout& layout) {
  const auto samples = static_cast<std::uint32_t>(layout.samples);
  const bool is_planar = Field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && samples > 1;
  if (WideField(file, TIFFTAG_IMAGELENGTH) != layout.height ||
      WideField(file, TIFFTAG_IMAGEWIDTH) != layout.width ||
      Field(file, TIFFTAG_BITSPERSAMPLE) != static_cast<std::uint32_t>(layout.bits) ||
      Field(file, TIFFTAG_SAMPLESPERPIXEL) != samples ||
      Field(file, TIFFTAG_COMPRESSION) != static_cast<std::uint32_t>(layout.compression) ||
      is_planar != layout.is_planar || (TIFFIsTiled(file) != 0) != layout.is_tiled) {
    return false;
  }
  const auto row_bytes = static_cast<tmsize_t>(layout.block_row_bytes());
  if (layout.is_tiled) {
    return WideField(file, TIFFTAG_TILELENGTH) == layout.block_height &&
           WideField(file, TIFFTAG_TILEWIDTH) == layout.block_width &&
           TIFFTileRowSize(file) == row_bytes;
  }
  return TIFFStripSize(file) == layout.block_height * row_bytes;
}

// Reads the blocks that a part touches, a row of blocks at a time.
class PartReader {
 public:
  PartReader(TIFF* file, Bytes encoded, const TiffLayout& layout, const Region& part,
             const TiffUnpacker& unpacker, RowSink* sink)
      : file_(file),
        encoded_(encoded),
        layout_(layout),
        part_(part),
        unpacker_(unpacker),
        sink_(sink),
        first_column_(part.x / layout.block_width),
        columns_((part.x + part.width - 1) / layout.block_width - first_column_ + 1),
        row_bytes_(layout.block_row_bytes()) {}

  Status Run() {
    for (std::int32_t top = part_.y / layout_.block_height * layout_.block_height; top < bottom();
         top += layout_.block_height) {
      const std::int32_t end = std::min(top + layout_.block_height, bottom());
      const Status status = IsPlaced(top) ? Place(top, end) : Convert(top, end);
      if (!status.ok()) return status;
      if (end == bottom()) break;  // the next top may be beyond the numbers
    }
    return Status::Ok();
  }

 private:
  std::int32_t bottom() const { return part_.y + part_.height; }

  // Whether a strip's pixels can be written where they belong as they are.
  bool IsPlaced(std::int32_t top) const {
    return unpacker_.is_copy() && !layout_.is_tiled && sink_->is_direct() &&
           part_.width == layout_.width && top >= part_.y &&
           static_cast<std::size_t>(sink_->Row(1) - sink_->Row(0)) == row_bytes_;
  }

  Status Place(std::int32_t top, std::int32_t end) {
    return ReadBlock(top, 0, 0, end - top, sink_->Row(top - part_.y));
  }

  std::size_t BlockBytes() const {
    return static_cast<std::size_t>(std::min(layout_.block_height, layout_.height)) * row_bytes_;
  }
  const std::byte* Block(std::int32_t column, std::int32_t plane) const {
    return blocks_.get() +
           static_cast<std::size_t>(column * unpacker_.planes() + plane) * BlockBytes();
  }

  bool Allocate() {
    if (blocks_ != nullptr) return true;
    const auto count =
        static_cast<std::size_t>(columns_) * static_cast<std::size_t>(unpacker_.planes());
    blocks_.reset(new (std::nothrow) std::byte[count * BlockBytes()]());
    band_.reset(new (std::nothrow)
                    std::byte[static_cast<std::size_t>(RowSink::kBandRows) * BandRowBytes()]);
    return blocks_ != nullptr && band_ != nullptr;
  }
  std::size_t BandRowBytes() const {
    return static_cast<std::size_t>(part_.width) * unpacker_.pixel_bytes();
  }

  // The rows of blocks from `top` to `end`, as far as the part reaches.
  Status Convert(std::int32_t top, std::int32_t end) {
    if (!Allocate()) return StatusCode::kTooLarge;
    for (std::int32_t column = 0; column < columns_; ++column) {
      for (std::int32_t plane = 0; plane < unpacker_.planes(); ++plane) {
        auto* block = const_cast<std::byte*>(Block(column, plane));
        const Status status = ReadBlock(top, first_column_ + column, plane, end - top, block);
        if (!status.ok()) return status;
      }
    }
    for (std::int32_t y = std::max(top, part_.y); y < end; y += RowSink::kBandRows) {
      const std::int32_t count = std::min(RowSink::kBandRows, end - y);
      if (unpacker_.is_copy() && columns_ == 1) {
        const std::size_t skipped =
            static_cast<std::size_t>(part_.x - first_column_ * layout_.block_width) *
            unpacker_.pixel_bytes();
        sink_->Write(y - part_.y, count, BlockRow(0, 0, y - top) + skipped, row_bytes_);
        continue;
      }
      for (std::int32_t i = 0; i < count; ++i) {
        Unpack(y + i - top, band_.get() + static_cast<std::size_t>(i) * BandRowBytes());
      }
      sink_->Write(y - part_.y, count, band_.get(), BandRowBytes());
    }
    return Status::Ok();
  }

  const std::byte* BlockRow(std::int32_t column, std::int32_t plane, std::int32_t y) const {
    return Block(column, plane) + static_cast<std::size_t>(y) * row_bytes_;
  }

  // One row of the part, the `y`-th of its blocks.
  void Unpack(std::int32_t y, std::byte* to) const {
    for (std::int32_t column = 0; column < columns_; ++column) {
      const std::int32_t left = (first_column_ + column) * layout_.block_width;
      const std::int32_t begin = std::max(left, part_.x);
      const std::int32_t end = static_cast<std::int32_t>(
          std::min(std::int64_t{left} + layout_.block_width, std::int64_t{part_.x} + part_.width));
      for (std::int32_t plane = 0; plane < unpacker_.planes(); ++plane) {
        unpacker_.Row(reinterpret_cast<const std::uint8_t*>(BlockRow(column, plane, y)),
                      begin - left, end - begin, plane,
                      to + static_cast<std::size_t>(begin - part_.x) * unpacker_.pixel_bytes());
      }
    }
    unpacker_.Finish(part_.width, to);
  }

  Status ReadBlock(std::int32_t top, std::int32_t column, std::int32_t plane, std::int32_t rows,
                   std::byte* to) {
    const auto y = static_cast<std::uint32_t>(top),
               x = static_cast<std::uint32_t>(column) *
                   static_cast<std::uint32_t>(layout_.block_width);
    const auto sample = static_cast<std::uint16_t>(plane);
    const auto bytes = static_cast<tmsize_t>(static_cast<std::size_t>(rows) * row_bytes_);
    const std::uint32_t block = layout_.is_tiled ? TIFFComputeTile(file_, x, y, 0, sample)
                                                 : TIFFComputeStrip(file_, y, sample);
    const tmsize_t count = layout_.is_tiled ? TIFFReadEncodedTile(file_, block, to, bytes)
                                            : TIFFReadEncodedStrip(file_, block, to, bytes);
    if (count >= bytes) return Status::Ok();
    const std::uint64_t offset = TIFFGetStrileOffset(file_, block);
    const std::uint64_t size = TIFFGetStrileByteCount(file_, block);
    const bool is_inside = offset <= encoded_.size() && size <= encoded_.size() - offset;
    return is_inside ? StatusCode::kCorrupt : StatusCode::kTruncated;
  }

  TIFF* file_;
  Bytes encoded_;
  const TiffLayout& layout_;
  const Region& part_;
  const TiffUnpacker& unpacker_;
  RowSink* sink_;
  std::int32_t first_column_, columns_;
  std::size_t row_bytes_;
  std::unique_ptr<std::byte[]> blocks_, band_;
};

}  // namespace

bool DecompressesTiff(std::int32_t compression) {
  constexpr std::int32_t kTaken[] = {
      COMPRESSION_NONE,     COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3,     COMPRESSION_CCITTFAX4,
      COMPRESSION_LZW,      COMPRESSION_JPEG,     COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
      COMPRESSION_PACKBITS, COMPRESSION_ZSTD};
  return std::find(std::begin(kTaken), std::end(kTaken), compression) != std::end(kTaken) &&
         TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) != 0;
}

Status DecodeTiff(Bytes encoded, const TiffLayout& layout, const Region& part, RowSink* sink) {
  // Enough for a picture in one strip, its packed data, and what codecs need besides.
  constexpr std::size_t kCodecs = 1 << 26;
  const std::size_t picture =
      static_cast<std::size_t>(layout.height) * static_cast<std::size_t>(layout.width) * 16;
  Memory memory{encoded};
  const File file = Open(&memory, picture + encoded.size() + kCodecs);
  if (file == nullptr) return StatusCode::kCorrupt;
  if (layout.colour == TiffColour::kYCbCr) {
    TIFFSetField(file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  if (!Agrees(file.get(), layout)) return StatusCode::kCorrupt;
  std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
  if (layout.colour == TiffColour::kPalette &&
      TIFFGetField(file.get(), TIFFTAG_COLORMAP, &red, &green, &blue) != 1) {
    return StatusCode::kCorrupt;
  }
  const TiffUnpacker unpacker(layout, sink->source().channels, {red, green, blue});
  return PartReader(file.get(), encoded, layout, part, unpacker, sink).Run();
}

}  // namespace dynjax
