// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <exception>
#include <stretto/run/error.hpp>
#include <type_traits>
#include <utility>
#include <variant>

namespace stretto {

/// What a body puts in place of one answer of a batch, a `fallible<T>`: the error of that request
/// alone. Made of an exception, `failed(std::invalid_argument("no such user"))`.
class failed {
 public:
  explicit failed(std::exception_ptr error) : error_(std::move(error)) {
    if (error_ == nullptr) throw usage_error("a failed answer has an error: there is none in it");
  }
  template <class Error>
    requires std::derived_from<std::remove_cvref_t<Error>, std::exception>
  explicit failed(Error&& error) : error_(std::make_exception_ptr(std::forward<Error>(error))) {}

  const std::exception_ptr& error() const { return error_; }

 private:
  std::exception_ptr error_;
};

/// An answer, or the error in its place: the elements of a batch of answers whose body fails some
/// by value, `st::slot<std::vector<st::fallible<float>>>`. Where a server gathers requests into
/// batches, those get a `float` each, or the error.
template <class Answer>
class fallible {
 public:
  fallible() = default;
  // Implicit: bodies put answers, or `failed`, where answers go anyhow.
  template <class Given>
    requires(std::is_convertible_v<Given, Answer> &&
             !std::same_as<std::remove_cvref_t<Given>, fallible>)
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): constrained
  fallible(Given&& answer) : held_(std::in_place_index<0>, std::forward<Given>(answer)) {}
  fallible(failed why) : held_(std::in_place_index<1>, std::move(why)) {}

  /// Null if there is an answer.
  std::exception_ptr error() const {
    const failed* const why = std::get_if<1>(&held_);
    return why != nullptr ? why->error() : nullptr;
  }
  /// The answer. Throws the error in its place.
  Answer& value() {
    if (const std::exception_ptr why = error()) std::rethrow_exception(why);
    return std::get<0>(held_);
  }
  const Answer& value() const {
    if (const std::exception_ptr why = error()) std::rethrow_exception(why);
    return std::get<0>(held_);
  }

 private:
  std::variant<Answer, failed> held_;
};

namespace serving::detail {

/// What a requester gets of an answer in a batch: of a fallible one what is in it.
template <class Answer>
struct without_failure {
  using type = Answer;
};
template <class Answer>
struct without_failure<fallible<Answer>&> {
  using type = Answer&;
};
template <class Answer>
struct is_fallible : std::false_type {};
template <class Answer>
struct is_fallible<fallible<Answer>> : std::true_type {};

}  // namespace serving::detail
}  // namespace stretto
