#include "decoders/jpeg_baseline.h"

#include "base/simd.h"
#include "decoders/jpeg_baseline_avx2.h"
#include "decoders/jpeg_baseline_header.h"
#include "decoders/jpeg_baseline_plan.h"

namespace dynjax {

bool DecodeBaselineJpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                        std::int32_t scale, RowSink* sink) {
#if defined(__x86_64__)
  if (BestTarget() != Target::kAvx2) return false;
  BaselineHeader header;
  BaselinePlan plan;
  return ReadBaselineHeader(encoded, &header) && header.height == info.height &&
         header.width == info.width && header.count == info.channels &&
         MakeBaselinePlan(header, type == OutputType::kGray, part, scale, &plan) &&
         DecodeBaselineAvx2(encoded, header, plan, type == OutputType::kBgr, sink);
#else
  static_cast<void>(encoded), static_cast<void>(info), static_cast<void>(type),
      static_cast<void>(part);
  static_cast<void>(scale), static_cast<void>(sink);
  return false;
#endif
}

}  // namespace dynjax
