// Invariant: while a temporary file may exist, its name stands in one of the handler's slots (or
// all slots were taken, and then only a signal can leave it behind). A name is entered before its
// file is created and cleared after it is gone, so a signal at any point finds it.
#include "verify/base/atomic_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>

#include <climits>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/base/errors.hpp"

namespace holdfast::verify::inline base {
namespace {

namespace fs = std::filesystem;

enum class SlotState : int { empty, filling, full };

struct Slot {
  std::atomic<SlotState> state{SlotState::empty};
  std::array<char, PATH_MAX> name{};
};

constexpr std::size_t no_slot = 64;
std::array<Slot, no_slot> slots;
static_assert(std::atomic<SlotState>::is_always_lock_free);

/// Only async-signal-safe calls.
extern "C" void remove_temporaries(int signal_number) {
  for (Slot& slot : slots) {
    if (slot.state.load() == SlotState::full) ::unlink(slot.name.data());
  }
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  ::sigaction(signal_number, &fallback, nullptr);
  ::raise(signal_number);
}

void install_handlers() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present = {};
    ::sigaction(signal_number, nullptr, &present);
    // Somebody else's handler, or nohup's SIG_IGN, is not ours to replace.
    if ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {};
    ours.sa_handler = remove_temporaries;
    ::sigaction(signal_number, &ours, nullptr);
  }
}

std::size_t enter(const std::string& name) {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  if (name.size() >= PATH_MAX) return no_slot;
  for (std::size_t i = 0; i < no_slot; ++i) {
    SlotState expected = SlotState::empty;
    if (!slots[i].state.compare_exchange_strong(expected, SlotState::filling)) continue;
    std::memcpy(slots[i].name.data(), name.c_str(), name.size() + 1);
    slots[i].state.store(SlotState::full);
    return i;
  }
  return no_slot;
}

void leave(std::size_t slot) noexcept {
  if (slot != no_slot) slots[slot].state.store(SlotState::empty);
}

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw InputError(path.string(),
                   fmt::format("cannot be written: {}", std::generic_category().message(error)));
}

/// Where writing to `path` ends up: links followed, also a dangling one.
fs::path resolve(const fs::path& path) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(path, error);
  if (error) refuse(path, error.value());
  if (fs::is_symlink(target, error))
    target = target.parent_path() / fs::read_symlink(target, error);
  return target;
}

void keep_permissions(int descriptor, const fs::path& of) {
  struct stat status = {};
  if (::stat(of.c_str(), &status) != 0) return;
  // Where this is refused, the file is as a new one would be.
  [[maybe_unused]] const int refused = ::fchmod(descriptor, status.st_mode & 07777U);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path), slot_(no_slot) {
  if (path.empty()) throw InputError("the name of the output file is empty");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) refuse(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    stream_.open(path, std::ios::binary);
    if (!stream_) refuse(path, errno);
    return;
  }
  target_ = resolve(path);
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) refuse(path, errno);

  static std::atomic<unsigned> counter{0};
  int descriptor = -1;
  do {
    temporary_ = target_.parent_path() / fmt::format(".{}.{}-{}.tmp", target_.filename().string(),
                                                     ::getpid(), counter.fetch_add(1));
    slot_ = enter(temporary_.string());
    descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) leave(slot_);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) refuse(path, errno);
  keep_permissions(descriptor, target_);
  ::close(descriptor);
  stream_.open(temporary_, std::ios::binary);
  if (!stream_) {
    const int reason = errno;
    discard();
    refuse(path, reason);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (temporary_.empty()) return;
  stream_.close();
  ::unlink(temporary_.c_str());
  leave(slot_);
  temporary_.clear();
}

void AtomicFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_) {
    const int reason = errno != 0 ? errno : EIO;
    discard();
    refuse(path_, reason);
  }
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    discard();
    refuse(path_, reason);
  }
  leave(slot_);
  temporary_.clear();
}

}  // namespace holdfast::verify::inline base
