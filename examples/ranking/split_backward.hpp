// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/stretto.hpp>
#include <string_view>
#include "schedule.hpp"

/// The training step with `backward` in three tasks. Forward, backward and optimizer wait for each
/// other in a circle, which no plan makes shorter; but the gradients of the first layer's weights
/// and those of its input need nothing of each other, and can be computed at once.
namespace ranking::pipelined {

struct by_hidden : st::slot<hidden_gradients> {};

struct backward_hidden {
  using stream = st::stream<"default">;
  using reads = st::reads<output, sample_losses, samples>;
  using writes = st::writes<by_hidden, batch_loss>;
  using depends_on = st::depends_on<zero_grad>;
  using same_progress_sync = st::same_progress_sync<prefetch_embeddings>;
  using observes = st::observes<weights>;
  using mutates = st::mutates<gradients>;
  state& s;
  void operator()(const activations& forward, const losses& loss, const sample_count& count,
                  hidden_gradients& hidden, loss_sum& sum) const {
    ranking::backward_hidden(forward, loss, count, s.weights, s.gradients, hidden, sum);
  }
};

struct backward_weights {
  using stream = st::stream<"weights">;
  using reads = st::reads<output, sample_losses, by_hidden>;
  using mutates = st::mutates<gradients>;
  state& s;
  void operator()(const activations& forward, const losses& loss,
                  const hidden_gradients& hidden) const {
    ranking::backward_weights(forward, loss, hidden, s.gradients);
  }
};

struct backward_inputs {
  using stream = st::stream<"default">;
  using reads = st::reads<sample_losses, by_hidden>;
  using writes = st::writes<by_input>;
  using observes = st::observes<weights>;
  const state& s;
  void operator()(const losses& loss, const hidden_gradients& hidden,
                  input_gradients& gradient) const {
    ranking::backward_inputs(loss, hidden, s.weights, gradient);
  }
};

struct finalize_both : finalize_model_grads {
  using depends_on = st::depends_on<backward_weights>;
};

constexpr std::string_view thread_of_split(const st::planner::task& task) {
  return task.stream == "weights" ? "prepare" : thread_of(task);
}

struct split_training
    : st::schedule<st::source<batch_text>, st::result<report>,
                   st::streams<"memcpy", "data_dist", "prefetch", "default", "weights">,   //
                   start_input_dist, wait_input_dist, h2d, start_shuffle, finish_shuffle,  //
                   zero_grad, global_tokens_allreduce, nccl_safety_barrier, forward,
                   prefetch_embeddings, backward_hidden, backward_weights, backward_inputs,
                   finalize_both, optimizer_step, watchdog_step,  //
                   st::threads<st::chosen_by<thread_of_split>>, st::caller_runs<"train">> {};

/// A pipeline by one of its plans, over the state.
template <class Schedule, class... Options>
class split_trainer {
 public:
  explicit split_trainer(state& s)
      : pipeline(h2d{s}, wait_input_dist{ranking::wait_input_dist(s.words.table_rows())},
                 forward{s}, prefetch_embeddings{s}, zero_grad{s}, backward_hidden{s},
                 backward_weights{s}, backward_inputs{s}, finalize_both{{s}}, optimizer_step{s}) {}

  st::pipeline<Schedule, Options...> pipeline;
};

}  // namespace ranking::pipelined
