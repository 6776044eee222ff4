// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer of what cannot be copied
//
// Ranks of one process send copies, so that each goes on with its own.
//
// expect-error: values_of_a_slot_cannot_be_sent<send
// expect-text: transfer `send` sends slot `sample` of type
// expect-at: collectives> pipeline
// expect-lines: 15
// expect-lines-nvcc: 25
#include <memory>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
#ifdef FIXED
struct sample : st::slot<std::shared_ptr<const int>> {};
#else
struct sample : st::slot<std::unique_ptr<const int>> {};
#endif
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { out->reset(new int(*in)); }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = **in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
using reader = st::projection<job, "reader">;

void run(st::local::ranks& all) {
  st::pipeline<reader, st::local::collectives> pipeline(st::local::rank(all, 0));
}
