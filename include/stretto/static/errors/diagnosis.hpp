// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace detail {

/// The findings about a schedule, kept: `diagnose` allocates, which a constant may not. Rules are
/// asked of a schedule that is written as one.
template <class Schedule, bool WellFormed = well_formed<Schedule>>
struct diagnosed {
  static constexpr const auto& sizes = checked_rules<declared<Schedule>>::sizes;
  // A constant of its own, because compilers limit the steps of one evaluation.
  static constexpr std::size_t races = [] {
    if constexpr (sizes[0] == 0 && planner::shares_resources(declared<Schedule>::value)) {
      const planner::plan p = constant_plan<Schedule>::read();
      const planner::list<planner::finding> found =
          planner::check_races(declared<Schedule>::value, p);
      return found.size();
    } else {
      return std::size_t{0};
    }
  }();
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
      std::copy(found.begin(), found.end(), k.findings.begin());
    } else if constexpr (!ok) {
      const planner::diagnosis d = planner::check_rules(declared<Schedule>::value);
      std::copy(d.findings.begin(), d.findings.end(), k.findings.begin());
      std::copy(d.cycle.begin(), d.cycle.end(), k.cycle.begin());
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
      return pack<nth<Node, tasks>>{};
    } else {
      return pack<Schedule>{};
    }
  }
  using task = nth<0, decltype(task_type())>;

  template <std::size_t Position, class... Order>
  static consteval auto turn_type(pack<Order...> orders) {
    constexpr auto at = [] {
      constexpr std::array sizes{Order::tasks::size...};
      std::array<std::size_t, 2> place{0, Position};  // which order, and where in it
      while (place[1] >= sizes[place[0]]) place[1] -= sizes[place[0]++];
      return place;
    }();
    return pack<nth<at[1], typename nth<at[0], decltype(orders)>::tasks>>{};
  }

  template <planner::field Where, std::size_t Position>
  static consteval auto entry_type() {
    if constexpr (Position == planner::none) {
      return pack<task>{};
    } else if constexpr (Where == planner::field::order) {
      return turn_type<Position>(typename declared<Schedule>::orders{});
    } else if constexpr (Node >= tasks::size) {
      return pack<nth<Position, typename declared<Schedule>::results>>{};
    } else {
      using fields = task_fields<task>;
      if constexpr (Where == planner::field::reads) {
        return pack<nth<Position, typename fields::reads>>{};
      } else if constexpr (Where == planner::field::writes) {
        return pack<nth<Position, typename fields::writes>>{};
      } else if constexpr (Where == planner::field::depends_on) {
        return pack<nth<Position, typename fields::depends_on>>{};
      } else if constexpr (Where == planner::field::cross_iter_depends_on) {
        return pack<nth<Position, typename fields::cross_iter_depends_on>>{};
      } else if constexpr (Where == planner::field::observes) {
        return pack<nth<Position, typename fields::observes>>{};
      } else if constexpr (Where == planner::field::mutates) {
        return pack<nth<Position, typename fields::mutates>>{};
      } else {
        return pack<nth<Position, typename fields::same_progress_sync>>{};
      }
    }
  }
  template <planner::field Where, std::size_t Position>
  using entry = nth<0, decltype(entry_type<Where, Position>())>;
};

/// The first finding, as a diagnostic.
template <class Schedule>
struct broken_rule {
 private:
  static constexpr const auto& found = diagnosed<Schedule>::value;
  static constexpr planner::finding first_found = found.findings[0];
  static constexpr int more = static_cast<int>(found.findings.size()) - 1;

  template <class... More, std::size_t... Index>
  static auto circle(std::index_sequence<Index...>, pack<More...>)
      -> pack<invalid::rule_7_tasks_wait_for_each_other_in_a_circle<
          typename culprit<Schedule, found.cycle[Index]>::task..., More...>>;
  template <class... More, std::size_t... Index>
  static auto contradiction(std::index_sequence<Index...>, pack<More...>)
      -> pack<invalid::rule_7_the_order_of_the_schedule_contradicts_what_its_tasks_declare<
          typename culprit<Schedule, found.cycle[Index]>::task..., More...>>;

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
    constexpr planner::repair mend = repaired();
    using meant = typename culprit<Schedule, mend.task>::task;
    if constexpr (first_found.what == planner::kind::redundant_cross_iter) {
      constexpr std::size_t read = ordered_by();
      using slot =
          typename culprit<Schedule, first_found.task>::template entry<planner::field::reads, read>;
      return pack<invalid::drop_the_entry_for_it_is_ordered_by_the_read_of<slot>>{};
    } else if constexpr (first_found.what == planner::kind::negative_slot_offset &&
                         first_found.where == planner::field::reads) {
      return pack<invalid::keep_what_is_needed_of_earlier_batches_in<
          typename culprit<Schedule, first_found.task>::task>>{};
    } else if constexpr (first_found.what == planner::kind::reserved_write) {
      return pack<invalid::read_it_and_let_it_hold_a_pointer_to_what_is_moved_out>{};
    } else if constexpr (first_found.what == planner::kind::unresolved_read &&
                         first_found.task < declared<Schedule>::tasks::size &&
                         !declared<Schedule>::has_source) {
      return pack<invalid::nor_is_there_a_source_to_fill_it>{};
    } else if constexpr (mend.how == planner::remedy::set_lookahead &&
                         mend.task != first_found.task) {
      return pack<invalid::raise_lookahead<meant, mend.value>>{};
    } else if constexpr (mend.how == planner::remedy::set_ago) {
      return pack<invalid::name_it_batches_ago<mend.value>>{};
    } else if constexpr (mend.how == planner::remedy::replace_entry) {
      return pack<invalid::did_you_mean::task<meant>>{};
    } else {
      return pack<>{};
    }
  }

  // The types at fault are deduced, because nvcc prints how an alias came about.
  template <class Task, class Other, class Entry, class... More>
  static consteval auto named_with(pack<Task>, pack<Other>, pack<Entry>, pack<More...> others) {
    constexpr planner::finding f = first_found;
    using planner::kind;
    using namespace invalid;
    // clang-format off
    if constexpr (f.what == kind::empty_schedule) return pack<rule_1_the_schedule_has_no_task<Schedule, More...>>{};
    else if constexpr (f.what == kind::duplicate_name) return pack<rule_1_two_tasks_have_the_same_name<Task, Other, More...>>{};
    else if constexpr (f.what == kind::empty_name) return pack<rule_1_the_name_of_a_task_is_empty<Task, More...>>{};
    else if constexpr (f.what == kind::reserved_name) return pack<rule_1_a_task_has_the_name_of_one_that_every_plan_has<Task, More...>>{};
    else if constexpr (f.what == kind::negative_lookahead) return pack<rule_2_the_lookahead_of_a_task_is_negative<Task, More...>>{};
    else if constexpr (f.what == kind::negative_slot_offset) return pack<rule_2_the_offset_of_a_slot_is_negative<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::slot_offset_mismatch) return pack<rule_2_the_offset_of_a_slot_is_not_the_lookahead_of_its_task<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::reserved_write) return pack<rule_2_a_task_writes_the_slot_that_the_source_fills<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::stream_not_declared) return pack<rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule<Task, More...>>{};
    else if constexpr (f.what == kind::multiple_writers) return pack<rule_4_two_tasks_write_one_slot_at_the_same_lookahead<Task, Other, Entry, More...>>{};
    else if constexpr (f.what == kind::name_multi_stream) return pack<rule_4_two_tasks_write_one_slot_on_different_streams<Task, Other, Entry, More...>>{};
    else if constexpr (f.what == kind::unresolved_read && f.task >= declared<Schedule>::tasks::size) return pack<rule_5_no_task_writes_a_slot_that_is_a_result<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::unresolved_read) return pack<rule_5_no_task_writes_a_slot_that_is_read<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::slot_future_read) return pack<rule_5_a_slot_is_read_further_ahead_than_it_is_written<Task, Other, Entry, More...>>{};
    else if constexpr (f.what == kind::reader_not_after_writer) return pack<rule_5_a_task_reads_the_slot_that_it_writes<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::unknown_name && f.where == planner::field::depends_on) return pack<rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::unknown_name && f.where == planner::field::cross_iter_depends_on) return pack<rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::unknown_name && f.where == planner::field::order) return pack<rule_6_an_order_names_what_is_not_a_task_of_this_schedule<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::unknown_name) return pack<rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::field_overlap) return pack<rule_6_one_task_is_named_in_two_dependency_fields<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::listed_twice && f.where == planner::field::order) return pack<rule_6_an_order_lists_a_task_twice<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::listed_twice) return pack<rule_6_one_field_lists_the_same_entry_twice<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::cross_offset_not_negative) return pack<rule_6_cross_iter_depends_on_must_name_an_earlier_batch<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::depends_future_read) return pack<rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::cross_iter_future_read) return pack<rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::cross_iter_rotated_out) return pack<rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::redundant_cross_iter) return pack<rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::race && f.task == f.other) return pack<race_a_task_changes_a_resource_on_several_workers_at_once<Task, Entry, More...>>{};
    else if constexpr (f.what == kind::race) return pack<race_two_tasks_use_one_resource_and_nothing_orders_their_runs<Task, Other, Entry, More...>>{};
    else if constexpr (f.what == kind::order_cycle) return decltype(contradiction(std::make_index_sequence<found.cycle.size()>{}, others)){};
    else return decltype(circle(std::make_index_sequence<found.cycle.size()>{}, others)){};
    // clang-format on
  }

 public:
  static consteval auto named() {
    using at_fault = culprit<Schedule, first_found.task>;
    using task = pack<typename at_fault::task>;
    using other = pack<typename culprit<Schedule, first_found.other>::task>;
    using entry = pack<typename at_fault::template entry<first_found.where, first_found.position>>;
    if constexpr (more == 0) {
      return named_with(task{}, other{}, entry{}, hint());
    } else {
      using rest = typename joined<decltype(hint()), pack<invalid::and_more<more>>>::type;
      return named_with(task{}, other{}, entry{}, rest{});
    }
  }
  static constexpr std::string text() {
    std::string sentence = planner::sentence(declared<Schedule>::value, first_found, found.cycle);
    if (more > 0)
      sentence += " (and " + planner::number(more) + " more: print stretto::explain_findings<" +
                  std::string(name_of<Schedule>.text) + ">())";
    return sentence;
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
    return no_error{};
  }
}

/// Instantiating this for an invalid schedule is the compile error.
template <class Schedule>
using checked = emit_error<decltype(diagnostic<Schedule>())>;

}  // namespace detail

/// Whether a schedule keeps all rules. Never an error: for tests, and for code that chooses a plan.
template <class Schedule>
inline constexpr bool is_valid = detail::diagnosed<Schedule>::ok;

/// Every violation of a schedule, in rule order: a `std::array<planner::finding, N>`. Empty for
/// what is not written as a schedule: see `explain_findings`.
template <class Schedule>
inline constexpr auto& findings = detail::diagnosed<Schedule>::value.findings;

/// Every violation as a sentence.
template <class Schedule>
std::vector<std::string> explain_findings() {
  std::vector<std::string> sentences;
  if constexpr (!detail::well_formed<Schedule>) {
    sentences.push_back(decltype(detail::shape_diagnostic<Schedule>())::text());
  } else {
    const auto& found = detail::diagnosed<Schedule>::value;
    for (const planner::finding& f : found.findings)
      sentences.push_back(planner::sentence(detail::declared<Schedule>::value, f, found.cycle));
  }
  return sentences;
}

}  // namespace stretto
