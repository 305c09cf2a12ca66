// Decoding the samples of a batch: files, or pixels that another library decoded.
#pragma once

#include "base/stage.h"
#include "decoders/pixels.h"

namespace dynjax {

struct DecodeParameters {
  PixelType target = PixelType::kU8;
  std::int32_t output_type = 0;
  bool adjust_orientation = true;
  // Eighths of their size to which JPEG pictures are decoded.
  std::int32_t scale = 8;
  // [N, 5]: the source's kind, and of raw pixels height, width, channels and orientation; with
  // [N, 7] also the first row and column of the part that is wanted.
  std::span<const std::int32_t> table;
};

class DecodeStage final : public Stage {
 public:
  DecodeStage(const DecodeParameters& parameters, std::int64_t count);

  // What is wrong with the parameters; null: nothing.
  const char* Fault() const;

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  // `from` holds bytes, `to` height x width x channels.
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  DecodeParameters p_;
  std::size_t count_, columns_ = 0;
};

}  // namespace dynjax
