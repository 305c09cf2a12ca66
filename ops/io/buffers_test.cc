// Exit code 0: blocks come back when they fit, and never while somebody owns them.
#include "io/buffers.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace dynjax {
namespace {

int g_failures = 0;

#define EXPECT(condition)                                          \
  do {                                                             \
    if (!(condition)) {                                            \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      ++g_failures;                                                \
    }                                                              \
  } while (false)

constexpr std::int64_t kMega = std::int64_t{1} << 20;

void TestReuse() {
  Buffer first = TakeBuffer(3 * kMega);
  const std::uint8_t* address = first.get();
  EXPECT(reinterpret_cast<std::uintptr_t>(address) % 64 == 0);
  Buffer second = TakeBuffer(3 * kMega);
  EXPECT(second.get() != address);
  first.reset();
  Buffer again = TakeBuffer(3 * kMega - 1000);
  EXPECT(again.get() == address);
  EXPECT(again.get_deleter().capacity >= 3 * kMega);
}

void TestFit() {
  TakeBuffer(2 * kMega).reset();
  Buffer larger = TakeBuffer(8 * kMega);
  EXPECT(larger.get_deleter().capacity >= 8 * kMega);
  std::memset(larger.get(), 1, 8 * kMega);
  larger.reset();
  // Far too large for what is wanted: stays, or makes room.
  Buffer smaller = TakeBuffer(kMega);
  EXPECT(smaller.get_deleter().capacity < 8 * kMega);
}

void TestSmallAndHuge() {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, 63 * kMega, 300 * kMega}) {
    Buffer buffer = TakeBuffer(bytes);
    EXPECT(buffer != nullptr);
    EXPECT(buffer.get_deleter().capacity >= bytes);
  }
}

// Each thread writes its number over its whole block and finds it there.
void TestThreads() {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 200; ++i) {
        const auto size = static_cast<std::size_t>((i * 37 % 11 + 1) * 50000);
        Buffer buffer = TakeBuffer(static_cast<std::int64_t>(size));
        std::memset(buffer.get(), t, size);
        for (std::size_t k = 0; k < size; k += 997)
          wrong[static_cast<std::size_t>(t)] += buffer[k] != t;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const int count : wrong) EXPECT(count == 0);
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestReuse();
  dynjax::TestFit();
  dynjax::TestSmallAndHuge();
  dynjax::TestThreads();
  return dynjax::g_failures == 0 ? 0 : 1;
}
