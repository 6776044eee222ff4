// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// Writes a schedule the way a person would: one task a block, short lists on one line, nothing
/// that is as it would be anyway. One schedule has one text.
class file_writer {
 public:
  // Structured bindings, so that a field that is new cannot be forgotten here.
  std::string write(const schedule& s) {
    const auto& [name, streams, thread_names, source, results, tasks, orders, slacks, groups,
                 caller_runs, generated, strict, frugal, serial, pipelined, max_in_flight,
                 max_bytes, results_on, types, points, schema, role, whole] = s;
    if (!whole.empty())
      throw usage_error("schedule " + planner::quoted(name) + " is what a rank of role " +
                        planner::quoted(role) +
                        " runs; write the schedule of all ranks, its `whole`");
    const schedule usual;
    std::vector<member> all;
    if (!schema.empty()) all.emplace_back("$schema", quoted(schema));
    all.emplace_back("stretto", "1");
    all.emplace_back("name", quoted(name));
    add_list(all, "streams", streams, 2);
    add_list(all, "thread_names", thread_names, 2);
    add_source(all, source);
    add_list(all, "results", results, 2);
    if (!results_on.empty()) all.emplace_back("results_on", quoted(results_on));
    if (caller_runs != usual.caller_runs) all.emplace_back("caller_runs", quoted(caller_runs));
    if (generated != 0) all.emplace_back("generated", std::to_string(generated));
    if (strict) all.emplace_back("strict", "true");
    if (frugal) all.emplace_back("frugal", "true");
    if (serial) all.emplace_back("serial", "true");
    if (pipelined) all.emplace_back("pipelined", "true");
    if (max_in_flight != 0) all.emplace_back("max_in_flight", std::to_string(max_in_flight));
    if (max_bytes != 0) all.emplace_back("max_bytes", std::to_string(max_bytes));
    add_list(all, "orders", orders, 2);
    add_list(all, "slacks", slacks, 2);
    add_list(all, "groups", groups, 2);
    add_list(all, "points", points, 2);
    std::vector<typed_slot> spelled;
    for (const typed_slot& t : types)
      if (t.type != nullptr || !t.cpp.empty()) spelled.push_back(t);
    add_list(all, "types", spelled, 2);
    std::string list;
    for (const task& t : tasks)
      list += (list.empty() ? "\n    " : ",\n    ") + block(members_of(t), 4);
    all.emplace_back("tasks", tasks.empty() ? "[]" : "[" + list + "\n  ]");
    return block(all, 0) + "\n";
  }

 private:
  using member = std::pair<std::string_view, std::string>;

  static std::string quoted(std::string_view text) {
    try {
      return without_controls(nlohmann::json(text).dump());
    } catch (const nlohmann::json::exception&) {
      throw usage_error(
          "a name of the schedule is not UTF-8, and so cannot stand in a schedule file");
    }
  }

  /// JSON allows some control characters as they are, which terminals take for commands.
  static std::string without_controls(std::string_view json) {
    std::string clean;
    while (!json.empty()) {
      const text::character c = text::first_character(json);
      if (text::is_control(c.code)) {
        clean += "\\u";
        text::add_hexadecimal(clean, c.code, 4);
      } else {
        clean += json.substr(0, c.bytes);
      }
      json.remove_prefix(c.bytes);
    }
    return clean;
  }

  /// An object, a member a line.
  static std::string block(const std::vector<member>& all, std::size_t indent) {
    const std::string margin(indent, ' ');
    return object(all, "\n" + margin + "  ", ",\n" + margin + "  ", "\n" + margin);
  }
  /// An object on one line.
  static std::string inlined(const std::vector<member>& all) { return object(all, "", ", ", ""); }

  static std::string object(const std::vector<member>& all, const std::string& before,
                            const std::string& between, const std::string& after) {
    std::string text = "{";
    bool first = true;
    for (const auto& [name, value] : all) {
      text += first ? before : between;
      text += '"';
      text += name;
      text += "\": ";
      text += value;
      first = false;
    }
    text += after;
    text += '}';
    return text;
  }

  static std::string entry(const std::string& name) { return quoted(name); }
  static std::string entry(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& n : names) text += (text.empty() ? "" : ", ") + quoted(n);
    return "[" + text + "]";
  }
  static std::string entry(const use& u) {
    const auto& [slot, offset, ago, takes, latest, items] = u;
    if (!offset && ago == 0 && !takes && !latest && items == 0) return quoted(slot);
    std::vector<member> all{{"slot", quoted(slot)}};
    if (offset) all.emplace_back("offset", std::to_string(*offset));
    if (ago != 0) all.emplace_back("ago", std::to_string(ago));
    if (takes) all.emplace_back("takes", "true");
    if (latest) all.emplace_back("latest", "true");
    if (items != 0) all.emplace_back("items", std::to_string(items));
    return inlined(all);
  }
  static std::string entry(const ago& a) {
    const auto& [task, batches] = a;
    if (batches == 1) return quoted(task);
    return inlined({{"task", quoted(task)}, {"ago", std::to_string(batches)}});
  }
  static std::string entry(const slack& more) {
    const auto& [slot, copies] = more;
    std::vector<member> all{{"slot", quoted(slot)}};
    if (copies != 1) all.emplace_back("copies", std::to_string(copies));
    return inlined(all);
  }
  static std::string entry(const points_into& p) {
    const auto& [slot, into] = p;
    return inlined({{"slot", quoted(slot)}, {"into", quoted(into)}});
  }
  static std::string entry(const thread_group& g) {
    const auto& [thread, queue, workers] = g;
    std::vector<member> all{{"thread", quoted(thread)}};
    if (queue != 0) all.emplace_back("queue", std::to_string(queue));
    if (workers != 1) all.emplace_back("workers", std::to_string(workers));
    return inlined(all);
  }
  static std::string entry(const typed_slot& t) {
    const auto& [slot, type, cpp] = t;
    return inlined({{"slot", quoted(slot)},
                    {"cpp", quoted(cpp.empty() && type != nullptr ? type->name : cpp)}});
  }

  /// A list on one line if there is room, else an entry a line.
  template <class Entry>
  static void add_list(std::vector<member>& to, std::string_view name,
                       const std::vector<Entry>& entries, std::size_t indent) {
    if (entries.empty()) return;
    constexpr std::size_t line = 100;
    std::vector<std::string> texts;
    std::size_t width = indent + name.size() + 6;
    for (const Entry& e : entries) {
      texts.push_back(entry(e));
      width += texts.back().size() + 2;
    }
    const std::string margin(indent, ' ');
    const std::string between = width <= line ? ", " : ",\n" + margin + "  ";
    std::string text = width <= line ? "[" : "[\n" + margin + "  ";
    for (std::size_t i = 0; i < texts.size(); ++i) text += (i == 0 ? "" : between) + texts[i];
    to.emplace_back(name, text + (width <= line ? "]" : "\n" + margin + "]"));
  }

  static std::string scalar(const std::string& text) { return quoted(text); }
  static std::string scalar(int number) { return std::to_string(number); }
  static std::string scalar(bool flag) { return flag ? "true" : "false"; }
  template <class Value>
  static void add_scalar(std::vector<member>& to, std::string_view name, const Value& value,
                         const Value& usual) {
    if (value != usual) to.emplace_back(name, scalar(value));
  }

  static void add_source(std::vector<member>& to, const source& from) {
    const auto& [slot, lookahead, thread, weight, collective, on_failure, max_failures] = from;
    const source usual;
    std::vector<member> all{{"slot", quoted(slot)}};
    if (lookahead) all.emplace_back("lookahead", std::to_string(*lookahead));
    if (thread != usual.thread) all.emplace_back("thread", quoted(thread));
    if (weight != usual.weight) all.emplace_back("weight", std::to_string(weight));
    if (collective) all.emplace_back("collective", "true");
    if (!on_failure.empty()) all.emplace_back("on_failure", quoted(on_failure));
    if (max_failures != 0) all.emplace_back("max_failures", std::to_string(max_failures));
    if (!slot.empty() || all.size() > 1) to.emplace_back("source", inlined(all));
  }

  static std::vector<member> members_of(const task& t) {
    static const task usual;
    std::vector<member> all{{"name", quoted(t.name)}};
    with_scalars([&](const auto&... field) {
      (add_scalar(all, field.name, t.*field.own, usual.*field.own), ...);
    });
    with_lists([&](const auto&... field) { (add_list(all, field.name, t.*field.own, 6), ...); });
    return all;
  }
};

}  // namespace stretto::dynamic::detail
