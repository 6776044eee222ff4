// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <chrono>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace stretto::mpi {

/// The communicators of a pipeline, by the names that tasks use:
/// `communicators{{"world", MPI_COMM_WORLD}, {"node", node}}`. The first one has all ranks that run
/// the pipeline: over it they compare plans and tell each other of failures. The pipeline
/// duplicates each, which is a collective call itself: all ranks make their pipelines in the same
/// order. Default: "world" is `MPI_COMM_WORLD`.
class communicators {
 public:
  struct named {
    std::string name;
    MPI_Comm communicator;
  };

  communicators() : communicators({{"world", MPI_COMM_WORLD}}) {}
  communicators(std::initializer_list<named> all) : all_(all) {}
  explicit communicators(std::vector<named> all) : all_(std::move(all)) {}

  const std::vector<named>& all() const { return all_; }

 private:
  std::vector<named> all_;
};

/// How long a rank waits for its peers, in a collective or where all ranks meet, before it takes
/// one of them for stuck or gone: `timeout(std::chrono::seconds(30))`.
class timeout {
 public:
  timeout() = default;
  explicit timeout(std::chrono::milliseconds length) : length_(length) {}
  std::chrono::milliseconds length() const { return length_; }

 private:
  std::chrono::milliseconds length_ = std::chrono::minutes(10);
};

}  // namespace stretto::mpi
