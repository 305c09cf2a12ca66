#include "decoders/jpeg_fast.h"

#include "base/simd.h"
#include "decoders/jpeg_baseline_avx2.h"
#include "decoders/jpeg_plan.h"
#include "decoders/jpeg_progressive_avx2.h"
#include "decoders/jpeg_stream.h"

namespace dynjax {

bool DecodeFastJpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                    std::int32_t scale, RowSink* sink) {
#if defined(__x86_64__)
  if (BestTarget() != Target::kAvx2) return false;
  JpegStream stream;
  const JpegFrame& frame = stream.frame;
  if (!ReadJpegStream(encoded, &stream) || frame.height != info.height ||
      frame.width != info.width || frame.count != info.channels) {
    return false;
  }
  JpegPlan plan;
  if (!MakeJpegPlan(frame, type == OutputType::kGray, part, scale, &plan)) return false;
  const auto decode = frame.is_progressive ? DecodeProgressiveAvx2 : DecodeBaselineAvx2;
  return decode(stream, plan, type == OutputType::kBgr, sink);
#else
  static_cast<void>(encoded), static_cast<void>(info), static_cast<void>(type),
      static_cast<void>(part);
  static_cast<void>(scale), static_cast<void>(sink);
  return false;
#endif
}

}  // namespace dynjax
