#include "audio/flac_predictor.h"

#include <array>
#include <cstddef>
#include <utility>

namespace dynjax {
namespace {

using Predict = void (*)(const std::int32_t*, int, std::span<std::int32_t>);

template <std::size_t kOrder>
void PredictBy(const std::int32_t* coefficients, int shift, std::span<std::int32_t> samples) {
  std::array<std::int64_t, kOrder> weights;
  for (std::size_t k = 0; k < kOrder; ++k) weights[k] = coefficients[k];
  std::int32_t* x = samples.data();
  for (std::size_t i = kOrder; i < samples.size(); ++i) {
    // The nearest sample comes last: it is what the others need not wait for.
    std::int64_t sum = 0;
    for (std::size_t k = kOrder; k-- > 0;) sum += weights[k] * x[i - 1 - k];
    const auto foretold = static_cast<std::uint32_t>(sum >> shift);
    x[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(x[i]) + foretold);
  }
}

template <std::size_t... kOrders>
constexpr std::array<Predict, sizeof...(kOrders)> All(std::index_sequence<kOrders...>) {
  return {PredictBy<kOrders + 1>...};
}

constexpr auto kPredict = All(std::make_index_sequence<kMostFlacCoefficients>());

// Sums of sums: each round adds up one order of differences. What wraps is out of range.
template <std::size_t kOrder>
void IntegrateBy(std::span<std::int32_t> samples) {
  std::array<std::uint32_t, kOrder> last{};  // difference of each order, from 0
  for (std::size_t k = 0; k < kOrder; ++k) {
    auto next = static_cast<std::uint32_t>(samples[k]);
    for (std::size_t j = 0; j <= k; ++j) next -= std::exchange(last[j], next);
  }
  for (std::int32_t& sample : samples.subspan(kOrder)) {
    auto sum = static_cast<std::uint32_t>(sample);
    for (std::size_t j = kOrder; j-- > 0;) sum = last[j] += sum;
    sample = static_cast<std::int32_t>(sum);
  }
}

constexpr std::array<void (*)(std::span<std::int32_t>), 4> kIntegrate{
    IntegrateBy<1>, IntegrateBy<2>, IntegrateBy<3>, IntegrateBy<4>};

}  // namespace

void PredictFlac(std::span<const std::int32_t> coefficients, int shift,
                 std::span<std::int32_t> samples) {
  kPredict[coefficients.size() - 1](coefficients.data(), shift, samples);
}

void IntegrateFlac(int order, std::span<std::int32_t> samples) {
  if (order > 0) kIntegrate[static_cast<std::size_t>(order) - 1](samples);
}

}  // namespace dynjax
