#include "movement/move_samples.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/pool.h"
#include "movement/parts.h"
#include "movement/strided_copy.h"

namespace dynjax {
namespace {

static_assert(kMaxRank == kMaxViewRank);

ArrayView ViewOf(const Sample& sample, Element type) {
  return {sample.data, type, sample.extent, sample.strides};
}

// Part of a target: its view, and the extents that the view refers to.
struct Piece {
  Piece(const Sample& sample, Element type, std::size_t axis, std::int64_t begin, std::int64_t end)
      : view(ViewOf(sample, type)) {
    if (sample.extent.empty()) return;
    std::copy(sample.extent.begin(), sample.extent.end(), extent.begin());
    extent[axis] = static_cast<std::int32_t>(end - begin);
    view.extent = {extent.data(), sample.extent.size()};
    view.data += begin * sample.strides[axis] * static_cast<std::int64_t>(Bytes(type));
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  // Drops an axis at whose start the piece stands.
  void Drop(std::size_t axis) {
    const std::size_t rank = view.extent.size();
    std::copy(view.strides.begin(), view.strides.begin() + rank, strides.begin());
    std::copy(extent.begin() + axis + 1, extent.begin() + rank, extent.begin() + axis);
    std::copy(strides.begin() + axis + 1, strides.begin() + rank, strides.begin() + axis);
    view.extent = {extent.data(), rank - 1};
    view.strides = strides;
  }

  std::array<std::int32_t, kMaxRank> extent;
  std::array<std::int64_t, kMaxRank> strides;
  ArrayView view;
};

std::int64_t Cost(Typed source, Typed target) {
  return static_cast<std::int64_t>(Bytes(source.type) + Bytes(target.type)) / 2 +
         (source.type != target.type ? 1 : 0);
}

}  // namespace

const char* CopyWindows(Typed source, Typed target, const Windows& windows) {
  const Samples &from = source.samples, &to = target.samples;
  const WindowReader reader(windows, to.size());
  if (from.size() != to.size() || windows.perm.size() != to.rank()) {
    return "want axes of the input, each at most once, and as many in perm as the result has";
  }
  if (const char* fault = reader.Fault(from.rank()); fault != nullptr) return fault;
  ForEachPart(to, Cost(source, target), [&](const Part& part) {
    Window window = reader.Of(part.sample);
    auto& fill = window.fill;
    if (to.rank() > 0) {
      const auto axis = static_cast<std::size_t>(windows.perm[part.axis]);
      window.anchor[axis] += window.step[axis] * part.begin;
      if (fill.size() > 1 && reader.fill_axis() == static_cast<int>(part.axis)) {
        const auto begin = std::min(static_cast<std::size_t>(part.begin), fill.size() - 1);
        fill =
            fill.subspan(begin, std::min(static_cast<std::size_t>(part.end), fill.size()) - begin);
      }
    }
    const Piece piece(to[part.sample], target.type, part.axis, part.begin, part.end);
    StridedCopy(ViewOf(from[part.sample], source.type), piece.view,
                {windows.perm, window.anchor, window.step, fill, reader.fill_axis()});
    if (part.begin == 0) to.ZeroPadding(part.sample);
  });
  return nullptr;
}

const char* ConvertSamples(Typed source, Typed target) {
  const CopyWindow whole = WholeWindow(target.samples.rank());
  return CopyWindows(source, target, {.axes = {}, .perm = whole.perm, .table = {}, .fill = {}});
}

const char* TakeFrames(Typed source, Typed target, std::span<const std::int32_t> order) {
  const Samples &from = source.samples, &to = target.samples;
  const auto count = static_cast<std::size_t>(to.size());
  const std::size_t columns = count > 0 ? order.size() / count : 0;
  const std::size_t rank = from.rank();
  const bool single = to.rank() + 1 == rank;
  if (from.size() != to.size() || source.type != target.type || order.size() != count * columns ||
      (!single && to.rank() != rank) || rank == 0 || (single && count > 0 && columns == 0)) {
    return "want frame numbers s32[n, k] of sequences";
  }
  for (std::int64_t i = 0; i < to.size(); ++i) {
    if (!single && to[i].extent[0] > static_cast<std::int32_t>(columns)) {
      return "want a frame number for each frame of the result";
    }
  }
  ForEachPart(to, Cost(source, target), [&](const Part& part) {
    const auto numbers = order.subspan(static_cast<std::size_t>(part.sample) * columns, columns);
    const ArrayView view = ViewOf(from[part.sample], source.type);
    std::array<std::int64_t, kMaxRank> anchor{};
    if (single) {
      CopyWindow window = WholeWindow(rank);
      window.perm = window.perm.subspan(1);
      anchor[0] = numbers[0];
      if (to.rank() > 0) anchor[part.axis + 1] = part.begin;
      window.anchor = anchor;
      const Piece piece(to[part.sample], target.type, part.axis, part.begin, part.end);
      StridedCopy(view, piece.view, window);
    } else {
      CopyWindow window = WholeWindow(rank);
      window.anchor = anchor;
      const bool divided = part.axis == 0;
      const std::int64_t first = divided ? part.begin : 0;
      const std::int64_t last = divided ? part.end : to[part.sample].extent[0];
      Sample frame = to[part.sample];
      const auto bytes = static_cast<std::int64_t>(Bytes(target.type));
      for (std::int64_t f = first; f < last; ++f) {
        frame.data = to[part.sample].data + f * frame.strides[0] * bytes;
        Piece piece(frame, target.type, part.axis, divided ? 0 : part.begin,
                    divided ? 1 : part.end);
        piece.extent[0] = 1;
        anchor[part.axis] = divided ? 0 : part.begin;
        anchor[0] = numbers[static_cast<std::size_t>(f)];
        StridedCopy(view, piece.view, window);
      }
    }
    if (part.begin == 0) to.ZeroPadding(part.sample);
  });
  return nullptr;
}

const char* JoinSamples(std::span<const Samples> sources, Typed target, int axis, bool stacked) {
  const Samples& to = target.samples;
  const std::size_t inner = to.rank() - (stacked ? 1 : 0);
  const auto where = static_cast<std::size_t>(axis);
  if (axis < 0 || where >= to.rank() || sources.empty()) return "want an axis of the result";
  if (to.size() == 0) return nullptr;
  const bool listed = sources.size() == 1;
  const std::int64_t inputs =
      listed ? sources[0].size() / to.size() : static_cast<std::int64_t>(sources.size());
  for (const Samples& from : sources) {
    if (from.size() != to.size() * (listed ? inputs : 1) || from.rank() != inner) {
      return "want inputs of one rank";
    }
  }
  const auto source_of = [&](std::int64_t i, std::int64_t k) -> const Sample& {
    return listed ? sources[0][i * inputs + k] : sources[static_cast<std::size_t>(k)][i];
  };
  // Where each input begins, sample by sample: [N, inputs].
  std::vector<std::int64_t> begins(static_cast<std::size_t>(to.size() * inputs));
  std::int64_t elements = 0;
  for (std::int64_t i = 0; i < to.size(); ++i) {
    std::int64_t begin = 0;
    for (std::int64_t k = 0; k < inputs; ++k) {
      begins[static_cast<std::size_t>(i * inputs + k)] = begin;
      const Sample& from = source_of(i, k);
      begin += stacked ? 1 : from.extent[where];
      for (std::size_t a = 0; a < inner; ++a) {
        const std::size_t there = stacked && a >= where ? a + 1 : a;
        if ((stacked || a != where) && from.extent[a] != to[i].extent[there]) {
          return "want inputs of one extent along the other axes";
        }
      }
    }
    if (begin != to[i].extent[where]) return "want a result that holds all inputs";
    elements += to[i].volume();
  }
  const auto join = [&](std::int64_t task) {
    const std::int64_t i = task / inputs;
    const Sample& from = source_of(i, task % inputs);
    const std::int64_t begin = begins[static_cast<std::size_t>(task)];
    Piece piece(to[i], target.type, where, begin, begin + (stacked ? 1 : from.extent[where]));
    if (stacked) piece.Drop(where);
    StridedCopy(ViewOf(from, target.type), piece.view, WholeWindow(inner));
    if (task % inputs == 0) to.ZeroPadding(i);
  };
  const std::int64_t tasks = to.size() * inputs;
  if (RunsSerially(tasks, elements * static_cast<std::int64_t>(Bytes(target.type)))) {
    for (std::int64_t t = 0; t < tasks; ++t) join(t);
  } else {
    ParallelFor(tasks, join);
  }
  return nullptr;
}

}  // namespace dynjax
