// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/stretto.hpp>

/// Two threads and the caller's, each with a task, two batches in flight; `image` has one copy.
namespace of_three_threads {

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct patch : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  static constexpr int weight = 300;
  using thread = st::thread<"decoder">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct crop {
  static constexpr int weight = 200;
  using thread = st::thread<"cropper">;
  using reads = st::reads<image>;
  using writes = st::writes<patch>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  static constexpr int weight = 350;
  using thread = st::thread<"caller">;
  using reads = st::reads<patch>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct learning
    : st::schedule<st::source<file, st::weight<50>>, st::result<loss>, decode, crop, train> {};

}  // namespace of_three_threads
