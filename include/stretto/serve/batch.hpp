// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>  // std::ranges::begin and std::ranges::size, without the streams of <iterator>
#include <stretto/serve/fallible.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Batches of requests, and of answers, in the slots of a pipeline.
namespace stretto::serving::detail {

/// Stands for the type of requests or answers where neither the schedule nor the user tells.
struct untold {};

/// What a batch of requests can be put into.
template <class Slot>
concept batch_of_requests = requires(Slot& slot, typename Slot::value_type& request) {
  slot.clear();
  slot.push_back(std::move(request));
};
/// What has an answer for each request of a batch.
template <class Slot>
concept batch_of_answers = requires(Slot& slot) {
  { std::ranges::size(slot) } -> std::convertible_to<std::size_t>;
  requires std::is_lvalue_reference_v<decltype(*std::ranges::begin(slot))>;
};

/// Of what a run yields for a batch, what there is for each request: void where there is nothing,
/// `untold` where the type of the run does not tell.
template <class Reference>
struct each_of {
  using type = untold;
};
template <batch_of_answers Slot>
struct each_of<Slot&> {
  using type = typename without_failure<decltype(*std::ranges::begin(std::declval<Slot&>()))>::type;
};
template <batch_of_answers... Slot>
struct each_of<std::tuple<Slot&...>> {
  using type = std::tuple<decltype(*std::ranges::begin(std::declval<Slot&>()))...>;
};
template <>
struct each_of<std::size_t> {
  using type = void;
};

/// Goes through the answers of a batch, which are in one slot or, for each, in several.
template <class... Slot>
class answers {
 public:
  explicit answers(Slot&... all)
      : at_(std::ranges::begin(all)...),
        sizes_{static_cast<std::size_t>(std::ranges::size(all))...} {}

  /// What is wrong with them as those of \p requests; empty if nothing is.
  std::string misfit(std::size_t requests) const {
    for (const std::size_t size : sizes_)
      if (size != requests)
        return "a batch of " + std::to_string(requests) + " requests came out with " +
               std::to_string(size) +
               " answers: let tasks put one for each request into the slot of the result, in order";
    return {};
  }
  /// Calls \p use with the next of them. Valid as long as there is one.
  template <class Use>
  void next(const Use& use) {
    if constexpr (sizeof...(Slot) == 1) {
      use(*std::get<0>(at_));
    } else {
      std::apply([&](auto&... at) { use(std::tuple<decltype(*at)...>(*at...)); }, at_);
    }
    std::apply([](auto&... at) { (static_cast<void>(++at), ...); }, at_);
  }

 private:
  std::tuple<decltype(std::ranges::begin(std::declval<Slot&>()))...> at_;
  std::array<std::size_t, sizeof...(Slot)> sizes_;
};

}  // namespace stretto::serving::detail
