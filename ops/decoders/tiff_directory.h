// Entries of a TIFF directory: numbers by their tag.
#pragma once

#include <optional>

#include "decoders/bytes.h"

namespace dynjax {

class TiffDirectory {
 public:
  // The first directory of a file, of either byte order, TIFF or BigTIFF; nullopt when the file has
  // none.
  static std::optional<TiffDirectory> First(Bytes file);

  // A number; what is `missing` when there is none of the tag. Of several numbers all must be the
  // same. nullopt for anything else, also for numbers that are too large.
  std::optional<std::int32_t> Number(std::uint32_t tag, std::int32_t missing) const;

 private:
  // Where the numbers of an entry are.
  struct Field {
    std::uint64_t count, at;
    std::size_t item;
  };

  TiffDirectory(Bytes file, bool is_little, bool is_big)
      : file_(file), is_little_(is_little), is_big_(is_big) {}

  std::uint64_t Load(std::uint64_t at, std::size_t bytes) const;
  bool Contains(std::uint64_t at, std::uint64_t bytes) const {
    return at <= file_.size() && bytes <= file_.size() - at;
  }
  std::size_t word() const { return is_big_ ? 8 : 4; }
  std::optional<Field> FieldAt(std::uint64_t entry) const;

  Bytes file_;
  bool is_little_, is_big_;
  std::uint64_t entries_ = 0, count_ = 0;
};

}  // namespace dynjax
