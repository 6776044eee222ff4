// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A profiler for tests: a library that NVTX loads, and that keeps what it is told.
namespace profiler {

enum class kind {
  create_domain,
  destroy_domain,
  name_category,
  name_thread,
  name_stream,
  push,
  pop
};

struct call {
  profiler::kind kind{};
  long thread = 0;               ///< which called; for `name_thread` which is named
  const void* domain = nullptr;  ///< for `name_stream` the stream
  std::string name;
  std::uint32_t category = 0;
  std::uint32_t colour = 0;
  std::uint64_t payload = 0;
};

/// What was told since the last time, in order.
std::vector<call> take_calls();

}  // namespace profiler
