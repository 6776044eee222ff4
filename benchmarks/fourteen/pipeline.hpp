// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <stretto/stretto.hpp>
#include <string_view>
#include <type_traits>

namespace benchmarks {

namespace st = stretto;

/// What every slot holds: the cost of a slot's type is not what these benchmarks are about.
using value = std::uint64_t;

/// The 14-task ranking pipeline (the record `hstu_doc_pf_shuf_depth1` of
/// tests/conformance/goldens/hstu.jsonl) on one rank: names, slots, lookaheads, streams and
/// dependencies as there, collectives as ordinary tasks. What a task does is up to `Work`, which
/// gets the task and its slots, those only read as `const`. With `DataOnly` the same tasks are host
/// tasks, which nothing but their slots orders.
template <class Work, bool DataOnly = false>
struct fourteen {
  template <class Fields>
  struct dropped {};
  /// Fields of a task that it has unless it is ordered by its data only.
  template <class Fields>
  using kept = std::conditional_t<DataOnly, dropped<Fields>, Fields>;

  template <st::fixed_string Name>
  struct on {
    using stream = st::stream<Name>;
  };
  template <class... Task>
  struct after {
    using depends_on = st::depends_on<Task...>;
  };
  template <class... Task>
  struct after_all {
    using same_progress_sync = st::same_progress_sync<Task...>;
  };

  struct batch_cpu : st::slot<value> {};
  struct batch_gpu : st::slot<value> {};
  struct torchrec_ctx : st::slot<value> {};
  struct shuffle_handle : st::slot<value> {};
  struct shuffled_batch : st::slot<value> {};
  struct global_tokens : st::slot<value> {};
  struct losses : st::slot<value> {};
  struct output : st::slot<value> {};
  struct local_loss_sum : st::slot<value> {};
  struct step_result : st::slot<value> {};

  struct prefetch_embeddings;

  struct h2d : kept<on<"memcpy">> {
    static constexpr int lookahead = 2;
    using reads = st::reads<batch_cpu>;
    using writes = st::writes<batch_gpu, torchrec_ctx>;
    void operator()(const value& cpu, value& gpu, value& ctx) const {
      Work::template task<0>(cpu, gpu, ctx);
    }
  };
  struct start_shuffle : kept<on<"memcpy">> {
    static constexpr int lookahead = 2;
    using reads = st::reads<batch_gpu>;
    using writes = st::writes<shuffle_handle>;
    void operator()(const value& gpu, value& handle) const { Work::template task<1>(gpu, handle); }
  };
  struct finish_shuffle : kept<on<"memcpy">> {
    static constexpr int lookahead = 2;
    using reads = st::reads<batch_gpu, shuffle_handle>;
    using writes = st::writes<shuffled_batch>;
    void operator()(const value& gpu, const value& handle, value& shuffled) const {
      Work::template task<2>(gpu, handle, shuffled);
    }
  };
  struct start_input_dist : kept<on<"data_dist">> {
    static constexpr int lookahead = 1;
    using reads = st::reads<shuffled_batch, torchrec_ctx>;
    void operator()(const value& shuffled, const value& ctx) const {
      Work::template task<3>(shuffled, ctx);
    }
  };
  struct wait_input_dist : kept<on<"data_dist">>, kept<after<start_input_dist>> {
    static constexpr int lookahead = 1;
    void operator()() const { Work::template task<4>(); }
  };
  struct zero_grad : kept<on<"default">> {
    void operator()() const { Work::template task<5>(); }
  };
  struct global_tokens_allreduce : kept<on<"default">> {
    using reads = st::reads<batch_gpu>;
    using writes = st::writes<global_tokens>;
    void operator()(const value& gpu, value& tokens) const { Work::template task<6>(gpu, tokens); }
  };
  struct nccl_safety_barrier : kept<on<"default">>, kept<after<finish_shuffle>> {
    void operator()() const { Work::template task<7>(); }
  };
  struct forward : kept<on<"default">>, kept<after<prefetch_embeddings>> {
    using reads = st::reads<batch_gpu, torchrec_ctx, shuffled_batch>;
    using writes = st::writes<losses, output>;
    void operator()(const value& gpu, const value& ctx, const value& shuffled, value& loss,
                    value& out) const {
      Work::template task<8>(gpu, ctx, shuffled, loss, out);
    }
  };
  struct prefetch_embeddings : kept<on<"prefetch">>, kept<after<wait_input_dist>> {
    static constexpr int lookahead = 1;
    void operator()() const { Work::template task<9>(); }
  };
  struct backward : kept<on<"default">>,
                    kept<after<zero_grad>>,
                    kept<after_all<prefetch_embeddings>> {
    using reads = st::reads<losses, global_tokens>;
    using writes = st::writes<local_loss_sum>;
    void operator()(const value& loss, const value& tokens, value& sum) const {
      Work::template task<10>(loss, tokens, sum);
    }
  };
  struct finalize_model_grads : kept<on<"default">>, kept<after<backward>> {
    void operator()() const { Work::template task<11>(); }
  };
  struct optimizer_step : kept<on<"default">>, kept<after<finalize_model_grads>> {
    using writes = st::writes<step_result>;
    void operator()(value& result) const { Work::template task<12>(result); }
  };
  struct watchdog_step : kept<on<"default">>, kept<after<optimizer_step>> {
    void operator()() const {
      Work::template task<13>();
      Work::progressed();
    }
  };

  struct pipelined
      : st::schedule<st::source<batch_cpu>, st::result<step_result>,
                     st::streams<"memcpy", "data_dist", "default", "prefetch">, h2d, start_shuffle,
                     finish_shuffle, start_input_dist, wait_input_dist, zero_grad,
                     global_tokens_allreduce, nccl_safety_barrier, forward, prefetch_embeddings,
                     backward, finalize_model_grads, optimizer_step, watchdog_step> {};

  /// All tasks on the calling thread, lookaheads kept.
  struct sequential : st::replan<pipelined, st::threads<st::on_caller>> {};

  /// The original's map: data movement on a thread of its own, the rest on the calling thread,
  /// which also pulls.
  static constexpr std::string_view io_or_compute(const st::planner::task& t) {
    return t.stream == "memcpy" ? "io" : "compute";
  }
  struct two_threads : st::replan<pipelined, st::threads<st::chosen_by<io_or_compute>>,
                                  st::caller_runs<"compute">> {};

  /// Two threads, with a copy of the source's slot for each batch in flight, as the hand-written
  /// loop has: a batch can be pulled before the one ahead of it is loaded.
  struct two_threads_ahead : st::replan<two_threads, st::slack<batch_cpu, 2>> {};

  /// The compiler's own map, on two threads: every task weighs the same.
  struct generated : st::replan<pipelined, st::threads<st::generated<2>>> {};

  static_assert(st::in_flight<pipelined> == 3);
  static_assert(DataOnly || st::plan_of<two_threads>.threads == 2);
};

}  // namespace benchmarks
