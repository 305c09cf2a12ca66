// The wire format of protocol buffers. Whatever the bytes say, nothing outside them is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dynjax {

using Message = std::span<const std::uint8_t>;

enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t value = 0;  // of a varint
  Message content;          // of all others
};

// Reads one varint from `*at` on and moves it behind; false if it is cut off or longer than 64
// bits.
bool ReadVarint(Message message, std::size_t* at, std::uint64_t* value);

// The fields of a message, one after another.
class FieldReader {
 public:
  explicit FieldReader(Message message) : message_(message) {}

  // False at the end, and where the message is malformed: `ok` tells which.
  bool Next(Field* field);
  bool ok() const { return ok_; }

 private:
  Message message_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace dynjax
