// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <stretto/static/errors/roles.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace typed::detail {

template <std::size_t Capacity>
constexpr std::size_t count_races(const planner::declaration& d,
                                  const constant_words<Capacity>& planned) {
  const planner::plan p = read_plan(d, planned);
  const planner::list<planner::finding> found = planner::check_races(d, p);
  return found.size();
}

/// How many races there are in a schedule, if they are looked for. A constant of its own, because
/// compilers limit the steps of one evaluation; and no local of a function, because Clang would
/// look for them again each time that it evaluates the function.
template <class Schedule, bool Looked>
inline constexpr std::size_t race_count = 0;
template <class Schedule>
inline constexpr std::size_t race_count<Schedule, true> =
    count_races(declared<Schedule>::value, constant_plan<Schedule>::row);

/// The findings about a schedule, kept: `diagnose` allocates, which a constant may not. Rules are
/// asked of a schedule that is written as one.
template <class Schedule, bool WellFormed = well_formed<Schedule>>
struct diagnosed {
  static constexpr const auto& sizes = checked_rules<declared<Schedule>>::sizes;
  // A function of its own: nvcc evaluates a constant of a template as soon as it reads it, which
  // took 0.4 GB here.
  static constexpr bool may_race() { return planner::shares_resources(declared<Schedule>::value); }
  static constexpr std::size_t races = race_count<Schedule, (sizes[0] == 0 && may_race())>;
  static constexpr bool ok = sizes[0] + races == 0;

 private:
  struct kept {
    std::array<planner::finding, sizes[0] + races> findings{};
    std::array<std::size_t, sizes[1]> cycle{};
  };

 public:
  static constexpr kept value = [] {
    kept k{};
    if constexpr (races != 0) {
      const planner::list<planner::finding> found = planner::check_races(declared<Schedule>::value);
      planner::copy_items(found, k.findings.data());
    } else if constexpr (!ok) {
      const planner::diagnosis d = planner::check_rules(declared<Schedule>::value);
      planner::copy_items(d.findings, k.findings.data());
      planner::copy_items(d.cycle, k.cycle.data());
    }
    return k;
  }();
};

template <class Schedule>
struct diagnosed<Schedule, false> {
  static constexpr bool ok = false;
  struct kept {
    std::array<planner::finding, 0> findings{};
    std::array<std::size_t, 0> cycle{};
  };
  static constexpr kept value{};
};

/// The type of a task by number, and of an entry in one of its fields.
template <class Schedule, std::size_t Node>
struct culprit {
  using tasks = typename declared<Schedule>::tasks;
  static consteval auto task_type() {
    if constexpr (Node < tasks::size) {
      return pack<declare::nth<Node, tasks>>{};
    } else {
      return pack<Schedule>{};
    }
  }
  using task = declare::nth<0, decltype(task_type())>;

  template <std::size_t Position, class... Order>
  static consteval auto turn_type(pack<Order...> orders) {
    constexpr auto at = [] {
      constexpr std::array sizes{Order::tasks::size...};
      std::array<std::size_t, 2> place{0, Position};  // which order, and where in it
      while (place[1] >= sizes[place[0]]) place[1] -= sizes[place[0]++];
      return place;
    }();
    return pack<declare::nth<at[1], typename declare::nth<at[0], decltype(orders)>::tasks>>{};
  }

  template <planner::field Where, std::size_t Position>
  static consteval auto entry_type() {
    if constexpr (Position == planner::none) {
      return pack<task>{};
    } else if constexpr (Where == planner::field::order) {
      return turn_type<Position>(typename declared<Schedule>::orders{});
    } else if constexpr (Node >= tasks::size) {
      return pack<declare::nth<Position, typename declared<Schedule>::results>>{};
    } else {
      using fields = task_fields<task>;
      if constexpr (Where == planner::field::reads) {
        return pack<declare::nth<Position, typename fields::reads>>{};
      } else if constexpr (Where == planner::field::writes) {
        return pack<declare::nth<Position, typename fields::writes>>{};
      } else if constexpr (Where == planner::field::depends_on) {
        return pack<declare::nth<Position, typename fields::depends_on>>{};
      } else if constexpr (Where == planner::field::cross_iter_depends_on) {
        return pack<declare::nth<Position, typename fields::cross_iter_depends_on>>{};
      } else if constexpr (Where == planner::field::observes) {
        return pack<declare::nth<Position, typename fields::observes>>{};
      } else if constexpr (Where == planner::field::mutates) {
        return pack<declare::nth<Position, typename fields::mutates>>{};
      } else {
        return pack<declare::nth<Position, typename fields::same_progress_sync>>{};
      }
    }
  }
  template <planner::field Where, std::size_t Position>
  using entry = declare::nth<0, decltype(entry_type<Where, Position>())>;
};

/// The first finding, as a diagnostic.
template <class Schedule>
struct broken_rule {
 private:
  static constexpr const auto& found = diagnosed<Schedule>::value;
  static constexpr planner::finding first_found = found.findings[0];
  static constexpr int more = static_cast<int>(found.findings.size()) - 1;
  static constexpr bool tells_cycles =
      first_found.what == planner::kind::cycle || first_found.what == planner::kind::order_cycle;

  /// Where in `found.cycle` a cycle ends.
  static consteval std::size_t end_of_cycle(std::size_t first) {
    while (first < found.cycle.size() && found.cycle[first] != planner::none) ++first;
    return first;
  }
  template <std::size_t First, std::size_t... Index>
  static auto waits_in_cycle(std::index_sequence<Index...>)
      -> pack<typename culprit<Schedule, found.cycle[First + Index]>::task...>;
  template <class... Task>
  static auto as_other(pack<Task...>) -> pack<invalid::and_in_another_cycle<Task...>>;
  /// The cycles from a place on that the error names along with the first.
  template <std::size_t First>
  static consteval auto other_cycles() {
    if constexpr (First >= found.cycle.size()) {
      return pack<>{};
    } else {
      constexpr std::size_t end = end_of_cycle(First);
      using tasks = decltype(waits_in_cycle<First>(std::make_index_sequence<end - First>{}));
      return typename declare::joined<decltype(as_other(tasks{})),
                                      decltype(other_cycles<end + 1>())>::type{};
    }
  }
  /// How many that are.
  static consteval int told_cycles() {
    int count = 0;
    if (tells_cycles)
      for (const std::size_t task : found.cycle) count += task == planner::none ? 1 : 0;
    return count;
  }

  // Functions of their own: nvcc evaluates a constant of a template as soon as it reads it, which
  // took 1.5 GB here.
  static constexpr planner::repair repaired() {
    return planner::repair_of(declared<Schedule>::value, first_found);
  }
  static constexpr std::size_t ordered_by() {
    return planner::ordering_read(declared<Schedule>::value, first_found);
  }

  /// The repair, where it has numbers or names that the sentence does not have.
  static consteval auto hint() {
    constexpr planner::repair fix = repaired();
    using meant = typename culprit<Schedule, fix.task>::task;
    if constexpr (first_found.what == planner::kind::redundant_cross_iter) {
      constexpr std::size_t read = ordered_by();
      using slot =
          typename culprit<Schedule, first_found.task>::template entry<planner::field::reads, read>;
      return pack<invalid::drop_the_entry_for_it_is_ordered_by_the_read_of<slot>>{};
    } else if constexpr (first_found.what == planner::kind::negative_slot_offset &&
                         first_found.where == planner::field::reads) {
      return pack<invalid::of_an_earlier_batch_read_stretto_previous_of<typename culprit<
          Schedule, first_found.task>::template entry<first_found.where, first_found.position>>>{};
    } else if constexpr (first_found.what == planner::kind::reserved_write) {
      return pack<invalid::read_it_or_take_its_value_and_write_a_slot_of_its_own>{};
    } else if constexpr (first_found.what == planner::kind::unresolved_read &&
                         first_found.task < declared<Schedule>::tasks::size &&
                         !declared<Schedule>::has_source) {
      return pack<invalid::nor_is_there_a_source_to_fill_it>{};
    } else if constexpr (fix.how == planner::remedy::set_lookahead &&
                         fix.task != first_found.task) {
      return pack<invalid::raise_lookahead<meant, fix.value>>{};
    } else if constexpr (fix.how == planner::remedy::set_ago) {
      return pack<invalid::name_it_batches_ago<fix.value>>{};
    } else if constexpr (fix.how == planner::remedy::replace_entry) {
      return pack<invalid::did_you_mean::task<meant>>{};
    } else if constexpr (tells_cycles) {
      return other_cycles<end_of_cycle(0) + 1>();
    } else {
      return pack<>{};
    }
  }

  using where = std::conditional_t<first_found.where != planner::field::order &&
                                       first_found.task == declared<Schedule>::tasks::size + 1,
                                   invalid::in_results, invalid::in<first_found.where>>;
  static consteval auto entry() {
    if constexpr (first_found.position == planner::none && found.cycle.size() != 0) {
      return pack<decltype(waits_in_cycle<0>(std::make_index_sequence<end_of_cycle(0)>{}))>{};
    } else {
      return pack<typename culprit<Schedule, first_found.task>::template entry<
          first_found.where, first_found.position>>{};
    }
  }
  // The types at fault are deduced, because nvcc prints how an alias came about.
  template <class At, class Task, class Other, class Entry, class... More>
  static auto named_with(pack<Task>, pack<Other>, pack<Entry>, pack<More...>)
      -> decltype(invalid::name(invalid::is<first_found.what>{}, At{},
                                invalid::culprits<Task, Other, Entry, More...>{}));

 public:
  static consteval auto named() {
    using task = pack<typename culprit<Schedule, first_found.task>::task>;
    using other = pack<typename culprit<Schedule, first_found.other>::task>;
    constexpr int untold = more - told_cycles();
    if constexpr (untold == 0) {
      return decltype(named_with<where>(task{}, other{}, entry(), hint())){};
    } else {
      using rest =
          typename declare::joined<decltype(hint()), pack<invalid::and_more<untold>>>::type;
      return decltype(named_with<where>(task{}, other{}, entry(), rest{})){};
    }
  }
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_sentence(told, declared<Schedule>::value, first_found, found.cycle,
                          planner::saying_of(first_found.what));
    if constexpr (told_cycles() > 0) {
      for (std::size_t i = 1; i <= std::size_t{told_cycles()}; ++i) {
        told.add("; another cycle: ");
        planner::rules::say_waits_in_cycle(
            {declared<Schedule>::value, found.findings[i], found.cycle, {}}, told);
      }
    }
    errors::words sentence(told);
    constexpr int untold = more - told_cycles();
    if (untold > 0)
      sentence += " (and " + errors::number(untold) + " more: print stretto::explain_findings<" +
                  errors::words(name_of<Schedule>.text) + ">())";
    return sentence;
  }
};

/// The findings about a schedule, as sentences.
template <class Schedule>
struct told_findings {
 private:
  static constexpr const auto& found = diagnosed<Schedule>::value;
  static constexpr auto sayings = [] {
    std::array<planner::saying, found.findings.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = planner::saying_of(found.findings[i].what);
    return all;
  }();

 public:
  static std::string sentence(std::size_t number) {
    return planner::sentence(declared<Schedule>::value, found.findings[number], found.cycle,
                             sayings[number]);
  }
};

/// What is wrong with a schedule, or `no_error`.
template <class Schedule>
consteval auto diagnostic() {
  if constexpr (!well_formed<Schedule>) {
    return shape_diagnostic<Schedule>();
  } else if constexpr (!diagnosed<Schedule>::ok) {
    return broken_rule<Schedule>{};
  } else {
    return roles_diagnostic<Schedule>();
  }
}

/// Instantiating this for an invalid schedule is the compile error.
template <class Schedule>
using checked = errors::emit_error<decltype(diagnostic<Schedule>())>;

}  // namespace typed::detail

/// Whether a schedule keeps all rules. Never an error: for tests, and for code that chooses a plan.
template <class Schedule>
inline constexpr bool is_valid =
    errors::is_no_error<decltype(typed::detail::diagnostic<Schedule>())>;

/// Every violation of a schedule, in rule order: a `std::array<planner::finding, N>`. Empty for
/// what is not written as a schedule: see `explain_findings`.
template <class Schedule>
inline constexpr auto& findings = typed::detail::diagnosed<Schedule>::value.findings;

/// Every violation as a sentence.
template <class Schedule>
[[gnu::cold]] std::vector<std::string> explain_findings() {
  std::vector<std::string> sentences;
  if constexpr (!typed::well_formed<Schedule>) {
    sentences.push_back(decltype(typed::shape_diagnostic<Schedule>())::text());
  } else {
    for (std::size_t i = 0; i < findings<Schedule>.size(); ++i)
      sentences.push_back(typed::detail::told_findings<Schedule>::sentence(i));
    if constexpr (typed::detail::diagnosed<Schedule>::ok && !is_valid<Schedule>)
      sentences.push_back(decltype(typed::detail::roles_diagnostic<Schedule>())::text());
  }
  return sentences;
}

}  // namespace stretto
