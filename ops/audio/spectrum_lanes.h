// The kernels of spectrum.h, compiled once per target. See lanes.h about linkage.
#pragma once

#include "audio/fft_lanes.h"
#include "audio/spectrum.h"

namespace dynjax {
namespace {

inline void Magnitude(const Lanes& re, const Lanes& im, bool root, float* out) {
  Lanes square = re * re + im * im;
  if (root) SquareRoot(square);
  Store(square, out);
}

// Eight signals side by side: element n of the result is element n of each, times the window.
inline void Gather(const float* const* signals, const SignalPart& part, Lanes* out) {
  std::int64_t n = 0;
  for (; n + kLanes <= part.length; n += kLanes) {
    Lanes x[kLanes];
    for (int k = 0; k < kLanes; ++k) Load(signals[k] + n, x[k]);
    Transpose(x);
    for (int k = 0; k < kLanes; ++k) {
      out[n + k] = part.window == nullptr ? x[k] : x[k] * part.window[n + k];
    }
  }
  for (; n < part.length; ++n) {
    const float weight = part.window == nullptr ? 1 : part.window[n];
    for (int k = 0; k < kLanes; ++k) out[n][k] = signals[k][n] * weight;
  }
}

inline void Multiply(const float* re, const float* im, std::int64_t n, Complex* x) {
  for (std::int64_t k = 0; k < n; ++k) {
    const Lanes held = x[k].re;
    x[k].re = held * re[k] - x[k].im * im[k];
    x[k].im = held * im[k] + x[k].im * re[k];
  }
}

inline void SwapParts(std::int64_t n, Complex* x) {
  for (std::int64_t k = 0; k < n; ++k) std::swap(x[k].re, x[k].im);
}

// The first `bins` frequencies of real signals from the transform `z` of their packed form.
inline void StoreSpectrum(const SpectrumView& plan, const Complex* z, bool root, float* out) {
  const std::int64_t size = plan.complex;
  if (plan.unpacking == nullptr) {
    for (std::int64_t k = 0; k < plan.bins(); ++k) {
      Magnitude(z[k].re, z[k].im, root, out + kLanes * k);
    }
    return;
  }
  const Lanes none = {};
  Magnitude(z[0].re + z[0].im, none, root, out);
  Magnitude(z[0].re - z[0].im, none, root, out + kLanes * size);
  const float* w = plan.unpacking + 2;
  for (std::int64_t k = 1; 2 * k <= size; ++k, w += 2) {
    // The transforms of the even elements and, turned, of the odd ones.
    const Complex &a = z[k], &b = z[size - k];
    const Complex even = {(a.re + b.re) * 0.5f, (a.im - b.im) * 0.5f};
    const Complex odd = {(a.im + b.im) * 0.5f, (b.re - a.re) * 0.5f};
    Complex turned;
    StoreProduct(odd.re, odd.im, w, turned);
    Magnitude(even.re + turned.re, even.im + turned.im, root, out + kLanes * k);
    Magnitude(even.re - turned.re, even.im - turned.im, root, out + kLanes * (size - k));
  }
}

inline void EightSpectra(const SpectrumView& plan, const float* const* signals,
                         const SignalPart& part, bool root, float* work, float* out) {
  const std::int64_t size = plan.transform;
  auto* a = reinterpret_cast<Complex*>(work);
  Complex* b = a + size + 1;  // packing an odd number of elements may write one part more
  const Lanes none = {};
  if (plan.unpacking != nullptr) {
    auto* parts = reinterpret_cast<Lanes*>(a);
    Gather(signals, part, parts);
    for (std::int64_t n = part.length; n < 2 * size; ++n) parts[n] = none;
  } else {
    auto* real = reinterpret_cast<Lanes*>(b);
    Gather(signals, part, real);
    for (std::int64_t n = 0; n < part.length; ++n) a[n] = {real[n], none};
    for (std::int64_t n = part.length; n < size; ++n) a[n] = {none, none};
  }
  if (plan.chirp_re == nullptr) {
    StoreSpectrum(plan, Transform(plan.fft, a, b), root, out);
    return;
  }
  Multiply(plan.chirp_re, plan.chirp_im, plan.complex, a);
  Complex* z = Transform(plan.fft, a, b);
  Multiply(plan.response_re, plan.response_im, size, z);
  // The inverse transform is the transform with both parts exchanged.
  SwapParts(size, z);
  z = Transform(plan.fft, z, z == a ? b : a);
  SwapParts(plan.complex, z);
  if (plan.unpacking != nullptr) Multiply(plan.chirp_re, plan.chirp_im, plan.complex, z);
  StoreSpectrum(plan, z, root, out);
}

// Real and imaginary parts of many numbers, apart.
struct Parts {
  float *re, *im;
};

// A transform as that of a matrix [rows, columns]. `lanes`: twice the longer side.
inline void TransformLong(const LongView& plan, const Parts& from, const Parts& middle,
                          const Parts& to, Complex* lanes) {
  const std::int64_t rows = plan.rows.size, columns = plan.columns.size;
  Complex* other = lanes + (rows > columns ? rows : columns);
  for (std::int64_t c = 0; c < columns; c += kLanes) {
    for (std::int64_t r = 0; r < rows; ++r) {
      Load(from.re + r * columns + c, lanes[r].re);
      Load(from.im + r * columns + c, lanes[r].im);
    }
    const Complex* z = Transform(plan.rows, lanes, other);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t at = r * columns + c;
      Lanes w_re, w_im;
      Load(plan.twiddle_re + at, w_re);
      Load(plan.twiddle_im + at, w_im);
      Store(z[r].re * w_re - z[r].im * w_im, middle.re + at);
      Store(z[r].re * w_im + z[r].im * w_re, middle.im + at);
    }
  }
  for (std::int64_t r = 0; r < rows; r += kLanes) {
    for (std::int64_t c = 0; c < columns; c += kLanes) {
      Lanes re[kLanes], im[kLanes];
      for (int k = 0; k < kLanes; ++k) {
        Load(middle.re + (r + k) * columns + c, re[k]);
        Load(middle.im + (r + k) * columns + c, im[k]);
      }
      Transpose(re);
      Transpose(im);
      for (int k = 0; k < kLanes; ++k) lanes[c + k] = {re[k], im[k]};
    }
    const Complex* z = Transform(plan.columns, lanes, other);
    for (std::int64_t c = 0; c < columns; ++c) {
      Store(z[c].re, to.re + c * rows + r);
      Store(z[c].im, to.im + c * rows + r);
    }
  }
}

inline void Multiply(const float* re, const float* im, std::int64_t n, const Parts& x) {
  for (std::int64_t k = 0; k < n; ++k) {
    const float held = x.re[k];
    x.re[k] = held * re[k] - x.im[k] * im[k];
    x.im[k] = held * im[k] + x.im[k] * re[k];
  }
}

// The packed form: pairs of elements, or single ones, as complex numbers.
inline void Pack(const SpectrumView& plan, const float* signal, const SignalPart& part,
                 const Parts& to) {
  const auto value = [&](std::int64_t n) {
    return part.window == nullptr ? signal[n] : signal[n] * part.window[n];
  };
  std::int64_t k = 0;
  if (plan.unpacking != nullptr) {
    if (part.window == nullptr) {
      for (; 2 * k + 1 < part.length; ++k) {
        to.re[k] = signal[2 * k];
        to.im[k] = signal[2 * k + 1];
      }
    }
    for (; 2 * k < part.length; ++k) {
      to.re[k] = value(2 * k);
      to.im[k] = 2 * k + 1 < part.length ? value(2 * k + 1) : 0;
    }
  } else {
    for (; k < part.length; ++k) {
      to.re[k] = value(k);
      to.im[k] = 0;
    }
  }
  const auto rest = static_cast<std::size_t>(plan.transform - k) * sizeof(float);
  std::memset(to.re + k, 0, rest);
  std::memset(to.im + k, 0, rest);
}

inline void StoreSpectrum(const SpectrumView& plan, const Parts& z, bool root, float* out) {
  const std::int64_t size = plan.complex;
  const auto store = [&](std::int64_t k, float re, float im) { out[k] = re * re + im * im; };
  if (plan.unpacking == nullptr) {
    for (std::int64_t k = 0; k < plan.bins(); ++k) store(k, z.re[k], z.im[k]);
  } else {
    store(0, z.re[0] + z.im[0], 0);
    store(size, z.re[0] - z.im[0], 0);
    const float* w = plan.unpacking;
    for (std::int64_t k = 1; 2 * k <= size; ++k) {
      const std::int64_t m = size - k;
      const float even_re = (z.re[k] + z.re[m]) * 0.5f, even_im = (z.im[k] - z.im[m]) * 0.5f;
      const float odd_re = (z.im[k] + z.im[m]) * 0.5f, odd_im = (z.re[m] - z.re[k]) * 0.5f;
      const float re = odd_re * w[2 * k] - odd_im * w[2 * k + 1];
      const float im = odd_re * w[2 * k + 1] + odd_im * w[2 * k];
      store(k, even_re + re, even_im + im);
      store(m, even_re - re, even_im - im);
    }
  }
  if (root) {
    for (std::int64_t k = 0; k < plan.bins(); ++k) out[k] = std::sqrt(out[k]);
  }
}

// Four buffers of plan.transform floats, and lanes behind them.
struct LongBuffers {
  LongBuffers(const SpectrumView& plan, float* work)
      : from{work, work + plan.transform},
        middle{work + 2 * plan.transform, work + 3 * plan.transform},
        to{work + 4 * plan.transform, work + 5 * plan.transform},
        lanes(reinterpret_cast<Complex*>(work + 6 * plan.transform)) {}
  Parts from, middle, to;
  Complex* lanes;
};

inline void OneSpectrum(const SpectrumView& plan, const float* signal, const SignalPart& part,
                        bool root, float* work, float* out) {
  const LongBuffers own(plan, work);
  Pack(plan, signal, part, own.from);
  if (plan.chirp_re == nullptr) {
    TransformLong(plan.long_fft, own.from, own.middle, own.to, own.lanes);
    StoreSpectrum(plan, own.to, root, out);
    return;
  }
  Multiply(plan.chirp_re, plan.chirp_im, plan.complex, own.from);
  TransformLong(plan.long_fft, own.from, own.middle, own.to, own.lanes);
  Multiply(plan.response_re, plan.response_im, plan.transform, own.to);
  // The inverse transform is the transform with both parts exchanged.
  const Parts result{own.from.im, own.from.re};
  TransformLong(plan.long_fft, {own.to.im, own.to.re}, own.middle, own.from, own.lanes);
  // The squares of odd ones are the same without.
  if (plan.unpacking != nullptr) Multiply(plan.chirp_re, plan.chirp_im, plan.complex, result);
  StoreSpectrum(plan, result, root, out);
}

inline void RawTransform(const SpectrumView& plan, float* from, float* work, float* to) {
  const std::int64_t size = plan.transform;
  if (plan.is_long) {
    const LongBuffers own(plan, work);
    TransformLong(plan.long_fft, {from, from + size}, own.middle, {to, to + size}, own.lanes);
    return;
  }
  auto* a = reinterpret_cast<Complex*>(work);
  const Lanes none = {};
  for (std::int64_t k = 0; k < size; ++k) a[k] = {none + from[k], none + from[size + k]};
  const Complex* z = Transform(plan.fft, a, a + size + 1);
  for (std::int64_t k = 0; k < size; ++k) {
    to[k] = z[k].re[0];
    to[size + k] = z[k].im[0];
  }
}

inline void SpreadColumns(const float* columns, std::int64_t bins, std::int64_t count, float* out,
                          std::int64_t bin_stride, std::int64_t column_stride) {
  std::int64_t bin = 0;
  if (count == kLanes && column_stride == 1) {
    for (; bin < bins; ++bin) std::memcpy(out + bin * bin_stride, columns + bin * kLanes, 32);
  } else if (bin_stride == 1) {
    for (; bin + kLanes <= bins; bin += kLanes) {
      Lanes x[kLanes];
      for (int k = 0; k < kLanes; ++k) Load(columns + (bin + k) * kLanes, x[k]);
      Transpose(x);
      for (std::int64_t k = 0; k < count; ++k) Store(x[k], out + bin + k * column_stride);
    }
  }
  for (; bin < bins; ++bin) {
    for (std::int64_t k = 0; k < count; ++k) {
      out[bin * bin_stride + k * column_stride] = columns[bin * kLanes + k];
    }
  }
}

constexpr SpectrumKernels kOwnSpectrumKernels = {EightSpectra, OneSpectrum, RawTransform,
                                                 SpreadColumns};

}  // namespace
}  // namespace dynjax
