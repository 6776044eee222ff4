// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <stretto/advice/spelled.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::advising {

namespace detail {

/// One step of a patch: puts a member there, in place of one that is.
inline std::string put(const std::string& path, const std::string& value) {
  return R"({"op": "add", "path": ")" + path + R"(", "value": )" + value + "}";
}

inline std::string slacks_list(const dynamic::schedule& s) {
  std::string list;
  for (const dynamic::slack& more : s.slacks)
    add_part(list, R"({"slot": )" + literal(more.slot) + R"(, "copies": )" +
                       std::to_string(more.copies) + "}");
  return "[" + list + "]";
}
inline std::string groups_list(const dynamic::schedule& s) {
  std::string list;
  for (const dynamic::thread_group& g : s.groups) {
    std::string entry = R"({"thread": )" + literal(g.thread);
    if (g.queue != 0) entry += R"(, "queue": )" + std::to_string(g.queue);
    add_part(list, entry + R"(, "workers": )" + std::to_string(g.workers) + "}");
  }
  return "[" + list + "]";
}

}  // namespace detail

STRETTO_INLINE std::string as_replan(const spelling& how, const dynamic::schedule& s,
                                     const changes& all) {
  using kind = plan_change::kind;
  std::vector<std::string> placed;  // tasks, of which each is placed once
  bool source_said = false;
  std::string parts;
  for (const plan_change& c : all) {
    switch (c.what) {
      case kind::copies:
        add_part(parts, "st::slack<" + name_in(how.slot_names, c.subject) +
                            (c.number == 1 ? "" : ", " + std::to_string(c.number)) + ">");
        break;
      case kind::lookahead:
      case kind::thread:
      case kind::stream: {
        if (std::find(placed.begin(), placed.end(), c.subject) != placed.end()) break;
        placed.push_back(c.subject);
        std::string place = "st::place<" + name_in(how.task_names, c.subject);
        for (const plan_change& own : all) {
          if (own.subject != c.subject) continue;
          if (own.what == kind::lookahead)
            place += ", st::lookahead<" + std::to_string(own.number) + ">";
          if (own.what == kind::thread) place += ", st::thread<" + literal(own.where) + ">";
          if (own.what == kind::stream) place += ", st::stream<" + literal(own.where) + ">";
        }
        add_part(parts, place + ">");
        break;
      }
      case kind::workers:
        add_part(parts,
                 "st::workers<" + literal(c.subject) + ", " + std::to_string(c.number) + ">");
        break;
      case kind::source_lookahead:
      case kind::source_thread:
        if (!source_said) add_part(parts, source_part(how, s.source));
        source_said = true;
        break;
      case kind::generated:
        add_part(parts, "st::threads<st::generated<" + std::to_string(c.number) + ">>");
        break;
      case kind::pipelined: add_part(parts, "st::pipelined<>"); break;
    }
  }
  return "st::replan<" + how.schedule + ", " + parts + ">";
}

STRETTO_INLINE std::string as_patch(const dynamic::schedule& s, const changes& all) {
  using kind = plan_change::kind;
  std::string steps;
  const auto step = [&](const std::string& path, const std::string& value) {
    const std::string one = detail::put(path, value);
    if (steps.find(one) == std::string::npos) add_part(steps, one);
  };
  for (const plan_change& c : all) {
    std::size_t task = 0;
    while (task < s.tasks.size() && s.tasks[task].name != c.subject) ++task;
    const std::string at = "/tasks/" + std::to_string(task);
    switch (c.what) {
      case kind::copies: step("/slacks", detail::slacks_list(s)); break;
      case kind::lookahead: step(at + "/lookahead", std::to_string(c.number)); break;
      case kind::thread: step(at + "/thread", literal(c.where)); break;
      case kind::stream: step(at + "/stream", literal(c.where)); break;
      case kind::workers: step("/groups", detail::groups_list(s)); break;
      case kind::source_lookahead: step("/source/lookahead", std::to_string(c.number)); break;
      case kind::source_thread: step("/source/thread", literal(c.where)); break;
      case kind::generated: step("/generated", std::to_string(c.number)); break;
      case kind::pipelined: step("/pipelined", "true"); break;
    }
  }
  return "[" + steps + "]";
}

}  // namespace stretto::advising
