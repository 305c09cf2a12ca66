#include "audio/spectrum_plan.h"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <mutex>
#include <new>
#include <utility>

#include "audio/spectrum.h"
#include "audio/work.h"

namespace dynjax {
namespace {

constexpr std::int64_t kSide = 8;          // the sides of a matrix are multiples of this
constexpr std::int64_t kLanesUpTo = 4096;  // transforms whose eight fit the cache
constexpr std::size_t kKept = 32;

// The least of 2^k, 5/4 2^k and 3/2 2^k that is as large: few sizes, whose plans serve many
// lengths.
std::int64_t RoundSize(std::int64_t size) {
  std::int64_t power = 1;
  while (power < size) power *= 2;
  for (const std::int64_t eighths : {5, 6}) {
    if (power >= 1024 && power / 8 * eighths >= size) return power / 8 * eighths;
  }
  return power;
}

// Floats that a plan takes, and takes to be made, for each number that it transforms: at most.
constexpr std::int64_t kFloatsEach = 16;

// Whether so many floats can be had. They are given back: what a plan is made of throws if there is
// no memory, and nobody would catch that.
bool HasRoom(std::int64_t floats) {
  void* memory = ::operator new(static_cast<std::size_t>(floats) * sizeof(float), std::nothrow);
  ::operator delete(memory);
  return memory != nullptr;
}

// Steps from one exact value of a chirp to the next; between them the error stays below 1e-12.
constexpr std::int64_t kExact = 64;

Root Product(const Root& a, const Root& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// exp(-pi i k^2 / n) for k below `count`.
void FillChirp(std::int64_t n, std::int64_t count, float* re, float* im) {
  const std::int64_t period = 2 * n;
  const Root turn = RootOfUnity(2, period);
  for (std::int64_t start = 0; start < count; start += kExact) {
    Root value = RootOfUnity(start * start % period, period);
    Root step = RootOfUnity((2 * start + 1) % period, period);
    for (std::int64_t k = start; k < std::min(start + kExact, count); ++k) {
      re[k] = static_cast<float>(value.re);
      im[k] = static_cast<float>(value.im);
      value = Product(value, step);
      step = Product(step, turn);
    }
  }
}

// The number of rows: the divisor nearest to the square root that leaves both sides multiples of
// kSide, or 0.
std::int64_t RowsOf(std::int64_t size) {
  if (size % (kSide * kSide) != 0) return 0;
  const std::int64_t units = size / (kSide * kSide);
  std::int64_t best = 1;
  for (std::int64_t d = 1; d * d <= units; ++d) {
    if (units % d == 0) best = d;
  }
  return best * kSide;
}

// The plans used last, by key; made outside the lock would be made twice by threads that meet.
template <typename Plan>
class Recent {
 public:
  std::shared_ptr<const Plan> Get(std::int64_t key) {
    {
      const std::lock_guard lock(mutex_);
      for (auto it = plans_.begin(); it != plans_.end(); ++it) {
        if (it->first != key) continue;
        plans_.splice(plans_.begin(), plans_, it);
        return plans_.front().second;
      }
    }
    // Unlocked, so that threads with signals of several lengths do not wait for each other.
    auto plan = std::make_shared<const Plan>(key);
    const std::lock_guard lock(mutex_);
    plans_.emplace_front(key, plan);
    if (plans_.size() > kKept) plans_.pop_back();
    return plan;
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<std::int64_t, std::shared_ptr<const Plan>>> plans_;
};

// Never destroyed: workers of the pool may outlive static objects.
template <typename Plan>
Recent<Plan>& Cache() {
  static auto* cache = new Recent<Plan>;
  return *cache;
}

}  // namespace

std::shared_ptr<const SpectrumPlan> SpectrumPlanFor(std::int64_t length) {
  // No transform has more numbers than this.
  const std::int64_t most = 2 * length;
  if (most > kLanesUpTo && !HasRoom(kFloatsEach * most)) return nullptr;
  return Cache<SpectrumPlan>().Get(length);
}

bool LongPlan::Serves(std::int64_t size) { return FftPlan::Serves(size) && RowsOf(size) > 0; }

LongPlan::LongPlan(std::int64_t size) {
  const std::int64_t rows = RowsOf(size), columns = size / rows;
  rows_ = std::make_unique<FftPlan>(rows);
  columns_ = std::make_unique<FftPlan>(columns);
  twiddle_re_.reserve(static_cast<std::size_t>(size));
  twiddle_im_.reserve(static_cast<std::size_t>(size));
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const Root root = RootOfUnity(r * c, size);
      twiddle_re_.push_back(static_cast<float>(root.re));
      twiddle_im_.push_back(static_cast<float>(root.im));
    }
  }
}

SpectrumPlan::SpectrumPlan(std::int64_t length) {
  const bool even = length % 2 == 0;
  view_.length = length;
  view_.complex = even ? length / 2 : length;
  const bool plain = FftPlan::Serves(view_.complex) &&
                     (view_.complex <= kLanesUpTo || LongPlan::Serves(view_.complex));
  // Of an odd number of real elements only half of the frequencies are wanted.
  const std::int64_t wanted = even ? view_.complex : view_.bins();
  view_.transform = plain ? view_.complex : RoundSize(view_.complex + wanted - 1);
  view_.is_long = view_.transform > kLanesUpTo;
  if (view_.is_long) {
    long_fft_ = Cache<LongPlan>().Get(view_.transform);
    view_.long_fft = long_fft_->view();
  } else {
    fft_ = std::make_unique<FftPlan>(view_.transform);
    view_.fft = fft_->view();
  }
  if (even) {
    for (std::int64_t k = 0; 2 * k <= view_.complex; ++k) {
      const Root root = RootOfUnity(k, length);
      unpacking_.push_back(static_cast<float>(root.re));
      unpacking_.push_back(static_cast<float>(root.im));
    }
    view_.unpacking = unpacking_.data();
  }
  if (!plain) MakeChirp(wanted);
}

void SpectrumPlan::MakeChirp(std::int64_t wanted) {
  const std::int64_t n = view_.complex, size = view_.transform;
  const auto room = [](std::int64_t count) {
    return std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(count));
  };
  chirp_ = room(2 * n);
  response_ = room(2 * size);
  view_.chirp_re = chirp_.get();
  view_.chirp_im = chirp_.get() + n;
  view_.response_re = response_.get();
  view_.response_im = response_.get() + size;
  FillChirp(n, n, chirp_.get(), chirp_.get() + n);

  const Work work((view_.is_long ? LongWork(view_) : LaneWork(view_)) + 2 * size);
  if (work.data() == nullptr) std::abort();
  float *re = work.data(), *im = re + size;
  std::fill(re, re + 2 * size, 0.0f);
  const float scale = 1 / static_cast<float>(size);
  for (std::int64_t k = 0; k < wanted; ++k) {
    re[k] = view_.chirp_re[k] * scale;
    im[k] = -view_.chirp_im[k] * scale;
  }
  for (std::int64_t k = 1; k < n; ++k) {
    re[size - k] = view_.chirp_re[k] * scale;
    im[size - k] = -view_.chirp_im[k] * scale;
  }
  SpectrumKernelsFor(BestTarget()).raw(view_, re, work.data() + 2 * size, response_.get());
}

}  // namespace dynjax
