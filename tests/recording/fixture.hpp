// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <cstddef>
#include <recording/spoken_to.hpp>
#include <string>
#include <vector>

namespace recording = stretto::testing::recording;
using call = stretto::device::call;
using recording::status;

/// A world and who speaks to it.
struct fixture : recording::spoken_to {
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
