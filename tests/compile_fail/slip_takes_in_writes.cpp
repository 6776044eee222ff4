// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A value that is taken is listed in `writes`
//
// A task takes a value that another has left in the slot, so `takes` stands in `reads`.
//
// expect-error: a_task_lists_a_value_that_it_takes_in_writes_and_not_in_reads<parse>
// expect-text: task `parse` lists `takes` in `writes`; list it in `reads`
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>
#include <utility>

namespace st = stretto;

struct request : st::slot<std::string> {};
struct parsed : st::slot<std::string> {};

struct parse {
#ifdef FIXED
  using reads = st::reads<st::takes<request>>;
  using writes = st::writes<parsed>;
#else
  using writes = st::writes<st::takes<request>, parsed>;
#endif
  void operator()(std::string&& in, std::string& out) const { out = std::move(in); }
};

struct service : st::schedule<st::source<request>, st::result<parsed>, parse> {};

void run() { st::pipeline<service> pipeline; }
