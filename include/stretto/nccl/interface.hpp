// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>

/// Collectives of devices, reached through a library.
namespace stretto::nccl {

/// What is asked of a library, each a function of it by the same name.
enum class call {
  unique_id,
  init,
  async_error,
  finalize,
  destroy,
  abort,
  count,
  rank,
  device,
  group_start,
  group_end,
  all_reduce,
  broadcast,
  reduce,
  all_gather,
  reduce_scatter,
  send,
  receive
};

/// A library of collectives: an object, copied into each pipeline, whose functions mirror NCCL's
/// and return its result. The real one is empty (nccl/library.hpp); tests have one that records
/// what it is asked. `identifier` is bytes that may be copied to other processes.
template <class L>
concept library_like = std::copy_constructible<L> &&
                       requires(const L& l, typename L::result r, typename L::communicator c,
                                typename L::identifier id, typename L::operation op,
                                typename L::datatype type, typename L::stream s, const void* in,
                                void* out, std::size_t size, int number, call what) {
                         { L::success } -> std::convertible_to<typename L::result>;
                         { L::in_progress } -> std::convertible_to<typename L::result>;
                         { L::sum } -> std::convertible_to<typename L::operation>;
                         { L::text(r) } -> std::convertible_to<const char*>;
                         { L::call_name(what) } -> std::convertible_to<const char*>;
                         { L::template type_of<float>() } -> std::same_as<typename L::datatype>;
                         { l.last_error(c) } -> std::convertible_to<const char*>;
                         { l.unique_id(id) } -> std::same_as<typename L::result>;
                         { l.init(c, number, id, number) } -> std::same_as<typename L::result>;
                         { l.async_error(c, r) } -> std::same_as<typename L::result>;
                         { l.finalize(c) } -> std::same_as<typename L::result>;
                         { l.destroy(c) } -> std::same_as<typename L::result>;
                         { l.abort(c) } -> std::same_as<typename L::result>;
                         { l.count(c, number) } -> std::same_as<typename L::result>;
                         { l.rank(c, number) } -> std::same_as<typename L::result>;
                         { l.device(c, number) } -> std::same_as<typename L::result>;
                         { l.group_start() } -> std::same_as<typename L::result>;
                         { l.group_end() } -> std::same_as<typename L::result>;
                         {
                           l.all_reduce(in, out, size, type, op, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.broadcast(in, out, size, type, number, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.reduce(in, out, size, type, op, number, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.all_gather(in, out, size, type, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.reduce_scatter(in, out, size, type, op, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.send(in, size, type, number, c, s)
                         } -> std::same_as<typename L::result>;
                         {
                           l.receive(out, size, type, number, c, s)
                         } -> std::same_as<typename L::result>;
                       };

}  // namespace stretto::nccl
