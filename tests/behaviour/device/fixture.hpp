// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <cstddef>
#include <recording/spoken_to.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <tested.hpp>
#include <utility>
#include <vector>

/// What tests of the device backend on the recording driver have in common: slots that are a number
/// in device memory or in pinned memory, and kernels that make numbers of numbers.
namespace on_recording {

namespace st = stretto;
namespace recording = stretto::testing::recording;
using call = stretto::device::call;
using recording::status;
using driver = recording::driver;

using device = st::device::backend<driver>;
using streams = st::device::streams<driver>;
using cell = st::device::array<long, 1, driver>;
using pinned_cell = st::device::pinned_array<long, 1, driver>;

inline std::string label(std::string_view task, std::size_t batch) {
  std::string text(task);
  (text += " b") += std::to_string(batch);
  return text;
}

/// What the kernel of a task makes of what it reads.
inline long made_by(std::string_view task, const std::vector<long>& in) {
  long value = 0;
  for (const char c : task) value = (value * 31 + c) % 1000003;
  for (const long i : in) value = (value * 131 + i) % 1000003;
  return value;
}

/// Puts the kernel of a task on its stream: what it writes depends on the task and on all that it
/// reads. \p besides: what it uses and leaves as it is.
template <class Context>
void kernel(const Context& here, std::vector<long*> out, std::vector<const long*> in,
            std::vector<recording::access> besides = {}) {
  here.driver().name_this_thread(std::string(here.thread()));
  std::vector<recording::access> uses = std::move(besides);
  for (const long* at : in) uses.push_back(recording::reads(at, sizeof(long)));
  for (long* at : out) uses.push_back(recording::writes(at, sizeof(long)));
  here.driver().enqueue(
      here.stream(),
      [out = std::move(out), in = std::move(in), task = here.task()] {
        std::vector<long> values;
        for (const long* at : in) values.push_back(*at);
        for (long* at : out) *at = made_by(task, values);
      },
      label(here.task(), here.batch()), std::move(uses));
}

/// Puts a kernel on a stream that makes \p out of what it reads; what is not there counts as 1.
inline void put(const driver& d, recording::stream s, const char* name, std::vector<const long*> in,
                long* out) {
  std::vector<recording::access> uses{recording::writes(out, sizeof(long))};
  for (const long* at : in)
    if (at != nullptr) uses.push_back(recording::reads(at, sizeof(long)));
  d.enqueue(
      s,
      [name, in = std::move(in), out] {
        std::vector<long> values;
        for (const long* at : in) values.push_back(at == nullptr ? 1 : *at);
        *out = made_by(name, values);
      },
      name, std::move(uses));
}

using fixture = recording::spoken_to;

/// Has something checked in a world of its own for each seed of the delays that streams and threads
/// have, none for 0, up to \p last: nothing else may go wrong there, and nothing be left.
template <class Check>
void with_each_seed(unsigned last, Check check) {
  for (unsigned seed = 0; seed <= last; ++seed) {
    CAPTURE(seed);
    fixture f;
    if (seed > 0) f.w.jitter(seed);
    check(f, seed);
    CHECK(f.breaches() == "");
    CHECK(f.leaks() == "");
  }
}

inline long number_of_batch(std::size_t batch) { return 1000 + static_cast<long>(batch); }

/// Fills the source's pinned memory with the numbers of the batches from \p first up to, not
/// including, \p batches.
class numbers {
 public:
  numbers(recording::world& w, std::size_t batches, std::size_t first = 0)
      : world_(&w), batches_(batches), next_(first) {}
  bool operator()(pinned_cell& into) {
    if (next_ == batches_) return false;
    world_->host_writes(into.data(), sizeof(long));
    into[0] = number_of_batch(next_++);
    return true;
  }

 private:
  recording::world* world_;
  std::size_t batches_;
  std::size_t next_;
};

/// What a run yields: pinned numbers.
template <class Run>
std::vector<long> results(Run&& run, recording::world& w) {
  std::vector<long> all;
  for (const pinned_cell& r : run) {
    w.host_reads(r.data(), sizeof(long));
    all.push_back(r[0]);
  }
  return all;
}
template <class Pipeline>
std::vector<long> results(Pipeline& p, recording::world& w, std::size_t batches) {
  return results(p.run(numbers(w, batches)), w);
}

}  // namespace on_recording
