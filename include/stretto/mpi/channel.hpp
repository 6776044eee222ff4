// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <stretto/collective/channel.hpp>
#include <stretto/mpi/error.hpp>
#include <utility>

namespace stretto::mpi {

/// Whether MPI may be called: it has been initialised and not been finalised.
inline bool is_up() {
  int begun = 0;
  int over = 0;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Finalized(&over);
  return begun != 0 && over == 0;
}

/// The channel between the ranks of a communicator, which nobody else uses. Small messages from
/// point to point: a collective would need all ranks to come, and one that failed does not.
class channel final : public collective::channel {
 public:
  explicit channel(MPI_Comm over) : over_(over) {
    checked(MPI_Comm_rank(over, &rank_), "MPI_Comm_rank");
    checked(MPI_Comm_size(over, &size_), "MPI_Comm_size");
  }
  ~channel() override {
    // MPI may be at work on what nobody has received: it stays.
    for (std::unique_ptr<posting>& p : posted_)
      if (!is_up() || !done(*p)) static_cast<void>(p.release());
  }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

 protected:
  void send(collective::channel_id on, std::size_t to, const collective::message& text) override {
    while (!posted_.empty() && done(*posted_.front())) posted_.pop_front();
    posted_.push_back(std::make_unique<posting>(posting{text, MPI_REQUEST_NULL}));
    posting& p = *posted_.back();
    checked(MPI_Isend(p.text.data(), static_cast<int>(p.text.size()), MPI_BYTE,
                      static_cast<int>(to), static_cast<int>(on), over_, &p.request),
            "MPI_Isend");
  }
  std::optional<collective::envelope> receive(collective::channel_id on) override {
    int there = 0;
    MPI_Status status;
    checked(MPI_Iprobe(MPI_ANY_SOURCE, static_cast<int>(on), over_, &there, &status), "MPI_Iprobe");
    if (there == 0) return std::nullopt;
    int bytes = 0;
    checked(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    collective::envelope found{static_cast<std::size_t>(status.MPI_SOURCE),
                               collective::message(static_cast<std::size_t>(bytes), '\0')};
    checked(MPI_Recv(found.text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, over_,
                     MPI_STATUS_IGNORE),
            "MPI_Recv");
    return found;
  }

 private:
  struct posting {
    collective::message text;
    MPI_Request request;
  };
  static bool done(posting& p) {
    int over = 0;
    return MPI_Test(&p.request, &over, MPI_STATUS_IGNORE) == MPI_SUCCESS && over != 0;
  }

  MPI_Comm over_;
  int rank_ = 0;
  int size_ = 1;
  std::deque<std::unique_ptr<posting>> posted_;
};

}  // namespace stretto::mpi
