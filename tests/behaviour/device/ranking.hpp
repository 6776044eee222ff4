// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fixture.hpp"

/// The schedule of examples/ranking with kernels that only tell what they read and write.
namespace on_recording::ranking {

struct batch_text : st::slot<pinned_cell> {};
struct decoded : st::slot<cell> {};
struct context : st::slot<cell> {};
struct shuffle_order : st::slot<cell> {};
struct shuffled : st::slot<cell> {};
struct sharded : st::slot<cell> {};
struct unique : st::slot<cell> {};
struct cached : st::slot<cell> {};
struct samples : st::slot<cell> {};
struct output : st::slot<cell> {};
struct sample_losses : st::slot<cell> {};
struct by_input : st::slot<cell> {};
struct batch_loss : st::slot<cell> {};
struct by_row : st::slot<cell> {};
struct step : st::slot<cell> {};
struct report : st::slot<pinned_cell> {};

struct row_cache_state : st::resource<> {};
struct weights : st::resource<> {};
struct gradients : st::resource<> {};

/// What all batches share, on the device.
struct state {
  explicit state(const driver& device) : d(device) {
    d.create_stream(own, 0);
    for (long** at : {&row_cache, &model, &sums}) {
      void* memory = nullptr;
      d.allocate(memory, sizeof(long), own);
      *at = static_cast<long*>(memory);
      **at = 1;
    }
    d.synchronize_stream(own);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    for (long* at : {row_cache, model, sums}) d.free(at, own);
    d.destroy_stream(own);
  }

  // Which rows are in the cache changes no result.
  recording::access looks_up() const { return recording::reads(row_cache, sizeof(long)); }
  recording::access changes_rows() const { return recording::writes(row_cache, sizeof(long)); }

  driver d;
  recording::stream own = nullptr;
  long* row_cache = nullptr;
  long* model = nullptr;
  long* sums = nullptr;
};

struct prefetch_embeddings;
struct zero_grad;

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch_text>;
  using writes = st::writes<decoded, context>;
  void operator()(st::context auto& c, const pinned_cell& text, cell& batch, cell& facts) const {
    kernel(c, {batch.data(), facts.data()}, {text.data()});
  }
};

struct start_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<decoded, context>;
  using writes = st::writes<shuffle_order>;
  void operator()(st::context auto& c, const cell& batch, const cell& facts, cell& order) const {
    kernel(c, {order.data()}, {batch.data(), facts.data()});
  }
};

struct finish_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<decoded, shuffle_order>;
  using writes = st::writes<shuffled>;
  void operator()(st::context auto& c, const cell& batch, const cell& order, cell& out) const {
    kernel(c, {out.data()}, {batch.data(), order.data()});
  }
};

struct start_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  using reads = st::reads<shuffled, context>;
  using writes = st::writes<sharded>;
  void operator()(st::context auto& c, const cell& batch, const cell& facts, cell& keys) const {
    kernel(c, {keys.data()}, {batch.data(), facts.data()});
  }
};

struct wait_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  using reads = st::reads<sharded>;
  using writes = st::writes<unique>;
  void operator()(st::context auto& c, const cell& keys, cell& rows) const {
    kernel(c, {rows.data()}, {keys.data()});
  }
};

struct global_tokens_allreduce {
  using stream = st::stream<"default">;
  using reads = st::reads<decoded>;
  using writes = st::writes<samples>;
  void operator()(st::context auto& c, const cell& batch, cell& count) const {
    kernel(c, {count.data()}, {batch.data()});
  }
};

struct nccl_safety_barrier {
  using stream = st::stream<"default">;
  using reads = st::reads<shuffled, context>;
  void operator()(st::context auto& c, const cell& batch, const cell& facts) const {
    kernel(c, {}, {batch.data(), facts.data()});
  }
};

struct forward {
  using stream = st::stream<"default">;
  using reads = st::reads<shuffled, unique, cached>;
  using writes = st::writes<output, sample_losses>;
  using observes = st::observes<row_cache_state, weights>;
  const state& s;
  void operator()(st::context auto& c, const cell& batch, const cell& rows, const cell& lines,
                  cell& out, cell& loss) const {
    kernel(c, {out.data(), loss.data()}, {batch.data(), rows.data(), lines.data(), s.model},
           {s.looks_up()});
  }
};

struct prefetch_embeddings {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using reads = st::reads<unique>;
  using writes = st::writes<cached>;
  using same_progress_sync = st::same_progress_sync<forward>;
  using mutates = st::mutates<row_cache_state>;
  const state& s;
  void operator()(st::context auto& c, const cell& rows, cell& lines) const {
    kernel(c, {lines.data()}, {rows.data()}, {s.changes_rows()});
  }
};

struct zero_grad {
  using stream = st::stream<"default">;
  using mutates = st::mutates<gradients>;
  const state& s;
  void operator()(st::context auto& c) const { kernel(c, {s.sums}, {}); }
};

struct backward {
  using stream = st::stream<"default">;
  using reads = st::reads<output, sample_losses, samples>;
  using writes = st::writes<by_input, batch_loss>;
  using depends_on = st::depends_on<zero_grad>;
  using same_progress_sync = st::same_progress_sync<prefetch_embeddings>;
  using observes = st::observes<weights>;
  using mutates = st::mutates<gradients>;
  const state& s;
  void operator()(st::context auto& c, const cell& out, const cell& loss, const cell& count,
                  cell& gradient, cell& sum) const {
    kernel(c, {gradient.data(), sum.data(), s.sums},
           {out.data(), loss.data(), count.data(), s.model, s.sums});
  }
};

struct finalize_model_grads {
  using stream = st::stream<"default">;
  using reads = st::reads<unique, by_input>;
  using writes = st::writes<by_row>;
  using mutates = st::mutates<gradients>;
  const state& s;
  void operator()(st::context auto& c, const cell& rows, const cell& gradient, cell& out) const {
    kernel(c, {out.data(), s.sums}, {rows.data(), gradient.data(), s.sums});
  }
};

struct optimizer_step {
  using stream = st::stream<"default">;
  using reads = st::reads<context, cached, by_row, batch_loss, samples>;
  using writes = st::writes<step>;
  using observes = st::observes<gradients>;
  using mutates = st::mutates<weights, row_cache_state>;
  const state& s;
  void operator()(st::context auto& c, const cell& facts, const cell& lines, const cell& rows,
                  const cell& loss, const cell& count, cell& out) const {
    kernel(c, {out.data(), s.model},
           {facts.data(), lines.data(), rows.data(), loss.data(), count.data(), s.sums, s.model},
           {s.changes_rows()});
  }
};

struct watchdog_step {
  using stream = st::stream<"default">;
  using reads = st::reads<step, context>;
  using writes = st::writes<report>;
  void operator()(st::context auto& c, const cell& result, const cell& facts,
                  pinned_cell& out) const {
    kernel(c, {out.data()}, {result.data(), facts.data()});
  }
};

constexpr std::string_view thread_of(const st::planner::task& task) {
  return task.stream == "memcpy" || task.stream == "data_dist" ? "prepare" : "train";
}

struct training
    : st::schedule<st::source<batch_text>, st::result<report>,
                   st::streams<"memcpy", "data_dist", "prefetch", "default">,              //
                   start_input_dist, wait_input_dist, h2d, start_shuffle, finish_shuffle,  //
                   zero_grad, global_tokens_allreduce, nccl_safety_barrier, forward,
                   prefetch_embeddings, backward, finalize_model_grads, optimizer_step,
                   watchdog_step,  //
                   st::threads<st::chosen_by<thread_of>>, st::caller_runs<"train">> {};

/// The training on the calling thread alone.
struct alone : st::replan<training, st::threads<st::on_caller>> {};

/// A world with a pipeline by one of the plans.
template <class Schedule>
struct trainer : fixture {
  trainer()
      : s(d),
        pipeline(forward{s}, prefetch_embeddings{s}, zero_grad{s}, backward{s},
                 finalize_model_grads{s}, optimizer_step{s}, d) {
    for (const std::string_view name : st::typed::declared<Schedule>::value.streams)
      w.name(pipeline.device().stream(name), std::string(name));
  }
  state s;
  tested::pipeline<Schedule, device> pipeline;
};

}  // namespace on_recording::ranking
