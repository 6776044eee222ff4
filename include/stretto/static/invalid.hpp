// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Compile errors on compilers that cannot show computed text: templates that are never defined and
/// whose names are the sentence. The compiler complains that one of them is incomplete, and prints
/// its name and the tasks and slots at fault. Nothing else is in this namespace.
namespace stretto::invalid {

template <class Schedule>
struct rule_1_the_schedule_has_no_task;
template <class Task, class Other>
struct rule_1_two_tasks_have_the_same_name;
template <class Task>
struct rule_1_the_name_of_a_task_is_empty;

template <class Task>
struct rule_2_the_lookahead_of_a_task_is_negative;
template <class Task, class Slot>
struct rule_2_the_offset_of_a_slot_is_negative;
template <class Task, class Slot>
struct rule_2_the_offset_of_a_slot_is_not_the_lookahead_of_its_task;
template <class Task, class Slot>
struct rule_2_a_task_writes_the_slot_that_the_source_fills;

template <class Task>
struct rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule;
template <class Task>
struct rule_3_the_stream_of_a_task_is_not_in_the_backend;

template <class Task, class Other, class Slot>
struct rule_4_two_tasks_write_one_slot_at_the_same_lookahead;
template <class Task, class Other, class Slot>
struct rule_4_two_tasks_write_one_slot_on_different_streams;

template <class Task, class Slot>
struct rule_5_no_task_writes_a_slot_that_is_read;
template <class Schedule, class Slot>
struct rule_5_no_task_writes_a_slot_that_is_a_result;
template <class Task, class Writer, class Slot>
struct rule_5_a_slot_is_read_further_ahead_than_it_is_written;
template <class Task, class Slot>
struct rule_5_a_task_reads_the_slot_that_it_writes;

template <class Task, class Named>
struct rule_6_depends_on_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Named>
struct rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Named>
struct rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule;
template <class Task, class Named>
struct rule_6_one_task_is_named_in_two_dependency_fields;
template <class Task, class Named>
struct rule_6_one_field_lists_the_same_entry_twice;
template <class Task, class Named>
struct rule_6_cross_iter_depends_on_must_name_an_earlier_batch;
template <class Task, class Named>
struct rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet;
template <class Task, class Named>
struct rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come;
template <class Task, class Named>
struct rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring;
template <class Task, class Named>
struct rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives;

template <class... Tasks>
struct rule_7_tasks_wait_for_each_other_in_a_circle;

template <class Task>
struct a_task_has_no_call_operator_for_its_slots;
template <class Task, class Parameter, class Slot>
struct a_task_does_not_take_what_it_reads_or_writes;
template <class Task>
struct a_task_holds_state_and_was_not_passed_to_the_pipeline;
template <class Object, class Schedule>
struct an_object_was_passed_that_is_no_task_of_the_schedule;
template <class Schedule>
struct the_schedule_has_no_source;
template <class Schedule>
struct the_schedule_has_no_result;

}  // namespace stretto::invalid
