// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <stretto/mpi/core.hpp>
#include <stretto/mpi/datatype.hpp>
#include <stretto/mpi/error.hpp>
#include <stretto/mpi/leak_on_throw.hpp>
#include <stretto/run/asked_of_collectives.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/sent_value.hpp>
#include <stretto/run/value_bytes.hpp>
#include <type_traits>
#include <vector>

namespace stretto::mpi {

/// What the context of a body gets from `mpi::collectives`. For bodies of collective tasks: the
/// others' have no communicator (`usage_error`).
///
/// All that waits gives up when a peer has failed or has ended, when this pipeline stops, and at
/// the timeout: it throws what the collectives' documentation names. What it waited for may still
/// be at work on its memory then. Errors of MPI are `mpi::error`.
class in_context {
 public:
  in_context() = default;
  in_context(detail::core& all, std::size_t node) : core_(&all), node_(node) {}

  /// The task's communicator: a duplicate of what was passed under its name, which returns errors.
  MPI_Comm communicator() const { return core_->communicator(node_); }
  operator MPI_Comm() const { return communicator(); }

  /// The number of this rank in the task's communicator,
  int rank() const {
    int number = 0;
    checked(MPI_Comm_rank(communicator(), &number), "MPI_Comm_rank");
    return number;
  }
  /// and how many there are.
  int ranks() const {
    int number = 0;
    checked(MPI_Comm_size(communicator(), &number), "MPI_Comm_size");
    return number;
  }

  /// Waits for a nonblocking operation, such as one that this body, or that of an earlier
  /// collective task, has begun on its communicator.
  void wait(MPI_Request request) const { core_->wait(request); }

  void barrier() const {
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Ibarrier(communicator(), &r), "MPI_Ibarrier");
    wait(r);
  }

  // Below, what is sent and received are contiguous ranges of elements: vectors, arrays, spans.

  /// Adds up, or whatever \p op does, element by element over all ranks, in place.
  template <elements Values>
  void all_reduce(Values&& values, MPI_Op op = MPI_SUM) const {
    const auto all = detail::span_of(values);
    reduce(MPI_IN_PLACE, all, detail::datatype_in(all), op);
  }
  /// Reduces into \p out, which is as long as \p in.
  template <elements In, elements Out>
  void all_reduce(const In& in, Out&& out, MPI_Op op = MPI_SUM) const {
    const auto from = detail::span_of(in);
    const auto to = detail::span_of(out);
    expect(from.size() == to.size(), "all_reduce: in and out differ in length");
    reduce(from.data(), to, detail::datatype_in(from, to), op);
  }
  /// One number, of all ranks.
  template <class Type>
  Type all_reduced(Type value, MPI_Op op = MPI_SUM) const {
    auto kept = std::make_unique<Type>(value);
    detail::keep_while(kept, [&] { all_reduce(std::span<Type>(kept.get(), 1), op); });
    return *kept;
  }

  /// Everybody gets what \p root has.
  template <elements Values>
  void broadcast(Values&& values, int root) const {
    const auto all = detail::span_of(values);
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Ibcast(all.data(), detail::count_of(all.size()), detail::datatype_in(all), root,
                       communicator(), &r),
            "MPI_Ibcast");
    core_->wait(r, all.size_bytes());
  }

  /// What each rank has in \p in, by rank: \p out is as many times as long as there are ranks.
  template <elements In, elements Out>
  void all_gather(const In& in, Out&& out) const {
    const auto from = detail::span_of(in);
    const auto to = detail::span_of(out);
    expect(to.size() == from.size() * size(), "all_gather: out is not ranks() times in");
    const int count = detail::count_of(from.size());
    const MPI_Datatype type = detail::datatype_in(from, to);
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Iallgather(from.data(), count, type, to.data(), count, type, communicator(), &r),
            "MPI_Iallgather");
    core_->wait(r, to.size_bytes());
  }

  /// Adds up element by element; rank k gets the k-th part, as long as \p out.
  template <elements In, elements Out>
  void reduce_scatter(const In& in, Out&& out, MPI_Op op = MPI_SUM) const {
    const auto from = detail::span_of(in);
    const auto to = detail::span_of(out);
    expect(from.size() == to.size() * size(), "reduce_scatter: in is not ranks() times out");
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Ireduce_scatter_block(from.data(), to.data(), detail::count_of(to.size()),
                                      detail::datatype_in(from, to), op, communicator(), &r),
            "MPI_Ireduce_scatter_block");
    core_->wait(r, from.size_bytes());
  }

  /// Rank k gets the k-th part of each rank's \p in, by rank. Both are as long, a multiple of the
  /// number of ranks.
  template <elements In, elements Out>
  void all_to_all(const In& in, Out&& out) const {
    const auto from = detail::span_of(in);
    const auto to = detail::span_of(out);
    expect(from.size() == to.size() && from.size() % size() == 0,
           "all_to_all: in and out differ in length, or are no multiple of ranks()");
    const int count = detail::count_of(from.size() / size());
    const MPI_Datatype type = detail::datatype_in(from, to);
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Ialltoall(from.data(), count, type, to.data(), count, type, communicator(), &r),
            "MPI_Ialltoall");
    core_->wait(r, to.size_bytes());
  }
  /// Exchanges parts of unequal lengths: \p to_each elements for each rank, \p from_each of
  /// each, one part behind the other.
  template <elements In, elements Out>
  void all_to_all(const In& in, std::span<const int> to_each, Out&& out,
                  std::span<const int> from_each) const {
    const auto from = detail::span_of(in);
    const auto to = detail::span_of(out);
    expect(to_each.size() == size() && from_each.size() == size(),
           "all_to_all: as many counts are needed as there are ranks");
    using offsets = std::array<std::vector<int>, 2>;
    auto at = std::make_unique<offsets>(
        offsets{starts(to_each, from.size()), starts(from_each, to.size())});
    const MPI_Datatype type = detail::datatype_in(from, to);
    MPI_Request r = MPI_REQUEST_NULL;
    checked(MPI_Ialltoallv(from.data(), to_each.data(), (*at)[0].data(), type, to.data(),
                           from_each.data(), (*at)[1].data(), type, communicator(), &r),
            "MPI_Ialltoallv");
    detail::keep_while(at, [&] { core_->wait(r, to.size_bytes()); });
  }

  // For transfers.

  template <class Value>
  void send_value(const Value& value) const {
    core_->send(node_, runner::bytes_of(value));
  }
  template <class Value>
  void receive_value(Value& value) const {
    const std::vector<std::byte> bytes = core_->receive(node_);
    if (!runner::assign_bytes(value, bytes)) core_->refuse(node_, bytes.size());
  }

  // Likewise, of values whose type is forgotten.

  static bool can_send(const runner::sent_value& how) { return how.bytes != nullptr; }
  void send_as(const runner::sent_value& how, const void* value) const {
    core_->send(node_, how.bytes(value));
  }
  void receive_as(const runner::sent_value& how, void* value) const {
    const std::vector<std::byte> bytes = core_->receive(node_);
    if (!how.assign(value, bytes)) core_->refuse(node_, bytes.size());
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(ranks()); }

  template <class Out>
  void reduce(const void* in, std::span<Out> out, MPI_Datatype type, MPI_Op op) const {
    core_->all_reduce(node_, {in, out.data(), out.size(), sizeof(Out), type, op});
  }

  static void expect(bool condition, const char* otherwise) {
    if (!condition) throw usage_error(otherwise);
  }

  /// Where each part starts; all of them together are \p length long.
  static std::vector<int> starts(std::span<const int> counts, std::size_t length) {
    std::vector<int> at;
    at.reserve(counts.size());
    std::size_t sum = 0;
    for (const int count : counts) {
      expect(count >= 0, "all_to_all: a count is negative");
      at.push_back(detail::count_of(sum));
      sum += static_cast<std::size_t>(count);
    }
    expect(sum == length, "all_to_all: the counts do not add up to the length");
    return at;
  }

  detail::core* core_ = nullptr;
  std::size_t node_ = 0;
};

}  // namespace stretto::mpi

namespace stretto {

template <>
struct asked_of_collectives<mpi::in_context> {
  static constexpr bool known = true;
  using in_context = mpi::in_context;
  template <class Here>
  static in_context get(Here, const void* /*spot*/, const void* among) {
    return *static_cast<const in_context*>(among);
  }
};
/// Where `MPI_Comm` is a type of its own, and no number as in MPICH.
template <class Type>
  requires std::is_pointer_v<Type> && std::same_as<Type, MPI_Comm>
struct asked_of_collectives<Type> : asked_of_collectives<mpi::in_context> {};

}  // namespace stretto
