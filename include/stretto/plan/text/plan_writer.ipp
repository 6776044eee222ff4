// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/pointing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/text/plan_writer.hpp>

namespace stretto::planner {

void plan_writer::write(const char* pattern) {
  for (; *pattern != '\0'; ++pattern) {
    if (*pattern == '$') {
      write_item(*++pattern);
    } else {
      text.push_back(*pattern);
    }
  }
}

void plan_writer::write_item(char letter) {
  // By reason.
  static constexpr const char* reasons[] = {"reads `$l`",
                                            "depends_on, same batch",
                                            "cross_iter_depends_on, an earlier batch",
                                            "same_progress_sync",
                                            "updates `$l` after it",
                                            "refills the copy of `$l` that it used",
                                            "same stream, in order",
                                            "collectives, one submission order",
                                            "tells whether there is a batch",
                                            "same thread, in order",
                                            "the schedule's `order`",
                                            "hands out the batch when all is done",
                                            "pulls the next batch when one has left",
                                            "takes the value of `$l` after it"};
  std::string_view shown;
  std::size_t shown_number = none;
  const char* words = "";
  std::string_view shown_after;
  const auto delta = static_cast<std::size_t>(at.delta);
  switch (letter) {
    case 'f': shown = node_name(plan.declared, at.producer); break;
    case 't': shown = node_name(plan.declared, at.consumer); break;
    case 'l': shown = plan.slot_list[at.slot].text; break;
    case 'g': shown = plan.threads[thread]; break;
    case 's': shown = plan.streams[stream]; break;
    case 'n': shown = name; break;
    case 'F': shown_number = at.producer; break;
    case 'T': shown_number = at.consumer; break;
    case 'd': shown_number = delta; break;
    case 'G': shown_number = thread; break;
    case 'S': shown_number = stream; break;
    case 'N': shown_number = number; break;
    case 'K': shown_number = kind; break;
    case 'k':
      shown_number = static_cast<std::size_t>(plan.max_lookahead) - plan.lag[at.producer];
      break;
    case 'e': add_notes(); break;
    case 'c': words = colour; break;
    case 'm': words = meaning; break;
    case 'w':
      words = reasons[static_cast<std::size_t>(at.why)];
      if (at.slot != none && at.why != reason::data)
        shown_after = implying_slot(plan.declared, at.producer, plan.slot_list[at.slot]).text;
      break;
    case 'A':
      words = delta == 0   ? "in the same progress"
              : delta == 1 ? "$d progress earlier"
                           : "$d progresses earlier";
      break;
    case 'L':
      words = delta == 0 ? "" : delta == 1 ? ", $d progress later" : ", $d progresses later";
      break;
    case 'q':
      add_group_notes(text, plan, thread);
      if (!suspends(plan.declared, plan.chained[plan.chains[thread].first])) break;
      text.add(", a coroutine that thread ");
      shown = plan.threads[plan.begun_by[thread]];
      words = " begins";
      break;
    case '|': column_ = text.size(); break;
    default: text.pad(column_, letter == '_' ? width : 10);
  }
  add_name_(text, shown);
  if (shown_number != none) text.number(static_cast<long long>(shown_number));
  write(words);
  if (letter == 'w') add_batches_ago();
  if (shown_after.empty()) return;
  text.add(", which `");
  add_name_(text, shown_after);
  text.add("` points into");
}

void plan_writer::add_notes() {
  if (at.producer >= plan.tasks()) return;
  if (const int every = rate_of(plan.declared.tasks[at.producer]).every; every > 1)
    text.add(", 1 of ").number(every);
  if (const int calls = plan.declared.tasks[at.producer].calls; calls > 1)
    text.add(", ").number(calls).add(" calls");
  const task& t = plan.declared.tasks[at.producer];
  if (t.role.empty()) return;
  text.add(", role ");
  add_name_(text, t.role);
  for (const std::string_view to : t.to) {
    text.add(" to ");
    add_name_(text, to);
  }
}

void plan_writer::add_batches_ago() {
  if (at.why != reason::data) return;
  const int every =
      at.producer < plan.tasks() ? rate_of(plan.declared.tasks[at.producer]).every : 1;
  if (every > 1) {
    text.add(", written once per ").number(every).add(" batches");
    return;
  }
  const int ago = plan.lookahead(at.consumer) - at.offset;
  if (ago == 1) text.add(", of the batch before");
  if (ago > 1) text.add(", of ").number(ago).add(" batches ago");
}

[[gnu::cold]] STRETTO_INLINE void add_for_person(text_builder& to, std::string_view name) {
  to.shown(name);
}

}  // namespace stretto::planner
