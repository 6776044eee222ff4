// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A resource that tasks of two roles use
//
// State outside the slots is not shared by ranks.
//
// expect-error: tasks_of_two_roles_use_a_resource_that_one_of_them_changes<train, decode
// expect-text: task `train` of role `trainer` uses resource `table`, which task `decode` of role `reader` changes on another rank; let one role have the resource, and send what the others need of it by `stretto::transfer`
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};
struct table : st::resource<> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  using mutates = st::mutates<table>;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
#ifndef FIXED
  using observes = st::observes<table>;
#endif
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
