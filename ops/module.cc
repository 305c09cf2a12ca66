// The extension module: the only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/empty_ffi.h"
#include "base/pool.h"
#include "decoders/decode_ffi.h"
#include "decoders/image_info.h"
#include "io/io_pool.h"
#include "io/read_files.h"
#include "normalise/crop_mirror_normalize_ffi.h"
#include "resize/resample_ffi.h"

namespace nb = nanobind;
using namespace dynjax;

namespace {

template <typename T, std::size_t Rank>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<Rank>, nb::c_contig>;
template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns `values`.
template <typename T, std::size_t Rank>
Array<T, Rank> Owned(std::vector<T> values, std::array<std::size_t, Rank> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T, Rank>(kept->data(), Rank, shape.data(), owner);
}

// Each handler's capsule under the name of its kernel.
nb::dict Registrations() {
  nb::dict targets;
  const auto add = [&targets](const char* name, XLA_FFI_Handler* handler) {
    targets[name] = nb::capsule(reinterpret_cast<void*>(handler));
  };
  add("empty", EmptyHandler);
  add("decode", DecodeHandler);
  add("resample", ResampleHandler);
  add("crop_mirror_normalize", CropMirrorNormalizeHandler);
  return targets;
}

// Rows of {status, detail, format, native, height, width, channels, bit depth, orientation}.
constexpr std::size_t kPeekColumns = 9;

Array<std::int32_t, 2> PeekImages(Column<std::int64_t> addresses, Column<std::int64_t> lengths) {
  const std::size_t count = addresses.shape(0);
  std::vector<std::int32_t> rows;
  rows.reserve(count * kPeekColumns);
  for (std::size_t i = 0; i < count && i < lengths.shape(0); ++i) {
    ImageInfo info;
    const auto* data = reinterpret_cast<const std::uint8_t*>(addresses(i));
    const Status status = PeekImage({data, static_cast<std::size_t>(lengths(i))}, &info);
    rows.insert(rows.end(),
                {static_cast<std::int32_t>(status.code()), status.detail(),
                 static_cast<std::int32_t>(info.format), info.native ? 1 : 0, info.height,
                 info.width, info.channels, info.bit_depth, info.orientation});
  }
  return Owned<std::int32_t, 2>(std::move(rows), {count, kPeekColumns});
}

// A read in progress; see io/read_files.h.
class PyReadTicket {
 public:
  explicit PyReadTicket(const nb::list& paths) : ticket_(Strings(paths)) {}

  // Waits without the GIL, in slices, so that Ctrl-C is heard.
  nb::tuple Wait() {
    while (true) {
      bool done = false;
      {
        nb::gil_scoped_release release;
        done = ticket_.WaitFor(std::chrono::milliseconds(100));
      }
      if (done) break;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    auto* kept = new std::shared_ptr<const ReadResult>(ticket_.result());
    nb::capsule owner(
        kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<const ReadResult>*>(p); });
    const ReadResult& result = **kept;
    const std::size_t size[] = {static_cast<std::size_t>(result.size)};
    std::vector<std::int32_t> status;
    for (const Status& s : result.status) {
      status.push_back(static_cast<std::int32_t>(s.code()));
      status.push_back(s.detail());
    }
    const std::size_t count = result.status.size();
    return nb::make_tuple(Array<std::uint8_t, 1>(result.data.get(), 1, size, owner),
                          Owned<std::int64_t, 1>(result.lengths, {count}),
                          Owned<std::int32_t, 2>(std::move(status), {count, 2}));
  }

 private:
  static std::vector<std::string> Strings(const nb::list& paths) {
    std::vector<std::string> out;
    out.reserve(nb::len(paths));
    for (nb::handle path : paths) {
      const auto bytes = nb::cast<nb::bytes>(path);
      out.emplace_back(bytes.c_str(), bytes.size());
    }
    return out;
  }

  ReadTicket ticket_;
};

void ShutDown() {
  nb::gil_scoped_release release;
  ShutDownIo();
  ShutDownPool();
}

}  // namespace

NB_MODULE(_dynjax_ops, m) {
  // A reader that outlives the interpreter in somebody's cache is no leak of ours to report.
  nb::set_leak_warnings(false);
  m.doc() = "Native kernels of dynjax. Private.";
  m.def("registrations", Registrations);
  m.def("peek_images", PeekImages);
  m.def("set_num_threads", SetNumThreads);
  m.def("set_thread_local_num_threads", SetThreadLocalNumThreads);
  m.def("shut_down", ShutDown);
  nb::class_<PyReadTicket>(m, "ReadTicket")
      .def(nb::init<nb::list>())
      .def("wait", &PyReadTicket::Wait);
}
