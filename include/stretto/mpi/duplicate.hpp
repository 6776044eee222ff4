// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stretto/collective/pause.hpp>
#include <stretto/collective/wording.hpp>
#include <stretto/mpi/channel.hpp>
#include <stretto/mpi/error.hpp>
#include <stretto/mpi/leak_on_throw.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto::mpi::detail {

/// A communicator of the pipeline's own, on which errors are returned: what others do on the
/// original does not get in its way.
class duplicate {
 public:
  /// All its ranks call this. Throws std::runtime_error if they do not within \p timeout.
  duplicate(std::string_view name, MPI_Comm of, std::chrono::milliseconds timeout) {
    MPI_Request request = MPI_REQUEST_NULL;
    auto made = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
    checked(MPI_Comm_idup(of, made.get(), &request), "MPI_Comm_idup");
    keep_while(made, [&] { await(request, name, timeout); });
    own_ = *made;
    know(name, timeout);
  }
  /// Those ranks of \p of that give this \p color. All ranks of \p of call this, within \p timeout.
  duplicate(std::string_view name, const duplicate& of, int color,
            std::chrono::milliseconds timeout) {
    // MPI_Comm_split would wait for ever for a rank that does not come.
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Ibarrier(of.get(), &request), "MPI_Ibarrier");
    await(request, name, timeout);
    checked(MPI_Comm_split(of.get(), color, 0, &own_), "MPI_Comm_split");
    know(name, timeout);
  }
  duplicate(duplicate&& other) noexcept
      : own_(std::exchange(other.own_, MPI_COMM_NULL)),
        size_(other.size_),
        on_one_host_(other.on_one_host_) {}
  duplicate& operator=(duplicate&&) = delete;
  ~duplicate() {
    if (own_ != MPI_COMM_NULL && is_up()) MPI_Comm_free(&own_);
  }

  MPI_Comm get() const { return own_; }
  std::size_t size() const { return size_; }
  /// Whether all its ranks are; they agree on it.
  bool on_one_host() const { return on_one_host_; }
  /// Leaves it to MPI: something on it may never complete.
  void abandon() { own_ = MPI_COMM_NULL; }

 private:
  void know(std::string_view name, std::chrono::milliseconds timeout) {
    checked(MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int size = 0;
    checked(MPI_Comm_size(own_, &size), "MPI_Comm_size");
    size_ = static_cast<std::size_t>(size);
    compare_hosts(name, timeout);
  }

  static void await(MPI_Request request, std::string_view name, std::chrono::milliseconds timeout) {
    const collective::deadline until(timeout);
    for (collective::pause idle;; idle()) {
      int done = 0;
      checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) return;
      if (until.passed())
        throw std::runtime_error(std::string("the ranks of communicator `")
                                     .append(name)
                                     .append("` did not all come together within ")
                                     .append(collective::seconds_text(timeout)));
    }
  }

  /// MPI_Comm_split_type would wait for ever for a rank that does not come.
  void compare_hosts(std::string_view name, std::chrono::milliseconds timeout) {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    int length = 0;
    checked(MPI_Get_processor_name(host.data(), &length), "MPI_Get_processor_name");
    const std::uint64_t mine =
        std::hash<std::string_view>()({host.data(), static_cast<std::size_t>(length)});
    using extremes = std::array<std::uint64_t, 2>;  // the least, and what the greatest is not
    auto all = std::make_unique<extremes>(extremes{mine, ~mine});
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Iallreduce(MPI_IN_PLACE, all->data(), 2, MPI_UINT64_T, MPI_MIN, own_, &request),
            "MPI_Iallreduce");
    keep_while(all, [&] { await(request, name, timeout); });
    on_one_host_ = (*all)[0] == ~(*all)[1];
  }

  MPI_Comm own_ = MPI_COMM_NULL;
  std::size_t size_ = 1;
  bool on_one_host_ = false;
};

}  // namespace stretto::mpi::detail
