// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A number is assigned of which the slot loses a part
//
// Compilers warn of that where they are asked to, as they do for any variable: at the line of the
// task, since they say nothing of what happens inside headers of the system.
//
// compile-with: -Werror=float-conversion
// expect-compilers: each, not nvcc
// expect-error: conversion
// expect-at: out = \*in
// expect-lines: 20
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct half : st::slot<int> {};

struct halve {
#ifdef FIXED
  void operator()(st::in<number> in, st::out<half> out) const { out = *in / 2; }
#else
  void operator()(st::in<number> in, st::out<half> out) const { out = *in * 0.5; }
#endif
};

struct training : st::schedule<st::source<number>, st::result<half>, halve> {};

int sum(const std::vector<int>& numbers) {
  st::pipeline<training> pipeline;
  int total = 0;
  for (const int h : pipeline.run(numbers)) total += h;
  return total;
}
