// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer of a class that is derived from a container
//
// Its elements would arrive, and what members it has besides would not. Say that it has none, or
// send those in slots of their own.
//
// expect-error: values_of_a_slot_cannot_be_sent
// expect-text: transfer `send` sends slot `image` of type `shaped`, which is more than bytes
// expect-at: collectives> pipeline
// expect-lines: 15
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw : st::slot<int> {};
#ifdef FIXED
struct shaped : std::vector<float> {};
template <>
inline constexpr bool st::sent_by_elements<shaped> = true;
#else
struct shaped : std::vector<float> {
  int columns = 0;
};
#endif
struct image : st::slot<shaped> {};
struct length : st::slot<int> {};

struct look_up {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw>, st::out<image> out) const { out->resize(6); }
};
struct send : st::transfer<image, "reader", "counter"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct count {
  using role = st::role<"counter">;
  void operator()(st::in<image> in, st::out<length> out) const {
    *out = static_cast<int>(in->size());
  }
};

struct job : st::schedule<st::source<raw>, st::result<length>, look_up, send, count> {};

void run() {
  st::pipeline<st::projection<job, "reader">, st::mpi::collectives> pipeline;
  for ([[maybe_unused]] const auto& batch : pipeline.run([] { return std::optional<int>(); }))
    continue;
}
