#include "decoders/webp.h"

#include <webp/decode.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "decoders/webp_header.h"

namespace dynjax {
namespace {

// Memory for a picture, its rows one after another.
struct Rows {
  std::byte* data;
  std::size_t stride;
};

Status StatusOf(VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OK:
      return Status::Ok();
    case VP8_STATUS_OUT_OF_MEMORY:
      return StatusCode::kTooLarge;
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
      return StatusCode::kTruncated;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return StatusCode::kUnsupported;
    default:
      return StatusCode::kCorrupt;
  }
}

Region Intersection(const Region& a, const Region& b) {
  const std::int32_t y = std::max(a.y, b.y), x = std::max(a.x, b.x);
  return {y, x, std::min(a.y + a.height, b.y + b.height) - y,
          std::min(a.x + a.width, b.x + b.width) - x};
}

// The part with its neighbours: libwebp interpolates chroma, of half the resolution, within what it
// is asked for, so that pixels at the border would differ from the whole picture's.
Region WithNeighbours(const Region& part, const Region& whole) {
  constexpr std::int32_t kNeighbours = 2;
  const std::int32_t y = std::max(part.y / 2 * 2 - kNeighbours, 0);
  const std::int32_t x = std::max(part.x / 2 * 2 - kNeighbours, 0);
  return {y, x, std::min(part.y + part.height + kNeighbours, whole.height) - y,
          std::min(part.x + part.width + kNeighbours, whole.width) - x};
}

// Decodes a part of a frame of the size that the container gave.
Status DecodePart(Bytes data, const Region& frame, const Region& part, std::int32_t channels,
                  const Rows& to) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return StatusCode::kUnsupported;
  if (const auto s = StatusOf(WebPGetFeatures(data.data(), data.size(), &config.input)); !s.ok()) {
    return s;
  }
  if (config.input.has_animation != 0 || config.input.height != frame.height ||
      config.input.width != frame.width) {
    return StatusCode::kCorrupt;
  }
  if (part != frame) {
    config.options.use_cropping = 1;
    config.options.crop_top = part.y;
    config.options.crop_left = part.x;
    config.options.crop_height = part.height;
    config.options.crop_width = part.width;
  }
  config.output.colorspace = channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {.rgba = reinterpret_cast<std::uint8_t*>(to.data),
                          .stride = static_cast<int>(to.stride),
                          .size = static_cast<std::size_t>(part.height) * to.stride};
  const Status status = StatusOf(WebPDecode(data.data(), data.size(), &config));
  WebPFreeDecBuffer(&config.output);
  return status;
}

// Memory of its own for a picture, zero at first.
struct Pixels {
  std::unique_ptr<std::byte[]> memory;
  Rows rows;
};

// False when there is no memory.
bool Allocate(std::int32_t height, std::size_t stride, Pixels* pixels) {
  const std::size_t size = static_cast<std::size_t>(height) * stride;
  pixels->memory.reset(new (std::nothrow) std::byte[size]());
  pixels->rows = {pixels->memory.get(), stride};
  return pixels->memory != nullptr;
}

Status DecodeWithNeighbours(const WebpFrame& frame, const Region& part, std::int32_t channels,
                            Pixels* pixels) {
  const Region whole = WholeOf(frame.place.height, frame.place.width);
  const Region wider = WithNeighbours(part, whole);
  const auto pixel = static_cast<std::size_t>(channels);
  const std::size_t stride = static_cast<std::size_t>(wider.width) * pixel;
  if (!Allocate(wider.height, stride, pixels)) return StatusCode::kTooLarge;
  const Status status = DecodePart(frame.data, whole, wider, channels, pixels->rows);
  pixels->rows.data += static_cast<std::size_t>(part.y - wider.y) * stride +
                       static_cast<std::size_t>(part.x - wider.x) * pixel;
  return status;
}

void Deliver(const Rows& rows, std::int32_t height, RowSink* sink) {
  for (std::int32_t y = 0; y < height; y += RowSink::kBandRows) {
    sink->Write(y, std::min(RowSink::kBandRows, height - y),
                rows.data + static_cast<std::size_t>(y) * rows.stride, rows.stride);
  }
}

}  // namespace

Status DecodeWebp(Bytes encoded, const Region& part, RowSink* sink) {
  ImageInfo info;
  WebpFrame frame;
  if (const auto s = ReadWebpHeader(encoded, &info, &frame); !s.ok()) return s;
  const std::int32_t channels = sink->source().channels;
  if (sink->is_direct() && part == frame.place) {
    const Region whole = WholeOf(part.height, part.width);
    const auto stride = static_cast<std::size_t>(sink->Row(1) - sink->Row(0));
    return DecodePart(frame.data, whole, whole, channels, {sink->Row(0), stride});
  }
  const Region& place = frame.place;
  const Region covered = Intersection(part, place);
  Pixels pixels;
  if (covered.height > 0 && covered.width > 0) {
    const Region wanted{covered.y - place.y, covered.x - place.x, covered.height, covered.width};
    const Status status = DecodeWithNeighbours(frame, wanted, channels, &pixels);
    if (!status.ok()) return status;
  }
  if (covered == part) {
    Deliver(pixels.rows, part.height, sink);
    return Status::Ok();
  }

  Pixels canvas;
  const auto pixel = static_cast<std::size_t>(channels);
  const std::size_t stride = static_cast<std::size_t>(part.width) * pixel;
  if (!Allocate(part.height, stride, &canvas)) return StatusCode::kTooLarge;
  std::byte* to = canvas.rows.data + static_cast<std::size_t>(covered.y - part.y) * stride +
                  static_cast<std::size_t>(covered.x - part.x) * pixel;
  for (std::int32_t y = 0; covered.width > 0 && y < covered.height; ++y) {
    std::memcpy(to + static_cast<std::size_t>(y) * stride,
                pixels.rows.data + static_cast<std::size_t>(y) * pixels.rows.stride,
                static_cast<std::size_t>(covered.width) * pixel);
  }
  Deliver(canvas.rows, part.height, sink);
  return Status::Ok();
}

}  // namespace dynjax
