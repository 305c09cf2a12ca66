// Runs a fuzz target without libFuzzer: over each file given, then over mutations of them.
//
//   fuzz_files SECONDS FILE...
//
// Build it with a `*_fuzz.cc` and the sources under test, with -fsanitize=address,undefined.
// The last line names the file and the number of the mutation that ran when it died.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Absent without a sanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using File = std::vector<std::uint8_t>;

const char* g_path = "";
std::uint32_t g_number = 0;

void Report() {
  std::printf("%s, mutation %u\n", g_path, g_number);
  std::fflush(stdout);
}

File ReadFile(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::size_t Below(std::mt19937& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

// Damages a few places; most of them near the start, where the headers are.
File Mutated(File file, std::uint32_t number) {
  std::mt19937 random(number);
  for (auto count = 1 + Below(random, 8); count > 0 && !file.empty(); --count) {
    const auto reach =
        Below(random, 3) == 0 ? file.size() : std::min<std::size_t>(file.size(), 700);
    const auto at = static_cast<std::ptrdiff_t>(Below(random, reach));
    switch (Below(random, 6)) {
      case 0:
        file[at] = static_cast<std::uint8_t>(Below(random, 256));
        break;
      case 1:
        file[at] = static_cast<std::uint8_t>(file[at] ^ 1u << Below(random, 8));
        break;
      case 2:
        file[at] = Below(random, 2) == 0 ? 0x00 : 0xff;
        break;
      case 3:
        file.insert(file.begin() + at, 1 + Below(random, 4), static_cast<std::uint8_t>(random()));
        break;
      case 4:
        file.erase(file.begin() + at,
                   file.begin() + at + std::min<std::ptrdiff_t>(4, std::ssize(file) - at));
        break;
      default:
        if (Below(random, 4) == 0) file.resize(static_cast<std::size_t>(at));
    }
  }
  return file;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SECONDS FILE...\n", argv[0]);
    return 2;
  }
  std::signal(SIGABRT, [](int) {
    Report();
    std::_Exit(1);
  });
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(Report);

  std::vector<File> files;
  for (int i = 2; i < argc; ++i) {
    g_path = argv[i];
    files.push_back(ReadFile(argv[i]));
    LLVMFuzzerTestOneInput(files.back().data(), files.back().size());
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
  for (; std::chrono::steady_clock::now() < end; ++g_number) {
    const std::size_t i = g_number % files.size();
    g_path = argv[2 + i];
    const File file = Mutated(files[i], g_number);
    LLVMFuzzerTestOneInput(file.data(), file.size());
  }
  std::printf("%u mutations of %zu files, no finding\n", g_number, files.size());
  return 0;
}
