// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include "embedding.hpp"
#include "encoding.hpp"
#include "input_dist.hpp"
#include "model.hpp"
#include "optimizer.hpp"
#include "shuffle.hpp"
#include "watchdog.hpp"

/// The training step of a ranking model as 14 tasks: those of the recommender training engine whose
/// schedule this follows, in single-rank form.
namespace ranking::pipelined {

namespace st = stretto;

/// What training changes. It outlives the pipelines that work on it.
struct state {
  state(const vocabulary& known, const learning& rates, std::uint32_t cache_lines)
      : words(known),
        how(rates),
        table(known.table_rows(), 7),
        cache(known.table_rows(), cache_lines) {
    weights.draw_weights(11);
  }

  const vocabulary& words;
  learning how;
  embedding_table table;
  row_cache cache;
  network weights, gradients, squares;
};

// What travels with a batch.
struct batch_text : st::slot<raw_batch> {};
struct decoded : st::slot<columns> {};
struct context : st::slot<batch_context> {};
struct shuffle_order : st::slot<permutation> {};
struct shuffled : st::slot<columns> {};
struct sharded : st::slot<sharded_keys> {};
struct unique : st::slot<unique_rows> {};
struct cached : st::slot<cached_rows> {};
struct samples : st::slot<sample_count> {};
struct output : st::slot<activations> {};
struct sample_losses : st::slot<losses> {};
struct by_input : st::slot<input_gradients> {};
struct batch_loss : st::slot<loss_sum> {};
struct by_row : st::slot<row_gradients> {};
struct step : st::slot<step_result> {};
struct report : st::slot<step_report> {};

// What all batches share.
struct row_cache_state : st::resource<row_cache> {};
struct weights : st::resource<network> {};
struct gradients : st::resource<network> {};

struct prefetch_embeddings;
struct zero_grad;
struct backward;

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch_text>;
  using writes = st::writes<decoded, context>;
  const state& s;
  void operator()(const raw_batch& text, columns& batch, batch_context& facts) const {
    ranking::h2d(s.words, text, batch, facts);
  }
};

struct start_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<decoded, context>;
  using writes = st::writes<shuffle_order>;
  void operator()(const columns& batch, const batch_context& facts, permutation& order) const {
    ranking::start_shuffle(batch, facts, order);
  }
};

struct finish_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<decoded, shuffle_order>;
  using writes = st::writes<shuffled>;
  void operator()(const columns& batch, const permutation& order, columns& out) const {
    ranking::finish_shuffle(batch, order, out);
  }
};

struct start_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  using reads = st::reads<shuffled, context>;
  using writes = st::writes<sharded>;
  void operator()(const columns& batch, const batch_context& facts, sharded_keys& keys) const {
    ranking::start_input_dist(batch, facts, keys);
  }
};

struct wait_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  using reads = st::reads<sharded>;
  using writes = st::writes<unique>;
  ranking::wait_input_dist deduplicate;
  void operator()(const sharded_keys& keys, unique_rows& rows) { deduplicate(keys, rows); }
};

struct global_tokens_allreduce {
  using stream = st::stream<"default">;
  using reads = st::reads<decoded>;
  using writes = st::writes<samples>;
  void operator()(const columns& batch, sample_count& count) const {
    ranking::global_tokens_allreduce(batch, count);
  }
};

struct nccl_safety_barrier {
  using stream = st::stream<"default">;
  using reads = st::reads<shuffled, context>;
  void operator()(const columns& batch, const batch_context& facts) const {
    ranking::nccl_safety_barrier(batch, facts);
  }
};

struct forward {
  using stream = st::stream<"default">;
  using reads = st::reads<shuffled, unique, cached>;
  using writes = st::writes<output, sample_losses>;
  using observes = st::observes<row_cache_state, weights>;
  const state& s;
  void operator()(const columns& batch, const unique_rows& rows, const cached_rows& lines,
                  activations& out, losses& loss) const {
    ranking::forward(batch, rows, lines, s.cache, s.weights, out, loss);
  }
};

/// Loads the rows of the next batch. After this batch's forward, so that the rows of two batches
/// are pinned at once, never of three; before its backward, so that the optimizer finds the cache
/// still.
struct prefetch_embeddings {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using reads = st::reads<unique>;
  using writes = st::writes<cached>;
  using same_progress_sync = st::same_progress_sync<forward>;
  using mutates = st::mutates<row_cache_state>;
  state& s;
  void operator()(const unique_rows& rows, cached_rows& lines) const {
    ranking::prefetch_embeddings(rows, s.table, s.cache, lines);
  }
};

struct zero_grad {
  using stream = st::stream<"default">;
  using mutates = st::mutates<gradients>;
  state& s;
  void operator()() const { ranking::zero_grad(s.gradients); }
};

struct backward {
  using stream = st::stream<"default">;
  using reads = st::reads<output, sample_losses, samples>;
  using writes = st::writes<by_input, batch_loss>;
  using depends_on = st::depends_on<zero_grad>;
  using same_progress_sync = st::same_progress_sync<prefetch_embeddings>;
  using observes = st::observes<weights>;
  using mutates = st::mutates<gradients>;
  state& s;
  void operator()(const activations& forward, const losses& loss, const sample_count& count,
                  input_gradients& gradient, loss_sum& sum) const {
    ranking::backward(forward, loss, count, s.weights, s.gradients, gradient, sum);
  }
};

struct finalize_model_grads {
  using stream = st::stream<"default">;
  using reads = st::reads<unique, by_input>;
  using writes = st::writes<by_row>;
  using mutates = st::mutates<gradients>;
  state& s;
  void operator()(const unique_rows& rows, const input_gradients& gradient,
                  row_gradients& out) const {
    ranking::finalize_model_grads(s.how, rows, gradient, s.gradients, out);
  }
};

struct optimizer_step {
  using stream = st::stream<"default">;
  using reads = st::reads<context, cached, by_row, batch_loss, samples>;
  using writes = st::writes<step>;
  using observes = st::observes<gradients>;
  using mutates = st::mutates<weights, row_cache_state>;
  state& s;
  void operator()(const batch_context& facts, const cached_rows& lines, const row_gradients& rows,
                  const loss_sum& loss, const sample_count& count, step_result& out) const {
    ranking::optimizer_step(s.how, facts, lines, rows, s.gradients, loss, count, s.weights,
                            s.squares, s.cache, out);
  }
};

struct watchdog_step {
  using stream = st::stream<"default">;
  using reads = st::reads<step, context>;
  using writes = st::writes<report>;
  ranking::watchdog_step watch;
  void operator()(const step_result& result, const batch_context& facts, step_report& out) {
    watch(result, facts, out);
  }
};

/// Two threads: one prepares batches to come, the other, which is the caller's, trains.
constexpr std::string_view thread_of(const st::planner::task& task) {
  return task.stream == "memcpy" || task.stream == "data_dist" ? "prepare" : "train";
}

// start_input_dist is declared before h2d because the sort goes by declaration where nothing else
// decides: prefetch_embeddings waits for it in the same progress, and should not wait for h2d too.
struct training
    : st::schedule<st::source<batch_text>, st::result<report>,
                   st::streams<"memcpy", "data_dist", "prefetch", "default">,              //
                   start_input_dist, wait_input_dist, h2d, start_shuffle, finish_shuffle,  //
                   zero_grad, global_tokens_allreduce, nccl_safety_barrier, forward,
                   prefetch_embeddings, backward, finalize_model_grads, optimizer_step,
                   watchdog_step,  //
                   st::threads<st::chosen_by<thread_of>>, st::caller_runs<"train">> {};

using serial = st::serial<training>;

/// A pipeline by one of the plans, over the state.
template <class Schedule, class... Options>
class trainer {
 public:
  explicit trainer(state& s)
      : pipeline(h2d{s}, wait_input_dist{ranking::wait_input_dist(s.words.table_rows())},
                 forward{s}, prefetch_embeddings{s}, zero_grad{s}, backward{s},
                 finalize_model_grads{s}, optimizer_step{s}) {}

  st::pipeline<Schedule, Options...> pipeline;
};

/// The schedule as a value, with bodies that work on a state.
template <class Schedule>
st::dynamic::schedule with_bodies(state& s) {
  return st::dynamic::from_types<Schedule>(
      h2d{s}, wait_input_dist{ranking::wait_input_dist(s.words.table_rows())}, forward{s},
      prefetch_embeddings{s}, zero_grad{s}, backward{s}, finalize_model_grads{s},
      optimizer_step{s});
}

/// A trainer by the runtime version.
template <class Schedule, class... Options>
class dynamic_trainer {
 public:
  explicit dynamic_trainer(state& s) : pipeline(with_bodies<Schedule>(s)) {}

  st::dynamic::pipeline<Options...> pipeline;
};

inline const step_report& report_of(const step_report& result) { return result; }
inline const step_report& report_of(const st::dynamic::result& result) {
  return result.get<step_report>();
}

}  // namespace ranking::pipelined
