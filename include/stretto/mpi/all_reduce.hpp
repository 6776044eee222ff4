// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <cstring>
#include <stretto/mpi/error.hpp>
#include <stretto/mpi/parts.hpp>
#include <utility>
#include <vector>

namespace stretto::mpi::detail {

/// What is to be reduced, as MPI takes it.
struct reduction {
  const void* in = nullptr;  ///< MPI_IN_PLACE: what is in `out`
  void* out = nullptr;
  std::size_t elements = 0;
  std::size_t bytes = 1;  ///< of each
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
};

/// Whether MPI surely defines the operation on the type. What it does not, MPI_Reduce_local would
/// answer by ending the program.
inline bool is_of_numbers(const reduction& what) {
  if (what.type == MPI_BYTE || what.type == MPI_CXX_BOOL) return false;
  return what.op == MPI_SUM || what.op == MPI_PROD || what.op == MPI_MIN || what.op == MPI_MAX;
}

/// What an all-reduce in parts works with, and MPI meanwhile. It is kept from one to the next: the
/// pages of new memory would take longer than what is done with them.
struct part_buffers {
  struct round {
    std::vector<int> lengths;  ///< by rank: of its piece,
    std::vector<int> at;       ///< and where that is,
    std::vector<int> sent;     ///< what it gets of this rank
    std::vector<int> received;
    std::vector<int> into;
    MPI_Request exchanged = MPI_REQUEST_NULL;
    MPI_Request gathered = MPI_REQUEST_NULL;
  };
  std::array<round, 4> rounds;
  std::vector<std::byte> from_others;
};

/// An all-reduce made of an exchange of pieces, of which each rank adds up its own, and of a gather
/// of the sums; pieces are under way while others are added up. All is nonblocking, so that a wait
/// for it can be given up. Of much data on one host this is faster than MPI_Iallreduce, which may
/// have one rank add up everything while the others wait.
///
/// All ranks have the same sums, bit by bit: each element is added up by one of them.
class all_reduce_in_parts {
 public:
  all_reduce_in_parts(const reduction& what, const parts& cut, MPI_Comm among, part_buffers& with)
      : what_(what), cut_(cut), among_(among), with_(with) {
    int rank = 0;
    checked(MPI_Comm_rank(among, &rank), "MPI_Comm_rank");
    rank_ = static_cast<std::size_t>(rank);
    const std::size_t bytes = with.rounds.size() * received_at_once() * what.bytes;
    if (with.from_others.size() < bytes) with.from_others.resize(bytes);
  }

  /// \p wait waits for a request.
  template <class Wait>
  void operator()(Wait&& wait) const {
    const std::size_t ahead = with_.rounds.size() - 1;
    const auto begin = [&](std::size_t round) {
      if (round >= cut_.rounds()) return;
      wait(in(round).gathered);  // of the round that used this memory
      exchange(round);
    };
    for (std::size_t round = 0; round < ahead; ++round) begin(round);
    for (std::size_t round = 0; round < cut_.rounds(); ++round) {
      wait(in(round).exchanged);
      reduce(round);
      gather(round);
      begin(round + ahead);
    }
    for (part_buffers::round& r : with_.rounds) wait(r.gathered);
  }

 private:
  part_buffers::round& in(std::size_t round) const {
    return with_.rounds[round % with_.rounds.size()];
  }
  /// In elements.
  std::size_t received_at_once() const { return (cut_.ranks() - 1) * cut_.longest(); }
  std::byte* received_in(std::size_t round) const {
    return with_.from_others.data() +
           round % with_.rounds.size() * received_at_once() * what_.bytes;
  }

  void exchange(std::size_t round) const {
    part_buffers::round& r = in(round);
    for (std::vector<int>* all : {&r.lengths, &r.at, &r.sent, &r.received, &r.into})
      all->assign(cut_.ranks(), 0);
    const int own = static_cast<int>(cut_.of(rank_, round).length);
    int into = 0;
    for (std::size_t k = 0; k < cut_.ranks(); ++k) {
      const parts::piece p = cut_.of(k, round);
      r.lengths[k] = static_cast<int>(p.length);
      r.at[k] = static_cast<int>(p.first);
      if (k == rank_) continue;
      r.sent[k] = r.lengths[k];
      r.received[k] = own;
      r.into[k] = std::exchange(into, into + own);
    }
    const void* from = what_.in == MPI_IN_PLACE ? what_.out : what_.in;
    checked(MPI_Ialltoallv(from, r.sent.data(), r.at.data(), what_.type, received_in(round),
                           r.received.data(), r.into.data(), what_.type, among_, &r.exchanged),
            "MPI_Ialltoallv");
  }

  void reduce(std::size_t round) const {
    const parts::piece own = cut_.of(rank_, round);
    std::byte* out = static_cast<std::byte*>(what_.out) + own.first * what_.bytes;
    if (what_.in != MPI_IN_PLACE && own.length > 0)
      std::memcpy(out, static_cast<const std::byte*>(what_.in) + own.first * what_.bytes,
                  own.length * what_.bytes);
    for (std::size_t k = 0; k + 1 < cut_.ranks(); ++k)
      checked(MPI_Reduce_local(received_in(round) + k * own.length * what_.bytes, out,
                               static_cast<int>(own.length), what_.type, what_.op),
              "MPI_Reduce_local");
  }

  void gather(std::size_t round) const {
    part_buffers::round& r = in(round);
    checked(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, what_.out, r.lengths.data(),
                            r.at.data(), what_.type, among_, &r.gathered),
            "MPI_Iallgatherv");
  }

  const reduction& what_;
  const parts& cut_;
  MPI_Comm among_;
  part_buffers& with_;
  std::size_t rank_ = 0;
};

}  // namespace stretto::mpi::detail
