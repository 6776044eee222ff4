# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A header has a test of its name in the folder of its name, include/stretto/plan/order/reach.hpp in
# tests/plan/order/reach.cpp, or a line below that says where else it is tested, or that there is nothing to test.
# Whoever adds a header adds one of them.
#
#     cmake -DHEADERS=include/stretto -DTESTS=tests -P tests/architecture/tests_by_place.cmake
cmake_minimum_required(VERSION 3.25)

# tested_in(file or folder in tests, header...)
macro(tested_in where)
  foreach(header IN ITEMS ${ARGN})
    list(APPEND "listed" "${header}")
    set("place_of_${header}" "${where}")
  endforeach()
endmacro()
# Declarations, names, options, or includes of others: no branch, no loop, nothing that is worked out.
macro(nothing_to_test)
  tested_in("" ${ARGN})
endmacro()

nothing_to_test(
  advice bound certificate cost_file cuda dynamic explain from_types local mpi nccl nvtx picture position push report schedule_file scheduled search senders serve sources stretto suspend timeline watch # what users include
  declare/address_of declare/communicator declare/context declare/fields declare/slot declare/stream declare/suspends declare/tag
  bound/planned declare/thread
  device/driver
  errors/names
  mpi/settings nccl/interface
  observe/observer
  plan/model/declaration plan/model/plan plan/rules/subject
  run/asked_of_device run/exceptions run/owned run/pace run/progress_result run/report run/result
  run/session/begun_call_names run/session/run_phase run/threads/placement
  static/query/end_nodes
  watch/activity
)

# Rules and sentences: a case for each kind of finding, and mutants of each.
tested_in(
  plan/rules/diagnose.cpp
  plan/rules/finding plan/rules/rule_1_names plan/rules/rule_2_offsets plan/rules/rule_3_streams
  plan/rules/rule_4_writers plan/rules/rule_5_reads plan/rules/rule_6_dependencies plan/rules/rule_7_acyclic plan/rules/rule plan/rules/table plan/rules/wording plan/text/sentence
)
tested_in(compiled/linkage.cpp compiled compiled_files)
tested_in(plan/rules/repair.cpp plan/rules/nearest_name)
tested_in(plan/order/happens_before.cpp plan/rules/races)
tested_in(plan/make_plan.cpp plan/rules/rule_8_emission plan/text/describe plan/text/plan_view plan/text/plan_writer)
tested_in(behaviour/execute/given_order.cpp plan/text/explain)
tested_in(behaviour/execute/pushing.cpp run/active_run run/given_pipeline run/push_run)
tested_in(behaviour/execute/position.cpp run/onwards run/position run/value_type)
tested_in(behaviour/execute/first_failures.cpp run/first_failure run/patience run/told_source)
tested_in(behaviour/execute/half_processed.cpp run/given_batches)
tested_in(behaviour/execute/last_groups.cpp static/execute/moment_at_end)
tested_in(behaviour/execute/suspending.cpp run/session/begun_call run/suspendable static/execute/begun_calls)
tested_in(compile_fail/suspending static/execute/coroutine_parameters)
tested_in(run/zip.cpp run/combined_source)
tested_in(behaviour/execute/awaiting.cpp serve/awaited)
tested_in(senders/senders.cpp senders/ask_as_sender senders/attach_as_sender senders/run_as_sender)
tested_in(compile_fail/senders senders/not_a_sender senders/senders_misuse senders/stdexec)
tested_in(behaviour/execute/batching.cpp serve/batch serve/batching serve/fallible)
tested_in(behaviour/execute/serving.cpp serve/answer serve/reply serve/requests serve/server)
tested_in(plan/layout/generate.cpp plan/layout/exhaustive_search plan/layout/local_search plan/layout/modelled_period)
tested_in(dynamic/query/diagnose.cpp plan/text/unused plan/text/exceeded_bounds)
tested_in(bound/measured_costs.cpp bound/time_spread)
tested_in(bound/cycles.cpp bound/plan_bound bound/spare_times bound/thread_arcs)
tested_in(bound/file/cost_table.cpp bound/file/cost_json bound/file/cost_times bound/file/file_text bound/file/nvtx_costs bound/file/parsed_json bound/file/range_summary bound/file/trace_costs)
tested_in(bound/is_optimal.cpp bound/keeps_to)
tested_in(bound/bound_of.cpp static/query/planned_nodes)
tested_in(bound/idle_of.cpp bound/idle_times observe/recorded_wait)
tested_in(observe/draw.cpp observe/picture_parts observe/recorded_counter)
tested_in(report/pages.py report/run_page report/write_report)
tested_in(report/comparison_page.cpp report/write_comparison)
tested_in(report/page.cpp report/markup)
tested_in(report/pictures.cpp report/exposed_curve report/exposure_bars report/idle_bars report/picture_style report/progress_grid report/svg)
tested_in(watch/stall.cpp watch/turns)
tested_in(watch/stalled_streams.cpp watch/device_work)
tested_in(watch/padding.cpp watch/padding_result watch/stretches)
tested_in(watch/replay.cpp replay run/stand_in static/execute/replaceable_tasks watch/recorded_value watch/recording watch/replay_result)
tested_in(bound/simulate.cpp bound/simulation bound/virtual_time)
tested_in(search/clause_search.cpp search/formula)
tested_in(search/modulo_search.cpp plan/layout/modulo_evaluation plan/layout/modulo_placement plan/layout/modulo_problem plan/layout/modulo_search)
tested_in(static/query/scheduled.cpp plan/layout/modulo_problem_of static/values/mentioned_slot)
tested_in(search/solve.cpp search/model search/plain_answer search/problem)
tested_in(search/find_schedule.cpp search/found_by search/limits search/schedule_problem)
tested_in(search/list_schedule.cpp search/authored search/batch_graph search/fire_order search/listed search/ring_answer)
tested_in(search/assign_lookaheads.cpp search/assigned)
tested_in(search/beam_search.cpp search/thread_maps)
tested_in(bound/bound_of.cpp bound/cost_of bound/costs)
tested_in(bound/calls_bound_of.cpp bound/calls_bound)
tested_in(bound/least_of.cpp bound/batch_cycles bound/order_of_work bound/plan_least plan/layout/crowded_thread)
tested_in(advice/advise.cpp advice/advice advice/candidates advice/price advice/quotients advice/same_effects advice/search advice/split)
tested_in(advice/spelled.cpp advice/change advice/spelled_types)
tested_in(plan/rules/pipelined_choice.cpp plan/derive/plan_size plan/rules/lookahead_search)
tested_in(architecture/recipe_field.py dynamic/values/fields)
tested_in(text/shown.cpp text/utf8)

# What the compiler says: each case of compile_fail compares it word for word.
tested_in(compile_fail errors/emit errors/misuse_text static/errors/diagnosis)
tested_in(static/errors/misspelled.cpp static/errors/first_diagnostic)
tested_in(static/errors/roles.cpp declare/role plan/rules/roles)
tested_in(compile_fail/slip_projection_without_collectives.cpp static/errors/transfers)
tested_in(compile_fail/slip_option_in_schedule.cpp static/errors/parts)
tested_in(compile_fail/slip_placed_twice.cpp static/errors/placements declare/schedule)
tested_in(compile_fail/slip_grouped_twice.cpp static/errors/thread_maps)
tested_in(compile_fail/slip_idle_communicator.cpp static/errors/waste)
tested_in(compile_fail/slip_thread_not_listed.cpp static/errors/unlisted_threads)
tested_in(compile_fail/slip_scheduled_without_weights.cpp static/errors/unscheduled)
tested_in(compile_fail/slip_found_before_a_task_came_in.cpp static/query/tasks_are)
tested_in(compile_fail/slip_more_in_flight_than_may_be.cpp static/errors/exceeded_bounds)
tested_in(compile_fail/slip_threads_as_option.cpp run/options_misuse)
tested_in(compile_fail/slip_source_of_other_elements.cpp run/source_misuse)
tested_in(compile_fail/slip_run_of_a_temporary_pipeline.cpp run/temporary_misuse)
tested_in(advice/spelled.cpp advice/code)
tested_in(compile_fail/slip_for_each_takes_no_result.cpp run/for_each_misuse)
tested_in(compile_fail/slip_push_to_a_source_on_a_thread.cpp run/push_misuse)
tested_in(compile_fail/slip_push_of_a_cut_number.cpp run/number_misuse)
tested_in(compile_fail/slip_server_of_a_pointer.cpp serve/server_misuse)
tested_in(compile_fail/slip_no_schedule.cpp run/not_a_run static/execute/not_a_pipeline static/execute/runnable)

# Constants of a schedule of types.
tested_in(static/query/plan_of.cpp static/query/describe static/query/explain static/query/fingerprint static/values/checked_rules static/values/task_fields)
tested_in(property/differential/plans.cpp static/values/constant_draft static/values/constant_plan)
tested_in(plan/text/witness.cpp static/query/witness)
tested_in(static/values/pipelined_lookaheads.cpp static/query/overlaps plan/layout/overlap)
tested_in(compile_fail/options/threads_work_in_turn.cpp static/query/works_in_turn)
tested_in(plan/layout/generate.cpp static/query/modelled_period static/values/generated_layout)
tested_in(nccl/failures.cpp static/query/communicators)
tested_in(collective/roles.cpp local/core local/settings static/query/projection)
tested_in(run/sent_value.cpp run/sent_value_of)
tested_in(collective/role_values.cpp dynamic/query/part_of_role dynamic/query/projection dynamic/values/transfer plan/projected)
tested_in(collective/local_ranks.cpp collective/binding local/collectives local/context)

tested_in(behaviour/execute/points_into.cpp static/values/pointed_into)

# Pipelines: what they do as a whole, of types and of values.
tested_in(behaviour/execute/order.cpp static/execute/chain static/execute/machine static/execute/task_arguments)
tested_in(behaviour/execute/steps.cpp run/session/run static/execute/step)
tested_in(behaviour/execute/for_each.cpp static/execute/local_loop run/session/results)
tested_in(behaviour/execute/items.cpp declare/items)
tested_in(plan/items.cpp plan/rules/rule_9_items)
tested_in(behaviour/execute/earlier_batches.cpp static/execute/past_values)
tested_in(
  behaviour/execute/dropping.cpp
  declare/verdict run/verdict_book run/verdicts static/execute/verdict_words static/query/verdicts_of
)
tested_in(behaviour/execute/failing_batches.cpp declare/on_failure)
tested_in(run/failure_log.cpp run/locked)
tested_in(behaviour/execute/endings.cpp run/session/session static/execute/executor static/execute/pipeline)
tested_in(behaviour/execute/attaching.cpp run/threads/attached_threads run/threads/attachments run/threads/run_maker)
tested_in(run/accounting.cpp run/record)
tested_in(run/threads/affinity.cpp run/threads/group_named)
tested_in(behaviour/execute/slot_values.cpp static/execute/ring static/execute/slot_values)
tested_in(behaviour/execute/workers.cpp static/execute/hosts static/execute/task_objects static/execute/team_work)
tested_in(
  dynamic/execute/pipeline.cpp
  dynamic/execute/chain dynamic/execute/executor dynamic/execute/host dynamic/execute/layout dynamic/execute/machine
  dynamic/execute/slot_copies dynamic/execute/slot_types
  dynamic/query/planned dynamic/values/body dynamic/values/known_collectives dynamic/values/known_driver dynamic/values/ready_call dynamic/values/result
  dynamic/values/slot_access dynamic/values/slot_type dynamic/values/source
)
tested_in(
  dynamic/query/diagnose.cpp
  dynamic/query/declared dynamic/query/misuse dynamic/values/concat dynamic/values/schedule
)
tested_in(dynamic/query/from_types.cpp dynamic/query/outline dynamic/query/told_apart dynamic/values/replan)
tested_in(dynamic/graph.cpp dynamic/values/edit)
tested_in(dynamic/header.cpp dynamic/values/identifiers)
tested_in(
  dynamic/file.cpp
  dynamic/file/culprits dynamic/file/document dynamic/file/not_json dynamic/file/path dynamic/file/problem dynamic/file/reader
  dynamic/file/writer
  dynamic/values/cpp_type
)

# Showing.
tested_in(observe/draw.cpp observe/trace)
tested_in(picture/picture.cpp picture/diagram picture/dot picture/mermaid plan/text/viewed_plan static/query/plan_view)

# Devices, on a driver that keeps CUDA's rules and reports every breach.
tested_in(behaviour/device/bodies.cpp device/context run/backend)
tested_in(behaviour/device/handles.cpp device/asked device/handle device/kept)
tested_in(behaviour/device/pairs.cpp device/backend device/known_plan device/table_backend)
tested_in(behaviour/device/graphs.cpp device/capture device/graphs device/graphs_in_turn device/obstacle run/stays)
tested_in(
  behaviour/device/launches.cpp
  device/across_streams device/grouping device/launches device/stream_marks device/table_graphs device/table_launches
  dynamic/execute/launch_call
)
tested_in(behaviour/device/times.cpp cuda/timeline device/task_streams device/timed_events device/timeline)
tested_in(behaviour/device/padding.cpp cuda/padding device/padding)
tested_in(gpu/padding.cpp cuda/pause)
tested_in(behaviour/device/transient.cpp device/transient device/transient_slots)
tested_in(behaviour/device/resources.cpp device/memory device/pools device/resources device/streams)
tested_in(observe/nvtx.cpp cuda/nvtx)
tested_in(gpu/libraries.cu cuda/thrust)

# Ranks.
tested_in(collective/channel.cpp collective/files collective/local collective/pause)
tested_in(collective/peers.cpp collective/error)
tested_in(nccl/failures.cpp collective/demand)
tested_in(mpi/failures.cpp run/collective_outcome mpi/channel mpi/core mpi/error)
tested_in(mpi/values.cpp dynamic/execute/collective_call run/asked_of_collectives)
tested_in(mpi/long_sums.cpp mpi/all_reduce)
tested_in(mpi/results.cpp mpi/collectives mpi/context mpi/datatype mpi/duplicate)
tested_in(nccl/failures.cpp nccl/core nccl/error nccl/in_flight nccl/owner_lock nccl/watchdog)
tested_in(nccl/results.cpp nccl/binding nccl/collectives nccl/context nccl/group nccl/settings)
tested_in(nccl/no_device.cpp nccl/library)
tested_in(nccl/over_mpi.cpp nccl/mpi)

# A test that no CMakeLists.txt names is never built.
file(GLOB_RECURSE lists "${TESTS}/CMakeLists.txt")
set(built "")
foreach(list IN LISTS lists)
  file(READ "${list}" text)
  string(APPEND built "${text}")
endforeach()

set(wrong "")
file(GLOB_RECURSE headers RELATIVE "${HEADERS}" "${HEADERS}/*.hpp")
list(TRANSFORM headers REPLACE "\\.hpp$" "")
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME name)
  set(test "")
  foreach(suffix IN ITEMS cpp cu)
    if(EXISTS "${TESTS}/${header}.${suffix}")
      set(test "${name}.${suffix}")
    endif()
  endforeach()
  if(test)
    string(FIND "${built}" "${test}" found)
    if(found EQUAL -1)
      list(APPEND wrong "tests/${header}.cpp is in no CMakeLists.txt")
    endif()
    if(header IN_LIST listed)
      list(APPEND wrong "${header} has a test of its name: drop its line here")
    endif()
  elseif(NOT header IN_LIST listed)
    list(APPEND wrong "${header} has no test tests/${header}.cpp, and no line here that says where it is tested")
  endif()
endforeach()
foreach(header IN LISTS listed)
  if(NOT header IN_LIST headers)
    list(APPEND wrong "${header} is listed here, and there is no such header")
  elseif(NOT EXISTS "${TESTS}/${place_of_${header}}")
    list(APPEND wrong "${header} is tested in ${place_of_${header}}, and that is not there")
  endif()
endforeach()
set(once ${listed})
list(REMOVE_DUPLICATES once)
if(NOT once STREQUAL listed)
  list(APPEND wrong "a header is listed here twice")
endif()
if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "Tests by place (tests/architecture/tests_by_place.cmake):\n  ${wrong}")
endif()
