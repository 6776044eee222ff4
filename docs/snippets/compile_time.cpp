// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/compile_time.md, compiled: what it shows as three files is one here.

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <stretto/stretto.hpp>

// [header]
// training.hpp, which includes <functional> and <memory>, and nothing of Stretto
class training {
 public:
  training();
  ~training();
  /// Fills a batch until it returns false; is given each loss.
  void run(const std::function<bool(float&)>& fill, const std::function<void(float)>& use);

 private:
  struct implementation;
  std::unique_ptr<implementation> implementation_;
};
// [header]

namespace st = stretto;

namespace {

struct sample : st::slot<float> {};
struct loss : st::slot<float> {};

struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<sample>;
  using writes = st::writes<loss>;
  void operator()(const float& in, float& out) const { out = 1 - in; }
};

struct training_schedule
    : st::schedule<st::source<sample>, st::result<loss>, st::streams<"compute">, train> {};

}  // namespace

// [unrolled]
template <>
inline constexpr std::size_t stretto::unrolled_up_to<training_schedule> = 100;
// [unrolled]

// [source]
// training.cpp, which includes <stretto/stretto.hpp> and the schedule
struct training::implementation {
  st::pipeline<training_schedule> pipeline;
};
training::training() : implementation_(std::make_unique<implementation>()) {}
training::~training() = default;

void training::run(const std::function<bool(float&)>& fill, const std::function<void(float)>& use) {
  for (const float l : implementation_->pipeline.run(fill)) use(l);
}
// [source]

int main() {
  // [use]
  // any other file
  training t;
  float next = 0;
  t.run([&](float& batch) { return (batch = ++next) <= 3; },
        [](float l) { std::printf("%g\n", l); });
  // [use]
  return 0;
}
