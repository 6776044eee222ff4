// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a look back at no batch does: says so, unless NDEBUG is defined.
#undef NDEBUG

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <stretto/declare/history.hpp>
#include <stretto/declare/slot.hpp>
#include <string>

namespace st = stretto;

namespace {

/// Of this file, as other files are compiled with NDEBUG.
struct value {
  int is = 0;
};
struct number : st::slot<value> {};

/// What a child process that does it says before it aborts; empty: it ends by itself.
template <class Function>
std::string last_words(const Function& what) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // doctest's handler would go on to report
    dup2(ends[1], STDERR_FILENO);
    what();
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> some{};
  for (ssize_t got = 0; (got = read(ends[0], some.data(), some.size())) > 0;)
    said.append(some.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? said : std::string();
}
bool says(const std::string& text, const char* what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("an empty look back that is asked for its value says what it is") {
  const auto empty = "a previous or latest is empty: there is no such batch";
  CHECK(says(last_words([] { static_cast<void>(*st::previous<number>()); }), empty));
  CHECK(says(last_words([] { static_cast<void>(st::latest<number>().get()); }), empty));
  CHECK(says(last_words([] { static_cast<void>(st::latest<number>().operator->()); }), empty));
  CHECK(last_words([] { static_cast<void>(st::latest<number>().value_or(value{3})); }).empty());
  const value seven{7};
  CHECK(last_words([&] { static_cast<void>(*st::previous<number>(seven)); }).empty());
}

TEST_CASE("a window that is shorter than it will be says so") {
  const value seven{7};
  const st::window<number, 3> one(seven);
  CHECK(one[0].is == 7);
  CHECK(says(last_words([&] { static_cast<void>(one[1]); }), "a window is shorter at the start"));
}
