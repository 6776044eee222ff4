// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

namespace stretto::runner {

/// Values that a run is given of batches, for nodes that are then not called for them. What they
/// are, run/position.hpp knows.
struct given_values {
  std::size_t behind;  ///< the batch after the last of which there are some
  bool (*has)(const given_values&, std::size_t node, std::size_t batch);
  void (*put)(const given_values&, std::size_t node, std::size_t batch);  ///< into the slots
  void (*end)(given_values*);
};

/// Those of one run, or none.
class given_batches {
 public:
  given_batches() = default;
  given_batches(const given_batches&) = delete;
  given_batches& operator=(const given_batches&) = delete;
  ~given_batches() { take(nullptr); }

  void take(given_values* values) {
    given_values* const before = std::exchange(values_, values);
    if (before != nullptr) before->end(before);
  }
  void take_from(given_batches& other) { take(std::exchange(other.values_, nullptr)); }

  bool any() const { return values_ != nullptr; }
  std::size_t behind() const { return any() ? values_->behind : 0; }
  bool has(std::size_t node, std::size_t batch) const {
    return batch < behind() && values_->has(*values_, node, batch);
  }
  /// Only if it has them.
  void put(std::size_t node, std::size_t batch) const { values_->put(*values_, node, batch); }

 private:
  given_values* values_ = nullptr;
};

}  // namespace stretto::runner
