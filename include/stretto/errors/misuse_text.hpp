// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/access.hpp>
#include <stretto/declare/count.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/items.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/misused_groups.hpp>
#include <type_traits>

/// Diagnostics about how a schedule is written, each in its two forms (see emit.hpp);
/// static/errors/misuse.hpp finds them.
namespace stretto::errors {

template <class Value>
constexpr words shown() {
  return "`" + readable(declare::unqualified(declare::qualified_name<Value>())) + "`";
}
template <class Value>
constexpr words shown_task() {
  return "task `" + words(name_of<Value>.text) + "`";
}

template <class Value>
struct no_schedule {
  static auto named()
      -> pack<invalid::what_was_given_as_a_schedule_is_none_or_is_not_defined_here<Value>>;
  static constexpr words text() {
    return shown<Value>() + " is not a schedule, or not defined here: struct my_schedule : " +
           "stretto::schedule<...> {};";
  }
};

template <class Task>
struct undefined_task {
  static auto named()
      -> pack<invalid::a_task_of_the_schedule_is_declared_but_not_defined_here<Task>>;
  static constexpr words text() {
    return shown_task<Task>() + " is declared but not defined here; define it before the pipeline";
  }
};

template <class Slot>
struct slot_as_part {
  static auto named() -> pack<invalid::a_slot_is_among_the_tasks_use_it_in_source_or_result<Slot>>;
  static constexpr words text() {
    return shown<Slot>() +
           " is a slot, but stands where a schedule has its tasks and parts; to fill it, write "
           "`stretto::source<...>` around it, to hand it out, `stretto::result<...>`";
  }
};
template <class Resource>
struct resource_as_part {
  static auto named() -> pack<
      invalid::a_resource_is_among_the_tasks_use_it_in_observes_or_mutates_of_a_task<Resource>>;
  static constexpr words text() {
    return shown<Resource>() +
           " is a resource, but stands where a schedule has its tasks and parts; list it in "
           "`observes` or `mutates` of the tasks that use it";
  }
};

template <class Task, class Member>
struct private_member {
  static auto named()
      -> pack<invalid::a_member_of_a_task_is_private_and_nobody_else_can_see_it<Task, Member>>;
  static constexpr words text() {
    return shown_task<Task>() + " declares " + shown<Member>() +
           " as private, so that nobody else can see it; make it public";
  }
};

/// What was meant by a member that nobody looks at: a field, or what is said elsewhere.
template <class Meant>
constexpr words shown_meant() {
  namespace meant = invalid::did_you_mean;
  if constexpr (std::is_same_v<Meant, meant::workers>)
    return "`stretto::workers<\"thread\", 4>`, a part of the schedule";
  else if constexpr (std::is_same_v<Meant, meant::queue>)
    return "`stretto::queue<\"thread\", 4>`, a part of the schedule";
  else if constexpr (std::is_same_v<Meant, meant::stream_options>)
    return "the priority of a stream, which the pipeline is given: "
           "`stretto::cuda::streams{{\"stream\", {.priority = -1}}}`";
  else if constexpr (std::is_same_v<Meant, meant::state>)
    return "the constructor of an object of the task, which the pipeline is given";
  else
    return shown<Meant>();
}

template <class Task, class Member, class Meant>
struct misspelled {
  static auto named() -> pack<invalid::a_task_has_a_misspelled_member<Task, Member, Meant>>;
  static constexpr words text() {
    return shown_task<Task>() + " has a member " + shown<Member>() +
           ", which nobody looks at; did you mean " + shown_meant<Meant>() + "?";
  }
};

template <class Task, class Member, class Type>
struct not_the_list {
  static auto named() -> pack<
      invalid::a_member_of_a_task_is_not_the_list_of_stretto_with_that_name<Task, Member, Type>>;
  static constexpr words text() {
    const words member{declare::unqualified(declare::qualified_name<Member>())};
    return shown_task<Task>() + " declares `" + member + "` as `" +
           words(declare::qualified_name<Type>()) + "`; it must be `stretto::" + member + "<...>`";
  }
};

template <class Task, class Member>
struct list_as_value {
  static auto named()
      -> pack<invalid::a_list_of_a_task_is_a_value_where_it_must_be_a_type<Task, Member>>;
  static constexpr words text() {
    const words member{declare::unqualified(declare::qualified_name<Member>())};
    return shown_task<Task>() + " declares `" + member +
           "` as a value; it must be a type: write `using " + member + " = stretto::" + member +
           "<...>;`";
  }
};

/// A task whose numbers are fields, and not members.
template <class Task>
inline constexpr bool is_made_of_body = requires { typename Task::stretto_fields; };

template <class Task>
struct odd_lookahead {
  static auto named() -> pack<invalid::the_lookahead_of_a_task_is_not_a_static_constexpr_int<Task>>;
  static constexpr words text() {
    return "the lookahead of " + shown_task<Task>() + " is not a constant number: write " +
           (is_made_of_body<Task> ? "`stretto::lookahead<1>`"
                                  : "`static constexpr int lookahead = 1;`");
  }
};
template <class Task>
struct distant_lookahead {
  static auto named()
      -> pack<invalid::the_lookahead_of_a_task_is_more_than_a_hundred_thousand_batches<Task>>;
  static constexpr words text() {
    return shown_task<Task>() + " has lookahead " + number(Task::lookahead) + "; the most is " +
           number(most_batches) + ": each batch in flight has copies of slots";
  }
};
template <class Task>
struct odd_weight {
  static auto named() -> pack<invalid::the_weight_of_a_task_is_not_a_static_constexpr_int<Task>>;
  static constexpr words text() {
    return "the weight of " + shown_task<Task>() + " is not a constant number: write " +
           (is_made_of_body<Task> ? "`stretto::weight<300>`"
                                  : "`static constexpr int weight = 300;`");
  }
};
template <class Task>
struct negative_weight {
  static auto named() -> pack<invalid::a_weight_is_negative<Task>>;
  static constexpr words text() {
    return "the weight of " + shown_task<Task>() + " is negative: it says how long the task takes";
  }
};
template <class Weight>
struct negative_placed_weight {
  static auto named() -> pack<invalid::a_weight_is_negative<Weight>>;
  static constexpr words text() {
    return shown<Weight>() + " is negative: a weight says how long something takes";
  }
};
template <class Placement>
struct odd_placed_number {
  static auto named()
      -> pack<invalid::a_task_or_the_source_is_placed_by_what_is_no_whole_number<Placement>>;
  static constexpr words text() {
    return "a task or the source is placed by " + shown<Placement>() +
           ", which is no whole number, as `stretto::lookahead<1>` and `stretto::weight<300>` are";
  }
};
template <class Task>
struct odd_rate {
  static auto named()
      -> pack<invalid::the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<Task>>;
  static constexpr words text() {
    return "the `every` or the `phase` of " + shown_task<Task>() +
           " is not a constant number: write " +
           (is_made_of_body<Task> ? "`stretto::every<4>`" : "`static constexpr int every = 4;`");
  }
};
template <class Task>
struct phase_without_every {
  static auto named() -> pack<invalid::a_task_states_a_phase_and_not_of_how_many_batches<Task>>;
  static constexpr words text() {
    return shown_task<Task>() +
           " states a phase, and not of how many batches; state `every`, too, or drop the phase: "
           "the task runs for every batch";
  }
};
template <class Task>
struct odd_on_failure {
  static auto named()
      -> pack<invalid::the_on_failure_of_a_task_is_not_stretto_on_failure_of_drop<Task>>;
  static constexpr words text() {
    return "`on_failure` of " + shown_task<Task>() +
           " is not one of Stretto's: write `using on_failure = "
           "stretto::on_failure<stretto::drop>;`";
  }
};
template <class Task>
struct kept_failure {
  static auto named() -> pack<invalid::a_batch_on_which_a_task_fails_cannot_be_kept<Task>>;
  static constexpr words text() {
    return shown_task<Task>() +
           " is to keep batches on which it fails, for which its work is not done; drop them, "
           "`stretto::on_failure<stretto::drop>`, or catch what is thrown in the task";
  }
};
template <class Task, class Bound>
struct odd_failure_bound {
  static auto named() -> pack<invalid::on_failure_takes_one_max_failures_of_1_or_more<Task, Bound>>;
  static constexpr words text() {
    return "`on_failure` of " + shown_task<Task>() + " is given " + shown<Bound>() +
           "; it takes one `max_failures<N>` of 1 or more, or none for any number; without "
           "`on_failure`, the first failure ends the run";
  }
};
template <class Task>
struct failure_of_noexcept {
  static auto named() -> pack<
      invalid::a_task_drops_batches_on_which_it_fails_but_its_call_operator_is_noexcept<Task>>;
  static constexpr words text() {
    return shown_task<Task>() +
           " drops batches on which it fails (`on_failure`), but its call operator is noexcept: "
           "what it throws would end the program; drop one of the two";
  }
};
template <class Task, int Place, class Type>
struct odd_parameter {
  static auto named() -> pack<
      invalid::a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are<
          Task, invalid::argument<Place, Type>>>;
  static constexpr words text() {
    const words which = "parameter " + number(Place) + " of " + shown_task<Task>() + ", `" +
                        readable(declare::qualified_name<Type>());
    if constexpr (std::is_lvalue_reference_v<Type> &&
                  requires { typename std::remove_reference_t<Type>::slot; })
      return which + "`, is a reference to what tells of a slot; take it by value";
    else
      return which +
             "`, is neither `in`, `out`, `inout` nor `takes`, as others are; say of each which "
             "slot it is: only the first may be another, the context";
  }
};
template <class Task, int Place, class Type>
struct unsaid_parameter {
  static auto named() -> pack<invalid::nothing_says_which_slot_a_parameter_of_a_task_is<
      Task, invalid::argument<Place, Type>>>;
  static constexpr words text() {
    return "nothing says which slot parameter " + number(Place) + " of " + shown_task<Task>() +
           ", `" + readable(declare::qualified_name<Type>()) +
           "`, is: take `stretto::in<slot>` or `stretto::out<slot>`, or list slots in `reads` and "
           "`writes`";
  }
};
template <class Task, class Slot>
struct stray_update {
  static auto named()
      -> pack<invalid::a_task_updates_a_slot_that_no_task_further_ahead_writes<Task, Slot>>;
  static constexpr words text() {
    return shown_task<Task>() + " takes slot " + shown<Slot>() +
           " as `inout`, but no task further ahead writes it; take it as `out`, or let another "
           "write it at a larger lookahead";
  }
};
template <class Task, class Field>
struct no_field {
  static auto named() -> pack<invalid::a_task_is_given_what_is_no_field_of_a_task<Task, Field>>;
  static constexpr words text() {
    return shown_task<Task>() + " is given " + shown<Field>() +
           ", which is no field of a task; those are `stream`, `thread`, `lookahead`, `weight`, "
           "`every`, `on_failure`, `communicator`, and the lists of slots, tasks and resources";
  }
};
template <class Task, class Field>
struct field_given_twice {
  static auto named() -> pack<invalid::a_task_is_given_a_field_twice<Task, Field>>;
  static constexpr words text() {
    return shown_task<Task>() + " is given " + shown<Field>() +
           ", and another of its kind; keep one, with all that both say";
  }
};
template <class Task>
struct odd_end_of_group {
  static auto named() -> pack<
      invalid::whether_a_task_runs_at_the_end_is_a_static_constexpr_bool_next_to_its_every<Task>>;
  static constexpr words text() {
    return "`and_at_end` of " + shown_task<Task>() +
           " is not a constant next to an `every`: write `static constexpr int every = 4;` and "
           "`static constexpr bool and_at_end = true;`, so that it runs for what is left of a "
           "group when the stream ends";
  }
};
template <class Task>
struct odd_collective {
  static auto named()
      -> pack<invalid::whether_a_task_is_collective_is_not_a_static_constexpr_bool<Task>>;
  static constexpr words text() {
    return "`collective` of " + shown_task<Task>() +
           " is not a constant: write `static constexpr bool collective = true;`";
  }
};
template <class Task>
struct idle_communicator {
  static auto named() -> pack<invalid::a_task_names_a_communicator_and_is_not_collective<Task>>;
  static constexpr words text() {
    return shown_task<Task>() +
           " names a communicator and is not collective: write `static constexpr bool collective = "
           "true;`, or drop it";
  }
};
template <class Task>
struct odd_stream {
  static auto named()
      -> pack<invalid::the_stream_of_a_task_is_not_a_type_like_stretto_stream<Task>>;
  static constexpr words text() {
    return "the stream of " + shown_task<Task>() +
           " is not a stream: write `using stream = stretto::stream<\"name\">;`";
  }
};
template <class Task>
struct odd_thread {
  static auto named()
      -> pack<invalid::the_thread_of_a_task_is_not_a_type_like_stretto_thread<Task>>;
  static constexpr words text() {
    return "the thread of " + shown_task<Task>() +
           " is not a thread: write `using thread = stretto::thread<\"name\">;`";
  }
};
template <class Task>
struct odd_role {
  static auto named() -> pack<invalid::the_role_of_a_task_is_not_a_type_like_stretto_role<Task>>;
  static constexpr words text() {
    return "the role of " + shown_task<Task>() +
           " is not a role: write `using role = stretto::role<\"name\">;`";
  }
};
template <class Task>
struct odd_communicator {
  static auto named()
      -> pack<invalid::the_communicator_of_a_task_is_not_a_type_like_stretto_communicator<Task>>;
  static constexpr words text() {
    return "the communicator of " + shown_task<Task>() +
           " is not a communicator: write `using communicator = stretto::communicator<\"name\">;`";
  }
};
template <class Task>
struct nameless_stream {
  static auto named()
      -> pack<invalid::a_stream_or_a_thread_has_no_name<Task, typename Task::stream>>;
  static constexpr words text() {
    return "the stream of " + shown_task<Task>() +
           " has no name: write `using stream = stretto::stream<\"name\">;`, or drop it";
  }
};
template <class Task>
struct nameless_thread {
  static auto named()
      -> pack<invalid::a_stream_or_a_thread_has_no_name<Task, typename Task::thread>>;
  static constexpr words text() {
    return "the thread of " + shown_task<Task>() +
           " has no name: write `using thread = stretto::thread<\"name\">;`, or drop it";
  }
};
/// Of where something is placed, or of a group of a thread map.
template <class Part>
struct nameless {
  static auto named() -> pack<invalid::a_stream_or_a_thread_has_no_name<Part>>;
  static constexpr words text() {
    return shown<Part>() + " has no name, so that nothing can be there; name it, or drop it";
  }
};

namespace detail {

template <class Type>
constexpr words no_slot_text() {
  return shown<Type>() +
         ", which is not a slot, or not defined here: `struct my_slot : stretto::slot<T> {};`";
}

}  // namespace detail

template <class Task, class Entry>
struct reads_no_slot {
  static auto named() -> pack<invalid::a_task_reads_what_is_not_a_slot<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " reads " + detail::no_slot_text<Entry>();
  }
};
template <class Task, class Entry>
struct reads_no_slot<Task, in<Entry>> {
  static auto named() -> pack<invalid::a_task_reads_what_is_not_a_slot<Task, in<Entry>>>;
  static constexpr words text() {
    return shown_task<Task>() + " has " + shown<in<Entry>>() +
           ", and `in` is of a slot: take or list what is in it as it is, " + shown<Entry>();
  }
};
template <class Task, class Entry>
struct writes_no_slot {
  static auto named() -> pack<invalid::a_task_writes_what_is_not_a_slot<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " writes " + detail::no_slot_text<Entry>();
  }
};
template <class Task, class Entry>
struct writes_no_slot<Task, declare::past<Entry>> {
  static auto named()
      -> pack<invalid::a_task_writes_an_earlier_batch_which_can_only_be_read<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " writes " + shown<Entry>() +
           "; what an earlier batch left can only be read: list the slot itself in `writes`, or "
           "the entry in `reads`";
  }
};
template <class Task, class Entry>
struct past_out_of_range {
  static auto named() -> pack<
      invalid::previous_and_latest_look_back_100000_batches_at_most_and_a_window_holds_1_to_1024<
          Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " reads " + shown<Entry>() +
           "; `previous` looks 1 to 100,000 batches back, `latest` 0 to 100,000, and a `window` "
           "holds 1 to 1,024";
  }
};
template <class Task, class Entry>
struct nested_past {
  static auto named() -> pack<invalid::a_task_looks_back_at_what_looks_back_itself<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " reads " + shown<Entry>() +
           "; what looks back is of a slot: say in one how many batches, as `previous<slot, 2>`";
  }
};
template <class Task, class Entry>
struct items_out_of_range {
  static auto named()
      -> pack<invalid::a_task_consumes_or_produces_1_to_65536_items_per_call<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " has " + shown<Entry>() +
           "; each call consumes or produces 1 to 65,536 items of a slot";
  }
};
/// A truth value, which a compiler may leave out of the entry as if it were the default, or a
/// letter.
template <class Task, class Entry>
struct items_without_number : items_out_of_range<Task, Entry> {
  static constexpr words text() {
    return shown_task<Task>() + " has " + shown<Entry>() +
           ", which says no number; each call consumes or produces 1 to 65,536 items of a slot";
  }
};
/// Items of what a slot held earlier, or of a value that is taken.
template <class Task, class Entry>
struct items_of_no_slot {
  static auto named() -> pack<invalid::items_are_of_a_slot_and_of_the_batch_at_hand<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " has " + shown<Entry>() +
           "; items are of the batch at hand and stay in the slot: name the slot itself";
  }
};
template <class Task, class Entry, auto Items>
using odd_items =
    std::conditional_t<(declare::count<Items> >= 1 && declare::count<Items> <= most_items),
                       items_of_no_slot<Task, Entry>,
                       std::conditional_t<declare::is_count<Items>, items_out_of_range<Task, Entry>,
                                          items_without_number<Task, Entry>>>;
template <class Task, class Slot, auto Items>
struct past_out_of_range<Task, consumes<Slot, Items>>
    : odd_items<Task, consumes<Slot, Items>, Items> {};
template <class Task, class Slot, auto Items>
struct past_out_of_range<Task, produces<Slot, Items>>
    : odd_items<Task, produces<Slot, Items>, Items> {};
/// Items that are listed in the other list.
template <class Task, class Entry>
struct misplaced_items {
  static auto named()
      -> pack<invalid::consumes_is_for_reads_and_produces_is_for_writes<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " lists " + shown<Entry>() +
           " where it cannot be: `consumes` is for `reads`, `produces` for `writes`";
  }
};
template <class Task, class Slot, auto Items>
struct writes_no_slot<Task, declare::past<consumes<Slot, Items>>>
    : misplaced_items<Task, consumes<Slot, Items>> {};
template <class Task, class Entry>
struct past_taken {
  static auto named() -> pack<
      invalid::a_task_takes_the_value_of_an_earlier_batch_which_can_only_be_read<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " reads " + shown<Entry>() +
           "; what an earlier batch left can only be read: drop the `takes`";
  }
};
template <class Task, class Slot, auto Items>
struct past_taken<Task, takes<consumes<Slot, Items>>> {
  using entry = takes<consumes<Slot, Items>>;
  static auto named() -> pack<
      invalid::a_task_takes_the_value_of_an_earlier_batch_which_can_only_be_read<Task, entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " reads " + shown<entry>() +
           "; items that are consumed stay in the slot: drop the `takes`";
  }
};
/// A task that takes the value of a slot that it writes, or is said to.
template <class Task>
struct taken_in_writes {
  static auto named()
      -> pack<invalid::a_task_lists_a_value_that_it_takes_in_writes_and_not_in_reads<Task>>;
  static constexpr words text() {
    return shown_task<Task>() +
           " lists `takes` in `writes`; list it in `reads`: what a task takes is a value that "
           "another has left in the slot";
  }
};
template <class Type>
struct source_of_no_slot {
  static auto named() -> pack<invalid::the_source_fills_what_is_not_a_slot<Type>>;
  static constexpr words text() { return "the source fills " + detail::no_slot_text<Type>(); }
};
template <class Type>
struct result_of_no_slot {
  static auto named() -> pack<invalid::a_result_is_not_a_slot<Type>>;
  static constexpr words text() { return "a result is " + detail::no_slot_text<Type>(); }
};
template <class Slot>
struct result_of_no_slot<takes<Slot>> {
  static auto named()
      -> pack<invalid::a_result_is_a_slot_and_may_be_moved_from_without_takes<takes<Slot>>>;
  static constexpr words text() {
    return "a result is " + shown<takes<Slot>>() +
           "; name the slot alone: a result is handed out as `T&`, which may be moved from";
  }
};

namespace detail {

template <class Type>
constexpr words no_resource_text() {
  return shown<Type>() +
         ", which is not a resource, or not defined here: `struct my_state : stretto::resource<> "
         "{};`";
}

}  // namespace detail

template <class Task, class Entry>
struct observes_no_resource {
  static auto named() -> pack<invalid::a_task_observes_what_is_not_a_resource<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " observes " + detail::no_resource_text<Entry>();
  }
};
template <class Task, class Entry>
struct mutates_no_resource {
  static auto named() -> pack<invalid::a_task_mutates_what_is_not_a_resource<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " mutates " + detail::no_resource_text<Entry>();
  }
};

template <class Task, class Entry>
struct odd_entry_number {
  static auto named()
      -> pack<invalid::an_entry_of_a_list_has_no_whole_number_within_reach<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " lists " + shown<Entry>() +
           "; its number is a whole one of batches, up to 100,000, and no truth value or letter";
  }
};
template <class Task, class Entry>
struct misplaced_ago {
  static auto named() -> pack<invalid::ago_is_for_cross_iter_depends_on_only<Task, Entry>>;
  static constexpr words text() {
    return shown_task<Task>() + " names " + shown<Entry>() +
           " in a field that speaks of one batch or progress; `ago` belongs in "
           "`cross_iter_depends_on`";
  }
};

template <class Task>
struct stray_place {
  static auto named() -> pack<invalid::place_names_what_is_not_a_task_of_this_schedule<Task>>;
  static constexpr words text() {
    return "`place` names " + shown<Task>() +
           ", which is not a task of this schedule; list it there, or drop the `place`";
  }
};
template <class Task>
struct stray_group {
  static auto named()
      -> pack<invalid::a_thread_group_names_what_is_not_a_task_of_this_schedule<Task>>;
  static constexpr words text() {
    return "a thread group names " + shown<Task>() +
           ", which is not a task of this schedule; list it there, or take it out of the group";
  }
};
template <class Type>
struct odd_placement {
  static auto named()
      -> pack<invalid::a_placement_is_not_a_stream_a_lookahead_a_thread_or_a_weight<Type>>;
  static constexpr words text() {
    return shown<Type>() + " is no placement; `stream`, `lookahead`, `thread` and `weight` are";
  }
};

template <class Map>
struct generated_on_no_thread {
  static auto named() -> pack<invalid::a_generated_thread_map_has_at_least_one_thread<Map>>;
  static constexpr words text() {
    return shown<Map>() + " asks for less than one thread; the calling thread is the first";
  }
};
template <class Map, int Named>
struct generated_on_too_few {
  static auto named()
      -> pack<invalid::a_generated_thread_map_has_fewer_threads_than_are_named<Map, Named>>;
  static constexpr words text() {
    planner::text_builder told;
    planner::add_on_too_few(told, Map::number, Named);
    return words(told);
  }
};

template <class Group>
struct workers_out_of_range {
  static auto named() -> pack<invalid::a_thread_group_has_1_to_99_workers<Group>>;
  static constexpr words text() {
    if (!Group::is_number)
      return shown<Group>() + " gives no number of workers; a group has 1 to 99";
    return "thread group `" + words(Group::value) + "` has " + number(Group::number) +
           " workers; a group has 1 to 99";
  }
};
template <class Group>
struct queue_out_of_range {
  static auto named() -> pack<invalid::a_queue_has_room_for_1_to_100000_batches<Group>>;
  static constexpr words text() {
    if (!Group::is_number)
      return shown<Group>() + " gives no number of batches; a queue has room for 1 to 100,000";
    return "thread group `" + words(Group::value) + "` has a queue of " + number(Group::batches) +
           " batches; a queue has room for 1 to 100,000";
  }
};
template <class Bound>
struct bound_out_of_range {
  static auto named()
      -> pack<invalid::max_in_flight_is_1_to_100001_batches_and_max_bytes_1_byte_or_more<Bound>>;
  static constexpr words text() {
    return shown<Bound>() +
           " bounds nothing: `max_in_flight` is 1 to 100,001 batches, `max_bytes` 1 byte or more";
  }
};
template <class Slack>
struct slack_out_of_range {
  static auto named() -> pack<invalid::slack_adds_1_to_100000_copies<Slack>>;
  static constexpr words text() {
    if (!Slack::is_number)
      return shown<Slack>() + " gives no number of copies; slack adds 1 to 100,000";
    return "the slack of slot " + shown<typename Slack::slot>() + " adds " + number(Slack::added) +
           " copies; it adds 1 to 100,000";
  }
};

template <class Part>
struct undeclared_result_stream {
  static auto named()
      -> pack<invalid::results_are_handed_out_on_a_stream_that_the_schedule_does_not_declare<Part>>;
  static constexpr words text() {
    planner::text_builder told;
    planner::add_on_result_stream(told, Part::value);
    return words(told);
  }
};

}  // namespace stretto::errors
