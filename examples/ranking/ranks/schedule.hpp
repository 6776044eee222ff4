// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <cstdint>
#include <span>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include <vector>
#include "../schedule.hpp"
#include "parts.hpp"

/// The training step of the ranking model, spread over ranks: each has a part of every batch and
/// some shards of the embedding table, all have the whole network. The tasks are those of one
/// process, with collectives where the ranks meet, and two more: `output_dist`, which brings the
/// embeddings to who needs them, and what `finalize_model_grads` sends back.
namespace ranking::ranks {

namespace st = stretto;
using mpi_context = st::mpi::in_context;

/// What a rank trains.
struct state {
  state(const membership& who, const vocabulary& known, const learning& rates,
        std::uint32_t cache_lines)
      : me(who),
        words(known),
        how(rates),
        table(known.table_rows(), 7, shards_of(who.rank, who.ranks)),
        cache(known.table_rows(), cache_lines) {
    weights.draw_weights(11);
  }

  membership me;
  const vocabulary& words;
  learning how;
  embedding_table table;
  row_cache cache;
  network weights, gradients, squares;
};

/// A collective that one task begins and another waits for.
struct pending {
  MPI_Request request = MPI_REQUEST_NULL;
};

// What travels with a batch.
using pipelined::batch_loss;
using pipelined::batch_text;
using pipelined::by_input;
using pipelined::by_row;
using pipelined::cached;
using pipelined::context;
using pipelined::decoded;
using pipelined::output;
using pipelined::report;
using pipelined::sample_losses;
using pipelined::samples;
using pipelined::shuffled;
using pipelined::step;
struct rows_on_their_way : st::slot<row_exchange> {};
struct rows_pending : st::slot<pending> {};
struct requests : st::slot<row_requests> {};
struct requests_pending : st::slot<pending> {};
struct asked : st::slot<unique_rows> {};
struct embeddings : st::slot<std::vector<embedding>> {};
struct total_loss : st::slot<loss_sum> {};

// What all batches share.
using pipelined::gradients;
using pipelined::row_cache_state;
using pipelined::weights;

struct prefetch_embeddings;
struct zero_grad;

/// Decodes this rank's part.
struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch_text>;
  using writes = st::writes<decoded, context>;
  const state& s;
  void operator()(const raw_batch& text, columns& batch, batch_context& facts) const {
    const part mine = part_of(text.rows.size(), s.me.rank, s.me.ranks);
    ranking::h2d(s.words, {text.index, text.file, text.rows.subspan(mine.first, mine.rows())},
                 batch, facts);
  }
};

/// All ranks draw the same order, for which they need every row's load, and send each other rows.
struct start_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<batch_text, decoded>;
  using writes = st::writes<rows_on_their_way, rows_pending>;
  const state& s;
  void operator()(const mpi_context& among, const raw_batch& text, const columns& batch,
                  row_exchange& rows, pending& sending) const {
    rows.loads.rows = text.rows.size();
    rows.loads.load.resize(text.rows.size());
    shares loads;
    loads.clear(s.me.ranks);
    for (std::size_t r = 0; r < s.me.ranks; ++r)
      loads.count[r] = static_cast<int>(part_of(text.rows.size(), r, s.me.ranks).rows());
    loads.set_starts();
    MPI_Request gathered = MPI_REQUEST_NULL;
    st::mpi::checked(MPI_Iallgatherv(batch.load.data(), static_cast<int>(batch.rows), MPI_UINT32_T,
                                     rows.loads.load.data(), loads.count.data(), loads.start.data(),
                                     MPI_UINT32_T, among.communicator(), &gathered),
                     "MPI_Iallgatherv");
    among.wait(gathered);
    ranking::start_shuffle(rows.loads, {text.index, text.rows.size(), 0}, rows.order);
    pack_rows(s.me, batch, rows);
    st::mpi::checked(
        MPI_Ialltoallv(rows.sent.data(), rows.to.count.data(), rows.to.start.data(), MPI_UINT32_T,
                       rows.received.data(), rows.from.count.data(), rows.from.start.data(),
                       MPI_UINT32_T, among.communicator(), &sending.request),
        "MPI_Ialltoallv");
  }
};

struct finish_shuffle {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<rows_on_their_way, rows_pending>;
  using writes = st::writes<shuffled>;
  const state& s;
  void operator()(const mpi_context& among, const row_exchange& rows, const pending& sending,
                  columns& out) const {
    among.wait(sending.request);
    unpack_rows(s.me, rows, out);
  }
};

/// Asks the owners of the shards for the rows that this rank's part needs.
struct start_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<shuffled>;
  using writes = st::writes<requests, requests_pending>;
  const state& s;
  ranking::wait_input_dist deduplicate;
  sharded_keys keys{};
  void operator()(const mpi_context& among, const columns& batch, row_requests& out,
                  pending& sending) {
    ranking::start_input_dist(batch, {0, batch.rows, 0}, keys);
    deduplicate(keys, out.rows);
    count_wanted(s.me, out);
    out.asked.clear(s.me.ranks);
    among.all_to_all(out.wanted.count, out.asked.count);
    out.asked.set_starts();
    out.asked_keys.resize(out.asked.total());
    st::mpi::checked(MPI_Ialltoallv(out.rows.key.data(), out.wanted.count.data(),
                                    out.wanted.start.data(), MPI_UINT32_T, out.asked_keys.data(),
                                    out.asked.count.data(), out.asked.start.data(), MPI_UINT32_T,
                                    among.communicator(), &sending.request),
                     "MPI_Ialltoallv");
  }
};

struct wait_input_dist {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<requests, requests_pending>;
  using writes = st::writes<asked>;
  distinct_rows distinct;
  void operator()(const mpi_context& among, const row_requests& all, const pending& sending,
                  unique_rows& out) {
    among.wait(sending.request);
    distinct(all.asked_keys, out);
  }
};

struct global_tokens_allreduce {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<decoded>;
  using writes = st::writes<samples>;
  void operator()(const mpi_context& among, const columns& batch, sample_count& count) const {
    ranking::global_tokens_allreduce(batch, count);
    count.weight = among.all_reduced(count.weight);
  }
};

/// No rank goes on before all have every row that was decoded, wherever it is now.
struct nccl_safety_barrier {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<shuffled, context>;
  void operator()(const mpi_context& among, const columns& batch,
                  const batch_context& facts) const {
    std::uint64_t sums[] = {checksum(batch), batch.rows, facts.checksum, facts.rows};
    among.all_reduce(sums);
    if (sums[0] != sums[2] || sums[1] != sums[3])
      throw std::logic_error("batch " + std::to_string(facts.index) +
                             ": the shuffled rows are not the rows that were decoded");
  }
};

/// Brings the embeddings, as the last batch left them, from their owners to who needs them.
struct output_dist {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<requests, asked, cached>;
  using writes = st::writes<embeddings>;
  using observes = st::observes<row_cache_state>;
  const state& s;
  numbers sent{}, received{};
  void operator()(const mpi_context& among, const row_requests& all, const unique_rows& rows,
                  const cached_rows& lines, std::vector<embedding>& out) {
    pack_embeddings(rows, lines, s.cache, sent);
    received.resize(all.rows.key.size() * embedding_size);
    among.all_to_all(sent, all.asked.times(embedding_size).count, received,
                     all.wanted.times(embedding_size).count);
    unpack_embeddings(received, out);
  }
};

struct forward {
  using stream = st::stream<"default">;
  using reads = st::reads<shuffled, requests, embeddings>;
  using writes = st::writes<output, sample_losses>;
  using observes = st::observes<weights>;
  const state& s;
  void operator()(const columns& batch, const row_requests& all, const std::vector<embedding>& rows,
                  activations& out, losses& loss) const {
    ranking::forward(batch, all.rows, rows, s.weights, out, loss);
  }
};

/// Loads the rows that the ranks ask this one for.
struct prefetch_embeddings {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using reads = st::reads<asked>;
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

/// Adds up: the rows' gradients where their owners are, the network's and the loss everywhere.
struct finalize_model_grads {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<requests, asked, by_input, batch_loss>;
  using writes = st::writes<by_row, total_loss>;
  using mutates = st::mutates<gradients>;
  state& s;
  std::vector<embedding> mine{};
  numbers sent{}, received{};
  void operator()(const mpi_context& among, const row_requests& all, const unique_rows& rows,
                  const input_gradients& gradient, const loss_sum& loss, row_gradients& out,
                  loss_sum& sum) {
    add_up(all.rows, gradient, mine);
    pack_gradients(mine, sent);
    received.resize(all.asked_keys.size() * embedding_size);
    among.all_to_all(sent, all.wanted.times(embedding_size).count, received,
                     all.asked.times(embedding_size).count);
    add_gradients(rows, received, out.by_row);
    const std::span<float> dense(s.gradients.values.data(),
                                 static_cast<std::size_t>(s.gradients.values.size()));
    among.all_reduce(dense);

    double sums[] = {loss.sum, 0.0};
    for (const embedding& row : out.by_row)
      for (const float value : row) sums[1] += static_cast<double>(value) * value;
    among.all_reduce(sums);
    sum.sum = sums[0];
    out.norm =
        static_cast<float>(std::sqrt(sums[1] + s.gradients.values.cast<double>().squaredNorm()));
    clip(s.how, s.gradients, out);
  }
};

/// The whole network, the same on all ranks; of the rows those in this rank's shards.
struct optimizer_step {
  using stream = st::stream<"default">;
  using reads = st::reads<context, cached, by_row, total_loss, samples>;
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

/// Training on two threads, as in one process.
struct training
    : st::schedule<st::source<batch_text>, st::result<report>,
                   st::streams<"memcpy", "data_dist", "prefetch", "default">,              //
                   start_input_dist, wait_input_dist, h2d, start_shuffle, finish_shuffle,  //
                   zero_grad, global_tokens_allreduce, nccl_safety_barrier, output_dist, forward,
                   prefetch_embeddings, backward, finalize_model_grads, optimizer_step,
                   watchdog_step,  //
                   st::threads<st::chosen_by<pipelined::thread_of>>, st::caller_runs<"train">> {};

/// A pipeline over the state of this rank.
class trainer {
 public:
  explicit trainer(state& s)
      : pipeline(h2d{s}, start_shuffle{s}, finish_shuffle{s},
                 start_input_dist{s, ranking::wait_input_dist(s.words.table_rows())},
                 wait_input_dist{distinct_rows(s.words.table_rows())}, output_dist{s}, forward{s},
                 prefetch_embeddings{s}, zero_grad{s}, backward{s}, finalize_model_grads{s},
                 optimizer_step{s}) {}

  st::pipeline<training, st::mpi::collectives> pipeline;
};

}  // namespace ranking::ranks
