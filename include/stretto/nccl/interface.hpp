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
  split,
  async_error,
  finalize,
  destroy,
  abort,
  count,
  rank,
  device,
  allocate,
  release,
  register_memory,
  deregister,
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
template <class Library>
concept library_like =
    std::copy_constructible<Library> &&
    requires(const Library& l, typename Library::result r, typename Library::communicator c,
             typename Library::identifier id, typename Library::operation op,
             typename Library::datatype type, typename Library::stream s, const void* in, void* out,
             std::size_t size, int number, call what, const typename Library::config& config,
             void*& memory, typename Library::registration as) {
      { Library::success } -> std::convertible_to<typename Library::result>;
      { Library::in_progress } -> std::convertible_to<typename Library::result>;
      { Library::sum } -> std::convertible_to<typename Library::operation>;
      { Library::text(r) } -> std::convertible_to<const char*>;
      { Library::call_name(what) } -> std::convertible_to<const char*>;
      { Library::template type_of<float>() } -> std::same_as<typename Library::datatype>;
      { Library::standard_config() } -> std::same_as<typename Library::config>;
      { l.keeps_launch_order() } -> std::convertible_to<bool>;
      { l.last_error(c) } -> std::convertible_to<const char*>;
      { l.unique_id(id) } -> std::same_as<typename Library::result>;
      { l.init(c, number, id, number, config) } -> std::same_as<typename Library::result>;
      { l.split(c, number, number, c, config) } -> std::same_as<typename Library::result>;
      { l.async_error(c, r) } -> std::same_as<typename Library::result>;
      { l.finalize(c) } -> std::same_as<typename Library::result>;
      { l.destroy(c) } -> std::same_as<typename Library::result>;
      { l.abort(c) } -> std::same_as<typename Library::result>;
      { l.count(c, number) } -> std::same_as<typename Library::result>;
      { l.rank(c, number) } -> std::same_as<typename Library::result>;
      { l.device(c, number) } -> std::same_as<typename Library::result>;
      { l.allocate(memory, size) } -> std::same_as<typename Library::result>;
      { l.release(memory) } -> std::same_as<typename Library::result>;
      { l.register_memory(c, memory, size, as) } -> std::same_as<typename Library::result>;
      { l.deregister(c, as) } -> std::same_as<typename Library::result>;
      { l.group_start() } -> std::same_as<typename Library::result>;
      { l.group_end() } -> std::same_as<typename Library::result>;
      { l.all_reduce(in, out, size, type, op, c, s) } -> std::same_as<typename Library::result>;
      { l.broadcast(in, out, size, type, number, c, s) } -> std::same_as<typename Library::result>;
      { l.reduce(in, out, size, type, op, number, c, s) } -> std::same_as<typename Library::result>;
      { l.all_gather(in, out, size, type, c, s) } -> std::same_as<typename Library::result>;
      { l.reduce_scatter(in, out, size, type, op, c, s) } -> std::same_as<typename Library::result>;
      { l.send(in, size, type, number, c, s) } -> std::same_as<typename Library::result>;
      { l.receive(out, size, type, number, c, s) } -> std::same_as<typename Library::result>;
    };

}  // namespace stretto::nccl
