// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer of host memory by NCCL
//
// NCCL sends from device to device. What a host task fills is put there by a task on a stream
// first.
//
// expect-error: values_of_a_slot_cannot_be_sent
// expect-text: transfer `send` sends slot `line` of type
// expect-at: reading pipeline
// expect-lines: 22
#include <optional>
#include <recording/driver.hpp>
#include <recording_nccl/library.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/nccl/collectives.hpp>
#include <stretto/stretto.hpp>
#include <string_view>

namespace st = stretto;
using driver = st::testing::recording::driver;
using library = st::testing::recording_nccl::library;
using collectives = st::nccl::collectives_over<library, driver>;
using communicators = st::nccl::communicators_of<library>;

struct raw : st::slot<st::device::pinned_array<long, 1, driver>> {};
#ifdef FIXED
struct line : st::slot<st::device::array<long, 1, driver>> {};
#else
struct line : st::slot<st::device::pinned_array<long, 1, driver>> {};
#endif
struct length : st::slot<long> {};

struct look_up {
  using role = st::role<"reader">;
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<line>;
  void operator()(const auto&, auto&) const {}
};
struct send : st::transfer<line, "reader", "counter"> {
  static constexpr std::string_view name = "send";
  using stream = st::stream<"copies">;
  static constexpr int lookahead = 1;
};
struct count {
  using role = st::role<"counter">;
  using reads = st::reads<line>;
  using writes = st::writes<length>;
  void operator()(const auto&, long& out) const { out = 1; }
};

struct job : st::schedule<st::source<raw>, st::result<length>, st::streams<"copies">, look_up, send,
                          count> {};

void run(const driver& device, const library& nccl, const communicators& ranks) {
  using reading =
      st::pipeline<st::projection<job, "reader">, st::device::backend<driver>, collectives>;
  const reading pipeline(device, nccl, ranks);
}
