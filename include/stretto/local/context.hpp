// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stretto/local/core.hpp>
#include <stretto/run/asked_of_collectives.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/sent_value.hpp>
#include <stretto/run/sent_value_of.hpp>
#include <stretto/run/source.hpp>
#include <utility>
#include <vector>

namespace stretto::local {

namespace detail {

/// A contiguous range: a vector, an array, a span.
template <class Range>
concept elements = requires(Range& range) { std::span(range); };

}  // namespace detail

/// What the context of a body gets from `local::collectives`.
///
/// What is sent and received are contiguous ranges of values that can be copied: vectors, arrays,
/// spans. Each rank gets a copy of what each other one gives, and reduces by itself, in the order
/// of ranks: all get equal bits if \p op is deterministic. Throws
/// `usage_error` where lengths do not fit or differ from rank to rank, and in a task that is no
/// collective; what waits throws what `local::collectives` says.
class in_context {
 public:
  in_context() = default;
  in_context(detail::core& all, std::size_t node) : core_(&all), node_(node) {}

  /// The number of this rank, in a collective of a role that among the ranks of the role,
  std::size_t rank() const { return core_->number(node_); }
  /// and how many there are.
  std::size_t ranks() const { return core_->group(node_).size(); }

  /// Adds up, or whatever \p op does, element by element over all ranks, in place.
  template <detail::elements Values, class Op = std::plus<>>
    requires(!detail::elements<Op>)
  void all_reduce(Values&& values, Op op = {}) const {
    all_reduce(values, values, op);
  }
  /// Reduces into \p out, which is as long as \p in.
  template <detail::elements In, detail::elements Out, class Op = std::plus<>>
  void all_reduce(const In& in, Out&& out, Op op = {}) const {
    const std::span to(out);
    using value = typename decltype(to)::value_type;
    static_assert(
        !cuts_off<In, value>,
        "all_reduce: `out` would lose a part of the numbers of `in`: let both hold one type");
    expect(to.size() == std::span(in).size(), "all_reduce: in and out differ in length");
    bool first = true;
    each_part(in, [&](std::size_t /*rank*/, const auto& part) {
      expect(part.size() == to.size(), "all_reduce: ranks differ in length");
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = first ? part[i] : static_cast<value>(op(to[i], part[i]));
      first = false;
    });
  }
  /// One value, of all ranks.
  template <class Type, class Op = std::plus<>>
  Type all_reduced(Type value, Op op = {}) const {
    all_reduce(std::span<Type>(&value, 1), op);
    return value;
  }
  /// What each rank has in \p in, by rank: \p out is as many times as long as there are ranks.
  template <detail::elements In, detail::elements Out>
  void all_gather(const In& in, Out&& out) const {
    const std::span to(out);
    static_assert(
        !cuts_off<In, typename decltype(to)::value_type>,
        "all_gather: `out` would lose a part of the numbers of `in`: let both hold one type");
    const std::size_t length = std::span(in).size();
    expect(to.size() == length * ranks(), "all_gather: out is not ranks() times in");
    each_part(in, [&](std::size_t rank, const auto& part) {
      expect(part.size() == length, "all_gather: ranks differ in length");
      std::copy(part.begin(), part.end(), to.subspan(rank * length, length).begin());
    });
  }
  /// Everybody gets what \p root has.
  template <detail::elements Values>
  void broadcast(Values&& values, std::size_t root) const {
    const std::span to(values);
    expect(root < ranks(), "broadcast: there is no such rank");
    each_part(values, [&](std::size_t rank, const auto& part) {
      expect(part.size() == to.size(), "broadcast: ranks differ in length");
      if (rank == root) std::copy(part.begin(), part.end(), to.begin());
    });
  }
  void barrier() const { core_->exchange(node_, {}); }

  // For transfers.

  template <class Value>
  void send_value(const Value& value) const {
    core_->send(node_, std::any(value));
  }
  template <class Value>
  void receive_value(Value& value) const {
    std::any received = core_->receive(node_);
    if (!runner::take_sent(value, received)) core_->refuse(node_);
  }

  // Likewise, of values whose type is forgotten.

  static bool can_send(const runner::sent_value& how) { return how.copy != nullptr; }
  void send_as(const runner::sent_value& how, const void* value) const {
    core_->send(node_, how.copy(value));
  }
  void receive_as(const runner::sent_value& how, void* value) const {
    std::any received = core_->receive(node_);
    if (!how.take(value, received)) core_->refuse(node_);
  }

 private:
  template <class In, class Value>
  static constexpr bool cuts_off =
      runner::cuts_off<typename decltype(std::span(std::declval<const In&>()))::value_type, Value>;

  static void expect(bool condition, const char* otherwise) {
    if (!condition) throw usage_error(otherwise);
  }

  /// Calls \p use with what each rank gives.
  template <detail::elements In, class Use>
  void each_part(const In& in, const Use& use) const {
    const std::span from(in);
    using value = typename decltype(from)::value_type;
    using values = std::vector<value>;
    const auto mine = std::make_shared<const values>(from.begin(), from.end());
    std::size_t rank = 0;
    for (const std::any& given : core_->exchange(node_, mine)) {
      const auto* const part = std::any_cast<std::shared_ptr<const values>>(&given);
      if (part == nullptr) core_->refuse(node_);
      use(rank++, **part);
    }
  }

  detail::core* core_ = nullptr;
  std::size_t node_ = 0;
};

}  // namespace stretto::local

namespace stretto {

template <>
struct asked_of_collectives<local::in_context> {
  static constexpr bool known = true;
  using in_context = local::in_context;
  template <class Here>
  static in_context get(Here, const void* /*spot*/, const void* among) {
    return *static_cast<const in_context*>(among);
  }
};

}  // namespace stretto
