// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <string>
#include <string_view>

/// What a schedule declares and nothing would be made of: it stands there twice, or for what is not
/// there. No rule is about it.
namespace stretto::planner {

enum class waste {
  stream_twice,
  thread_twice,
  stream_unnamed,
  thread_unnamed,
  slack_of_no_slot,
  slack_twice,
  result_twice,
  queue_twice,
  workers_twice,
  caller_runs_nobody
};

/// Whether it is in the list of streams, or of threads.
constexpr bool is_of_streams(waste what) {
  return what == waste::stream_twice || what == waste::stream_unnamed;
}
constexpr bool is_of_threads(waste what) {
  return what == waste::thread_twice || what == waste::thread_unnamed;
}

/// One such declaration, and its position in the list that it is in.
struct unused {
  waste what = waste::stream_twice;
  std::size_t position = 0;
  std::string_view meant{};  ///< caller_runs_nobody: the group that was probably meant, if one was
};

/// \p caller_runs: the thread group that the calling thread is said to run.
constexpr list<unused> unused_parts(const declaration& d, std::string_view caller_runs) {
  list<unused> found;
  text_index streams;
  for (std::size_t s = 0; s < d.streams.size(); ++s) {
    if (d.streams[s].empty())
      found.push_back({waste::stream_unnamed, s});
    else if (streams.number(d.streams[s]) != s - found.size())
      found.push_back({waste::stream_twice, s});
  }
  text_index threads;
  for (std::size_t t = 0; t < d.thread_names.size(); ++t) {
    if (d.thread_names[t].empty())
      found.push_back({waste::thread_unnamed, t});
    else if (threads.find(d.thread_names[t]) == none)
      threads.add(d.thread_names[t]);
    else
      found.push_back({waste::thread_twice, t});
  }
  if (!d.slacks.empty()) {
    std::size_t uses = 1;
    for (const task& t : d.tasks) uses += t.reads.size() + t.writes.size();
    name_index known(uses);
    if (!d.from.slot.key.empty()) known.number(d.from.slot);
    for (const task& t : d.tasks) {
      for (const access& a : t.reads) known.number(a.slot);
      for (const access& a : t.writes) known.number(a.slot);
    }
    list<bool> seen(uses, false);
    for (std::size_t s = 0; s < d.slacks.size(); ++s) {
      const std::size_t slot = known.find(d.slacks[s].slot);
      if (slot == none) {
        found.push_back({waste::slack_of_no_slot, s});
      } else if (seen[slot]) {
        found.push_back({waste::slack_twice, s});
      } else {
        seen[slot] = true;
      }
    }
  }
  if (d.results.size() > 1) {
    name_index known(d.results.size());
    std::size_t others = 0;
    for (std::size_t r = 0; r < d.results.size(); ++r) {
      if (known.number(d.results[r]) == others)
        ++others;
      else
        found.push_back({waste::result_twice, r});
    }
  }
  if (caller_runs != caller && !has_group(d, caller_runs))
    found.push_back({waste::caller_runs_nobody, 0, nearest_group(d, caller_runs)});
  return found;
}

/// Adds what is wrong, and what to do about it. \p of: the stream, slot or thread group; \p meant:
/// the group that was probably meant.
[[gnu::cold]] constexpr void add_sentence(text_builder& text, waste what, std::string_view of,
                                          std::string_view meant = {}) {
  const char* said = "";
  switch (what) {
    case waste::stream_twice: said = "stream $ is declared twice; name it once"; break;
    case waste::thread_twice: said = "thread $ is listed twice; name it once"; break;
    case waste::stream_unnamed:
      said = "a stream is declared without a name; name it, or drop it";
      break;
    case waste::thread_unnamed:
      said = "a thread is listed without a name; name it, or drop it";
      break;
    case waste::slack_of_no_slot:
      said =
          "slack is asked for slot $, which no task of the schedule reads or writes; name a slot "
          "of the schedule, or drop the slack";
      break;
    case waste::slack_twice: said = "slot $ is given slack twice; say once how many copies"; break;
    case waste::result_twice: said = "slot $ is listed twice in `result`; list it once"; break;
    case waste::queue_twice: said = "thread group $ is given a queue twice; keep one"; break;
    case waste::workers_twice: said = "thread group $ is given workers twice; keep one"; break;
    case waste::caller_runs_nobody:
      said = "the calling thread is to run thread group $, but no task is in it; ";
  }
  text.fill(said, of);
  if (what == waste::caller_runs_nobody) {
    if (meant.empty()) {
      text.add("give tasks that thread, or drop `caller_runs`");
    } else {
      text.fill("did you mean $?", meant);
    }
  }
}
[[gnu::cold]] constexpr std::string sentence(waste what, std::string_view of,
                                             std::string_view meant = {}) {
  text_builder text;
  add_sentence(text, what, of, meant);
  return text.text();
}

}  // namespace stretto::planner
