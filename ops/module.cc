// The extension module: the only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "audio/audio_resample_ffi.h"
#include "audio/flac_stream.h"
#include "audio/loud_regions.h"
#include "audio/mel_ffi.h"
#include "audio/mfcc_ffi.h"
#include "audio/power_spectrum_ffi.h"
#include "audio/preemphasis_ffi.h"
#include "audio/sounds.h"
#include "audio/spectrogram_ffi.h"
#include "audio/to_decibels_ffi.h"
#include "base/blocks.h"
#include "base/direct_call.h"
#include "base/empty_ffi.h"
#include "base/philox.h"
#include "base/pool.h"
#include "base/threefry.h"
#include "colour/clahe_ffi.h"
#include "colour/color_matrix_ffi.h"
#include "colour/debayer_ffi.h"
#include "colour/equalize_ffi.h"
#include "colour/intensity_ffi.h"
#include "colour/jpeg_distortion_ffi.h"
#include "colour/lookup_table_ffi.h"
#include "decoders/codecs.h"
#include "decoders/decode_ffi.h"
#include "decoders/decode_slots_ffi.h"
#include "decoders/image_info.h"
#include "decoders/picture_sizes_ffi.h"
#include "filters/correlate_ffi.h"
#include "filters/extremes_ffi.h"
#include "filters/median_ffi.h"
#include "filters/separable_ffi.h"
#include "io/io_pool.h"
#include "io/read_files.h"
#include "io/tar_index.h"
#include "io/tfrecord.h"
#include "masks/erase_ffi.h"
#include "masks/grid_mask_ffi.h"
#include "movement/move_samples_ffi.h"
#include "normalise/crop_mirror_normalize_ffi.h"
#include "normalise/standardize_ffi.h"
#include "pictures/picture_chain_ffi.h"
#include "random/draws_ffi.h"
#include "random/noise_ffi.h"
#include "random/threefry_ffi.h"
#include "resize/resample_ffi.h"
#include "warp/fields_ffi.h"
#include "warp/warp_ffi.h"

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

void Require(bool promise, const char* text) {
  if (!promise) throw nb::value_error(text);
}

// Each handler's capsule under the name of its kernel.
nb::dict Registrations() {
  nb::dict targets;
  const auto add = [&targets](const char* name, XLA_FFI_Handler* handler) {
    targets[name] = nb::capsule(reinterpret_cast<void*>(handler));
  };
  add("empty", EmptyHandler);
  add("decode", DecodeHandler);
  add("decode_slots", DecodeSlotsHandler);
  add("picture_sizes", PictureSizesHandler);
  add("picture_chain", PictureChainHandler);
  add("resample", ResampleHandler);
  add("crop_mirror_normalize", CropMirrorNormalizeHandler);
  add("remap", RemapHandler);
  add("sphere", SphereHandler);
  add("warp", WarpHandler);
  add("water", WaterHandler);
  add("audio_resample", AudioResampleHandler);
  add("mel_filter_bank", MelFilterBankHandler);
  add("mfcc", MfccHandler);
  add("power_spectrum", PowerSpectrumHandler);
  add("preemphasis_filter", PreemphasisFilterHandler);
  add("spectrogram", SpectrogramHandler);
  add("to_decibels", ToDecibelsHandler);
  add("strided_copy", StridedCopyHandler);
  add("cast", CastHandler);
  add("frames", FramesHandler);
  add("joining", JoiningHandler);
  add("intensity", IntensityHandler);
  add("color_matrix", ColorMatrixHandler);
  add("equalize", EqualizeHandler);
  add("clahe", ClaheHandler);
  add("debayer", DebayerHandler);
  add("jpeg_distortion", JpegDistortionHandler);
  add("separable", SeparableHandler);
  add("correlate", CorrelateHandler);
  add("correlate_filled", CorrelateFilledHandler);
  add("extremes", ExtremesHandler);
  add("median", MedianHandler);
  add("erase", EraseHandler);
  add("grid_mask", GridMaskHandler);
  add("uniform", UniformHandler);
  add("normal", NormalHandler);
  add("beta", BetaHandler);
  add("coin_flip", CoinFlipHandler);
  add("threefry", ThreefryHandler);
  add("gaussian_noise", GaussianNoiseHandler);
  add("shot_noise", ShotNoiseHandler);
  add("salt_and_pepper", SaltAndPepperHandler);
  add("lookup_table", LookupTableHandler);
  add("normalize", NormalizeHandler);
  return targets;
}

// Keys of samples, u32[count, 2]. `words` is one key of a call, into which the number of each
// sample is folded, or a key for each sample, into which 0 is.
Array<std::uint32_t, 2> FoldInNumbers(Column<std::uint32_t> words, std::size_t count) {
  const bool one = words.shape(0) == 2;
  std::vector<std::uint32_t> keys(2 * count);
  if (!one && words.shape(0) != keys.size()) throw nb::value_error("want one key, or one a sample");
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = one ? 0 : 2 * i;
    const Words key = FoldIn({words(at), words(at + 1)}, one ? static_cast<std::uint32_t>(i) : 0);
    keys[2 * i] = key.first;
    keys[2 * i + 1] = key.second;
  }
  return Owned<std::uint32_t, 2>(std::move(keys), {count, 2});
}

nb::tuple PhiloxBlock(std::uint64_t key, std::uint64_t sequence, std::uint64_t block) {
  const auto words = Philox4x32(key, sequence, block);
  return nb::make_tuple(words[0], words[1], words[2], words[3]);
}

nb::list ListNativeFormats() {
  nb::list names;
  for (const char* name : NativeFormats()) names.append(name);
  return names;
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

// Begin and length of the part of each signal that is not silent; see audio/loud_regions.h.
Array<std::int32_t, 2> FindLoudRegions(Column<std::int64_t> addresses, Column<std::int64_t> lengths,
                                       std::int64_t window, float reference, float ratio) {
  const std::size_t count = addresses.shape(0);
  if (lengths.shape(0) != count || window < 1) throw nb::value_error("want a length each");
  std::vector<std::int32_t> rows(2 * count);
  {
    nb::gil_scoped_release release;
    const auto find = [&](std::int64_t k) {
      const auto i = static_cast<std::size_t>(k);
      const LoudRegion region = FindLoudRegion(reinterpret_cast<const float*>(addresses(i)),
                                               lengths(i), window, reference, ratio);
      rows[2 * i] = static_cast<std::int32_t>(region.begin);
      rows[2 * i + 1] = static_cast<std::int32_t>(region.length);
    };
    ParallelFor(static_cast<std::int64_t>(count), find);
  }
  return Owned<std::int32_t, 2>(std::move(rows), {count, 2});
}

// Channels, rate and samples of each channel of a FLAC file; see audio/flac_stream.h. None: it is
// none of those that are decoded here.
nb::object PeekFlac(Column<std::uint8_t> file) {
  const auto stream = ReadFlacStream({file.data(), file.shape(0)});
  if (!stream) return nb::none();
  return nb::make_tuple(stream->channels, stream->rate, stream->frames);
}

// See audio/sounds.h. Rows of {width, address and length of the data, number, address and room of
// the samples}; a byte for each says whether it was read.
Array<std::uint8_t, 1> ReadSoundsAt(
    nb::ndarray<const std::int64_t, nb::shape<-1, 6>, nb::c_contig, nb::device::cpu> rows) {
  const std::size_t count = rows.shape(0);
  std::vector<EncodedSound> sounds(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t* row = rows.data() + 6 * i;
    Require(row[0] >= 0 && row[0] <= 4, "want numbers of 1 to 4 bytes, or FLAC");
    Require(row[3] >= 0 && row[3] <= 2, "want floats or integers");
    sounds[i] = {
        .width = static_cast<int>(row[0]),
        .data = {reinterpret_cast<const std::uint8_t*>(row[1]), static_cast<std::size_t>(row[2])},
        .number = static_cast<SoundNumber>(row[3]),
        .out = reinterpret_cast<void*>(row[4]),
        .numbers = row[5]};
  }
  std::vector<std::uint8_t> done(count);
  {
    nb::gil_scoped_release release;
    ReadSounds(sounds, done);
  }
  return Owned<std::uint8_t, 1>(std::move(done), {count});
}

// A read in progress; see io/read_files.h.
class PyReadTicket {
 public:
  explicit PyReadTicket(const nb::list& paths) : ticket_(Parts(paths)) {}
  PyReadTicket(const nb::list& paths, Column<std::int64_t> offsets, Column<std::int64_t> lengths)
      : ticket_(Parts(paths, &offsets, &lengths)) {}

  // Waits without the GIL, in slices, so that Ctrl-C is heard.
  nb::tuple Wait() {
    // What was read ahead is there, and the GIL is not given away for it.
    bool done = ticket_.WaitFor(std::chrono::milliseconds(0));
    while (!done) {
      {
        nb::gil_scoped_release release;
        done = ticket_.WaitFor(std::chrono::milliseconds(100));
      }
      if (!done && PyErr_CheckSignals() != 0) throw nb::python_error();
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
  static std::vector<FilePart> Parts(const nb::list& paths,
                                     const Column<std::int64_t>* offsets = nullptr,
                                     const Column<std::int64_t>* lengths = nullptr) {
    std::vector<FilePart> out;
    out.reserve(nb::len(paths));
    for (nb::handle path : paths) {
      const auto bytes = nb::cast<nb::bytes>(path);
      out.emplace_back(std::string(bytes.c_str(), bytes.size()));
      if (const std::size_t i = out.size() - 1;
          offsets != nullptr && i < offsets->shape(0) && i < lengths->shape(0)) {
        out[i].offset = (*offsets)(i);
        out[i].length = (*lengths)(i);
      }
    }
    return out;
  }

  ReadTicket ticket_;
};

// Whether pieces lie inside `size` bytes.
bool Inside(std::span<const std::int64_t> offsets, std::span<const std::int64_t> lengths,
            std::size_t size) {
  const auto limit = static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > limit || lengths[i] > limit - offsets[i]) {
      return false;
    }
  }
  return offsets.size() == lengths.size();
}

template <typename T>
std::span<T> SpanOf(const nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& column) {
  return {column.data(), column.shape(0)};
}

// The bytes of a vector or string, which is kept.
template <typename Values>
Array<std::uint8_t, 1> BytesOf(Values values) {
  auto* kept = new Values(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  const std::size_t size[] = {kept->size() * sizeof(*kept->data())};
  return Array<std::uint8_t, 1>(reinterpret_cast<std::uint8_t*>(kept->data()), 1, size, owner);
}

// The members of a tar archive as bytes, their names, and what is wrong: fault, place, detail.
nb::tuple ScanTarFile(const nb::bytes& path) {
  const std::string file(path.c_str(), path.size());
  TarMembers found;
  {
    nb::gil_scoped_release release;
    found = ScanTar(file);
  }
  return nb::make_tuple(BytesOf(std::move(found.entries)), BytesOf(std::move(found.names)),
                        static_cast<int>(found.fault), found.at, found.detail);
}

// Members that were found otherwise, in the form of `ScanTarFile`.
nb::tuple PackMembers(const nb::list& names, Column<std::int64_t> offsets,
                      Column<std::int64_t> sizes) {
  TarMembers packed;
  Require(nb::len(names) == offsets.shape(0) && nb::len(names) == sizes.shape(0), "want columns");
  for (std::size_t i = 0; i < offsets.shape(0); ++i) {
    const auto name = nb::cast<nb::bytes>(names[i]);
    packed.Add(std::string_view(name.c_str(), name.size()), offsets(i), sizes(i));
  }
  return nb::make_tuple(BytesOf(std::move(packed.entries)), BytesOf(std::move(packed.names)));
}

// Offsets and sizes i64[N, outputs], the names of the samples and where they end, and the offset of
// the member that each is named after.
nb::tuple SelectTarMembers(Column<std::uint8_t> entries, Column<std::uint8_t> names,
                           const nb::list& outputs, bool fold) {
  std::vector<std::vector<std::string>> wanted;
  for (nb::handle output : outputs) {
    wanted.emplace_back();
    for (nb::handle extension : output) {
      const auto text = nb::cast<nb::bytes>(extension);
      wanted.back().emplace_back(text.c_str(), text.size());
    }
  }
  Require(entries.shape(0) % sizeof(TarEntry) == 0, "want whole entries");
  Require(reinterpret_cast<std::uintptr_t>(entries.data()) % alignof(TarEntry) == 0, "unaligned");
  const std::span<const TarEntry> rows(reinterpret_cast<const TarEntry*>(entries.data()),
                                       entries.shape(0) / sizeof(TarEntry));
  TarSamples found;
  bool sound = false;
  {
    nb::gil_scoped_release release;
    const std::string_view text(reinterpret_cast<const char*>(names.data()), names.shape(0));
    sound = SelectMembers(rows, text, wanted, fold, &found);
  }
  Require(sound, "members beyond their names");
  const std::size_t count = found.firsts.size(), width = wanted.size();
  return nb::make_tuple(Owned<std::int64_t, 2>(std::move(found.offsets), {count, width}),
                        Owned<std::int64_t, 2>(std::move(found.sizes), {count, width}),
                        nb::bytes(found.names.data(), found.names.size()),
                        Owned<std::int64_t, 1>(std::move(found.name_ends), {count}),
                        Owned<std::int64_t, 1>(std::move(found.firsts), {count}));
}

// The features that a reader wants of `tf.train.Example` records; see io/tfrecord.h.
class PyExampleParser {
 public:
  PyExampleParser(const nb::list& names, const nb::list& kinds, bool checksums)
      : checksums_(checksums) {
    for (std::size_t k = 0; k < nb::len(names); ++k) {
      const auto name = nb::cast<nb::bytes>(names[k]);
      wanted_.push_back({.name = std::string(name.c_str(), name.size()),
                         .kind = static_cast<FeatureKind>(nb::cast<int>(kinds[k]))});
    }
  }

  // The rows of all features i64[N, F, 5], and the fault of each record.
  nb::tuple Find(Column<std::uint8_t> data, Column<std::int64_t> lengths) const {
    const std::size_t count = lengths.shape(0);
    std::int64_t left = static_cast<std::int64_t>(data.shape(0));
    for (const std::int64_t length : SpanOf(lengths)) {
      Require(length >= 0 && length <= left, "records go beyond the data");
      left -= length;
    }
    std::vector<FeatureRow> rows(count * wanted_.size());
    std::vector<RecordFault> faults(count);
    {
      nb::gil_scoped_release release;
      FindInRecords(SpanOf(data), SpanOf(lengths), wanted_, checksums_, rows, faults);
    }
    std::vector<std::int64_t> numbers;
    numbers.reserve(rows.size() * 5);
    for (const FeatureRow& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
    std::vector<std::int32_t> codes;
    for (const RecordFault fault : faults) codes.push_back(static_cast<std::int32_t>(fault));
    return nb::make_tuple(
        Owned<std::int64_t, 3>(std::move(numbers), {count, wanted_.size(), std::size_t{5}}),
        Owned<std::int32_t, 1>(std::move(codes), {count}));
  }

 private:
  std::vector<WantedFeature> wanted_;
  bool checksums_;
};

// Copies the numbers of one feature of all records, found at `offsets` and `lengths` in `data`, to
// the elements of `out` from `starts` on. What `Find` counted is what fits.
template <typename T>
void CopyNumbers(Column<std::uint8_t> data, Column<std::int64_t> offsets,
                 Column<std::int64_t> lengths, Column<std::int64_t> counts,
                 Column<std::int64_t> starts, nb::ndarray<T, nb::ndim<1>, nb::c_contig> out) {
  constexpr bool kFloats = std::is_same_v<T, float>;
  Require(Inside(SpanOf(offsets), SpanOf(lengths), data.shape(0)), "messages beyond the data");
  Require(Inside(SpanOf(starts), SpanOf(counts), out.shape(0)), "numbers beyond the result");
  Require(starts.shape(0) == offsets.shape(0), "want one start a message");
  for (std::size_t i = 0; i < offsets.shape(0); ++i) {
    const FoundFeature found =
        MeasureFeature(SpanOf(data).subspan(static_cast<std::size_t>(offsets(i)),
                                            static_cast<std::size_t>(lengths(i))),
                       kFloats ? FeatureKind::kFloat : FeatureKind::kInt64);
    if (counts(i) == 0) continue;
    Require(found.count == counts(i), "the data changed since they were parsed");
    if constexpr (kFloats) {
      CopyFloats(found, out.data() + starts(i));
    } else {
      CopyInt64(found, out.data() + starts(i));
    }
  }
}

void Gather(Column<std::uint8_t> data, Column<std::int64_t> offsets, Column<std::int64_t> lengths,
            nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig> out) {
  Require(Inside(SpanOf(offsets), SpanOf(lengths), data.shape(0)), "pieces beyond the data");
  auto left = static_cast<std::int64_t>(out.shape(0));
  for (const std::int64_t length : SpanOf(lengths)) {
    Require(length <= left, "the result is too small");
    left -= length;
  }
  nb::gil_scoped_release release;
  GatherPieces(SpanOf(data), SpanOf(offsets), SpanOf(lengths), out.data());
}

// NumPy arrays as a call takes them; the arrays stay locked while it runs.
class LockedBuffers {
 public:
  LockedBuffers(const nb::list& arrays, const std::vector<XLA_FFI_DataType>& types,
                std::size_t first_type, bool writable)
      : views_(nb::len(arrays)) {
    buffers_.reserve(views_.size());
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    for (nb::handle array : arrays) {
      Py_buffer& view = views_[buffers_.size()];
      if (first_type + buffers_.size() >= types.size() ||
          PyObject_GetBuffer(array.ptr(), &view, flags) != 0) {
        Release();
        if (PyErr_Occurred() == nullptr) throw nb::value_error("more arrays than types");
        throw nb::python_error();
      }
      static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
      buffers_.push_back({.type = types[first_type + buffers_.size()],
                          .data = view.buf,
                          .dims = {reinterpret_cast<const std::int64_t*>(view.shape),
                                   static_cast<std::size_t>(view.ndim)}});
    }
  }
  LockedBuffers(const LockedBuffers&) = delete;
  LockedBuffers& operator=(const LockedBuffers&) = delete;
  ~LockedBuffers() { Release(); }

  std::span<const DirectBuffer> buffers() const { return buffers_; }
  Py_ssize_t bytes() const {
    const auto add = [](Py_ssize_t sum, const Py_buffer& view) { return sum + view.len; };
    return std::accumulate(views_.begin(), views_.end(), Py_ssize_t{0}, add);
  }

 private:
  void Release() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) PyBuffer_Release(&views_[i]);
    buffers_.clear();
  }
  std::vector<Py_buffer> views_;
  std::vector<DirectBuffer> buffers_;
};

// A handler with its attributes and the element types of its operands and results.
class PyDirectCall {
 public:
  PyDirectCall(const nb::capsule& handler, const nb::dict& attributes, const nb::list& types)
      : call_(reinterpret_cast<XLA_FFI_Handler*>(handler.data()), Attributes(attributes)),
        addressed_(nb::cast<bool>(attributes["addressed"])) {
    for (nb::handle type : types) {
      types_.push_back(static_cast<XLA_FFI_DataType>(nb::cast<int>(type)));
    }
  }

  void Run(const nb::list& operands, const nb::list& results) const {
    const LockedBuffers from(operands, types_, 0, false);
    const LockedBuffers to(results, types_, nb::len(operands), true);
    std::string refusal;
    {
      // To get the GIL back from a busy thread takes longer than a small call does.
      std::optional<nb::gil_scoped_release> release;
      if (addressed_ || from.bytes() + to.bytes() > kSmallCall) release.emplace();
      refusal = call_.Run(from.buffers(), to.buffers());
    }
    if (!refusal.empty()) throw std::runtime_error(refusal);
  }

 private:
  static std::vector<Attribute> Attributes(const nb::dict& given) {
    std::vector<Attribute> attributes;
    for (const auto& [name, value] : given) {
      attributes.push_back({nb::cast<std::string>(name), Value(value)});
    }
    return attributes;
  }
  static Attribute::Value Value(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
    if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
    if (nb::isinstance<nb::float_>(value)) return static_cast<float>(nb::cast<double>(value));
    if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int32_t>(value);
    std::vector<std::int64_t> items;
    for (nb::handle item : value) items.push_back(nb::cast<std::int64_t>(item));
    return items;
  }

  // Of which the buffers are all that is read and written.
  static constexpr Py_ssize_t kSmallCall = 8192;

  DirectCall call_;
  std::vector<XLA_FFI_DataType> types_;
  bool addressed_;
};

// Memory for one small result, through the buffer protocol.
class PyBlock {
 public:
  explicit PyBlock(std::size_t bytes) : bytes_(bytes), data_(TakeBlock(bytes)) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  PyBlock(const PyBlock&) = delete;
  PyBlock& operator=(const PyBlock&) = delete;
  ~PyBlock() { GiveBlock(data_, bytes_); }

  static int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
    const auto* block = nb::inst_ptr<PyBlock>(self);
    return PyBuffer_FillInfo(view, self, block->data_, static_cast<Py_ssize_t>(block->bytes_), 0,
                             flags);
  }

 private:
  std::size_t bytes_;
  void* data_;
};

PyType_Slot kBlockSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(PyBlock::GetBuffer)},
                             {0, nullptr}};

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
  m.def("fold_in", FoldInNumbers);
  m.def("philox4x32", PhiloxBlock);
  m.def("peek_images", PeekImages);
  m.def("native_formats", ListNativeFormats);
  m.def("loud_regions", FindLoudRegions);
  m.def("peek_flac", PeekFlac);
  m.def("read_sounds", ReadSoundsAt);
  m.def("set_num_threads", SetNumThreads);
  m.def("set_thread_local_num_threads", SetThreadLocalNumThreads);
  m.def("shut_down", ShutDown);
  nb::class_<PyBlock>(m, "Block", nb::type_slots(kBlockSlots)).def(nb::init<std::size_t>());
  nb::class_<PyDirectCall>(m, "DirectCall")
      .def(nb::init<nb::capsule, nb::dict, nb::list>())
      .def("run", &PyDirectCall::Run);
  m.def("copy_int64", CopyNumbers<std::int64_t>);
  m.def("copy_floats", CopyNumbers<float>);
  m.def("gather_pieces", Gather);
  m.def("pack_members", PackMembers);
  m.def("scan_tar", ScanTarFile);
  m.def("select_members", SelectTarMembers);
  nb::class_<PyExampleParser>(m, "ExampleParser")
      .def(nb::init<nb::list, nb::list, bool>())
      .def("find", &PyExampleParser::Find);
  nb::class_<PyReadTicket>(m, "ReadTicket")
      .def(nb::init<nb::list>())
      .def(nb::init<nb::list, Column<std::int64_t>, Column<std::int64_t>>())
      .def("wait", &PyReadTicket::Wait);
}
