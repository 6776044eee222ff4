// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <optional>
#include <ranges>
#include <stretto/stretto.hpp>
#include "compare.hpp"
#include "work.hpp"

namespace st = stretto;

namespace training {
namespace {

struct number : st::slot<std::size_t> {};
struct pictures : st::slot<batch> {};
struct loss : st::slot<float> {};
struct accuracy : st::slot<std::optional<float>> {};
struct weights : st::resource<> {};
struct gradients : st::resource<> {};

struct loading {
  using thread = st::thread<"loader">;
  const dataset& data;
  void operator()(st::in<number> n, st::out<pictures> out) const { data.load(n, out); }
};
struct backpropagation {
  using observes = st::observes<weights>;
  using mutates = st::mutates<gradients>;
  learner& model;
  void operator()(st::in<pictures> in, st::out<loss> out) const { out = model.backpropagate(in); }
};
struct optimizer {
  using depends_on = st::depends_on<backpropagation>;
  using mutates = st::mutates<gradients, weights>;
  learner& model;
  void operator()(st::context auto& at) const {
    if (ends_step(at.batch())) model.step();
  }
};
struct testing {
  using depends_on = st::depends_on<optimizer>;
  using observes = st::observes<weights>;
  const learner& model;
  const batch& held_out;
  void operator()(st::context auto& at, st::out<accuracy> out) const {
    out->reset();
    if (is_tested(at.batch())) out = model.accuracy(held_out);
  }
};
struct training : st::schedule<st::source<number, st::thread<"loader">>, st::result<loss, accuracy>,
                               st::pipelined<>, st::caller_runs<"host">, loading, backpropagation,
                               optimizer, testing> {};

template <class Schedule>
trained run(const dataset& data, const batch& held_out, std::size_t batches) {
  trained result;
  learner model;
  st::pipeline<Schedule> pipeline{loading{data}, backpropagation{model}, optimizer{model},
                                  testing{model, held_out}};
  for (const auto& [l, right] : pipeline.run(std::views::iota(std::size_t{0}, batches))) {
    result.losses.push_back(l);
    if (right) result.accuracies.push_back(*right);
  }
  result.weights = model.weights;
  return result;
}

}  // namespace

trained run_stretto(const dataset& data, const batch& held_out, std::size_t batches) {
  return run<training>(data, held_out, batches);
}
trained run_serial(const dataset& data, const batch& held_out, std::size_t batches) {
  return run<st::serial<training>>(data, held_out, batches);
}

}  // namespace training
