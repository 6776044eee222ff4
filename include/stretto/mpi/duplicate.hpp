// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <chrono>
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
    checked(MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  duplicate(duplicate&& other) noexcept : own_(std::exchange(other.own_, MPI_COMM_NULL)) {}
  duplicate& operator=(duplicate&&) = delete;
  ~duplicate() {
    if (own_ != MPI_COMM_NULL && is_up()) MPI_Comm_free(&own_);
  }

  MPI_Comm get() const { return own_; }
  /// Leaves it to MPI: something on it may never complete.
  void abandon() { own_ = MPI_COMM_NULL; }

 private:
  static void await(MPI_Request request, std::string_view name, std::chrono::milliseconds timeout) {
    const collective::deadline until(timeout);
    for (collective::pause idle;; idle()) {
      int done = 0;
      checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) return;
      if (until.passed())
        throw std::runtime_error(std::string("the ranks of communicator `")
                                     .append(name)
                                     .append("` did not all make this pipeline within ")
                                     .append(collective::seconds_text(timeout)));
    }
  }

  MPI_Comm own_ = MPI_COMM_NULL;
};

}  // namespace stretto::mpi::detail
