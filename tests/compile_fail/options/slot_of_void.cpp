// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot of nothing
//
// What only says that something is done has an empty struct as its slot's type, or is a
// `depends_on`.
//
// expect-error: the_type_of_a_slot_is_const_or_no_object<parsed, void>
// expect-text: the type of slot `parsed`, `void`, is const or no object
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
#ifdef FIXED
struct done {};
struct parsed : st::slot<done> {};
#else
struct parsed : st::slot<void> {};
#endif

struct parse {
  void operator()(st::in<sample>, st::out<parsed>) const {}
};
struct count {
  void operator()(st::in<parsed>) const {}
};

struct training : st::schedule<st::source<sample>, parse, count> {};

void run() { st::pipeline<training> pipeline; }
