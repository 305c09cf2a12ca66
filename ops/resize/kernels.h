// The filter kernels k(t), walked along an axis in equal steps.
#pragma once

#include <cmath>
#include <numbers>

namespace dynjax {

// Each walker yields k(t0), k(t0 + dt), k(t0 + 2 dt), ... Support: k(t) = 0 for |t| >= kSupport.

template <typename Kernel>
class Walk {
 public:
  static constexpr double kSupport = Kernel::kSupport;
  Walk(double t0, double dt) : t0_(t0), dt_(dt) {}
  double Next() {
    const double t = std::abs(t0_ + step_++ * dt_);
    return t < kSupport ? Kernel::At(t) : 0.0;
  }

 private:
  double t0_, dt_;
  double step_ = 0;
};

struct Triangle {
  static constexpr double kSupport = 1;
  static double At(double t) { return 1 - t; }
};

// Keys' cubic with a = -0.5.
struct Cubic {
  static constexpr double kSupport = 2;
  static double At(double t) {
    return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : ((-0.5 * t + 2.5) * t - 4) * t + 2;
  }
};

// A tap exactly on the rim does not count (the original takes one of the two, by rounding noise):
// so an axis whose size does not change is left as it is.
struct Gaussian {
  static constexpr double kSupport = 1;
  static constexpr double kRim = 1 - 1e-9;
  static double At(double t) { return t < kRim ? std::exp(-4 * t * t) : 0.0; }
};

// sinc(t) sinc(t / 3). Both sines are advanced by rotation: two sine calls per output pixel in
// place of two per tap.
class LanczosWalk {
 public:
  static constexpr double kSupport = 3;

  LanczosWalk(double t0, double dt)
      : t0_(t0),
        dt_(dt),
        whole_(std::numbers::pi * t0, std::numbers::pi * dt),
        third_(std::numbers::pi * t0 / 3, std::numbers::pi * dt / 3) {}

  double Next() {
    const double t = t0_ + step_++ * dt_;
    const double sines = whole_.Next() * third_.Next();
    if (std::abs(t) >= kSupport) return 0;
    const double square = std::numbers::pi * std::numbers::pi * t * t;
    // Near zero the quotient loses its digits; the series' next term is below 1e-15 there.
    if (std::abs(t) < 1e-4) return 1 - square * (1.0 + 1.0 / 9) / 6;
    return 3 * sines / square;
  }

 private:
  class Sine {
   public:
    Sine(double angle, double step)
        : sin_(std::sin(angle)),
          cos_(std::cos(angle)),
          dsin_(std::sin(step)),
          dcos_(std::cos(step)) {}
    double Next() {
      const double now = sin_;
      sin_ = now * dcos_ + cos_ * dsin_;
      cos_ = cos_ * dcos_ - now * dsin_;
      return now;
    }

   private:
    double sin_, cos_, dsin_, dcos_;
  };

  double t0_, dt_;
  double step_ = 0;
  Sine whole_, third_;
};

}  // namespace dynjax
