// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include "../encoding.hpp"
#include "../input_dist.hpp"
#include "../shuffle.hpp"
#include "../watchdog.hpp"
#include "model.hpp"
#include "pack.hpp"

/// The ranking model trained on a device. The host decodes, shuffles and lays out batches to come,
/// one stream copies, one computes, one brings results back; what the host does with those comes a
/// batch later, so that it does not hold up the submission of the next.
namespace ranking::gpu::pipelined {

namespace st = stretto;

/// What training changes. It outlives the pipelines that work on it.
struct state {
  state(const vocabulary& known, const learning& rates)
      : words(known), how(rates), on_device(embedding_table(known.table_rows(), 7), drawn()) {}

  const vocabulary& words;
  learning how;
  model on_device;

 private:
  static network drawn() {
    network weights;
    weights.draw_weights(11);
    return weights;
  }
};

// What travels with a batch. `block` is page-locked, so that it can be copied in the background.
struct batch_text : st::slot<raw_batch> {};
struct decoded : st::slot<columns> {};
struct context : st::slot<batch_context> {};
struct shuffle_order : st::slot<permutation> {};
struct shuffled : st::slot<columns> {};
struct sharded : st::slot<sharded_keys> {};
struct unique : st::slot<unique_rows> {};
using packed = st::cuda::pinned_array<std::uint32_t, batch_layout.words>;
using packed_there = st::cuda::array<std::uint32_t, batch_layout.words>;
using layer_values = st::cuda::array<float, activations_view::floats(batch_samples)>;
using layer_slopes = st::cuda::array<float, gradients_view::floats(batch_samples)>;
using row_slopes = st::cuda::array<float, batch_layout.places * width>;
struct block : st::slot<packed> {};
struct batch : st::slot<packed_there> {};
struct activations : st::slot<layer_values> {};
struct layer_gradients : st::slot<layer_slopes> {};
struct row_gradients : st::slot<row_slopes> {};
struct concluded : st::slot<st::cuda::array<outcome, 1>> {};
struct fetched : st::slot<st::cuda::pinned_array<outcome, 1>> {};
struct report : st::slot<step_report> {};

// What all batches share.
struct weights : st::resource<model> {};
struct gradients : st::resource<model> {};

struct decode {
  static constexpr int lookahead = 3;
  using reads = st::reads<batch_text>;
  using writes = st::writes<decoded, context>;
  const state& s;
  void operator()(const raw_batch& text, columns& out, batch_context& facts) const {
    h2d(s.words, text, out, facts);
  }
};

struct shuffle {
  static constexpr int lookahead = 3;
  using reads = st::reads<decoded, context>;
  using writes = st::writes<shuffle_order, shuffled>;
  void operator()(const columns& in, const batch_context& facts, permutation& order,
                  columns& out) const {
    start_shuffle(in, facts, order);
    finish_shuffle(in, order, out);
  }
};

struct find_rows {
  static constexpr int lookahead = 3;
  using reads = st::reads<shuffled, context>;
  using writes = st::writes<sharded, unique>;
  wait_input_dist deduplicate;
  void operator()(const columns& in, const batch_context& facts, sharded_keys& keys,
                  unique_rows& rows) {
    start_input_dist(in, facts, keys);
    deduplicate(keys, rows);
  }
};

struct lay_out {
  static constexpr int lookahead = 3;
  using reads = st::reads<shuffled, unique, context>;
  using writes = st::writes<block>;
  const state& s;
  gpu::pack pack{batch_layout};
  void operator()(const columns& in, const unique_rows& rows, const batch_context& facts,
                  packed& out) {
    pack(s.how, in, rows, facts, {out.data(), out.size()});
  }
};

struct upload {
  using stream = st::stream<"upload">;
  static constexpr int lookahead = 2;
  using reads = st::reads<block>;
  using writes = st::writes<batch>;
  void operator()(cudaStream_t on, const packed& in, packed_there& out) const {
    check(cudaMemcpyAsync(out.data(), in.data(), in.size() * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, on),
          "cudaMemcpyAsync");
  }
};

struct forward {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<batch>;
  using writes = st::writes<activations>;
  using observes = st::observes<weights>;
  const state& s;
  void operator()(st::cuda::handle<products> by, const packed_there& in, layer_values& out) const {
    gpu::forward(s.on_device, *by, in.data(), {out.data(), batch_samples}, by.stream());
  }
};

struct backward {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<activations>;
  using writes = st::writes<layer_gradients>;
  using observes = st::observes<weights>;
  using mutates = st::mutates<gradients>;
  const state& s;
  void operator()(st::cuda::handle<products> by, const layer_values& in, layer_slopes& out) const {
    gpu::backward(s.on_device, *by, {in.data(), batch_samples}, {out.data(), batch_samples},
                  by.stream());
  }
};

struct finalize {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<batch, activations, layer_gradients>;
  using writes = st::writes<row_gradients, concluded>;
  using observes = st::observes<gradients>;
  const state& s;
  void operator()(cudaStream_t on, const packed_there& in, const layer_values& forward,
                  const layer_slopes& backward, row_slopes& by_row,
                  st::cuda::array<outcome, 1>& out) const {
    const const_activations_view left(forward.data(), batch_samples);
    gpu::finalize(s.on_device, in.data(), left.loss, backward.data(), s.how.longest_gradient,
                  by_row.data(), out.data(), on);
  }
};

struct optimize {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<batch, row_gradients, concluded>;
  using observes = st::observes<gradients>;
  using mutates = st::mutates<weights>;
  const state& s;
  void operator()(cudaStream_t on, const packed_there& in, const row_slopes& by_row,
                  const st::cuda::array<outcome, 1>& how) const {
    gpu::optimize(s.on_device, in.data(), by_row.data(), s.how.embedding_decay, how.data(), on);
  }
};

struct fetch {
  using stream = st::stream<"results">;
  static constexpr int lookahead = 1;
  using reads = st::reads<concluded>;
  using writes = st::writes<fetched>;
  void operator()(cudaStream_t on, const st::cuda::array<outcome, 1>& in,
                  st::cuda::pinned_array<outcome, 1>& out) const {
    check(cudaMemcpyAsync(out.data(), in.data(), sizeof(outcome), cudaMemcpyDeviceToHost, on),
          "cudaMemcpyAsync");
  }
};

struct watch {
  using reads = st::reads<fetched, context>;
  using writes = st::writes<report>;
  ranking::watchdog_step check_on;
  void operator()(const st::cuda::pinned_array<outcome, 1>& in, const batch_context& facts,
                  step_report& out) {
    check_on({in[0].loss, in[0].norm, in[0].weight}, facts, out);
  }
};

/// Two threads: one prepares batches to come, the caller's submits.
constexpr std::string_view thread_of(const st::planner::task& task) {
  return task.lookahead == 3 ? "prepare" : "train";
}

struct training : st::schedule<st::source<batch_text>, st::result<report>,
                               st::streams<"upload", "compute", "results">,  //
                               upload, forward, backward, finalize, optimize, fetch, watch, decode,
                               shuffle, find_rows, lay_out, st::threads<st::chosen_by<thread_of>>,
                               st::caller_runs<"train">> {};

using serial = st::serial<training>;

/// A pipeline by one of the plans, over the state.
template <class Schedule, class Device = st::on_cuda, class... Options>
class trainer {
 public:
  explicit trainer(const state& s)
      : pipeline(decode{s}, find_rows{wait_input_dist(s.words.table_rows())}, lay_out{s},
                 forward{s}, backward{s}, finalize{s}, optimize{s}) {}

  st::pipeline<Schedule, Device, Options...> pipeline;
};

}  // namespace ranking::gpu::pipelined
