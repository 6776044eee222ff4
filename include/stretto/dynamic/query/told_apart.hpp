// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <type_traits>

/// Types become names where a schedule of types becomes one of values. Two types that would get one
/// name there would be one slot.
namespace stretto::dynamic::detail {

/// Two of a list of names; none if there are no such two.
struct two_names {
  std::size_t one = planner::none;
  std::size_t other = planner::none;
};

/// Two different names that an outline gives one text: see outline.hpp.
constexpr two_names called_alike(planner::view<name> all) {
  planner::name_index numbers(all.size());
  planner::list<std::size_t> places;  // by number: where a name stands first
  for (std::size_t i = 0; i < all.size(); ++i)
    if (numbers.number(all[i]) == places.size()) places.push_back(i);

  planner::list<name> shown;
  shown.reserve(places.size());  // the index refers to them
  planner::name_index texts(places.size());
  planner::list<std::size_t> bearers;
  for (const std::size_t p : places) {
    shown.push_back(name(all[p].text));
    const std::size_t text = texts.number(shown.back());
    if (text == bearers.size()) bearers.push_back(0);
    ++bearers[text];
  }

  planner::list<name> called;
  called.reserve(places.size());
  planner::name_index calls(places.size());
  planner::list<std::size_t> first;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const name& one = all[places[n]];
    called.push_back(name(bearers[texts.find(shown[n])] > 1 ? one.key : one.text));
    const std::size_t number = calls.number(called.back());
    if (number < first.size()) return {first[number], places[n]};
    first.push_back(places[n]);
  }
  return {};
}

template <class... Pack>
struct all_of;
template <>
struct all_of<> {
  using type = pack<>;
};
template <class First, class... Rest>
struct all_of<First, Rest...> {
  using type = typename declare::joined<First, typename all_of<Rest...>::type>::type;
};

template <class One, class Other>
struct one_name_for_two {
  static auto named()
      -> pack<stretto::invalid::two_types_have_one_name_in_a_schedule_of_values<One, Other>>;
  static constexpr errors::words text() {
    return "`" + errors::words(declare::qualified_name<One>()) + "` and `" +
           errors::words(declare::qualified_name<Other>()) +
           "` are two types with one name, and a schedule of values goes by names; derive from "
           "one of them to give it another: `struct my_own : <that type> {};`";
  }
};

/// Deduced, because nvcc prints how an alias came about.
template <class One, class Other>
auto one_name_for(pack<One>, pack<Other>) -> one_name_for_two<One, Other>;

/// All slots, or all resources, that a schedule mentions: as names, and as types in the same order.
template <class Schedule>
struct mentioned_slots {
  using from = typed::declared<Schedule>;
  static constexpr planner::list<name> names() {
    planner::list<name> all;
    const planner::declaration& d = from::bare;
    if (from::has_source) all.push_back(d.from.slot);
    for (const planner::task& t : d.tasks) {
      for (const planner::access& a : t.reads) all.push_back(a.slot);
      for (const planner::access& a : t.writes) all.push_back(a.slot);
    }
    for (const name& r : d.results) all.push_back(r);
    return all;
  }
  static auto source() {
    if constexpr (from::has_source) {
      return pack<typename from::source_part::slot>{};
    } else {
      return pack<>{};
    }
  }
  template <class... Task>
  static auto types(pack<Task...>) ->
      typename all_of<decltype(source()),
                      typename declare::joined<typename typed::task_fields<Task>::reads,
                                               typename typed::task_fields<Task>::writes>::type...,
                      typename from::results>::type;
};
template <class Schedule>
struct mentioned_resources {
  using from = typed::declared<Schedule>;
  static constexpr planner::list<name> names() {
    planner::list<name> all;
    for (const planner::task& t : from::bare.tasks) {
      for (const name& r : t.observes) all.push_back(r);
      for (const name& r : t.mutates) all.push_back(r);
    }
    return all;
  }
  template <class... Task>
  static auto types(pack<Task...>) -> typename all_of<
      typename declare::joined<typename typed::task_fields<Task>::observes,
                               typename typed::task_fields<Task>::mutates>::type...>::type;
};

template <class Mentioned>
consteval auto told_apart_diagnostic() {
  constexpr two_names alike = [] {
    const planner::list<name> all = Mentioned::names();
    return called_alike(all);
  }();
  if constexpr (alike.one == planner::none) {
    return errors::no_error{};
  } else {
    using types = decltype(Mentioned::types(typename Mentioned::from::tasks{}));
    return decltype(one_name_for(pack<declare::nth<alike.one, types>>{},
                                 pack<declare::nth<alike.other, types>>{})){};
  }
}

/// Two slots or two resources that only their types tell apart, or `no_error`.
template <class Schedule>
consteval auto names_diagnostic() {
  using of_slots = decltype(told_apart_diagnostic<mentioned_slots<Schedule>>());
  using resources = decltype(told_apart_diagnostic<mentioned_resources<Schedule>>());
  return std::conditional_t<errors::is_no_error<of_slots>, resources, of_slots>{};
}

}  // namespace stretto::dynamic::detail
