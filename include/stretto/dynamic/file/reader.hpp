// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/path.hpp>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/dynamic/values/cpp_type.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

namespace range_of {
inline constexpr bounds copies{"a number of copies", 1, most_batches};
inline constexpr bounds queue{"a number of batches", 0, most_batches};
inline constexpr bounds workers{"a number of workers", 1, most_workers};
inline constexpr bounds max_in_flight{"a number of batches", 0, most_batches + 1};
inline constexpr bounds generated{"a number of threads", 0, most_generated};
}  // namespace range_of

/// Makes a schedule of a document, and complains about what it cannot use.
class file_reader {
 public:
  file_reader(document& doc, schedule& into) : doc_(doc), into_(into) {}

  void read() {
    const path root;
    bool versioned = false;
    bool tasks = false;
    for (const member& m :
         members(0, root, "an object",
                 {"$schema", "stretto", "name",       "streams",       "thread_names", "source",
                  "results", "types",   "results_on", "caller_runs",   "generated",    "strict",
                  "frugal",  "serial",  "pipelined",  "max_in_flight", "max_bytes",    "orders",
                  "slacks",  "groups",  "points",     "tasks"})) {
      const path at = root.in(m.key);
      if (m.key == "$schema") read(m.value, at, into_.schema);
      if (m.key == "stretto") check_version(m.value, at);
      if (m.key == "name") read(m.value, at, into_.name);
      if (m.key == "streams") read_all(m.value, at, into_.streams);
      if (m.key == "thread_names") read_all(m.value, at, into_.thread_names);
      if (m.key == "source") read(m.value, at, into_.source);
      if (m.key == "results") read_all(m.value, at, into_.results);
      if (m.key == "types") read_all(m.value, at, into_.types);
      if (m.key == "results_on") read(m.value, at, into_.results_on);
      if (m.key == "caller_runs") read(m.value, at, into_.caller_runs);
      if (m.key == "generated") read(m.value, at, range_of::generated, into_.generated);
      if (m.key == "strict") read(m.value, at, into_.strict);
      if (m.key == "frugal") read(m.value, at, into_.frugal);
      if (m.key == "serial") read(m.value, at, into_.serial);
      if (m.key == "pipelined") read(m.value, at, into_.pipelined);
      if (m.key == "max_in_flight") read(m.value, at, range_of::max_in_flight, into_.max_in_flight);
      if (m.key == "max_bytes") read_bytes(m.value, at, into_.max_bytes);
      if (m.key == "orders") read_all(m.value, at, into_.orders);
      if (m.key == "slacks") read_all(m.value, at, into_.slacks);
      if (m.key == "groups") read_all(m.value, at, into_.groups);
      if (m.key == "points") read_all(m.value, at, into_.points);
      if (m.key == "tasks") read_all(m.value, at, into_.tasks);
      versioned = versioned || m.key == "stretto";
      tasks = tasks || m.key == "tasks";
    }
    if (doc_.values[0].what != json_value::kind::object) return;
    if (!versioned) say(0, root, "field \"stretto\" is missing: the version of the format, 1");
    if (!tasks) say(0, root, "field \"tasks\" is missing");
  }

 private:
  using kind = json_value::kind;
  struct member {
    std::string_view key;
    std::size_t value;
  };

  const json_value& value(std::size_t number) const { return doc_.values[number]; }

  /// A broken file of ten thousand tasks has as many problems, and each looks for its line.
  bool full() const { return doc_.problems.size() >= 100; }
  void say(std::size_t number, const path& at, std::string what) {
    if (!full())
      doc_.problems.push_back({doc_.position_of(value(number).at), at.text(), std::move(what)});
  }
  void expected(std::string_view what, std::size_t number, const path& at) {
    say(number, at, std::string("expected ") + std::string(what) + ", found " + shown(number));
  }

  /// A value as messages show it.
  std::string shown(std::size_t number) const {
    const json_value& v = value(number);
    if (v.what == kind::list) return "a list";
    if (v.what == kind::object) return "an object";
    const std::size_t end = v.what == kind::string ? closing_quote(v.at) + 1
                                                   : doc_.source.find_first_of(" \t\r\n,]}", v.at);
    constexpr std::size_t most = 40;
    const std::string given = doc_.source.substr(v.at, (std::min)(end, doc_.source.size()) - v.at);
    return text::visible(text::beginning(given, most)) + (given.size() <= most ? "" : "...");
  }
  std::size_t closing_quote(std::size_t at) const {
    ++at;
    while (doc_.source[at] != '"') at += doc_.source[at] == '\\' ? 2U : 1U;
    return at;
  }

  /// The members of an object that a schedule has; complains about others, and those given twice.
  std::vector<member> members(std::size_t number, const path& at, std::string_view what,
                              planner::view<std::string_view> known) {
    std::vector<member> all;
    if (value(number).what != kind::object) {
      expected(what, number, at);
      return all;
    }
    for (std::size_t key = number + 1; key < value(number).after && !full();
         key = value(key + 1).after) {
      const std::string_view name = doc_.text_of(value(key));
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        say(key, at, std::string("unknown field ") + shown(key) + suggestion(name, known));
      } else if (std::any_of(all.begin(), all.end(),
                             [&](const member& m) { return m.key == name; })) {
        say(key, at, std::string("field ") + shown(key) + " appears twice");
      } else {
        all.push_back({name, key + 1});
      }
    }
    return all;
  }

  std::vector<member> members(std::size_t number, const path& at, std::string_view what,
                              std::initializer_list<std::string_view> known) {
    return members(number, at, what, planner::view(known.begin(), known.size()));
  }

  static std::string suggestion(std::string_view name, planner::view<std::string_view> known) {
    std::string_view nearest;
    std::size_t least = name.size() < 4 ? 2 : 3;
    for (const std::string_view k : known) {
      const std::size_t away = planner::distance(name, k, least);
      if (away >= least) continue;
      nearest = k;
      least = away;
    }
    constexpr std::size_t telling = 4;  // letters that do not begin two fields by chance
    for (const std::string_view k : known)
      if (nearest.empty() && name.size() >= telling && k.size() >= telling &&
          name.substr(0, k.size()) == k.substr(0, name.size()))
        nearest = k;
    return nearest.empty() ? std::string()
                           : std::string("; did you mean `") + std::string(nearest) + "`?";
  }

  void check_version(std::size_t number, const path& at) {
    const json_value& v = value(number);
    if (v.what != kind::whole) {
      expected("the version of the format, 1", number, at);
    } else if (v.number != 1) {
      say(number, at,
          std::string("format version ") + shown(number) + "; this library reads version 1");
    }
  }

  void read(std::size_t number, const path& at, bool& into) {
    if (value(number).what != kind::boolean) return expected("true or false", number, at);
    into = value(number).flag;
  }
  void read(std::size_t number, const path& at, std::string& into) {
    if (value(number).what != kind::string) return expected("a string", number, at);
    into = doc_.text_of(value(number));
  }
  void read(std::size_t number, const path& at, const bounds& range, int& into) {
    const json_value& v = value(number);
    if (v.what != kind::whole && v.what != kind::broken) return expected(range.what, number, at);
    if (v.what == kind::broken || v.number < range.least || v.number > range.most) {
      return expected(std::string(range.what) + ", whole, from " + std::to_string(range.least) +
                          " to " + std::to_string(range.most),
                      number, at);
    }
    into = static_cast<int>(v.number);
  }
  void read_bytes(std::size_t number, const path& at, std::int64_t& into) {
    const json_value& v = value(number);
    if (v.what != kind::whole || v.number < 0)
      return expected("a number of bytes, whole, 0 or more", number, at);
    into = v.number;
  }
  void read(std::size_t number, const path& at, const bounds& range, std::optional<int>& into) {
    read(number, at, range, into.emplace(0));
  }

  template <class Entry>
  void read_all(std::size_t number, const path& at, std::vector<Entry>& into) {
    if (value(number).what != kind::list) return expected("a list", number, at);
    std::size_t index = 0;
    for (std::size_t e = number + 1; e < value(number).after && !full(); e = value(e).after) {
      into.push_back(blank<Entry>());
      read(e, at.at(index++), into.back());
    }
  }
  template <class Entry>
  static Entry blank() {
    if constexpr (std::is_default_constructible_v<Entry>) {
      return Entry{};
    } else {
      return Entry("");
    }
  }

  void read(std::size_t number, const path& at, std::vector<std::string>& into) {
    read_all(number, at, into);
  }

  /// A member that an object cannot do without.
  void demand(std::size_t number, const path& at, const std::vector<member>& has,
              std::string_view name) {
    if (value(number).what == kind::object &&
        std::none_of(has.begin(), has.end(), [&](const member& m) { return m.key == name; }))
      say(number, at, std::string("field \"") + std::string(name) + "\" is missing");
  }

  void read(std::size_t number, const path& at, use& into) {
    if (value(number).what == kind::string) return read(number, at, into.slot);
    const std::vector<member> all = members(
        number, at,
        "a slot, or an object with `slot` and `offset`, `ago`, `takes`, `latest` or `items`",
        {"slot", "offset", "ago", "takes", "latest", "items"});
    for (const member& m : all) {
      if (m.key == "slot") read(m.value, at.in(m.key), into.slot);
      if (m.key == "offset") read(m.value, at.in(m.key), range_of::batches, into.offset);
      if (m.key == "ago") read(m.value, at.in(m.key), range_of::earlier, into.ago);
      if (m.key == "takes") read(m.value, at.in(m.key), into.takes);
      if (m.key == "latest") read(m.value, at.in(m.key), into.latest);
      if (m.key == "items") read(m.value, at.in(m.key), range_of::items, into.items);
    }
    demand(number, at, all, "slot");
  }
  void read(std::size_t number, const path& at, ago& into) {
    if (value(number).what == kind::string) return read(number, at, into.task);
    const std::vector<member> all =
        members(number, at, "a task, or an object with `task` and `ago`", {"task", "ago"});
    for (const member& m : all) {
      if (m.key == "task") read(m.value, at.in(m.key), into.task);
      if (m.key == "ago") read(m.value, at.in(m.key), range_of::batches, into.batches);
    }
    demand(number, at, all, "task");
  }
  void read(std::size_t number, const path& at, source& into) {
    const std::vector<member> all = members(
        number, at, "an object with `slot`",
        {"slot", "lookahead", "thread", "weight", "collective", "on_failure", "max_failures"});
    for (const member& m : all) {
      if (m.key == "slot") read(m.value, at.in(m.key), into.slot);
      if (m.key == "lookahead") read(m.value, at.in(m.key), range_of::batches, into.lookahead);
      if (m.key == "thread") read(m.value, at.in(m.key), into.thread);
      if (m.key == "weight") read(m.value, at.in(m.key), range_of::weight, into.weight);
      if (m.key == "collective") read(m.value, at.in(m.key), into.collective);
      if (m.key == "on_failure") read_on_failure(m.value, at.in(m.key), into.on_failure);
      if (m.key == "max_failures")
        read(m.value, at.in(m.key), range_of::failures, into.max_failures);
    }
    demand(number, at, all, "slot");
  }
  void read(std::size_t number, const path& at, slack& into) {
    const std::vector<member> all =
        members(number, at, "an object with `slot` and `copies`", {"slot", "copies"});
    for (const member& m : all) {
      if (m.key == "slot") read(m.value, at.in(m.key), into.slot);
      if (m.key == "copies") read(m.value, at.in(m.key), range_of::copies, into.copies);
    }
    demand(number, at, all, "slot");
  }
  void read(std::size_t number, const path& at, points_into& into) {
    const std::vector<member> all =
        members(number, at, "an object with `slot` and `into`", {"slot", "into"});
    for (const member& m : all) {
      if (m.key == "slot") read(m.value, at.in(m.key), into.slot);
      if (m.key == "into") read(m.value, at.in(m.key), into.into);
    }
    demand(number, at, all, "slot");
    demand(number, at, all, "into");
  }
  void read(std::size_t number, const path& at, thread_group& into) {
    const std::vector<member> all =
        members(number, at, "an object with `thread`", {"thread", "queue", "workers"});
    for (const member& m : all) {
      if (m.key == "thread") read(m.value, at.in(m.key), into.thread);
      if (m.key == "queue") read(m.value, at.in(m.key), range_of::queue, into.queue);
      if (m.key == "workers") read(m.value, at.in(m.key), range_of::workers, into.workers);
    }
    demand(number, at, all, "thread");
  }
  void read(std::size_t number, const path& at, typed_slot& into) {
    const std::vector<member> all =
        members(number, at, "an object with `slot` and `cpp`", {"slot", "cpp"});
    for (const member& m : all) {
      if (m.key == "slot") read(m.value, at.in(m.key), into.slot);
      if (m.key == "cpp") {
        read(m.value, at.in(m.key), into.cpp);
        if (value(m.value).what == kind::string && !spells_a_type(into.cpp))
          expected("one C++ type, such as `std::vector<int>`", m.value, at.in(m.key));
      }
    }
    demand(number, at, all, "slot");
    demand(number, at, all, "cpp");
  }
  void read_on_failure(std::size_t number, const path& at, std::string& into) {
    read(number, at, into);
    demand_drop(number, at, into);
  }
  void demand_drop(std::size_t number, const path& at, const std::string& said) {
    if (value(number).what == kind::string && said != planner::drops_it)
      expected("\"drop\"", number, at);
  }
  template <class Own, class Planned>
  void read_field(std::size_t number, const path& at, const scalar_field<Own, Planned>& field,
                  task& into) {
    if constexpr (std::is_same_v<Own, int task::*>) {
      read(number, at, field.range, into.*field.own);
    } else {
      read(number, at, into.*field.own);
    }
  }
  template <class Own>
  void read_field(std::size_t number, const path& at, const list_field<Own>& field, task& into) {
    read_all(number, at, into.*field.own);
  }
  void read(std::size_t number, const path& at, task& into) {
    const std::vector<member> all = members(number, at, "a task, an object", field_names);
    for (const member& m : all) {
      const path in = at.in(m.key);
      if (m.key == "name") read(m.value, in, into.name);
      const auto take = [&](const auto&... field) {
        ((m.key == field.name ? read_field(m.value, in, field, into) : void()), ...);
      };
      with_scalars(take);
      with_lists(take);
      if (m.key == "on_failure") demand_drop(m.value, in, into.on_failure);
    }
    demand(number, at, all, "name");
  }

  document& doc_;
  schedule& into_;
};

}  // namespace stretto::dynamic::detail
