// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include "../common/relax.hpp"
#include "pipeline.hpp"

// What Stretto is measured against: the 14-task pipeline as one would write it by hand, fast, for
// this one schedule. No general code, no graph, no run-time checks.

namespace benchmarks::by_hand {

/// The slots of one batch.
struct batch {
  value batch_cpu, batch_gpu, torchrec_ctx, shuffle_handle, shuffled_batch;
  value global_tokens, losses, output, local_loss_sum, step_result;
};

/// The tasks of one progress in order, cut where batches, and threads, change. Inlined by force:
/// GCC would not, to save space, and be a sixth slower.
template <class Pipeline>
struct steps {
  [[gnu::always_inline]] static void load(batch& b) {
    typename Pipeline::h2d{}(b.batch_cpu, b.batch_gpu, b.torchrec_ctx);
    typename Pipeline::start_shuffle{}(b.batch_gpu, b.shuffle_handle);
    typename Pipeline::finish_shuffle{}(b.batch_gpu, b.shuffle_handle, b.shuffled_batch);
  }
  [[gnu::always_inline]] static void distribute(batch& b) {
    typename Pipeline::start_input_dist{}(b.shuffled_batch, b.torchrec_ctx);
    typename Pipeline::wait_input_dist{}();
  }
  [[gnu::always_inline]] static void train_forward(batch& b) {
    typename Pipeline::zero_grad{}();
    typename Pipeline::global_tokens_allreduce{}(b.batch_gpu, b.global_tokens);
    typename Pipeline::nccl_safety_barrier{}();
    typename Pipeline::forward{}(b.batch_gpu, b.torchrec_ctx, b.shuffled_batch, b.losses, b.output);
  }
  [[gnu::always_inline]] static void prefetch() { typename Pipeline::prefetch_embeddings{}(); }
  [[gnu::always_inline]] static void train_backward(batch& b) {
    typename Pipeline::backward{}(b.losses, b.global_tokens, b.local_loss_sum);
    typename Pipeline::finalize_model_grads{}();
    typename Pipeline::optimizer_step{}(b.step_result);
    typename Pipeline::watchdog_step{}();
  }

  /// A progress in which every task fires, without its `load`.
  [[gnu::always_inline]] static void compute(batch& one_ahead, batch& now) {
    distribute(one_ahead);
    train_forward(now);
    prefetch();
    train_backward(now);
  }
  [[gnu::always_inline]] static void train(batch& last) {
    train_forward(last);
    train_backward(last);
  }
};

/// The three batches in flight.
struct in_flight {
  batch* two_ahead;
  batch* one_ahead;
  batch* now;

  void advance() {
    batch* const done = now;
    now = one_ahead;
    one_ahead = two_ahead;
    two_ahead = done;
  }
};

/// The progresses in which every task fires, until the source has ended. A function of its own:
/// inlined next to the ring, GCC keeps the address of every slot of every batch at hand, and moves
/// all of them on with each progress.
template <class Pipeline, class Source, class Result>
[[gnu::noinline]] in_flight sequential_steady(in_flight batches, Source& source, Result& result) {
  using step = steps<Pipeline>;
  while (source(batches.two_ahead->batch_cpu)) {
    step::load(*batches.two_ahead);
    step::compute(*batches.one_ahead, *batches.now);
    result(batches.now->step_result);
    batches.advance();
  }
  return batches;
}

/// One thread, three batches in flight. `source(value&)` fills a batch or says that it has ended,
/// `result(value&)` takes what comes out.
template <class Pipeline, class Source, class Result>
void sequential(Source&& source, Result&& result) {
  using step = steps<Pipeline>;
  batch ring[3];

  // prefill
  if (!source(ring[0].batch_cpu)) return;
  step::load(ring[0]);
  if (!source(ring[1].batch_cpu)) {
    step::distribute(ring[0]);
    step::prefetch();
    step::train(ring[0]);
    result(ring[0].step_result);
    return;
  }
  step::load(ring[1]);
  step::distribute(ring[0]);
  step::prefetch();

  const in_flight rest =
      sequential_steady<Pipeline>({&ring[2], &ring[1], &ring[0]}, source, result);

  // drain
  step::compute(*rest.one_ahead, *rest.now);
  result(rest.now->step_result);
  step::train(*rest.one_ahead);
  result(rest.one_ahead->step_result);
}

/// How the calling thread opens a progress for the other thread and waits for its end.
class spin_barrier {
 public:
  /// For the calling thread: the other one may start.
  void open() { opened_.store(++epoch_, std::memory_order_release); }
  /// For the calling thread: waits until the other one is done.
  void close() const { wait(closed_, epoch_); }

  /// For the other thread, with the number of this progress, from 1.
  void await_open(std::uint32_t epoch) const { wait(opened_, epoch); }
  void done(std::uint32_t epoch) { closed_.store(epoch, std::memory_order_release); }

 private:
  static void wait(const std::atomic<std::uint32_t>& flag, std::uint32_t epoch) {
    while (flag.load(std::memory_order_acquire) != epoch) relax();
  }

  alignas(64) std::atomic<std::uint32_t> opened_{0};
  alignas(64) std::atomic<std::uint32_t> closed_{0};
  alignas(64) std::uint32_t epoch_ = 0;
};

/// How far a thread is, for the other one.
class progress_flag {
 public:
  void reach(std::uint64_t epoch) { epoch_.store(epoch, std::memory_order_release); }
  void await(std::uint64_t epoch) const {
    while (epoch_.load(std::memory_order_acquire) < epoch) relax();
  }

 private:
  alignas(64) std::atomic<std::uint64_t> epoch_{0};
};

/// Two threads that meet after every progress: the other one loads, the calling one pulls and does
/// the rest.
template <class Pipeline, class Source, class Result>
void two_threads(Source&& source, Result&& result) {
  using step = steps<Pipeline>;
  struct alignas(64) lines {
    batch b;
  };
  lines ring[3];
  spin_barrier barrier;
  batch* to_load = nullptr;  // null: no more. Written before a progress is opened.

  std::thread io([&] {
    for (std::uint32_t epoch = 1;; ++epoch) {
      barrier.await_open(epoch);
      if (to_load == nullptr) return;
      step::load(*to_load);
      barrier.done(epoch);
    }
  });
  /// Loads `b`, and does the rest of the progress meanwhile.
  const auto progress = [&](batch& b, auto rest) {
    to_load = &b;
    barrier.open();
    rest();
    barrier.close();
  };
  const auto run = [&] {
    in_flight batches{&ring[2].b, &ring[1].b, &ring[0].b};

    // prefill
    if (!source(batches.now->batch_cpu)) return;
    progress(*batches.now, [] {});
    if (!source(batches.one_ahead->batch_cpu)) {
      step::distribute(*batches.now);
      step::prefetch();
      step::train(*batches.now);
      result(batches.now->step_result);
      return;
    }
    progress(*batches.one_ahead, [&] {
      step::distribute(*batches.now);
      step::prefetch();
    });

    // steady
    while (source(batches.two_ahead->batch_cpu)) {
      progress(*batches.two_ahead, [&] { step::compute(*batches.one_ahead, *batches.now); });
      result(batches.now->step_result);
      batches.advance();
    }

    // drain: nothing is left to load
    step::compute(*batches.one_ahead, *batches.now);
    result(batches.now->step_result);
    step::train(*batches.one_ahead);
    result(batches.one_ahead->step_result);
  };
  run();
  to_load = nullptr;
  barrier.open();
  io.join();
}

/// Two threads that run ahead of each other, three batches in flight: the other one loads batch
/// after batch as they are pulled, and the calling one, which pulls, has done with batch b - 3 when
/// it pulls batch b.
template <class Pipeline, class Source, class Result>
void two_threads_run_ahead(Source&& source, Result&& result) {
  using step = steps<Pipeline>;
  struct alignas(64) lines {
    batch b;
  };
  lines ring[3];
  progress_flag pulled;
  progress_flag loaded;
  // The pull that found nothing, published by `pulled`; the other thread may still be batches
  // behind.
  std::atomic<std::uint64_t> ended{0};

  std::thread io([&] {
    batch* next = &ring[0].b;
    for (std::uint64_t epoch = 1;; ++epoch) {
      pulled.await(epoch);
      if (ended.load(std::memory_order_relaxed) == epoch) return;
      step::load(*next);
      loaded.reach(epoch);
      next = next == &ring[2].b ? &ring[0].b : next + (&ring[1].b - &ring[0].b);
    }
  });
  std::uint64_t epoch = 0;
  const auto pull = [&](batch& b) {
    const bool found = source(b.batch_cpu);
    ++epoch;
    if (!found) ended.store(epoch, std::memory_order_relaxed);
    pulled.reach(epoch);
    return found;
  };
  const auto run = [&] {
    in_flight batches{&ring[2].b, &ring[1].b, &ring[0].b};

    // prefill
    if (!pull(*batches.now)) return;
    if (!pull(*batches.one_ahead)) {
      loaded.await(1);
      step::distribute(*batches.now);
      step::prefetch();
      step::train(*batches.now);
      result(batches.now->step_result);
      return;
    }
    loaded.await(1);
    step::distribute(*batches.now);
    step::prefetch();

    // steady
    while (pull(*batches.two_ahead)) {
      loaded.await(epoch - 1);
      step::compute(*batches.one_ahead, *batches.now);
      result(batches.now->step_result);
      batches.advance();
    }

    // drain
    loaded.await(epoch - 1);
    step::compute(*batches.one_ahead, *batches.now);
    result(batches.now->step_result);
    step::train(*batches.one_ahead);
    result(batches.one_ahead->step_result);
  };
  run();
  io.join();
}

}  // namespace benchmarks::by_hand
