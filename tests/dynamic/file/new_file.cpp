// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files that are written all or not at all.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include "../../support/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using stretto::dynamic::new_file;
using stretto::dynamic::write_file;

std::string content_of(const fs::path& file) {
  std::ostringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}
std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}
std::string refusal(const std::string& path, const std::string& content) {
  try {
    write_file(path, content);
  } catch (const stretto::dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
ino_t node_of(const fs::path& file) {
  struct stat of {};
  REQUIRE(::stat(file.c_str(), &of) == 0);
  return of.st_ino;
}

/// Limits the size of files while it exists, as a full disk does.
class short_files {
 public:
  explicit short_files(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{most, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  short_files(const short_files&) = delete;
  short_files& operator=(const short_files&) = delete;
  ~short_files() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a file takes its place when all of it is there") {
  const tested::scratch_folder here;
  const fs::path path = here.path() / "plan.json";
  write_file(path.string(), "old");
  CHECK(content_of(path) == "old");
  {
    new_file next(path.string(), "new");
    CHECK(content_of(path) == "old");
    CHECK(files_in(here.path()) == 2);
    next.put_in_place();
    CHECK(content_of(path) == "new");
  }
  CHECK(content_of(path) == "new");
  CHECK(files_in(here.path()) == 1);
  { const new_file left(path.string(), "left"); }
  CHECK(content_of(path) == "new");
  CHECK(files_in(here.path()) == 1);
  new_file one((here.path() / "a").string(), "1");  // two at a time
  new_file other((here.path() / "b").string(), "2");
  other.put_in_place();
  one.put_in_place();
  CHECK(content_of(here.path() / "a") == "1");
  CHECK(content_of(here.path() / "b") == "2");
}

TEST_CASE("what cannot be written leaves what was there") {
  const tested::scratch_folder here;
  const fs::path path = here.path() / "plan.json";
  write_file(path.string(), "old");
  {
    const short_files limit(4096);
    CHECK(refusal(path.string(), std::string(10'000, 'x')) ==
          path.string() + ": cannot be written: File too large");
    CHECK(refusal((here.path() / "other.json").string(), std::string(10'000, 'x')) != "");
  }
  CHECK(content_of(path) == "old");
  CHECK(files_in(here.path()) == 1);
  CHECK(refusal("no/such/folder/plan.json", "x") ==
        "no/such/folder/plan.json: cannot be written: No such file or directory");
  CHECK(refusal(here.path().string(), "x") != "");
  CHECK(files_in(here.path()) == 1);
}

TEST_CASE("a file that takes another's place has its mode, and links stay") {
  const tested::scratch_folder here;
  const fs::path path = here.path() / "plan.json";
  write_file(path.string(), "old");
  const fs::perms mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_exec;
  fs::permissions(path, mode);
  fs::create_directory(here.path() / "links");
  const fs::path link = here.path() / "links" / "to";
  fs::create_symlink("../plan.json", link);
  fs::create_symlink("to", here.path() / "links" / "to the link");
  write_file((here.path() / "links" / "to the link").string(), "new");
  CHECK(fs::is_symlink(link));
  CHECK(content_of(path) == "new");
  CHECK(fs::status(path).permissions() == mode);
  fs::create_symlink("nothing yet", here.path() / "early");
  write_file((here.path() / "early").string(), "first");
  CHECK(fs::is_symlink(here.path() / "early"));
  CHECK(content_of(here.path() / "nothing yet") == "first");
  CHECK(files_in(here.path() / "links") == 2);
  fs::create_symlink("around", here.path() / "around");
  CHECK(refusal((here.path() / "around").string(), "x") != "");
}

TEST_CASE("what is no regular file, or is open elsewhere, is written itself") {
  CHECK(refusal("/dev/null", "x").empty());
  if (fs::exists("/dev/full"))
    CHECK(refusal("/dev/full", "x") == "/dev/full: cannot be written: No space left on device");
  if (!fs::exists("/proc/self/fd")) return;
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  write_file("/dev/fd/" + std::to_string(ends[1]), "through");
  std::string read(7, ' ');
  CHECK(::read(ends[0], read.data(), read.size()) == 7);
  CHECK(read == "through");
  close(ends[0]);
  close(ends[1]);
  const tested::scratch_folder here;
  const fs::path path = here.path() / "open";
  const int open_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(open_file >= 0);
  const ino_t node = node_of(path);
  write_file("/proc/self/fd/" + std::to_string(open_file), "seen");
  CHECK(node_of(path) == node);
  CHECK(content_of(path) == "seen");
  close(open_file);
}

TEST_CASE("what may not be written stays, and a folder that takes no files keeps those it has") {
  if (geteuid() == 0) return;  // who may do all
  const tested::scratch_folder here;
  const fs::path path = here.path() / "plan.json";
  write_file(path.string(), "old");
  fs::permissions(path, fs::perms::owner_read);
  CHECK(refusal(path.string(), "new") == path.string() + ": cannot be written: Permission denied");
  CHECK(content_of(path) == "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(here.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const ino_t node = node_of(path);
  CHECK(refusal(path.string(), "new").empty());
  CHECK(node_of(path) == node);
  CHECK(content_of(path) == "new");
  CHECK(refusal((here.path() / "other").string(), "x") != "");
  fs::permissions(here.path(), fs::perms::owner_all);
}
