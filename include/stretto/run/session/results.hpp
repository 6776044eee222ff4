// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>  // what iterators are, without the streams of <iterator>
#include <stretto/declare/address_of.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/session/run.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

/// The results of one pass of a pipeline over a source, in order, made by `pipeline::results`: a
/// range to loop over once, and nothing that could be asked in between. Where one thread runs
/// all tasks, the numbers that change from batch to batch are local variables of the loop over it,
/// so a compiler can keep them in registers. Not thread-safe; stays where it is made.
///
/// Whatever ends the loop, the results that are left can be had by another one.
template <class Run>
class results_of {
  using session = typename Run::session;

 public:
  using reference = typename Run::reference;
  class iterator;

  /// \p make makes the run.
  template <class Make>
  explicit results_of(const Make& make) : run_(make()) {}
  results_of(const results_of&) = delete;
  results_of& operator=(const results_of&) = delete;

  /// Runs until the next batch is through. Throws as `next` of a run does, and `usage_error` while
  /// there is another iterator that is not at the end.
  [[gnu::always_inline]] iterator begin() & {
    if (has_iterator_) [[unlikely]]
      refuse_another();
    return iterator(*this);
  }
  static std::default_sentinel_t end() { return {}; }

 private:
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_another() {
    runner::detail::throw_usage_error(
        "the results of a run are looped over while an iterator to them is there: end that loop "
        "first");
  }

  Run run_;
  bool has_iterator_ = false;
};

/// Single-pass, and cannot be copied. Has to go before what it came from. A result is valid until
/// the iterator moves on, or is moved away or destroyed.
template <class Run>
class results_of<Run>::iterator {
  static constexpr bool loops = session::template loops<typename Run::pull>;
  using pull = typename Run::pull;

  /// Room for what changes from batch to batch, where that is to be the loop's.
  class variables {
    using loop = decltype(std::declval<session&>().loop_from(std::declval<pull&>()));
    static_assert(std::is_trivially_destructible_v<loop>);

   public:
    [[gnu::always_inline]] variables() {}  // NOLINT(modernize-use-equals-default): made later
    [[gnu::always_inline]] void take(session& s, pull& source) {
      ::new (static_cast<void*>(declare::address_of(all))) loop(s.loop_from(source));
    }
    [[gnu::always_inline]] void put_back(session& s, pull& source) {
      all.put_back(s.machine(), s.at(), source);
    }
    [[gnu::always_inline]] loop& operator*() { return all; }

   private:
    union {
      loop all;
    };
  };
  struct none {
    void take(session&, pull&) {}
    void put_back(session&, pull&) {}
  };
  using kept = std::conditional_t<loops, variables, none>;

 public:
  using difference_type = std::ptrdiff_t;
  using value_type = std::remove_cvref_t<reference>;
  using iterator_concept = std::input_iterator_tag;

  // All of it is inlined: of whose address anything else knows, that is in memory.
  [[gnu::always_inline]] explicit iterator(results_of& of)
      : session_(declare::address_of(of.run_.session_)) {
    if (of.run_.next_unsteady() || of.run_.goes_on()) begin_with(of);
  }
  [[gnu::always_inline]] iterator(iterator&& other) noexcept
      : of_(std::exchange(other.of_, nullptr)),
        session_(other.session_),
        variables_(other.variables_) {}
  [[gnu::always_inline]] iterator& operator=(iterator&& other) noexcept {
    results_of* const of = std::exchange(other.of_, nullptr);
    let_go();
    of_ = of;
    session_ = other.session_;
    ::new (static_cast<void*>(declare::address_of(variables_))) kept(other.variables_);
    return *this;
  }
  [[gnu::always_inline]] ~iterator() { let_go(); }
  iterator(const iterator&) = delete;
  iterator& operator=(const iterator&) = delete;

  [[gnu::always_inline]] reference operator*() const {
    if (of_ == nullptr) [[unlikely]]
      Run::refuse_past_the_end();
    if constexpr (loops) {
      return session_->yielded_of(*variables_);
    } else {
      return of_->run_.result_of(*session_);
    }
  }
  [[gnu::always_inline]] iterator& operator++() {
    if (of_ == nullptr) [[unlikely]]
      Run::refuse_past_the_end();
    results_of& of = *of_;
    if constexpr (loops) {
      if (of.run_.steady()) [[likely]] {
        const runner::progress_result w = session_->next_of(*variables_, of.run_.pull_);
        if (w == runner::progress_result::complete) [[likely]]
          return *this;
        end_with(of);
        if (of.run_.after_last_steady(w) || of.run_.goes_on()) begin_with(of);
      } else {
        let_go();
        if (of.run_.next_unsteady() || of.run_.goes_on()) begin_with(of);
      }
    } else {
      if (!of.run_.step(*session_)) end_with(of);
    }
    return *this;
  }
  [[gnu::always_inline]] void operator++(int) { ++*this; }
  friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.of_ == nullptr; }

 private:
  [[gnu::always_inline]] void begin_with(results_of& of) {
    of_ = declare::address_of(of);
    of.has_iterator_ = true;
    variables_.take(*session_, of.run_.pull_);
  }
  [[gnu::always_inline]] void end_with(results_of& of) {
    of_ = nullptr;
    of.has_iterator_ = false;
  }
  [[gnu::always_inline]] void let_go() {
    if (of_ == nullptr) return;
    // With its last result a run is over, and the pipeline may have another one by now.
    if (!of_->run_.closed()) variables_.put_back(*session_, of_->run_.pull_);
    end_with(*of_);
  }

  results_of* of_ = nullptr;  ///< null: behind the last result
  session* session_;          ///< the run's: not read again each time
  [[no_unique_address]] mutable kept variables_;
};

}  // namespace stretto
