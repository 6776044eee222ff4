// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/stretto.hpp>

/// A schedule of two tasks on two threads, whose runs are reported and drawn.
namespace reported {

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  static constexpr int weight = 3000;
  using thread = st::thread<"decoder">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  static constexpr int weight = 5000;
  using thread = st::thread<"gpu">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct learning : st::schedule<st::source<file>, st::result<loss>, decode, train> {};

}  // namespace reported
