// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/schedule.hpp>

/// Checks that two schedules say the same, field by field, except bodies and the C++ side of
/// types. The bindings do not compile if a field is added that is not compared; those of tasks come
/// from the table of a task's fields.
inline void check_equal(const stretto::dynamic::schedule& a, const stretto::dynamic::schedule& b) {
  const auto& [name, streams, thread_names, source, results, tasks, orders, slacks, groups,
               caller_runs, generated, strict, frugal, serial, pipelined, max_in_flight, max_bytes,
               results_on, types, points, schema, role, whole] = a;
  CHECK(name == b.name);
  CHECK(schema == b.schema);
  CHECK(role == b.role);
  CHECK(whole.size() == b.whole.size());
  CHECK(streams == b.streams);
  CHECK(thread_names == b.thread_names);
  const auto& [slot, lookahead, thread, weight, agreed, on_failure, max_failures] = source;
  CHECK(slot == b.source.slot);
  CHECK(lookahead == b.source.lookahead);
  CHECK(thread == b.source.thread);
  CHECK(weight == b.source.weight);
  CHECK(agreed == b.source.collective);
  CHECK(on_failure == b.source.on_failure);
  CHECK(max_failures == b.source.max_failures);
  CHECK(results == b.results);
  CHECK(orders == b.orders);
  CHECK(points == b.points);
  CHECK(caller_runs == b.caller_runs);
  CHECK(results_on == b.results_on);
  CHECK(generated == b.generated);
  CHECK(strict == b.strict);
  CHECK(frugal == b.frugal);
  CHECK(serial == b.serial);
  CHECK(pipelined == b.pipelined);
  CHECK(max_in_flight == b.max_in_flight);
  CHECK(max_bytes == b.max_bytes);
  REQUIRE(slacks.size() == b.slacks.size());
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    const auto& [of, copies] = slacks[i];
    CHECK(of == b.slacks[i].slot);
    CHECK(copies == b.slacks[i].copies);
  }
  REQUIRE(groups.size() == b.groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& [group, queue, workers] = groups[i];
    CHECK(group == b.groups[i].thread);
    CHECK(queue == b.groups[i].queue);
    CHECK(workers == b.groups[i].workers);
  }
  REQUIRE(types.size() == b.types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto& [typed, type, cpp] = types[i];
    static_cast<void>(type);
    CHECK(typed == b.types[i].slot);
    CHECK(cpp == b.types[i].cpp);
  }
  REQUIRE(tasks.size() == b.tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const stretto::dynamic::task& task = tasks[i];
    const stretto::dynamic::task& other = b.tasks[i];
    CAPTURE(task.name);
    CHECK(task.name == other.name);
    const auto compare = [&](const auto& field) {
      CAPTURE(field.name);
      CHECK(task.*field.own == other.*field.own);
    };
    const auto compare_all = [&](const auto&... field) { (compare(field), ...); };
    stretto::dynamic::detail::with_scalars(compare_all);
    stretto::dynamic::detail::with_lists(compare_all);
  }
}
