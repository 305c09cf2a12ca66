// Fourier transforms of eight complex signals side by side. See lanes.h about linkage.
//
// Stockham's form: each pass reads one buffer and writes the other, and the result is in order.
#pragma once

#include <utility>

#include "audio/fft_plan.h"
#include "audio/lanes.h"

namespace dynjax {
namespace {

struct Complex {
  Lanes re, im;
};

inline void StoreProduct(const Lanes& re, const Lanes& im, const float* w, Complex& out) {
  out.re = re * w[0] - im * w[1];
  out.im = re * w[1] + im * w[0];
}

// The butterfly of `kRadix` elements in place.
template <int kRadix>
inline void Butterfly(Complex (&x)[kRadix]) {
  if constexpr (kRadix == 2) {
    const Complex a = x[0], b = x[1];
    x[0] = {a.re + b.re, a.im + b.im};
    x[1] = {a.re - b.re, a.im - b.im};
  } else if constexpr (kRadix == 3) {
    constexpr float kSine = 0.86602540378443864676f;
    const Complex sum = {x[1].re + x[2].re, x[1].im + x[2].im};
    const Complex turned = {(x[1].im - x[2].im) * kSine, (x[2].re - x[1].re) * kSine};
    const Complex middle = {x[0].re - sum.re * 0.5f, x[0].im - sum.im * 0.5f};
    x[0] = {x[0].re + sum.re, x[0].im + sum.im};
    x[1] = {middle.re + turned.re, middle.im + turned.im};
    x[2] = {middle.re - turned.re, middle.im - turned.im};
  } else if constexpr (kRadix == 4) {
    const Complex a = {x[0].re + x[2].re, x[0].im + x[2].im};
    const Complex b = {x[0].re - x[2].re, x[0].im - x[2].im};
    const Complex c = {x[1].re + x[3].re, x[1].im + x[3].im};
    const Complex d = {x[1].im - x[3].im, x[3].re - x[1].re};  // times -i
    x[0] = {a.re + c.re, a.im + c.im};
    x[1] = {b.re + d.re, b.im + d.im};
    x[2] = {a.re - c.re, a.im - c.im};
    x[3] = {b.re - d.re, b.im - d.im};
  } else {
    static_assert(kRadix == 5);
    constexpr float kCos1 = 0.30901699437494742410f, kCos2 = -0.80901699437494742410f;
    constexpr float kSin1 = 0.95105651629515357212f, kSin2 = 0.58778525229247312917f;
    const Complex a = {x[1].re + x[4].re, x[1].im + x[4].im};
    const Complex b = {x[2].re + x[3].re, x[2].im + x[3].im};
    const Complex c = {x[1].im - x[4].im, x[4].re - x[1].re};  // differences, times -i
    const Complex d = {x[2].im - x[3].im, x[3].re - x[2].re};
    const Complex e = {x[0].re + a.re * kCos1 + b.re * kCos2,
                       x[0].im + a.im * kCos1 + b.im * kCos2};
    const Complex f = {x[0].re + a.re * kCos2 + b.re * kCos1,
                       x[0].im + a.im * kCos2 + b.im * kCos1};
    const Complex g = {c.re * kSin1 + d.re * kSin2, c.im * kSin1 + d.im * kSin2};
    const Complex h = {c.re * kSin2 - d.re * kSin1, c.im * kSin2 - d.im * kSin1};
    x[0] = {x[0].re + a.re + b.re, x[0].im + a.im + b.im};
    x[1] = {e.re + g.re, e.im + g.im};
    x[2] = {f.re + h.re, f.im + h.im};
    x[3] = {f.re - h.re, f.im - h.im};
    x[4] = {e.re - g.re, e.im - g.im};
  }
}

template <int kRadix, bool kTurned>
inline void Pass(const FftStage& stage, const Complex* in, Complex* out) {
  const std::int64_t stride = stage.stride, groups = stage.groups;
  const float* w = stage.twiddles;
  for (std::int64_t p = 0; p < groups; ++p, w += 2 * (kRadix - 1)) {
    const Complex* from = in + stride * p;
    Complex* to = out + stride * kRadix * p;
    for (std::int64_t q = 0; q < stride; ++q) {
      Complex x[kRadix];
      for (int j = 0; j < kRadix; ++j) x[j] = from[q + stride * groups * j];
      Butterfly<kRadix>(x);
      to[q] = x[0];
      for (int k = 1; k < kRadix; ++k) {
        if constexpr (kTurned) {
          StoreProduct(x[k].re, x[k].im, w + 2 * (k - 1), to[q + stride * k]);
        } else {
          to[q + stride * k] = x[k];
        }
      }
    }
  }
}

template <int kRadix>
inline void Pass(const FftStage& stage, const Complex* in, Complex* out) {
  // The factors of the last pass are all 1.
  stage.groups > 1 ? Pass<kRadix, true>(stage, in, out) : Pass<kRadix, false>(stage, in, out);
}

// Transforms the `plan.size` numbers in `a`; `b` is as large. Returns the one that has the result.
inline Complex* Transform(const FftView& plan, Complex* a, Complex* b) {
  for (std::int32_t s = 0; s < plan.count; ++s) {
    const FftStage& stage = plan.stages[s];
    switch (stage.radix) {
      case 2:
        Pass<2>(stage, a, b);
        break;
      case 3:
        Pass<3>(stage, a, b);
        break;
      case 4:
        Pass<4>(stage, a, b);
        break;
      default:
        Pass<5>(stage, a, b);
        break;
    }
    std::swap(a, b);
  }
  return a;
}

}  // namespace
}  // namespace dynjax
