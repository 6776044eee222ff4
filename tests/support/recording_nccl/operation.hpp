// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <stretto/nccl/interface.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace stretto::testing::recording_nccl {

using nccl::call;

/// With NCCL's numbers.
enum class result {
  success = 0,
  unhandled_cuda_error = 1,
  system_error = 2,
  internal_error = 3,
  invalid_argument = 4,
  invalid_usage = 5,
  remote_error = 6,
  in_progress = 7
};

constexpr const char* text_of(result r) {
  switch (r) {
    case result::success: return "no error";
    case result::unhandled_cuda_error: return "unhandled cuda error";
    case result::system_error: return "unhandled system error";
    case result::internal_error: return "internal error";
    case result::invalid_argument: return "invalid argument";
    case result::invalid_usage: return "invalid usage";
    case result::remote_error: return "remote process exited or there was a network error";
    case result::in_progress: return "NCCL operation in progress";
  }
  return "unknown result code";
}

constexpr const char* name_of(call c) {
  switch (c) {
    case call::unique_id: return "unique_id";
    case call::init: return "init";
    case call::split: return "split";
    case call::async_error: return "async_error";
    case call::finalize: return "finalize";
    case call::destroy: return "destroy";
    case call::abort: return "abort";
    case call::count: return "count";
    case call::rank: return "rank";
    case call::device: return "device";
    case call::allocate: return "allocate";
    case call::release: return "release";
    case call::register_memory: return "register_memory";
    case call::deregister: return "deregister";
    case call::group_start: return "group_start";
    case call::group_end: return "group_end";
    case call::all_reduce: return "all_reduce";
    case call::broadcast: return "broadcast";
    case call::reduce: return "reduce";
    case call::all_gather: return "all_gather";
    case call::reduce_scatter: return "reduce_scatter";
    case call::send: return "send";
    case call::receive: return "receive";
  }
  return "?";
}

enum class reduction { sum, maximum };

/// A type of elements.
struct element {
  std::size_t size;
  void (*combine)(std::byte* into, const std::byte* with, reduction how);
};
/// One that nobody adds up.
template <class T>
inline const element element_of{sizeof(T), nullptr};
template <class T>
  requires std::is_arithmetic_v<T>
inline const element element_of<T>{
    sizeof(T), [](std::byte* into, const std::byte* with, reduction how) {
      T a{};
      T b{};
      std::memcpy(&a, into, sizeof a);
      std::memcpy(&b, with, sizeof b);
      a = how == reduction::sum ? static_cast<T>(a + b) : std::max(a, b);
      std::memcpy(into, &a, sizeof a);
    }};

using bytes = std::vector<std::byte>;

/// What a rank asks for in a collective.
struct operation {
  call what = call::all_reduce;
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t size = 0;  // elements, as the call says it
  const element* type = nullptr;
  reduction how = reduction::sum;
  int root = 0;             // for send and receive: the other one
  bool registered = false;  // all memory that it uses

  /// Whether it is between two ranks only.
  bool is_of_pair() const { return what == call::send || what == call::receive; }
  /// Whether another rank's may stand at the same place, or be the other end of it.
  bool fits(const operation& o) const {
    const bool goes_together = is_of_pair() ? o.is_of_pair() && what != o.what
                                            : what == o.what && root == o.root && how == o.how;
    return goes_together && size == o.size && type == o.type && registered == o.registered;
  }
  std::string text() const {
    return std::string(name_of(what))
        .append(" of ")
        .append(std::to_string(size))
        .append(registered ? " in registered memory" : "");
  }
  std::size_t bytes_in(std::size_t ranks) const {
    if (what == call::receive) return 0;
    return size * type->size * (what == call::reduce_scatter ? ranks : 1);
  }
  std::size_t bytes_out(std::size_t ranks) const {
    if (what == call::send) return 0;
    return size * type->size * (what == call::all_gather ? ranks : 1);
  }

  /// What rank \p me gets of what all gave; empty: nothing.
  bytes outcome(int me, const std::vector<bytes>& given) const {
    if (what == call::broadcast) return given[static_cast<std::size_t>(root)];
    if (what == call::reduce && me != root) return {};
    if (what == call::all_gather) {
      bytes all;
      for (const bytes& b : given) all.insert(all.end(), b.begin(), b.end());
      return all;
    }
    bytes sum = given[0];
    for (std::size_t r = 1; r < given.size(); ++r)
      for (std::size_t i = 0; i < sum.size(); i += type->size)
        type->combine(sum.data() + i, given[r].data() + i, how);
    if (what != call::reduce_scatter) return sum;
    const auto part = static_cast<std::ptrdiff_t>(size * type->size);
    return {sum.begin() + me * part, sum.begin() + (me + 1) * part};
  }
};

}  // namespace stretto::testing::recording_nccl
