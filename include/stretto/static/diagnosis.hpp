// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/plan/sentence.hpp>
#include <stretto/static/declared.hpp>
#include <stretto/static/invalid.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace detail {

/// The findings about a schedule, kept: `diagnose` allocates, which a constant may not.
template <class Schedule>
struct diagnosed {
  static constexpr std::array<std::size_t, 2> sizes = [] {
    const plan::diagnosis d = plan::diagnose(declared<Schedule>::value);
    return std::array{d.findings.size(), d.cycle.size()};
  }();
  static constexpr bool ok = sizes[0] == 0;

 private:
  struct kept {
    std::array<plan::finding, sizes[0]> findings{};
    std::array<std::size_t, sizes[1]> cycle{};
  };

 public:
  static constexpr kept value = [] {
    kept k{};
    if constexpr (!ok) {
      const plan::diagnosis d = plan::diagnose(declared<Schedule>::value);
      std::copy(d.findings.begin(), d.findings.end(), k.findings.begin());
      std::copy(d.cycle.begin(), d.cycle.end(), k.cycle.begin());
    }
    return k;
  }();
};

/// The type of a task by number, and of an entry in one of its fields.
template <class Schedule, std::size_t Node>
struct culprit {
  using tasks = typename declared<Schedule>::tasks;
  static consteval auto task_type() {
    if constexpr (Node < tasks::size) {
      return static_cast<nth<Node, tasks>*>(nullptr);
    } else {
      return static_cast<Schedule*>(nullptr);
    }
  }
  using task = std::remove_pointer_t<decltype(task_type())>;

  template <plan::field Where, std::size_t Position>
  static consteval auto entry_type() {
    if constexpr (Position == plan::none) {
      return static_cast<task*>(nullptr);
    } else if constexpr (Node >= tasks::size) {
      return static_cast<nth<Position, typename declared<Schedule>::results>*>(nullptr);
    } else {
      using fields = task_fields<task>;
      if constexpr (Where == plan::field::reads) {
        return static_cast<nth<Position, typename fields::reads>*>(nullptr);
      } else if constexpr (Where == plan::field::writes) {
        return static_cast<nth<Position, typename fields::writes>*>(nullptr);
      } else if constexpr (Where == plan::field::depends_on) {
        return static_cast<nth<Position, typename fields::depends_on>*>(nullptr);
      } else if constexpr (Where == plan::field::cross_iter_depends_on) {
        return static_cast<nth<Position, typename fields::cross_iter_depends_on>*>(nullptr);
      } else {
        return static_cast<nth<Position, typename fields::same_progress_sync>*>(nullptr);
      }
    }
  }
  template <plan::field Where, std::size_t Position>
  using entry = std::remove_pointer_t<decltype(entry_type<Where, Position>())>;
};

template <class Schedule, std::size_t... I>
auto circle_of(std::index_sequence<I...>) -> invalid::rule_7_tasks_wait_for_each_other_in_a_circle<
    typename culprit<Schedule, diagnosed<Schedule>::value.cycle[I]>::task...>;

/// The template whose name is the sentence for the first finding.
template <class Schedule>
consteval auto named_sentence() {
  constexpr plan::finding f = diagnosed<Schedule>::value.findings[0];
  using task = typename culprit<Schedule, f.task>::task;
  using other = typename culprit<Schedule, f.other>::task;
  using entry = typename culprit<Schedule, f.task>::template entry<f.where, f.position>;
  using plan::kind;
  using namespace invalid;
  // clang-format off
  if constexpr (f.what == kind::empty_schedule) return static_cast<rule_1_the_schedule_has_no_task<Schedule>*>(nullptr);
  else if constexpr (f.what == kind::duplicate_name) return static_cast<rule_1_two_tasks_have_the_same_name<task, other>*>(nullptr);
  else if constexpr (f.what == kind::empty_name) return static_cast<rule_1_the_name_of_a_task_is_empty<task>*>(nullptr);
  else if constexpr (f.what == kind::negative_lookahead) return static_cast<rule_2_the_lookahead_of_a_task_is_negative<task>*>(nullptr);
  else if constexpr (f.what == kind::negative_slot_offset) return static_cast<rule_2_the_offset_of_a_slot_is_negative<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::slot_offset_mismatch) return static_cast<rule_2_the_offset_of_a_slot_is_not_the_lookahead_of_its_task<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::reserved_write) return static_cast<rule_2_a_task_writes_the_slot_that_the_source_fills<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::stream_not_declared) return static_cast<rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule<task>*>(nullptr);
  else if constexpr (f.what == kind::stream_not_in_pool) return static_cast<rule_3_the_stream_of_a_task_is_not_in_the_backend<task>*>(nullptr);
  else if constexpr (f.what == kind::multiple_writers) return static_cast<rule_4_two_tasks_write_one_slot_at_the_same_lookahead<task, other, entry>*>(nullptr);
  else if constexpr (f.what == kind::name_multi_stream) return static_cast<rule_4_two_tasks_write_one_slot_on_different_streams<task, other, entry>*>(nullptr);
  else if constexpr (f.what == kind::unresolved_read && f.task >= declared<Schedule>::tasks::size) return static_cast<rule_5_no_task_writes_a_slot_that_is_a_result<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::unresolved_read) return static_cast<rule_5_no_task_writes_a_slot_that_is_read<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::slot_future_read) return static_cast<rule_5_a_slot_is_read_further_ahead_than_it_is_written<task, other, entry>*>(nullptr);
  else if constexpr (f.what == kind::reader_not_after_writer) return static_cast<rule_5_a_task_reads_the_slot_that_it_writes<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::unknown_name && f.where == plan::field::depends_on) return static_cast<rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::unknown_name && f.where == plan::field::cross_iter_depends_on) return static_cast<rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::unknown_name) return static_cast<rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::field_overlap) return static_cast<rule_6_one_task_is_named_in_two_dependency_fields<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::listed_twice) return static_cast<rule_6_one_field_lists_the_same_entry_twice<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::cross_offset_not_negative) return static_cast<rule_6_cross_iter_depends_on_must_name_an_earlier_batch<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::depends_future_read) return static_cast<rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::cross_iter_future_read) return static_cast<rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::cross_iter_rotated_out) return static_cast<rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring<task, entry>*>(nullptr);
  else if constexpr (f.what == kind::redundant_cross_iter) return static_cast<rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives<task, entry>*>(nullptr);
  else return static_cast<decltype(circle_of<Schedule>(std::make_index_sequence<diagnosed<Schedule>::sizes[1]>{}))*>(nullptr);
  // clang-format on
}

/// Instantiating this for an invalid schedule is the compile error.
template <class Schedule, bool Valid = diagnosed<Schedule>::ok>
struct checked : std::true_type {};

// GCC takes computed text in C++20 mode since 14 but does not say so in the feature macro.
#if (defined(__cpp_static_assert) && __cpp_static_assert >= 202306L) ||                  \
    (defined(__GNUC__) && !defined(__clang__) && !defined(__EDG__) && __GNUC__ >= 14) || \
    (defined(__clang__) && !defined(__apple_build_version__) && !defined(__EDG__) &&     \
     __clang_major__ >= 20)
inline constexpr bool static_assert_takes_text = true;

template <class Schedule>
struct written_sentence {
  static constexpr auto make = [] {
    constexpr auto& found = diagnosed<Schedule>::value;
    std::string text = plan::sentence(declared<Schedule>::value, found.findings[0], found.cycle);
    if (found.findings.size() > 1)
      text += " (and " + plan::number(static_cast<int>(found.findings.size() - 1)) +
              " more: print stretto::explain_findings<" + std::string(name_of<Schedule>.text) +
              ">())";
    return text;
  };
  static constexpr std::size_t length = make().size();
  static constexpr std::array<char, length> text = [] {
    std::array<char, length> t{};
    const std::string s = make();
    std::copy(s.begin(), s.end(), t.begin());
    return t;
  }();
};

#  if defined(__clang__)
#    pragma clang diagnostic push
#    pragma clang diagnostic ignored "-Wc++26-extensions"
#  elif defined(__GNUC__)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wpedantic"
#  endif
template <class Schedule>
struct checked<Schedule, false> : std::false_type {
  static_assert(diagnosed<Schedule>::ok, written_sentence<Schedule>::text);
};
#  if defined(__clang__)
#    pragma clang diagnostic pop
#  elif defined(__GNUC__)
#    pragma GCC diagnostic pop
#  endif
#else
inline constexpr bool static_assert_takes_text = false;

template <class Schedule>
struct checked<Schedule, false> : std::false_type {
  static_assert(sizeof(*named_sentence<Schedule>()) > 0);
};
#endif

}  // namespace detail

/// Whether a schedule keeps all rules. Never an error: for tests, and for code that chooses a plan.
template <class Schedule>
inline constexpr bool is_valid = detail::diagnosed<Schedule>::ok;

/// Every violation of a schedule, in rule order: a `std::array<plan::finding, N>`.
template <class Schedule>
inline constexpr auto& findings = detail::diagnosed<Schedule>::value.findings;

/// Every violation as a sentence.
template <class Schedule>
std::vector<std::string> explain_findings() {
  std::vector<std::string> sentences;
  const auto& found = detail::diagnosed<Schedule>::value;
  for (const plan::finding& f : found.findings)
    sentences.push_back(plan::sentence(detail::declared<Schedule>::value, f, found.cycle));
  return sentences;
}

}  // namespace stretto
