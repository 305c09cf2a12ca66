// A vector of plain values whose memory is taken without throwing: for sizes that data decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace dynjax {

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Makes room for `size` values, all zero; what was there is lost. False if there is no memory.
  [[nodiscard]] bool Reset(std::size_t size) {
    size_ = 0;
    values_.reset();
    if (size == 0) return true;
    if (size > SIZE_MAX / sizeof(T)) return false;
    values_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (!values_) return false;
    size_ = size;
    return true;
  }
  // Forgets all values but the first `size`; their memory is kept.
  void Shorten(std::size_t size) { size_ = size < size_ ? size : size_; }

  std::size_t size() const { return size_; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T[], Free> values_;
  std::size_t size_ = 0;
};

}  // namespace dynjax
