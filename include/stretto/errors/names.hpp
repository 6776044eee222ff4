// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/table.hpp>

/// Compile errors on compilers that cannot show computed text: templates that are never defined and
/// whose names are the sentence. The compiler complains that one of them is incomplete, and prints
/// its name and the tasks and slots at fault.
namespace stretto::invalid {

/// At the end of a sentence: the schedule has `Count` more violations, which
/// `stretto::explain_findings<Schedule>()` lists.
template <int Count>
struct and_more;

// Before that, the repair where it is a matter of counting.
template <class Task, int AtLeast>
struct raise_lookahead;
template <int AtLeast>
struct name_it_batches_ago;
template <class Slot>
struct drop_the_entry_for_it_is_ordered_by_the_read_of;
template <class Slot>
struct of_an_earlier_batch_read_stretto_previous_of;
struct read_it_or_take_its_value_and_write_a_slot_of_its_own;
template <class Slot>
struct read_stretto_latest_of;
struct nor_is_there_a_source_to_fill_it;

// The violations of rules, each with the finding that it is the name of: `name` is never defined,
// and chosen by its types.

/// The kind of a finding.
template <planner::finding_kind What>
struct is {};
/// Where the culprit is: in a field of a task, the orders of the schedule, or its results.
template <planner::field Where>
struct in {};
struct in_results {};
/// Who is at fault: the task, or the schedule; the other task involved; the entry that is the
/// culprit, or the tasks of a cycle as a pack; and how the sentence ends.
template <class Task, class Other, class Entry, class... More>
struct culprits {};

template <class Schedule, class... More>
struct rule_1_the_schedule_has_no_task;
template <class At, class Schedule, class Other, class Entry, class... More>
auto name(is<planner::kind::empty_schedule>, At, culprits<Schedule, Other, Entry, More...>)
    -> pack<rule_1_the_schedule_has_no_task<Schedule, More...>>;

template <class Task, class Other, class... More>
struct rule_1_two_tasks_have_the_same_name;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::duplicate_name>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_1_two_tasks_have_the_same_name<Task, Other, More...>>;

template <class Task, class... More>
struct rule_1_the_name_of_a_task_is_empty;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::empty_name>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_1_the_name_of_a_task_is_empty<Task, More...>>;

template <class Task, class... More>
struct rule_1_a_task_has_the_name_of_one_that_every_plan_has;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::reserved_name>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_1_a_task_has_the_name_of_one_that_every_plan_has<Task, More...>>;

template <class Task, class... More>
struct rule_2_the_lookahead_of_a_task_is_negative;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::negative_lookahead>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_2_the_lookahead_of_a_task_is_negative<Task, More...>>;

template <class Task, class Slot, class... More>
struct rule_2_the_offset_of_a_slot_is_negative;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::negative_slot_offset>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_2_the_offset_of_a_slot_is_negative<Task, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_2_the_offset_of_a_slot_is_not_the_lookahead_of_its_task;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::slot_offset_mismatch>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_2_the_offset_of_a_slot_is_not_the_lookahead_of_its_task<Task, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_2_a_task_writes_the_slot_that_the_source_fills;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::reserved_write>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_2_a_task_writes_the_slot_that_the_source_fills<Task, Slot, More...>>;

template <class Task, class... More>
struct rule_2_a_task_runs_for_one_of_less_than_1_or_more_than_100000_batches;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::rate_out_of_range>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_2_a_task_runs_for_one_of_less_than_1_or_more_than_100000_batches<Task, More...>>;

template <class Task, class... More>
struct rule_2_the_phase_of_a_task_is_not_from_0_to_less_than_its_every;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::phase_out_of_range>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_2_the_phase_of_a_task_is_not_from_0_to_less_than_its_every<Task, More...>>;

template <class Task, class Dropper, class... More>
struct rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch;
template <class At, class Task, class Dropper, class Entry, class... More>
auto name(is<planner::kind::dropped_group>, At, culprits<Task, Dropper, Entry, More...>)
    -> pack<rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch<
        Task, Dropper, More...>>;

/// That of who drops batches if it fails, named besides.
template <class At, class Task, class Dropper, class Entry, class... More>
  requires requires { typename Dropper::on_failure; }
auto name(is<planner::kind::dropped_group>, At, culprits<Task, Dropper, Entry, More...>)
    -> pack<rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch<
        Task, Dropper, typename Dropper::on_failure, More...>>;

template <class Task, class... More>
struct rule_2_a_task_that_is_to_run_at_the_end_for_what_is_left_of_a_group_cannot;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::end_of_group>, At, culprits<Task, Other, Entry, More...>) -> pack<
    rule_2_a_task_that_is_to_run_at_the_end_for_what_is_left_of_a_group_cannot<Task, More...>>;

template <class Task, class... More>
struct rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::stream_not_declared>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule<Task, More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_4_two_tasks_write_one_slot_at_the_same_lookahead;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::multiple_writers>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_4_two_tasks_write_one_slot_at_the_same_lookahead<Task, Other, Slot, More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_4_two_tasks_write_one_slot_on_different_streams;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::name_multi_stream>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_4_two_tasks_write_one_slot_on_different_streams<Task, Other, Slot, More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_4_two_tasks_write_one_slot_and_do_not_run_for_the_same_batches;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::writers_of_two_rates>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_4_two_tasks_write_one_slot_and_do_not_run_for_the_same_batches<Task, Other, Slot,
                                                                                More...>>;

template <class Task, class Slot, class... More>
struct rule_5_no_task_writes_a_slot_that_is_read;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::unresolved_read>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_5_no_task_writes_a_slot_that_is_read<Task, Slot, More...>>;

template <class Schedule, class Slot, class... More>
struct rule_5_no_task_writes_a_slot_that_is_a_result;
template <class Schedule, class Other, class Slot, class... More>
auto name(is<planner::kind::unresolved_read>, in_results, culprits<Schedule, Other, Slot, More...>)
    -> pack<rule_5_no_task_writes_a_slot_that_is_a_result<Schedule, Slot, More...>>;

template <class Task, class Writer, class Slot, class... More>
struct rule_5_a_slot_is_read_further_ahead_than_it_is_written;
template <class At, class Task, class Writer, class Slot, class... More>
auto name(is<planner::kind::slot_future_read>, At, culprits<Task, Writer, Slot, More...>)
    -> pack<rule_5_a_slot_is_read_further_ahead_than_it_is_written<Task, Writer, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_5_a_task_reads_the_slot_that_it_writes;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::reader_not_after_writer>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_5_a_task_reads_the_slot_that_it_writes<Task, Slot, More...>>;

template <class Task, class User, class Slot, class... More>
struct rule_5_a_task_takes_the_value_of_a_slot_before_another_uses_it;
template <class At, class Task, class User, class Slot, class... More>
auto name(is<planner::kind::taken_before_use>, At, culprits<Task, User, Slot, More...>) -> pack<
    rule_5_a_task_takes_the_value_of_a_slot_before_another_uses_it<Task, User, Slot, More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_5_two_tasks_take_the_value_of_one_slot;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::taken_twice>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_5_two_tasks_take_the_value_of_one_slot<Task, Other, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_5_a_task_takes_the_value_of_a_slot_that_results_need;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::taken_result>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_5_a_task_takes_the_value_of_a_slot_that_results_need<Task, Slot, More...>>;

template <class Task, class User, class Slot, class... More>
struct rule_5_a_task_takes_the_value_of_a_slot_that_another_uses_for_a_later_batch;
template <class At, class Task, class User, class Slot, class... More>
auto name(is<planner::kind::taken_before_later_batches>, At, culprits<Task, User, Slot, More...>)
    -> pack<rule_5_a_task_takes_the_value_of_a_slot_that_another_uses_for_a_later_batch<
        Task, User, Slot, More...>>;

template <class Task, class Writer, class Slot, class... More>
struct rule_5_a_slot_is_read_before_it_is_written_for_the_group_of_the_batch;
template <class At, class Task, class Writer, class Slot, class... More>
auto name(is<planner::kind::group_unwritten>, At, culprits<Task, Writer, Slot, More...>)
    -> pack<rule_5_a_slot_is_read_before_it_is_written_for_the_group_of_the_batch<
        Task, Writer, Slot, read_stretto_latest_of<Slot>, More...>>;

template <class Schedule, class Writer, class Slot, class... More>
struct rule_5_a_result_is_handed_out_before_it_is_written_for_the_group_of_the_batch;
template <class Schedule, class Writer, class Slot, class... More>
auto name(is<planner::kind::group_unwritten>, in_results, culprits<Schedule, Writer, Slot, More...>)
    -> pack<rule_5_a_result_is_handed_out_before_it_is_written_for_the_group_of_the_batch<
        Schedule, Writer, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_5_a_task_takes_a_value_more_often_than_it_is_written;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::taken_more_than_once>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_5_a_task_takes_a_value_more_often_than_it_is_written<Task, Slot, More...>>;

template <class Task, class Writer, class Slot, class... More>
struct rule_5_a_task_reads_a_group_that_is_more_than_100000_batches_back;
template <class At, class Task, class Writer, class Slot, class... More>
auto name(is<planner::kind::too_far_back>, At, culprits<Task, Writer, Slot, More...>) -> pack<
    rule_5_a_task_reads_a_group_that_is_more_than_100000_batches_back<Task, Writer, Slot, More...>>;

template <class Task, class Writer, class Slot, class... More>
struct rule_5_a_slot_points_into_one_that_is_not_written_for_the_same_batches;
template <class At, class Task, class Writer, class Slot, class... More>
auto name(is<planner::kind::view_of_other_rate>, At, culprits<Task, Writer, Slot, More...>)
    -> pack<rule_5_a_slot_points_into_one_that_is_not_written_for_the_same_batches<Task, Writer,
                                                                                   Slot, More...>>;

template <class Task, class Dropper, class Slot, class... More>
struct rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped;
template <class At, class Task, class Dropper, class Slot, class... More>
auto name(is<planner::kind::dropped_before_read>, At, culprits<Task, Dropper, Slot, More...>)
    -> pack<
        rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped<
            Task, Dropper, Slot, More...>>;

template <class At, class Task, class Dropper, class Slot, class... More>
  requires requires { typename Dropper::on_failure; }
auto name(is<planner::kind::dropped_before_read>, At, culprits<Task, Dropper, Slot, More...>)
    -> pack<
        rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped<
            Task, Dropper, Slot, typename Dropper::on_failure, More...>>;

template <class Task, class Writer, class Slot, class... More>
struct rule_5_a_task_that_runs_at_the_end_reads_what_may_not_be_there_then;
template <class At, class Task, class Writer, class Slot, class... More>
auto name(is<planner::kind::unwritten_at_end>, At, culprits<Task, Writer, Slot, More...>)
    -> pack<rule_5_a_task_that_runs_at_the_end_reads_what_may_not_be_there_then<Task, Writer, Slot,
                                                                                More...>>;

template <class Task, class Slot, class... More>
struct rule_5_who_fills_a_slot_that_points_into_another_does_not_read_that;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::view_of_unread>, At, culprits<Task, Other, Slot, More...>) -> pack<
    rule_5_who_fills_a_slot_that_points_into_another_does_not_read_that<Task, Slot, More...>>;

template <class Task, class User, class Slot, class... More>
struct rule_5_a_task_writes_a_slot_that_another_still_views;
template <class At, class Task, class User, class Slot, class... More>
auto name(is<planner::kind::changed_under_view>, At, culprits<Task, User, Slot, More...>)
    -> pack<rule_5_a_task_writes_a_slot_that_another_still_views<Task, User, Slot, More...>>;

template <class Task, class Named, class... More>
struct rule_6_depends_on_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Other, class Named, class... More>
auto name(is<planner::kind::unknown_name>, in<planner::field::depends_on>,
          culprits<Task, Other, Named, More...>)
    -> pack<rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Other, class Named, class... More>
auto name(is<planner::kind::unknown_name>, in<planner::field::cross_iter_depends_on>,
          culprits<Task, Other, Named, More...>)
    -> pack<rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule<Task, Named,
                                                                                   More...>>;

template <class Task, class Named, class... More>
struct rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Other, class Named, class... More>
auto name(is<planner::kind::unknown_name>, in<planner::field::same_progress_sync>,
          culprits<Task, Other, Named, More...>)
    -> pack<
        rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_one_task_is_named_in_two_dependency_fields;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::field_overlap>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_one_task_is_named_in_two_dependency_fields<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_one_field_lists_the_same_entry_twice;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::listed_twice>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_one_field_lists_the_same_entry_twice<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_cross_iter_depends_on_must_name_an_earlier_batch;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::cross_offset_not_negative>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_cross_iter_depends_on_must_name_an_earlier_batch<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::depends_future_read>, At, culprits<Task, Other, Named, More...>)
    -> pack<
        rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::cross_iter_future_read>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::cross_iter_rotated_out>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring<Task, Named, More...>>;

template <class Task, class Named, class... More>
struct rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::redundant_cross_iter>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives<Task, Named, More...>>;

template <class Task, class Dropper, class... More>
struct rule_6_a_collective_drops_batches_or_comes_after_a_task_that_may;
template <class At, class Task, class Dropper, class Entry, class... More>
auto name(is<planner::kind::dropped_collective>, At, culprits<Task, Dropper, Entry, More...>)
    -> pack<
        rule_6_a_collective_drops_batches_or_comes_after_a_task_that_may<Task, Dropper, More...>>;

template <class At, class Task, class Dropper, class Entry, class... More>
  requires requires { typename Dropper::on_failure; }
auto name(is<planner::kind::dropped_collective>, At, culprits<Task, Dropper, Entry, More...>)
    -> pack<rule_6_a_collective_drops_batches_or_comes_after_a_task_that_may<
        Task, Dropper, typename Dropper::on_failure, More...>>;

template <class Task, class Named, class... More>
struct rule_6_a_dependency_names_a_task_that_never_runs_for_that_batch;
template <class At, class Task, class Other, class Named, class... More>
auto name(is<planner::kind::never_on_that_batch>, At, culprits<Task, Other, Named, More...>)
    -> pack<rule_6_a_dependency_names_a_task_that_never_runs_for_that_batch<Task, Named, More...>>;

template <class Schedule, class Named, class... More>
struct rule_6_an_order_names_what_is_not_a_task_of_this_schedule;
template <class Schedule, class Other, class Named, class... More>
auto name(is<planner::kind::unknown_name>, in<planner::field::order>,
          culprits<Schedule, Other, Named, More...>)
    -> pack<rule_6_an_order_names_what_is_not_a_task_of_this_schedule<Schedule, Named, More...>>;

template <class Schedule, class Named, class... More>
struct rule_6_an_order_lists_a_task_twice;
template <class Schedule, class Other, class Named, class... More>
auto name(is<planner::kind::listed_twice>, in<planner::field::order>,
          culprits<Schedule, Other, Named, More...>)
    -> pack<rule_6_an_order_lists_a_task_twice<Schedule, Named, More...>>;

template <class... Tasks>
struct rule_7_tasks_wait_for_each_other_in_a_cycle;
template <class At, class Task, class Other, class... Tasks, class... More>
auto name(is<planner::kind::cycle>, At, culprits<Task, Other, pack<Tasks...>, More...>)
    -> pack<rule_7_tasks_wait_for_each_other_in_a_cycle<Tasks..., More...>>;

template <class... Tasks>
struct rule_7_the_order_of_the_schedule_contradicts_what_its_tasks_declare;
template <class At, class Task, class Other, class... Tasks, class... More>
auto name(is<planner::kind::order_cycle>, At, culprits<Task, Other, pack<Tasks...>, More...>)
    -> pack<rule_7_the_order_of_the_schedule_contradicts_what_its_tasks_declare<Tasks..., More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_9_the_numbers_of_items_that_two_tasks_consume_or_produce_are_inconsistent;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::inconsistent_items>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_9_the_numbers_of_items_that_two_tasks_consume_or_produce_are_inconsistent<
        Task, Other, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_9_a_batch_would_have_more_than_65536_items_of_a_slot;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::too_many_items>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_9_a_batch_would_have_more_than_65536_items_of_a_slot<Task, Slot, More...>>;

template <class Task, class Other, class Slot, class... More>
struct rule_9_a_slot_of_which_items_are_consumed_or_produced_is_used_as_one_value;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::mixed_items>, At, culprits<Task, Other, Slot, More...>)
    -> pack<rule_9_a_slot_of_which_items_are_consumed_or_produced_is_used_as_one_value<
        Task, Other, Slot, More...>>;

template <class Task, class Slot, class... More>
struct rule_9_a_task_that_is_called_several_times_for_a_batch_writes_or_takes_a_slot_of_one_value;
template <class At, class Task, class Other, class Slot, class... More>
auto name(is<planner::kind::repeated_use>, At, culprits<Task, Other, Slot, More...>) -> pack<
    rule_9_a_task_that_is_called_several_times_for_a_batch_writes_or_takes_a_slot_of_one_value<
        Task, Slot, More...>>;

template <class Task, class... More>
struct rule_9_a_task_of_items_has_an_every_or_may_drop_batches_or_is_a_collective;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::items_and_rate>, At, culprits<Task, Other, Entry, More...>) -> pack<
    rule_9_a_task_of_items_has_an_every_or_may_drop_batches_or_is_a_collective<Task, More...>>;

template <class Task, class Other, class Resource, class... More>
struct race_two_tasks_use_one_resource_and_nothing_orders_their_runs;
template <class At, class Task, class Other, class Resource, class... More>
auto name(is<planner::kind::race>, At, culprits<Task, Other, Resource, More...>) -> pack<
    race_two_tasks_use_one_resource_and_nothing_orders_their_runs<Task, Other, Resource, More...>>;

template <class Task, class Resource, class... More>
struct race_a_task_changes_a_resource_on_several_workers_at_once;
template <class At, class Task, class Resource, class... More>
auto name(is<planner::kind::race>, At, culprits<Task, Task, Resource, More...>)
    -> pack<race_a_task_changes_a_resource_on_several_workers_at_once<Task, Resource, More...>>;

// NOLINTBEGIN(bugprone-forward-declaration-namespace): only the names of these matter
/// How a task spells a member, and how it is spelled.
namespace member {
// clang-format off
struct read; struct raeds; struct redas; struct reasd; struct rads; struct reas; struct readds;
struct input; struct inputs; struct write; struct wirtes; struct wrties; struct wriets;
struct writse; struct wites; struct wrtes; struct writs; struct writtes; struct output;
struct outputs; struct depend_on; struct dependson; struct depends; struct depend;
struct depends_of; struct depends_no; struct depens_on; struct depnds_on; struct dpends_on;
struct depneds_on; struct depedns_on; struct dependends_on; struct depends_upon;
struct dependent_on; struct dependency; struct dependencies; struct dependsOn; struct cross_iter;
struct cross_iter_depend; struct cross_iter_depends; struct cross_iter_depend_on;
struct cross_iter_dependson; struct cross_iterdepends_on; struct crossiter_depends_on;
struct cross_iters_depends_on; struct cross_iteration_depends_on; struct cross_itr_depends_on;
struct cross_inter_depends_on; struct cros_iter_depends_on; struct corss_iter_depends_on;
struct cross_iter_depens_on; struct cross_iter_dependency; struct cross_iter_dependencies;
struct cross_depends_on; struct iter_depends_on; struct crossIterDependsOn; struct sync;
struct same_progress; struct same_sync; struct progress_sync; struct same_progress_syncs;
struct same_progress_synch; struct same_progress_snyc; struct same_progress_syn;
struct same_progess_sync; struct same_progres_sync; struct same_porgress_sync;
struct same_prgress_sync; struct smae_progress_sync; struct same_progresssync;
struct sameprogress_sync; struct same_progress_depends_on; struct sameProgressSync;
struct observe; struct observs; struct oberves; struct obseves; struct obsrves; struct obsreves;
struct obsevres; struct obeserves; struct mutate; struct mutats; struct mutaes; struct muttes;
struct muates; struct mutaets; struct mutatse; struct muttaes; struct muatets; struct modifies;
struct streams; struct stram; struct strem; struct steam; struct sream; struct strean;
struct steram; struct straem; struct strema; struct srteam; struct streem; struct stream_name;
struct threads; struct thred; struct thead; struct tread; struct thrad; struct trhead;
struct therad; struct thraed; struct threda; struct htread; struct thread_name;
struct roles; struct rol; struct rolle; struct roel; struct rloe; struct orle; struct Role;
struct communicators; struct communicater; struct comunicator; struct commuicator;
struct commnicator; struct communcator; struct communictor; struct commnuicator;
struct communciator; struct commmunicator; struct look_ahead; struct lookAhead; struct lookaheads;
struct lookahed; struct lookhead; struct lookahad; struct lookaead; struct lookahea;
struct lokahead; struct loookahead; struct lookkahead; struct lookaahead; struct lookaheead;
struct lokoahead; struct looakhead; struct lookhaead; struct lookaehad; struct lookahaed;
struct lookaheda; struct look_head; struct weights; struct wieght; struct weigth; struct wegiht;
struct weihgt; struct weght; struct wight; struct weiht; struct weigt; struct weigh;
struct weightt; struct waight; struct cost; struct collectives; struct collectiv;
struct colective; struct collectve; struct collctive; struct collecive; struct collectie;
struct colletive; struct coletive; struct colelctive; struct collecitve; struct collectvie;
struct collectiev; struct is_collective; struct evry; struct evey; struct eevry; struct evrey;
struct eveyr; struct veery; struct everry; struct ever; struct every_n; struct once_per;
struct once_every; struct phases; struct phse; struct pahse; struct phsae; struct phaes;
struct phas; struct hpase; struct phaze; struct fase; struct reads; struct writes; struct depends_on;
struct cross_iter_depends_on; struct same_progress_sync; struct observes; struct mutates;
struct Reads; struct Writes; struct DependsOn; struct CrossIterDependsOn; struct SameProgressSync;
struct Observes; struct Mutates; struct Stream; struct Thread; struct Lookahead; struct kLookahead;
struct Weight; struct kWeight; struct Every; struct kEvery; struct Phase; struct kPhase;
struct lookahead; struct every; struct on_failure; struct on_failures; struct on_failiure;
struct on_faliure; struct on_failrue; struct onfailure; struct on_fail; struct on_error;
struct on_exception; struct onFailure; struct max_failures;
struct nccl; struct globally_ordered; struct all_reduce; struct stage; struct pipeline_stage;
struct batch_offset; struct prefetch; struct interval; struct rate; struct period; struct
frequency; struct cadence; struct thread_group; struct thread_pool; struct worker; struct
executor; struct cuda_stream; struct hip_stream; struct after; struct needs; struct deps; struct
upstream; struct wait_for; struct comm; struct process_group; struct nvtx_tag; struct nvtx_name;
struct nvtx_range; struct workers; struct num_workers; struct concurrency; struct max_concurrency;
struct parallelism; struct parallel; struct queue; struct queue_size; struct priority; struct
stream_priority; struct init;
// clang-format on
}  // namespace member
namespace did_you_mean {
template <class Task>
struct task;
template <class Thread>
struct group;
struct reads;
struct writes;
struct depends_on;
struct cross_iter_depends_on;
struct same_progress_sync;
struct observes;
struct mutates;
struct stream;
struct thread;
struct lookahead;
struct weight;
struct every;
struct phase;
struct collective;
struct communicator;
struct role;
struct on_failure;
struct name;
struct workers;
struct queue;
struct stream_options;
struct state;
}  // namespace did_you_mean
// NOLINTEND(bugprone-forward-declaration-namespace)

template <class Type>
struct what_was_given_as_a_schedule_is_none_or_is_not_defined_here;
template <class Task>
struct a_task_of_the_schedule_is_declared_but_not_defined_here;
template <class Task, class Member, class DidYouMean>
struct a_task_has_a_misspelled_member;
template <class Task, class Member, class Type>
struct a_member_of_a_task_is_not_the_list_of_stretto_with_that_name;
template <class Task>
struct the_lookahead_of_a_task_is_not_a_static_constexpr_int;
template <class Task>
struct the_lookahead_of_a_task_is_more_than_a_hundred_thousand_batches;
template <class Task>
struct the_weight_of_a_task_is_not_a_static_constexpr_int;
template <class TaskOrWeight>
struct a_weight_is_negative;
template <class Bound>
struct max_in_flight_is_1_to_100001_batches_and_max_bytes_1_byte_or_more;
template <class Task, class Entry>
struct an_entry_of_a_list_has_no_whole_number_within_reach;
template <class Placement>
struct a_task_or_the_source_is_placed_by_what_is_no_whole_number;
template <class Task>
struct the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int;
template <class Task>
struct a_task_states_a_phase_and_not_of_how_many_batches;
template <class Task>
struct the_on_failure_of_a_task_is_not_stretto_on_failure_of_drop;
template <class Task>
struct a_batch_on_which_a_task_fails_cannot_be_kept;
template <class Task, class Bound>
struct on_failure_takes_one_max_failures_of_1_or_more;
template <class Task>
struct a_task_drops_batches_on_which_it_fails_but_its_call_operator_is_noexcept;
template <class Task, class Parameter>
struct nothing_says_which_slot_a_parameter_of_a_task_is;
template <class Task, class Argument>
struct a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are;
template <class Task, class Slot>
struct a_task_updates_a_slot_that_no_task_further_ahead_writes;
template <class Task, class Field>
struct a_task_is_given_what_is_no_field_of_a_task;
template <class Task, class Field>
struct a_task_is_given_a_field_twice;
template <class Task>
struct whether_a_task_is_collective_is_not_a_static_constexpr_bool;
template <class Task>
struct whether_a_task_runs_at_the_end_is_a_static_constexpr_bool_next_to_its_every;
template <class Task>
struct the_stream_of_a_task_is_not_a_type_like_stretto_stream;
template <class Task>
struct the_thread_of_a_task_is_not_a_type_like_stretto_thread;
template <class... Where>
struct a_stream_or_a_thread_has_no_name;
template <class Task, class Entry>
struct a_task_reads_what_is_not_a_slot;
template <class Task, class Entry>
struct a_task_looks_back_at_what_looks_back_itself;
template <class Task, class Entry>
struct a_task_writes_what_is_not_a_slot;
template <class Task>
struct a_task_lists_a_value_that_it_takes_in_writes_and_not_in_reads;
template <class Task, class Entry>
struct a_task_writes_an_earlier_batch_which_can_only_be_read;
template <class Task, class Entry>
struct a_task_takes_the_value_of_an_earlier_batch_which_can_only_be_read;
template <class Task, class Entry>
struct previous_and_latest_look_back_100000_batches_at_most_and_a_window_holds_1_to_1024;
template <class Task, class Entry>
struct a_task_consumes_or_produces_1_to_65536_items_per_call;
template <class Task, class Entry>
struct items_are_of_a_slot_and_of_the_batch_at_hand;
template <class Task, class Entry>
struct consumes_is_for_reads_and_produces_is_for_writes;
template <class Task, class Entry>
struct a_task_observes_what_is_not_a_resource;
template <class Task, class Entry>
struct a_task_mutates_what_is_not_a_resource;
template <class Task, class Entry>
struct ago_is_for_cross_iter_depends_on_only;
template <class Type>
struct the_source_fills_what_is_not_a_slot;
template <class Type>
struct a_result_is_not_a_slot;
template <class Type>
struct a_result_is_a_slot_and_may_be_moved_from_without_takes;
template <class Task>
struct place_names_what_is_not_a_task_of_this_schedule;
template <class Task>
struct a_thread_group_names_what_is_not_a_task_of_this_schedule;
template <class Type>
struct a_placement_is_not_a_stream_a_lookahead_a_thread_or_a_weight;
template <class Map>
struct a_generated_thread_map_has_at_least_one_thread;
template <class Map, int Named>
struct a_generated_thread_map_has_fewer_threads_than_are_named;
template <class Group>
struct a_generated_thread_map_has_no_queues_and_no_workers;
template <class Group>
struct the_calling_thread_has_no_queue_and_no_workers;
template <class Group, class... DidYouMean>
struct a_queue_or_workers_are_for_a_thread_group_without_tasks;
template <class Group>
struct a_source_is_pulled_by_one_thread_not_by_workers;
template <class Task>
struct a_task_that_is_a_coroutine_cannot_have_workers;
template <class Task>
struct a_task_on_a_stream_or_a_collective_cannot_have_workers;
template <class Task>
struct a_task_on_several_workers_is_not_callable_as_const;

template <class Part>
struct results_are_handed_out_on_a_stream_that_the_schedule_does_not_declare;

template <class Option>
struct an_option_of_a_pipeline_is_among_the_parts_of_a_schedule;
template <class Entry>
struct an_entry_of_a_thread_map_is_among_the_parts_of_a_schedule;
template <class Part, class Schedule>
struct what_belongs_to_a_task_is_among_the_parts_of_a_schedule;
template <class First, class Second>
struct a_schedule_has_two_parts_of_one_kind;
template <class Part, class Schedule>
struct a_serial_plan_makes_nothing_of_a_part;
template <class Schedule>
struct without_names_no_task_to_leave_out;
template <class Task, class Schedule>
struct without_leaves_out_what_is_not_a_task_of_its_schedule;
template <class Task>
struct without_leaves_out_a_task_twice;
template <class Task>
struct the_role_of_a_task_is_not_a_type_like_stretto_role;
template <class Task>
struct the_communicator_of_a_task_is_not_a_type_like_stretto_communicator;
template <class Task, class Member>
struct a_list_of_a_task_is_a_value_where_it_must_be_a_type;
template <class Schedule>
struct a_schedule_with_roles_has_a_queue_or_workers;
template <class Schedule>
struct a_schedule_has_more_than_64_roles;
template <class Transfer, class Role>
struct a_transfer_names_a_role_that_no_task_has;
template <class Transfer, class Role>
struct a_transfer_names_a_role_twice;
template <class Transfer>
struct a_transfer_names_a_communicator;
template <class Transfer>
struct a_transfer_is_of_values_that_view_into_other_slots;
template <class Task, class Other>
struct the_slot_of_the_source_is_read_by_tasks_of_two_roles;
template <class Transfer>
struct a_transfer_is_of_a_slot_that_no_task_writes_before;
template <class Transfer, class Writer>
struct a_transfer_is_from_a_role_that_does_not_have_the_slot;
template <class Transfer, class Role>
struct a_transfer_is_to_a_role_that_has_the_slot;
template <class Task, class Role, class Writer>
struct a_task_reads_a_slot_that_is_on_ranks_of_another_role;
template <class Task, class Role, class Writer>
struct a_task_updates_a_slot_that_is_on_ranks_of_another_role;
template <class Task, class Other>
struct a_task_depends_on_one_of_another_role;
template <class Task, class Other>
struct an_order_has_tasks_of_two_roles_next_to_each_other;
template <class Task, class Other>
struct tasks_of_two_roles_use_a_resource_that_one_of_them_changes;
template <class Schedule, class Role>
struct no_task_of_the_schedule_has_the_role;
template <class Projection>
struct a_projection_is_planned_as_its_schedule_is;
template <class Projection>
struct a_projection_needs_collectives_that_make_transfers;
template <class Schedule>
struct with_collectives_each_rank_runs_a_projection_of_a_schedule_with_roles;
template <class Schedule>
struct a_projection_has_no_runtime_version;
template <class Transfer, class Value>
struct values_of_a_slot_cannot_be_sent;
template <class Task>
struct a_place_says_nothing_of_its_task;
template <class Task, class Placement>
struct a_task_is_placed_twice;
template <class Placement>
struct a_source_is_placed_twice;
template <class Placement>
struct a_source_is_placed_by_a_lookahead_a_thread_or_a_weight;
template <class Entry>
struct an_entry_of_a_thread_map_is_not_used;
template <class Entry>
struct an_entry_of_a_thread_map_is_none;
template <class Group>
struct a_thread_group_names_no_task;
template <class Task, class Group>
struct a_task_is_named_by_thread_groups_twice;
template <class Task, class Group>
struct a_thread_group_names_a_task_with_a_thread_of_its_own;
template <class Streams>
struct a_stream_is_declared_twice;
template <class Threads>
struct a_thread_is_listed_twice;
template <class Task, class Thread, class... DidYouMean>
struct a_task_is_on_a_thread_that_thread_names_does_not_list;
template <class Source, class Thread, class... DidYouMean>
struct a_source_is_pulled_by_a_thread_that_thread_names_does_not_list;
template <class Bound, class Needs>
struct declared_lookaheads_alone_exceed_a_bound;
template <class Part, class Schedule>
struct offered_threads_are_for_scheduled;
template <class Schedule, class Tasks>
struct a_schedule_is_found_of_up_to_32_tasks;
template <int Number>
struct tasks;
template <class Schedule>
struct scheduled_has_nothing_to_choose_in_a_serial_plan;
template <class Schedule>
struct scheduled_and_pipelined_both_choose_lookaheads;
template <class Group>
struct scheduled_knows_no_queues_and_no_workers;
template <class Option>
struct scheduled_keeps_to_offered_threads_max_in_flight_and_max_bytes_and_no_more;
template <class Task, class Every>
struct a_schedule_is_found_of_tasks_that_run_for_every_batch;
template <class Task>
struct scheduled_goes_by_weights_and_a_task_has_none;
template <class Schedule>
struct scheduled_goes_by_weights_and_all_are_zero;
template <class Thread>
struct a_thread_that_pulls_batches_or_hands_out_results_is_offered;
template <class Offered, class Schedule>
struct threads_are_offered_and_all_tasks_have_theirs;
template <class Map>
struct scheduled_puts_tasks_on_threads_with_names;
template <class Lookahead>
struct scheduled_chooses_the_lookahead_of_the_source;
template <class Task, class Bound, class Needs>
struct a_task_stays_at_a_lookahead_that_exceeds_a_bound;
template <class Schedule, class... BoundAndNeeds>
struct no_schedule_is_found_within_a_bound;
template <int Batches>
struct batches_in_flight;
template <std::size_t Bytes>
struct bytes_of_slots;
template <class Slack>
struct slack_is_for_what_is_not_a_slot_of_this_schedule;
template <class Slack>
struct a_slot_is_given_slack_twice;
template <class Slot>
struct a_result_is_listed_twice;
template <class Group>
struct a_thread_group_is_given_queues_or_workers_twice;
template <class Part, class... DidYouMean>
struct the_calling_thread_runs_a_thread_group_without_tasks;
template <class Option>
struct a_part_of_a_schedule_is_no_option_of_a_pipeline;
template <class Option>
struct what_was_given_as_an_option_of_a_pipeline_is_none;
template <class First, class Second>
struct a_pipeline_was_given_two_options_of_one_kind;
template <class Setting>
struct a_setting_was_passed_to_the_pipeline_twice;
template <class Task>
struct a_task_names_a_communicator_and_is_not_collective;

template <class One, class Other>
struct two_types_have_one_name_in_a_schedule_of_values;
template <class Group>
struct a_thread_group_has_1_to_99_workers;
template <class Group>
struct a_queue_has_room_for_1_to_100000_batches;
template <class Slack>
struct slack_adds_1_to_100000_copies;
template <class Slot>
struct a_slot_is_among_the_tasks_use_it_in_source_or_result;
template <class Resource>
struct a_resource_is_among_the_tasks_use_it_in_observes_or_mutates_of_a_task;
template <class Task, class Member>
struct a_member_of_a_task_is_private_and_nobody_else_can_see_it;

template <class Schedule>
struct the_schedule_has_no_source;
template <class Slot, class Type>
struct the_type_of_a_slot_is_declared_but_not_defined_here;
template <class Slot, class Type>
struct the_type_of_a_slot_is_const_or_no_object;
template <class Slot, class Type>
struct the_type_of_a_slot_is_an_array_hold_it_in_std_array;
template <class Slot, class Type>
struct the_type_of_a_slot_is_not_default_constructible;
template <class Task>
struct a_task_can_be_neither_moved_nor_copied_into_the_pipeline;
template <class Task, class Signature>
struct a_task_has_no_public_call_operator_for_its_slots;
template <class Task>
struct a_task_lists_its_slots_and_takes_them_as_in_or_out_too;
template <class Task>
struct a_task_lists_no_slots_and_its_call_operator_is_private_overloaded_or_a_template;
template <class Task, class Argument, class Slot>
struct a_task_does_not_take_what_it_reads_or_writes;
template <class Task, class Slot>
struct a_task_takes_to_change_a_slot_that_it_only_reads;
template <class Task, class Slot>
struct a_task_takes_to_change_the_slot_of_the_source_of_which_it_can_only_take_the_value;
template <class Task, class Slot>
struct a_task_takes_by_value_or_as_const_a_slot_that_it_writes;
template <class Task, class Slot, class Type>
struct a_task_takes_a_slot_as_a_type_that_cannot_hold_all_its_values;
template <class Task, class Result>
struct a_task_returns_a_value_that_nobody_takes;
template <class Task>
struct a_task_is_a_coroutine_by_a_call_operator_that_is_overloaded_or_a_template;
template <class Task>
struct a_task_returns_a_verdict_from_a_call_operator_that_is_overloaded_or_a_template;
template <class Task>
struct a_task_returns_a_verdict_as_const;
template <int Number, class Type>
struct argument;

template <class Task>
struct a_task_holds_state_and_was_not_passed_to_the_pipeline;
template <class Object, class Schedule>
struct an_object_was_passed_that_is_no_task_of_the_schedule;
template <class Pipeline>
struct a_pipeline_is_not_copied_or_moved;
template <class Task, class Schedule>
struct a_task_is_asked_for_that_is_none_of_the_schedule;
template <class Slot, class Schedule>
struct a_slot_is_asked_for_that_is_none_of_the_schedule;
template <class Pipeline>
struct a_run_is_of_a_pipeline_that_is_not_const_over_a_source;
template <class Result>
struct a_run_that_goes_through_views_has_a_name;
template <class Task>
struct a_task_was_passed_to_the_pipeline_twice;
template <class Task>
struct a_task_that_cannot_be_copied_was_passed_without_std_move;
template <class Element, class Slot>
struct the_source_yields_what_its_slot_does_not_take;
template <class Element, class Slot>
struct the_source_yields_numbers_of_which_its_slot_cuts_something_off;
template <class Element, class Slot>
struct the_source_yields_numbers_that_its_slot_takes_for_something_else;
template <class Element, class Slot>
struct the_elements_of_the_list_are_gone_before_the_run_takes_them;
template <class Element, class Slot>
struct the_source_yields_references_to_what_can_only_be_moved_into_its_slot;
template <class Returned, class Slot>
struct a_function_as_source_must_return_optional_or_fill_the_slot;
template <class Source>
struct the_source_is_that_of_another_role_run_with_stretto_follow;
template <class Slot>
struct stretto_follow_is_for_ranks_whose_role_does_not_have_the_source;
template <class Source, class Slot>
struct a_source_is_a_range_or_a_function;
template <class Given>
struct a_run_is_stopped_by_an_object_with_stop_requested;
template <class Pipeline>
struct a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name;
template <class Pipeline>
struct batches_are_pushed_to_a_pipeline_whose_calling_thread_pulls;
template <class Given>
struct batches_are_pushed_to_a_pipeline_that_can_run;
template <class Pipeline>
struct who_pushes_to_a_pipeline_of_values_names_the_type_of_its_batches;
template <class Batch, class Value>
struct what_is_pushed_does_not_go_into_the_slot_of_the_source;
template <class Batch, class Value>
struct what_is_pushed_is_a_number_of_which_the_slot_of_the_source_cuts_something_off;
template <class Batch, class Value>
struct what_is_pushed_is_a_number_that_the_slot_of_the_source_takes_for_something_else;
template <class Given, class Value>
struct a_position_holds_a_number_of_which_its_slot_cuts_something_off;
template <class Batch, class Value>
struct a_function_that_is_pushed_says_whether_there_is_a_batch;
template <class Batch>
struct what_is_pushed_can_only_be_moved;
template <class Zipped, class Slot>
struct as_many_sources_are_zipped_as_the_type_of_their_slot_has_members;
template <class Source, class Member, class Slot>
struct a_source_that_is_zipped_yields_what_its_member_does_not_take;
template <class Source, class Slot>
struct a_source_that_may_have_nothing_yet_is_zipped_or_merged;
template <int Count, class Slot>
struct fewer_than_two_sources_are_zipped_or_merged;
template <class Given>
struct a_sender_is_of_a_pipeline_that_can_run;
template <class Type, class Pipeline>
struct a_run_as_a_sender_names_the_type_of_batches_of_a_pipeline_of_values_only;
template <class... Given>
struct a_run_as_a_sender_is_given_a_function_a_beginning_and_cancel_on_stop_once;
template <class Given>
struct a_server_is_of_a_pipeline_that_can_run;
template <class Pipeline>
struct a_server_of_values_names_the_types_of_requests_and_answers;
template <class Slot>
struct a_server_that_batches_has_a_container_of_requests_in_its_source;
template <class Slot>
struct a_server_that_batches_has_a_container_of_answers_in_its_result;
template <class Given, class Request>
struct what_is_asked_is_no_request_of_the_server;
template <class Given, class Request>
struct what_is_asked_is_a_number_of_which_the_slot_of_the_source_cuts_something_off;
template <class Callback, class Answer>
struct a_callback_takes_the_answer_of_the_server;
template <class Answer>
struct a_request_that_is_kept_is_given_away_to_co_await;
template <class Use, class Result>
struct for_each_calls_a_function_that_takes_the_result;
template <class Use, class Number>
struct for_each_calls_a_function_that_takes_a_number_as_one_that_holds_it;

template <class Schedule, class Task>
struct a_plan_was_found_before_a_task_came_in;
template <class Schedule, fixed_string Task>
struct a_plan_was_found_with_a_task_that_is_gone;
template <class Schedule, class Task, class Cost, class Within>
struct a_plan_was_found_for_another_cost_of_a_task;
template <class Schedule, class Task, class Other>
struct a_plan_was_found_for_other_costs_of_several_tasks;

}  // namespace stretto::invalid
