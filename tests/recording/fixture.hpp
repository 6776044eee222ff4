// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <cstddef>
#ifdef STRETTO_TEST_BY_CUDA
#  include <by_cuda.hpp>
#else
#  include <recording/spoken_to.hpp>
#endif
#include <string>
#include <vector>

namespace recording = stretto::testing::recording;
using call = stretto::device::call;
using recording::status;

/// The tests of this folder are compiled twice: of a driver that speaks to the world itself, and of
/// one that does so by CUDA's functions.
#ifdef STRETTO_TEST_BY_CUDA
using spoken_to = stand_in::spoken_to;
#else
using spoken_to = recording::spoken_to;
#endif

/// A world and who speaks to it.
struct fixture : spoken_to {
  using spoken_to::spoken_to;

  recording::stream stream(const char* name) {
    recording::stream s = nullptr;
    REQUIRE(d.create_stream(s, 0) == status::success);
    w.name(s, name);
    return s;
  }
  recording::event event() {
    recording::event e = nullptr;
    REQUIRE(d.create_event(e) == status::success);
    return e;
  }
  recording::event timed_event() {
    recording::event e = nullptr;
    REQUIRE(d.create_timed_event(e) == status::success);
    return e;
  }
  void* device_memory(std::size_t bytes, recording::stream s) {
    void* at = nullptr;
    REQUIRE(d.allocate(at, bytes, s) == status::success);
    return at;
  }
  void* pinned_memory(std::size_t bytes) {
    void* at = nullptr;
    REQUIRE(d.allocate_pinned(at, bytes) == status::success);
    return at;
  }
  std::string ran() const {
    std::string all;
    for (const std::string& label : w.ran()) (all += label) += ' ';
    return all;
  }
};
