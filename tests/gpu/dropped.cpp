// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether these tests would notice: without one of the waits the results are wrong.

#include <doctest/doctest.h>
#include <atomic>
#include <vector>
#include "chain.hpp"

namespace {

namespace st = stretto;

/// What a driver below forgets.
struct forgotten {
  cudaStream_t on = nullptr;  ///< waits of this stream
  bool host_waits = false;
  std::atomic<int> waits{0};
};

/// CUDA, except some waits.
class forgetful : public st::cuda::driver {
 public:
  explicit forgetful(forgotten& what) : what_(&what) {}

  status wait(stream s, event e) const {
    if (s != what_->on) return driver::wait(s, e);
    ++what_->waits;
    return success;
  }
  status synchronize_event(event e) const {
    if (!what_->host_waits) return driver::synchronize_event(e);
    ++what_->waits;
    return success;
  }

 private:
  forgotten* what_;
};
static_assert(st::device::driver<forgetful>);

using tested = chain::by<forgetful>;
using pipeline_of = st::pipeline<tested::schedule, st::device::backend<forgetful>>;
constexpr int batches = 16;

std::vector<int> run_without(forgotten& what, const char* stream) {
  const forgetful driver(what);
  pipeline_of pipeline{driver};
  if (stream != nullptr) what.on = pipeline.device().stream(stream);
  return chain::results_of(pipeline, batches);
}

}  // namespace

TEST_CASE("with all of them the results are right") {
  forgotten nothing;
  CHECK(chain::right(run_without(nothing, nullptr)));
  CHECK(nothing.waits == 0);
}

TEST_CASE("without the wait for the copy, `compute` reads what was there before") {
  forgotten some;
  CHECK_FALSE(chain::right(run_without(some, "compute")));
  CHECK(some.waits >= batches);
}

TEST_CASE("without the wait for the result, `download` fetches what was there before") {
  forgotten some;
  // `download` waits for nothing then, and is faster than the copy that `compute` waits for.
  CHECK_FALSE(chain::right(run_without(some, "down")));
  CHECK(some.waits >= batches);
}

TEST_CASE("without waits of the host, results are taken before they are there") {
  forgotten some;
  some.host_waits = true;
  CHECK_FALSE(chain::right(run_without(some, nullptr)));
  CHECK(some.waits >= batches);
}
