#include "verify/base/atomic_file.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify/base/errors.hpp"

namespace holdfast::verify::inline base {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("holdfast-atomic-{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path in(const std::string& name) const { return folder_ / name; }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsWithCommit) {
  AtomicFile file(in("a"));
  file.stream() << "whole";
  EXPECT_FALSE(fs::exists(in("a")));
  file.commit();
  EXPECT_EQ(content(in("a")), "whole");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  std::ofstream(in("a")) << "old";
  {
    AtomicFile file(in("a"));
    file.stream() << "half";
  }
  EXPECT_EQ(content(in("a")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, ReplacesAndKeepsPermissions) {
  std::ofstream(in("a")) << "a longer old content";
  fs::permissions(in("a"), fs::perms::owner_read | fs::perms::owner_write);
  AtomicFile file(in("a"));
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(content(in("a")), "new");
  EXPECT_EQ(fs::status(in("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, FollowsLinks) {
  std::ofstream(in("real")) << "old";
  fs::create_symlink("real", in("link"));
  AtomicFile file(in("link"));
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(content(in("real")), "new");
}

TEST_F(AtomicFileTest, WritesThroughWhatIsNoRegularFile) {
  AtomicFile file("/dev/null");
  file.stream() << "gone";
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_THROW(AtomicFile(in("missing") / "a"), InputError);
  EXPECT_THROW(AtomicFile(in("")), InputError);
  EXPECT_THROW(AtomicFile(fs::path()), InputError);
  std::ofstream(in("file")) << "not a folder";
  EXPECT_THROW(AtomicFile(in("file") / "a"), InputError);
  try {
    AtomicFile file(in("missing") / "a");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              (in("missing") / "a").string() + ": cannot be written: No such file or directory");
  }
}

TEST_F(AtomicFileTest, SaysThatTheDiskIsFull) {
  AtomicFile file("/dev/full");
  file.stream() << std::string(100'000, 'x');
  EXPECT_THROW(file.commit(), InputError);
}

TEST_F(AtomicFileTest, ManyAtOnceFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      for (int n = 0; n < 20; ++n) {
        AtomicFile file(in(fmt::format("{}-{}", t, n % 4)));
        file.stream() << n;
        if (n % 2 == 0) file.commit();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files(), 16U);
}

TEST_F(AtomicFileTest, LeavesNothingOnASignal) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    std::ofstream(in("a")) << "old";
    const pid_t child = ::fork();
    if (child == 0) {
      AtomicFile file(in("a"));
      AtomicFile other(in("b"));
      file.stream() << "half" << std::flush;
      ::raise(signal_number);
      ::_exit(99);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal_number);
    EXPECT_EQ(content(in("a")), "old");
    EXPECT_EQ(files(), 1U);
  }
}

}  // namespace
}  // namespace holdfast::verify::inline base
