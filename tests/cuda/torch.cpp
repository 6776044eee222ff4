// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The decorator that makes a task's stream LibTorch's current one, with a look-alike of LibTorch's
// headers (tests/support/torch).

#include <doctest/doctest.h>
#include <stdexcept>
#include <stretto/cuda.hpp>
#include <stretto/cuda/torch.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace {

namespace st = stretto;

struct batch : st::slot<int> {};
struct loss : st::slot<int> {};

cudaStream_t pointer_to(int& place) { return reinterpret_cast<cudaStream_t>(&place); }

/// Takes its slots alone, and has state.
struct forward_body {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  cudaStream_t expected = nullptr;
  int calls = 0;
  void operator()(int in, int& out) {
    ++calls;
    CHECK(c10::cuda::getCurrentCUDAStream().stream() == expected);
    CHECK(c10::cuda::getCurrentCUDAStream().device_index() == 3);
    if (in < 0) throw std::runtime_error("no loss");
    out = in + 1;
  }
};
struct forward : st::cuda::torch_stream<forward_body> {
  using st::cuda::torch_stream<forward_body>::torch_stream;
};

/// Takes the context, too.
struct told_body {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(const st::cuda::context& here, const auto& in, auto& out) const {
    CHECK(c10::cuda::getCurrentCUDAStream().stream() == here.stream());
    out = in + static_cast<int>(here.batch());
  }
};
struct told : st::cuda::torch_stream<told_body> {};

struct training
    : st::schedule<st::source<batch>, st::result<loss>, st::streams<"compute">, forward> {};
struct telling : st::schedule<st::source<batch>, st::result<loss>, st::streams<"compute">, told> {};

/// It takes the context, and so it is called for each batch, also where graphs were asked for.
template <class Schedule>
constexpr st::device::obstacle obstacle_of =
    st::device::detail::capture<Schedule, st::cuda::driver>::obstacles[0];
static_assert(obstacle_of<training> == st::device::obstacle::context);
static_assert(obstacle_of<telling> == st::device::obstacle::context);
static_assert(st::name_of<forward>.text == "forward");

}  // namespace

TEST_CASE("the task's stream is current while the body runs, and the one before it after that") {
  int place = 0;
  const st::cuda::context here({7, 8, st::phase::steady, "forward", "compute"}, st::cuda::driver(),
                               pointer_to(place), 3);
  forward task(forward_body{pointer_to(place)});
  int out = 0;
  task(here, 4, out);
  CHECK(out == 5);
  CHECK(task.calls == 1);
  CHECK(c10::cuda::getCurrentCUDAStream().stream() == nullptr);
  CHECK_THROWS_WITH(task(here, -1, out), "no loss");
  CHECK(c10::cuda::getCurrentCUDAStream().stream() == nullptr);

  told other;
  other(here, 4, out);
  CHECK(out == 11);
}
