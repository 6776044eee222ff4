// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A handle that nobody can tell which it is
//
// What a handle refers to is made before the body is called, so the parameter must tell: the call
// operator is no overload, and what follows the handle is deduced, or not.
//
// expect-error: a body asks for a handle, but its call operator does not tell for which
// expect-lines: 60
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using stream = st::testing::recording::stream;

struct library {
  explicit library(stream) {}
};
struct raw : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
  using stream = st::stream<"copies">;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(st::device::handle<driver, library>, int in, int& out) const { out = in; }
#ifndef FIXED
  void operator()(st::device::handle<driver, library>, int in, long& out) const { out = in; }
#endif
};

struct training : st::schedule<st::source<raw>, st::result<batch>, st::streams<"copies">, load> {};

int sum(st::testing::recording::world& w) {
  st::pipeline<training, st::device::backend<driver>> pipeline{driver(w)};
  const int batches[] = {1, 2};
  int all = 0;
  for (const int b : pipeline.run(batches)) all += b;
  return all;
}
