// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <future>
#include "by_hand.hpp"

namespace benchmarks {

/// The 14-task pipeline with the standard library's own means: in every progress the other part of
/// it is a `std::async`, which the calling thread joins at the end.
template <class Pipeline, class Source, class Result>
void with_async(Source&& source, Result&& result) {
  using step = by_hand::steps<Pipeline>;
  struct alignas(64) lines {
    by_hand::batch b;
  };
  lines ring[3];
  by_hand::in_flight batches{&ring[2].b, &ring[1].b, &ring[0].b};
  const auto progress = [](by_hand::batch& to_load, auto rest) {
    std::future<void> loaded = std::async(std::launch::async, [&] { step::load(to_load); });
    rest();
    loaded.get();
  };

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

  // drain
  step::compute(*batches.one_ahead, *batches.now);
  result(batches.now->step_result);
  step::train(*batches.one_ahead);
  result(batches.one_ahead->step_result);
}

}  // namespace benchmarks
