// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body takes as `T&` what it is to move from
//
// A body with plain parameters gets a value that its task takes as `T&&`.
//
// expect-error: a_task_does_not_take_what_it_reads_or_writes<parse, (stretto::invalid::)?argument<1, .*&&>, request>
// expect-text: task `parse` does not take slot `request` where its body gets it: argument 1 has type
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>
#include <utility>

namespace st = stretto;

struct text {
  std::string all;
};
struct request : st::slot<text> {};
struct parsed : st::slot<text> {};

struct parse {
  using reads = st::reads<st::takes<request>>;
  using writes = st::writes<parsed>;
#ifdef FIXED
  void operator()(text&& in, text& out) const { out = std::move(in); }
#else
  void operator()(text& in, text& out) const { out = std::move(in); }
#endif
};

struct service : st::schedule<st::source<request>, st::result<parsed>, parse> {};

void run() { st::pipeline<service> pipeline; }
