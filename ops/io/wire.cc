#include "io/wire.h"

#include <algorithm>

namespace dynjax {

bool ReadVarint(Message message, std::size_t* at, std::uint64_t* value) {
  constexpr std::size_t kLongest = 10;
  const std::size_t end = *at + std::min(kLongest, message.size() - *at);
  std::uint64_t result = 0;
  int shift = 0;
  for (std::size_t i = *at; i < end; ++i, shift += 7) {
    result |= static_cast<std::uint64_t>(message[i] & 0x7f) << shift;
    if (message[i] < 0x80) {
      *at = i + 1;
      *value = result;
      return true;
    }
  }
  return false;
}

bool FieldReader::Next(Field* field) {
  if (!ok_ || at_ == message_.size()) return false;
  std::uint64_t key = 0;
  ok_ = ReadVarint(message_, &at_, &key) && key >> 3 != 0;
  if (!ok_) return false;
  field->number = static_cast<std::uint32_t>(std::min<std::uint64_t>(key >> 3, UINT32_MAX));
  field->wire = static_cast<Wire>(key & 7);
  std::uint64_t size = 0;
  switch (field->wire) {
    case Wire::kVarint:
      return ok_ = ReadVarint(message_, &at_, &field->value);
    case Wire::kBytes:
      ok_ = ReadVarint(message_, &at_, &size);
      break;
    case Wire::kFixed32:
      size = 4;
      break;
    case Wire::kFixed64:
      size = 8;
      break;
    default:
      ok_ = false;
  }
  ok_ = ok_ && size <= message_.size() - at_;
  if (!ok_) return false;
  field->content = message_.subspan(at_, size);
  at_ += size;
  return true;
}

}  // namespace dynjax
