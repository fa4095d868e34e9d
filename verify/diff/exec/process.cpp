#include "verify/diff/exec/process.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify/diff/implementation.hpp"
#include "verify/trace/line_error.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_line = std::size_t{1} << 20U;
constexpr std::size_t longest_complaint = 4096;

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe");
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take(std::size_t end) { return std::exchange(ends[end], -1); }

  std::array<int, 2> ends{-1, -1};
};

/// Writing to who has ended is an error here, and no signal to the whole program.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec now{};
    while (::sigtimedwait(&pipe_, nullptr, &now) == SIGPIPE) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

pid_t spawn(const std::string& command, int in, int out, int err) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::sigaddset(&signals, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::string shell = "sh", dash_c = "-c", text = command;
  char* const words[] = {shell.data(), dash_c.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, "/bin/sh", &files, &attributes, words, environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "/bin/sh");
  return pid;
}

}  // namespace

Process::Process(const std::string& command, std::function<bool()> interrupted)
    : interrupted_(std::move(interrupted)) {
  Pipe in, out, err;
  pid_ = spawn(command, in.ends[0], out.ends[1], err.ends[1]);
  in_ = in.take(1);
  out_ = out.take(0);
  err_ = err.take(0);
  ::fcntl(err_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  for (const int end : {in_, out_, err_}) ::close(end);
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string Process::ask(std::string_view line, milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  write(line);
  for (std::size_t seen = 0;;) {
    const auto end = read_.find('\n', seen);
    if (end != std::string::npos) {
      std::string answer = read_.substr(0, end);
      read_.erase(0, end + 1);
      return answer;
    }
    seen = read_.size();
    if (seen > longest_line)
      throw NoAnswer{fmt::format("more than {} bytes without a line end", longest_line)};
    if (interrupted_ && interrupted_()) throw Interrupted{};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0)
      throw NoAnswer{
          fmt::format("no answer within {} s", static_cast<double>(patience.count()) / 1000)};
    if (!read(left)) has_ended();
  }
}

void Process::write(std::string_view line) {
  const WithoutSigpipe quiet;
  while (!line.empty()) {
    const auto written = ::write(in_, line.data(), line.size());
    if (written >= 0)
      line.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return has_ended();
  }
}

bool Process::read(milliseconds patience) {
  // Now and then it is asked whether anybody still waits.
  constexpr milliseconds nap{100};
  std::array<pollfd, 2> ends{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (::poll(ends.data(), ends.size(), static_cast<int>(std::min(patience, nap).count())) < 0)
    return true;
  std::array<char, 65536> buffer;
  if (ends[1].revents != 0) {
    const auto n = ::read(err_, buffer.data(), buffer.size());
    if (n > 0) complaints_.append(buffer.data(), static_cast<std::size_t>(n));
    if (complaints_.size() > longest_complaint)
      complaints_.erase(0, complaints_.size() - longest_complaint);
    // What is closed would be reported again at once.
    if (n == 0) ::poll(nullptr, 0, ends[0].revents == 0 ? 1 : 0);
  }
  if (ends[0].revents == 0) return true;
  const auto n = ::read(out_, buffer.data(), buffer.size());
  if (n > 0) read_.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

void Process::has_ended() {
  // It may have closed its output, or its input, and live on.
  constexpr milliseconds a_while{2000};
  int status = 0;
  pid_t ended = 0;
  for (milliseconds waited{0}; ended == 0 && waited < a_while; waited += milliseconds{10}) {
    ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) ::poll(nullptr, 0, 10);
  }
  read(milliseconds{0});
  if (ended != pid_) throw NoAnswer{"it has closed a pipe and lives on" + last_words()};
  ::kill(-pid_, SIGKILL);
  pid_ = -1;
  if (WIFSIGNALED(status))
    throw NoAnswer{fmt::format("it was ended by signal {}{}", WTERMSIG(status), last_words())};
  // How the shell says it of what it has run.
  constexpr int not_runnable = 126, not_found = 127, by_signal = 128;
  const int code = WEXITSTATUS(status);
  const auto signal = code > by_signal ? fmt::format(" (signal {})", code - by_signal) : "";
  throw NoAnswer{fmt::format("it has ended with exit status {}{}{}", code, signal, last_words()),
                 code == not_runnable || code == not_found};
}

std::string Process::last_words() const {
  auto text = std::string_view(complaints_);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  if (text.empty()) return {};
  const auto line =
      text.substr(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
  return ": " + trace::printable(line, 200);
}

}  // namespace holdfast::verify::diff::exec
