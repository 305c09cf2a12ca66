#include "base/samples.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/pool.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

std::int64_t Volume(std::span<const std::int64_t> dims) {
  std::int64_t n = 1;
  for (const auto d : dims) n *= d;
  return n;
}

// Row-major strides of an array of the given size.
template <typename Dims>
std::array<std::int64_t, kMaxRank> RowMajor(const Dims& dims) {
  std::array<std::int64_t, kMaxRank> strides{};
  std::int64_t step = 1;
  for (std::size_t a = dims.size(); a-- > 0;) {
    strides[a] = step;
    step *= dims[a];
  }
  return strides;
}

std::optional<std::span<const std::int32_t>> Row(const ffi::Buffer<ffi::S32>& extent,
                                                 std::int64_t i, std::size_t rank) {
  const std::span<const std::int32_t> row{extent.typed_data() + i * static_cast<std::int64_t>(rank),
                                          rank};
  for (const auto e : row) {
    if (e < 0) return std::nullopt;
  }
  return row;
}

struct Table {
  std::int64_t count;
  std::size_t rank;
};

std::optional<Table> TableOf(const ffi::Buffer<ffi::S32>& extent) {
  const auto dims = extent.dimensions();
  if (dims.size() < 2 || dims.back() < 0 || dims.back() > static_cast<std::int64_t>(kMaxRank)) {
    return std::nullopt;
  }
  return Table{Volume({dims.begin(), dims.size() - 1}), static_cast<std::size_t>(dims.back())};
}

// Writes zeros to all elements of the slot at `axis` and below that lie outside `extent`.
void ZeroOutside(std::byte* data, std::span<const std::int64_t> slot,
                 std::span<const std::int32_t> extent, std::size_t axis, std::size_t item_bytes) {
  std::size_t step = item_bytes;
  for (std::size_t a = axis + 1; a < slot.size(); ++a) step *= static_cast<std::size_t>(slot[a]);
  const auto inside = static_cast<std::size_t>(extent[axis]);
  const auto whole = static_cast<std::size_t>(slot[axis]);
  if (axis + 1 < slot.size()) {
    for (std::size_t k = 0; k < inside; ++k) {
      ZeroOutside(data + k * step, slot, extent, axis + 1, item_bytes);
    }
  }
  std::memset(data + inside * step, 0, (whole - inside) * step);
}

}  // namespace

std::optional<Samples> Samples::Of(const ffi::AnyBuffer& buffer,
                                   const ffi::Buffer<ffi::S32>& extent) {
  const auto table = TableOf(extent);
  if (!table) return std::nullopt;
  Samples out;
  out.rank_ = table->rank;
  out.item_bytes_ = ffi::ByteWidth(buffer.element_type());
  const auto dims = buffer.dimensions();
  // A batch of scalars [N] is as good in slots as packed; rank 0 has no room for a flat buffer.
  out.slotted_ = dims.size() > 1 || table->rank == 0;
  auto* base = static_cast<std::byte*>(buffer.untyped_data());
  if (out.slotted_) {
    const std::size_t lead = dims.size() - table->rank;
    if (dims.size() < table->rank || Volume({dims.begin(), lead}) != table->count) {
      return std::nullopt;
    }
    out.slot_.assign(dims.begin() + lead, dims.end());
  }
  const auto slot_strides = RowMajor(out.slot_);
  const std::int64_t slot_volume = Volume(out.slot_);
  const auto capacity = static_cast<std::int64_t>(buffer.element_count());
  out.samples_.reserve(static_cast<std::size_t>(table->count));
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < table->count; ++i) {
    const auto row = Row(extent, i, table->rank);
    if (!row) return std::nullopt;
    Sample sample{.data = nullptr, .extent = *row, .strides = slot_strides};
    if (out.slotted_) {
      for (std::size_t a = 0; a < table->rank; ++a) {
        if ((*row)[a] > out.slot_[a]) return std::nullopt;
      }
      sample.data = base + static_cast<std::size_t>(i * slot_volume) * out.item_bytes_;
    } else {
      sample.strides = RowMajor(*row);
      sample.data = base + static_cast<std::size_t>(offset) * out.item_bytes_;
      offset += sample.volume();
      if (offset > capacity) return std::nullopt;
    }
    out.samples_.push_back(sample);
  }
  return out;
}

std::optional<Samples> Samples::At(const ffi::AnyBuffer& addresses,
                                   const ffi::Buffer<ffi::S32>& extent) {
  const auto table = TableOf(extent);
  if (!table || addresses.element_type() != ffi::S32 ||
      static_cast<std::int64_t>(addresses.element_count()) != 2 * table->count) {
    return std::nullopt;
  }
  Samples out;
  out.rank_ = table->rank;
  out.samples_.reserve(static_cast<std::size_t>(table->count));
  const auto* halves = static_cast<const std::byte*>(addresses.untyped_data());
  for (std::int64_t i = 0; i < table->count; ++i) {
    const auto row = Row(extent, i, table->rank);
    if (!row) return std::nullopt;
    std::uint64_t address = 0;
    std::memcpy(&address, halves + 8 * i, sizeof(address));
    out.samples_.push_back(
        {.data = reinterpret_cast<std::byte*>(address), .extent = *row, .strides = RowMajor(*row)});
  }
  return out;
}

void Samples::ZeroPadding(std::int64_t i) const {
  if (!slotted_ || rank_ == 0) return;
  const Sample& sample = (*this)[i];
  if (std::equal(slot_.begin(), slot_.end(), sample.extent.begin())) return;
  ZeroOutside(sample.data, slot_, sample.extent, 0, item_bytes_);
}

void ForEachSample(const Samples& samples, std::int64_t weight,
                   const std::function<void(std::int64_t)>& body) {
  const std::int64_t count = samples.size();
  std::int64_t elements = 0;
  for (std::int64_t i = 0; i < count; ++i) elements += samples[i].volume();
  if (RunsSerially(count, weight * elements)) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> order;  // minus the volume, sample
  order.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) order.emplace_back(-samples[i].volume(), i);
  std::sort(order.begin(), order.end());
  ParallelFor(count, [&](std::int64_t k) { body(order[static_cast<std::size_t>(k)].second); });
}

}  // namespace dynjax
