// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace stretto {

/// A request that gets no result although the pipeline goes on, or ended as it was asked to: it was
/// refused, or a task dropped its batch, or the server was cancelled before that was through.
/// what() says which. Where a task dropped the batch because it failed, what it threw is nested.
class unanswered : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a server calls back with: the result of a request, or the error in its place. `Result` is
/// what a run yields, a reference into the pipeline; void where batches have no results.
template <class Result>
class answer {
  using lent = std::remove_reference_t<Result>;

 public:
  /// Of a result that \p result points to; of batches without results, of null.
  explicit answer(lent* result) : result_(result) {}
  explicit answer(std::exception_ptr error) : error_(std::move(error)) {}

  /// The result, valid until the callback returns, which may move from it. Throws what came in its
  /// place.
  Result get() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
    if constexpr (!std::is_void_v<Result>) return static_cast<Result>(*result_);
  }
  /// What came in place of a result; null if nothing did.
  const std::exception_ptr& error() const { return error_; }

 private:
  lent* result_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace stretto
