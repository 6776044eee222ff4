// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A list given as a value
//
// What a task reads, writes or waits for are lists of types. A value of that name means nothing,
// whatever its type is, also if it is one of Stretto's.
//
// expect-error: a_list_of_a_task_is_a_value_where_it_must_be_a_type<log_line, stretto::invalid::member::depends_on
// expect-text: task `log_line` declares `depends_on` as a value; it must be a type: write `using depends_on = stretto::depends_on<...>;`
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct loss : st::slot<int> {};

struct train {
  void operator()(st::in<raw> in, st::out<loss> out) const { out = *in; }
};
struct log_line {
#ifdef FIXED
  using depends_on = st::depends_on<train>;
#else
  static constexpr st::depends_on<train> depends_on{};
#endif
  void operator()(st::in<raw>) const {}
};

struct job : st::schedule<st::source<raw>, st::result<loss>, train, log_line> {};

void run() { st::pipeline<job> pipeline; }
