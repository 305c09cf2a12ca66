// Fuzz target of the FLAC decoder: nothing outside the file and the samples is touched, and what is
// decoded once is decoded the same in every form. Check sums are made good first, so that what lies
// behind them is reached.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "audio/flac.h"
#include "audio/flac_crc.h"
#include "base/fuzz_input.h"

namespace dynjax {
namespace {

using FileBytes = std::vector<std::uint8_t>;

// Corrects the check sums of the header at `at` and, where they are to be, of the frame's end.
void Mend(FileBytes* file, std::size_t start, std::size_t header, std::size_t end) {
  if (header + start < file->size()) {
    (*file)[start + header] = FlacCrc8(std::span(*file).subspan(start, header));
  }
  if (end > start + 2 && end <= file->size()) {
    const std::uint16_t sum = FlacCrc16(std::span(*file).subspan(start, end - 2 - start));
    (*file)[end - 2] = static_cast<std::uint8_t>(sum >> 8);
    (*file)[end - 1] = static_cast<std::uint8_t>(sum);
  }
}

void Run(const FileBytes& file) {
  const auto stream = ReadFlacStream(file);
  if (!stream) return;
  Promise(stream->channels >= 1 && stream->channels <= 8 && stream->bits <= 24);
  const auto numbers = static_cast<std::size_t>(stream->frames * stream->channels);
  Promise(numbers <= 1024 * file.size());
  if (numbers > 1u << 22) return;
  std::vector<float> floats(numbers);
  std::vector<std::int16_t> shorts(numbers);
  std::vector<std::int32_t> longs(numbers);
  const bool ok = DecodeFlac(file, *stream, SoundNumber::kFloat32, floats.data());
  Promise(ok == DecodeFlac(file, *stream, SoundNumber::kInt16, shorts.data()));
  Promise(ok == DecodeFlac(file, *stream, SoundNumber::kInt32, longs.data()));
  if (!ok) return;
  for (std::size_t k = 0; k < numbers; ++k) {
    Promise(floats[k] >= -1 && floats[k] < 1 && shorts[k] == longs[k] >> 16);
    Promise(std::ldexp(floats[k], 31) == static_cast<float>(longs[k]));
  }
}

}  // namespace
}  // namespace dynjax

// The first byte is the length of the first frame's header; the two behind it the frame's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  dynjax::FileBytes file(data + 3, data + size);
  dynjax::Run(file);
  if (const auto stream = dynjax::ReadFlacStream(file)) {
    const std::size_t length = data[1] << 8 | data[2];
    dynjax::Mend(&file, stream->start, data[0] % 20, stream->start + length);
    dynjax::Run(file);
  }
  return 0;
}
