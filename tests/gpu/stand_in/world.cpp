// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
#include "recorded.hpp"

namespace stand_in {
namespace {

/// The program's own world. At its end the tests have nothing in it any more.
struct whole_program {
  whole_program() = default;
  whole_program(const whole_program&) = delete;
  whole_program& operator=(const whole_program&) = delete;
  ~whole_program() {
    std::vector<std::string> wrong = w.take_breaches();
    const char* const broken = std::getenv("STRETTO_BREAKS_RULES");
    if (broken != nullptr) {  // on purpose
      if (wrong.empty())
        wrong = {"no rule was broken"};
      else
        wrong.clear();
    }
    for (const std::string& leak : w.leaks()) wrong.push_back(leak);
    if (wrong.empty()) return;
    for (const std::string& one : wrong) std::fprintf(stderr, "%s\n", one.c_str());
    std::_Exit(EXIT_FAILURE);
  }
  recording::world w;
};

recording::world*& current() {
  static whole_program all;
  static recording::world* now = &all.w;
  return now;
}

}  // namespace

recording::world& world() { return *current(); }

in_place::in_place(recording::world& w) : before_(std::exchange(current(), &w)) {}
in_place::~in_place() { current() = before_; }

}  // namespace stand_in
