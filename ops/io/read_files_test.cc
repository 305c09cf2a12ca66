// Exit code 0: all files arrive whole, and nothing that is not a readable file does harm.
#include "io/read_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/io_pool.h"

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

std::string g_folder;

std::string Path(const std::string& name) { return g_folder + "/" + name; }

std::string Write(const std::string& name, const std::string& content) {
  std::FILE* file = std::fopen(Path(name).c_str(), "wb");
  std::fwrite(content.data(), 1, content.size(), file);
  std::fclose(file);
  return Path(name);
}

std::string Content(int i) {
  return std::string(static_cast<std::size_t>(i * 37 % 1000), static_cast<char>('a' + i % 26));
}

bool Has(const ReadResult& result, std::int64_t offset, const std::string& content) {
  return std::memcmp(result.data.get() + offset, content.data(), content.size()) == 0;
}

std::vector<FilePart> ManyFiles(int count) {
  std::vector<FilePart> paths;
  for (int i = 0; i < count; ++i) paths.emplace_back(Write("many" + std::to_string(i), Content(i)));
  return paths;
}

void ExpectMany(const ReadResult& result, int count) {
  std::int64_t offset = 0;
  EXPECT(reinterpret_cast<std::uintptr_t>(result.data.get()) % 64 == 0);
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT(result.status[k].ok());
    EXPECT(result.lengths[k] == static_cast<std::int64_t>(Content(i).size()));
    EXPECT(Has(result, offset, Content(i)));
    offset += result.lengths[k];
  }
  EXPECT(result.size == offset);
}

void TestManyFiles() {
  const auto paths = ManyFiles(101);
  for (int round = 0; round < 20; ++round) {
    ReadTicket ticket(paths);
    ReadTicket other(paths);
    if (round % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ticket.Wait();
    other.Wait();
    ticket.Wait();
    ExpectMany(*ticket.result(), 101);
    ExpectMany(*other.result(), 101);
  }
}

void TestOddOnes() {
  const std::string good = Write("good", "0123456789"), fifo = Path("fifo"), big = Write("big", "");
  const std::string locked = Write("locked", "secret");
  EXPECT(mkfifo(fifo.c_str(), 0600) == 0);
  EXPECT(chmod(locked.c_str(), 0) == 0);
  // Sparse, and larger than any machine's memory.
  EXPECT(truncate(big.c_str(), std::int64_t{1} << 43) == 0);
  ReadTicket ticket({good, g_folder, fifo, Path("none"), big, Write("empty", ""), locked, good});
  ticket.Wait();
  const auto result = ticket.result();
  const auto& status = result->status;
  EXPECT(status[0].ok() && status[5].ok() && status[7].ok());
  EXPECT(status[1].code() == StatusCode::kIo && status[1].detail() == EISDIR);
  EXPECT(status[2].code() == StatusCode::kUnsupported);
  EXPECT(status[3].code() == StatusCode::kIo && status[3].detail() == ENOENT);
  EXPECT(status[4].code() == StatusCode::kTooLarge);
  // Root reads everything; then the bytes are there.
  const bool readable = status[6].ok();
  EXPECT(readable || (status[6].code() == StatusCode::kIo && status[6].detail() == EACCES));
  EXPECT(result->size == (readable ? 26 : 20));
  EXPECT(Has(*result, result->size - 10, "0123456789"));
  for (const int i : {1, 2, 3, 4, 5}) EXPECT(result->lengths[static_cast<std::size_t>(i)] == 0);
}

void TestParts() {
  const std::string path = Write("parts", "0123456789");
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  ReadTicket ticket({{path, 2, 3},
                     {path, 10, 0},
                     {path, 8, 3},
                     {path, -1, 2},
                     {path, 4, largest},
                     {path, largest, largest},
                     {path, 11, 0},
                     {path, 0, 10},
                     {path}});
  ticket.Wait();
  const auto result = ticket.result();
  for (const std::size_t i : {0, 1, 7, 8}) EXPECT(result->status[i].ok());
  for (const std::size_t i : {2, 3, 4, 5, 6}) {
    EXPECT(result->status[i].code() == StatusCode::kTruncated && result->lengths[i] == 0);
  }
  EXPECT(result->size == 23 && Has(*result, 0, "23401234567890123456789"));
}

void TestNothing() {
  ReadTicket ticket({});
  ticket.Wait();
  EXPECT(ticket.result()->size == 0);
  ReadTicket empty({Write("empty", "")});
  empty.Wait();
  EXPECT(empty.result()->size == 0 && empty.result()->data != nullptr);
}

// A file that shrinks and grows meanwhile: every outcome is whole or an error, never other bytes.
void TestChangingFile() {
  const std::string large(3 << 20, 'x'), small(1000, 'x');
  const std::string path = Write("changing", large), last = Write("last", "end");
  std::atomic<bool> stopping{false};
  std::thread writer([&] {
    for (int i = 0; !stopping; ++i) {
      // Without closing: a truncation in place, as a writer that starts anew does it.
      EXPECT(truncate(path.c_str(), i % 2 == 0 ? 1000 : 3 << 20) == 0);
    }
  });
  int whole = 0, changed = 0;
  for (int i = 0; i < 300; ++i) {
    ReadTicket ticket({path, last});
    ticket.Wait();
    const auto result = ticket.result();
    if (result->status[0].ok()) {
      ++whole;
      EXPECT(result->lengths[0] == 1000 || result->lengths[0] == 3 << 20);
    } else {
      ++changed;
      EXPECT(result->status[0].code() == StatusCode::kTruncated);
      EXPECT(result->lengths[0] == 0);
    }
    EXPECT(result->status[1].ok() && Has(*result, result->lengths[0], "end"));
    EXPECT(result->size == result->lengths[0] + 3);
  }
  stopping = true;
  writer.join();
  EXPECT(whole + changed == 300);
}

void TestDropping() {
  const auto paths = ManyFiles(101);
  const std::string large = Write("large", std::string(20 << 20, 'y'));
  for (int i = 0; i < 200; ++i) {
    ReadTicket dropped(paths);
    ReadTicket also({large, large});
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100 * (i % 7)));
  }
  std::shared_ptr<const ReadResult> kept;
  {
    ReadTicket ticket(paths);
    ticket.Wait();
    kept = ticket.result();
  }
  ExpectMany(*kept, 101);
}

int OpenDescriptors() {
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) count += fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

// Files too large to be read when they are measured, and more of them than may be open at once.
void TestFewDescriptors() {
  constexpr int kFiles = 300;
  std::vector<FilePart> paths;
  std::vector<std::string> contents;
  for (int i = 0; i < kFiles; ++i) {
    contents.push_back(Content(i + 1) + std::string(20000, static_cast<char>('A' + i % 26)));
    paths.emplace_back(Write("larger" + std::to_string(i), contents.back()));
  }
  const int before = OpenDescriptors();
  rlimit limit;
  EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const rlim_t allowed = std::exchange(limit.rlim_cur, static_cast<rlim_t>(before + 150));
  EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  for (int round = 0; round < 10; ++round) {
    ReadTicket first(paths), dropped(paths), second(paths);
    for (ReadTicket* ticket : {&first, &second}) {
      ticket->Wait();
      std::int64_t offset = 0;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        EXPECT(ticket->result()->status[i].ok());
        EXPECT(Has(*ticket->result(), offset, contents[i]));
        offset += ticket->result()->lengths[i];
      }
      EXPECT(ticket->result()->size == offset);
    }
  }
  // What was dropped is given up by the threads that work on it.
  for (int k = 0; k < 500 && OpenDescriptors() > before; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT(OpenDescriptors() == before);
  limit.rlim_cur = allowed;
  EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

[[maybe_unused]] void TestForkedChild() {
  const auto paths = ManyFiles(101);
  auto before = std::make_unique<ReadTicket>(paths);
  auto dropped = std::make_unique<ReadTicket>(paths);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    g_failures = 0;
    dropped.reset();
    before->Wait();
    ExpectMany(*before->result(), 101);
    ReadTicket own(paths);
    own.Wait();
    ExpectMany(*own.result(), 101);
    before.reset();
    ShutDownIo();
    _exit(g_failures == 0 ? 0 : 1);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  before->Wait();
  ExpectMany(*before->result(), 101);
}

void TestAfterShutDown() {
  const auto paths = ManyFiles(101);
  ReadTicket before(paths);
  ShutDownIo();
  ShutDownIo();
  before.Wait();
  ExpectMany(*before.result(), 101);
  ReadTicket after(paths);
  after.Wait();
  ExpectMany(*after.result(), 101);
}

}  // namespace
}  // namespace dynjax

int main() {
  char folder[] = "/tmp/read_files_test.XXXXXX";
  if (mkdtemp(folder) == nullptr) return 2;
  dynjax::g_folder = folder;
  dynjax::TestManyFiles();
  dynjax::TestOddOnes();
  dynjax::TestParts();
  dynjax::TestNothing();
  dynjax::TestChangingFile();
  dynjax::TestDropping();
  dynjax::TestFewDescriptors();
  // The sanitisers' own locks do not survive the fork of a process with threads.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  dynjax::TestForkedChild();
#endif
  dynjax::TestAfterShutDown();
  const std::string remove = "rm -rf " + dynjax::g_folder;
  if (std::system(remove.c_str()) != 0) return 2;
  return dynjax::g_failures == 0 ? 0 : 1;
}
