// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer of what refers to memory of its process
//
// Another process gets copies of bytes, and a view there refers to nothing.
//
// expect-error: values_of_a_slot_cannot_be_sent
// expect-text: transfer `send` sends slot `line` of type
// expect-at: collectives> pipeline
// expect-lines: 15
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>

namespace st = stretto;

struct raw : st::slot<int> {};
#ifdef FIXED
struct line : st::slot<std::string> {};
#else
struct line : st::slot<std::string_view> {};
#endif
struct length : st::slot<int> {};

struct look_up {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw>, st::out<line> out) const { *out = "text"; }
};
struct send : st::transfer<line, "reader", "counter"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct count {
  using role = st::role<"counter">;
  void operator()(st::in<line> in, st::out<length> out) const {
    *out = static_cast<int>(in->size());
  }
};

struct job : st::schedule<st::source<raw>, st::result<length>, look_up, send, count> {};

void run() {
  st::pipeline<st::projection<job, "reader">, st::mpi::collectives> pipeline;
  for ([[maybe_unused]] const auto& batch : pipeline.run([] { return std::optional<int>(); }))
    continue;
}
