// Spectra of real signals of any length: the plan.
//
// Signals of even length 2 m are transformed as m complex numbers. Lengths with prime factors other
// than 2, 3 and 5 are Bluestein's: a convolution with a chirp, by transforms of a power of two.
// Long transforms are those of a matrix: its columns, then its rows, eight of them at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "audio/fft_plan.h"

namespace dynjax {

// A complex transform of rows * columns elements, both multiples of 8.
struct LongView {
  FftView rows, columns;  // of lengths `rows` and `columns`: along a column, and along a row
  // exp(-2 pi i r c / size) for the frequency r of a column c, `[rows, columns]`.
  const float *twiddle_re = nullptr, *twiddle_im = nullptr;
};

struct SpectrumView {
  std::int64_t length = 0;     // of the signals
  std::int64_t complex = 0;    // numbers that they are packed into: half of them if even
  std::int64_t transform = 0;  // numbers that are transformed: as many, or more with a chirp
  bool is_long = false;
  FftView fft;        // unless long
  LongView long_fft;  // if long
  // exp(-pi i n^2 / complex), real and imaginary parts, or null.
  const float *chirp_re = nullptr, *chirp_im = nullptr;
  // The transform of its conjugate, divided by `transform`.
  const float *response_re = nullptr, *response_im = nullptr;
  // exp(-2 pi i k / length) up to complex / 2, if the length is even; interleaved.
  const float* unpacking = nullptr;

  std::int64_t bins() const { return length / 2 + 1; }
};

class SpectrumPlan;

// From a small cache; a length that was not met lately takes about as long as one transform. Null
// if there is no memory for it.
std::shared_ptr<const SpectrumPlan> SpectrumPlanFor(std::int64_t length);

class LongPlan {
 public:
  // Whether the size is one of a matrix as above.
  static bool Serves(std::int64_t size);
  explicit LongPlan(std::int64_t size);
  LongView view() const {
    return {rows_->view(), columns_->view(), twiddle_re_.data(), twiddle_im_.data()};
  }

 private:
  std::unique_ptr<FftPlan> rows_, columns_;
  std::vector<float> twiddle_re_, twiddle_im_;
};

class SpectrumPlan {
 public:
  explicit SpectrumPlan(std::int64_t length);
  const SpectrumView& view() const { return view_; }

 private:
  void MakeChirp(std::int64_t wanted);

  SpectrumView view_;
  std::unique_ptr<FftPlan> fft_;
  std::shared_ptr<const LongPlan> long_fft_;
  std::unique_ptr<float[]> chirp_, response_;
  std::vector<float> unpacking_;
};

}  // namespace dynjax
