// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedule files: what is read, what is written, and what is said of broken ones.

#include <doctest/doctest.h>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stretto/dynamic/file.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../support/scratch.hpp"
#include "file/equal.hpp"

namespace {

namespace dynamic = stretto::dynamic;
using dynamic::schedule_file;

std::vector<std::string> said(const std::vector<dynamic::file_problem>& problems) {
  std::vector<std::string> all;
  for (const dynamic::file_problem& p : problems) all.push_back(message("f", p));
  return all;
}
std::vector<std::string> said_of(std::string text) {
  return said(schedule_file(std::move(text)).diagnose());
}
using lines = std::vector<std::string>;

/// A schedule file with the members given, behind the version on line 1.
std::string with(std::string_view members) {
  return "{\"stretto\": 1,\n" + std::string(members) + "}";
}

/// Every field holds something that it does not hold by itself.
dynamic::schedule every_field() {
  dynamic::schedule s;
  s.name = "every \"field\"\n\\ and \xC3\xA4";
  s.streams = {"copy", "compute"};
  s.thread_names = {"train", "reader"};
  s.source = {"raw", 3, "reader", 4, true};
  s.results = {"loss"};
  s.orders = {{"a", "b"}, {}, {"b"}};
  s.slacks = {{"raw", 2}, {"loss", 1}};
  s.groups = {{"reader", 2, 1}, {"work", 0, 3}, {"idle", 0, 1}};
  s.caller_runs = "train";
  s.results_on = "copy";
  s.generated = 2;
  s.strict = true;
  s.frugal = true;
  s.schema = "schema.json";
  s.serial = true;
  s.pipelined = true;
  s.max_in_flight = 100'001;
  s.max_bytes = 10'000'000'000;
  s.types = {{"raw", nullptr, "std::vector<int>"}};
  s.points = {{"x", "raw"}, {"x", "y"}};
  dynamic::task a;
  a.name = "a";
  a.stream = "copy";
  a.thread = "train";
  a.lookahead = 1;
  a.collective = true;
  a.communicator = "node";
  a.weight = 7;
  a.every = 4;
  a.phase = 1;
  a.and_at_end = true;
  a.on_failure = "drop";
  a.max_failures = 3;
  a.role = "reader";
  a.to = {"trainer", "writer"};
  a.reads = {"raw",
             {"raw", 1},
             {"raw", 0},
             dynamic::takes("raw"),
             dynamic::takes({"raw", 2}),
             dynamic::use::latest_of("raw"),
             dynamic::use::latest_of("raw", 3),
             dynamic::use::items_of("raw", 65536)};
  a.writes = {{"x", -3}, dynamic::use::items_of("x")};
  a.depends_on = {"b", ""};
  a.cross_iter_depends_on = {"b", {"b", 2}, {"a", -1}};
  a.same_progress_sync = {"b"};
  a.observes = {"weights"};
  a.mutates = {"cache", "a rather long name so that the list of them does not fit on one line",
               "and another one"};
  s.tasks = {a, dynamic::task{}};
  return s;
}

TEST_CASE(
    "A schedule that is saved and loaded is the same schedule, and saved again the same text") {
  const dynamic::schedule s = every_field();
  const std::string text = to_json(s);
  const schedule_file file(text);
  CHECK(said(file.problems()) == lines{});
  check_equal(s, file.schedule());
  CHECK(to_json(file.schedule()) == text);

  const dynamic::schedule blank;
  const schedule_file blank_file(to_json(blank));
  CHECK(blank_file.ok());
  check_equal(blank, blank_file.schedule());
  CHECK(to_json(blank) == "{\n  \"stretto\": 1,\n  \"name\": \"schedule\",\n  \"tasks\": []\n}\n");
}

TEST_CASE("A field says what it should hold, and what it holds") {
  CHECK(said_of(with("\"tasks\": [{\"name\": \"a\",\n  \"lookahead\": \"two\"}]")) ==
        lines{"f:3:16: tasks[0].lookahead: expected a number of batches, found \"two\""});
  CHECK(said_of(with("\"tasks\": {}")) == lines{"f:2:10: tasks: expected a list, found an object"});
  CHECK(said_of(with("\"tasks\": [{\"name\": null}]")) ==
        lines{"f:2:20: tasks[0].name: expected a string, found null"});
  CHECK(said_of(with("\"tasks\": [{\"name\": \"a\", \"reads\": [\"x\", {\"slot\": []}]}]")) ==
        lines{"f:2:49: tasks[0].reads[1].slot: expected a string, found a list"});
  CHECK(said_of(with("\"points\": [{\"slot\": \"x\"}], \"tasks\": []")) ==
        lines{"f:2:12: points[0]: field \"into\" is missing"});
  CHECK(said_of(
            with("\"tasks\": [{\"name\": \"a\", \"reads\": [{\"slot\": \"x\", \"takes\": 1}]}]")) ==
        lines{"f:2:58: tasks[0].reads[0].takes: expected true or false, found 1"});
  CHECK(said_of(with("\"strict\": 1, \"tasks\": []")) ==
        lines{"f:2:11: strict: expected true or false, found 1"});
  CHECK(said_of(with("\"name\": \"a\\\"b\", \"strict\": 1, \"tasks\": []")) ==
        lines{"f:2:27: strict: expected true or false, found 1"});
  CHECK(said_of(with("\"tasks\": [{}]")) == lines{"f:2:11: tasks[0]: field \"name\" is missing"});
  CHECK(said_of(with("\"tasks\": [{\"name\": \"a\", \"reads\": [{\"offset\": 1}]}]")) ==
        lines{"f:2:35: tasks[0].reads[0]: field \"slot\" is missing"});
  // Columns count characters, and long values are cut where a character ends.
  CHECK(said_of(with("\"name\": \"\xC3\xA4\xC3\xA4\", \"generated\": \"" + std::string(38, 'x') +
                     "\xC3\xA4\", \"tasks\": []")) ==
        lines{"f:2:28: generated: expected a number of threads, found \"" + std::string(38, 'x') +
              "..."});
}

TEST_CASE("Numbers are whole, and no larger than what can be meant") {
  const auto workers = [](std::string_view n) {
    return said_of(with("\"groups\": [{\"thread\": \"a\", \"workers\": " + std::string(n) +
                        "}], \"tasks\": []"));
  };
  const std::string expected =
      "f:2:39: groups[0].workers: expected a number of workers, whole, from 1 to 99, found ";
  for (const std::string_view n : {"0", "100", "-1", "2.0", "1e1", "99999999999999999999",
                                   "-99999999999999999999", "18446744073709551615", "4294967297"}) {
    CAPTURE(n);
    CHECK(workers(n) == lines{expected + std::string(n)});
  }
  CHECK(workers("1e999").at(0).find("f:2:43: not JSON") == 0);
}

TEST_CASE("The numbers of a rate are those that the schema allows") {
  const auto rated = [](std::string_view field) {
    return said_of(
        with("\"tasks\": [{\"name\": \"a\", \"every\": 4, " + std::string(field) + "}]"));
  };
  CHECK(rated("\"phase\": 0") == lines{});
  CHECK(rated("\"phase\": 99999").at(0).find("rule 2: ") != std::string::npos);
  for (const std::string_view n : {"-1", "-100001", "-2147483648", "100000"})
    CHECK(rated("\"phase\": " + std::string(n)) ==
          lines{"f:2:46: tasks[0].phase: expected a number of batches, whole, from 0 to 99999, "
                "found " +
                std::string(n)});
  for (const std::string_view n : {"0", "-4", "100001"})
    CHECK(said_of(with("\"tasks\": [{\"name\": \"a\", \"every\": " + std::string(n) + "}]")) ==
          lines{"f:2:34: tasks[0].every: expected a number of batches, whole, from 1 to 100000, "
                "found " +
                std::string(n)});
  for (const std::string_view n : {"0", "-1", "65537", "2.0", "true"}) {
    const lines said = said_of(with(
        R"("tasks": [{"name": "a", "reads": [{"slot": "in", "items": )" + std::string(n) + "}]}]"));
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("tasks[0].reads[0].items: expected a number of items") != std::string::npos);
  }
}

TEST_CASE("What becomes of failures is what the schema allows") {
  const auto said = [](const std::string& field) {
    return said_of(with("\"tasks\": [{\"name\": \"a\", " + field + "}]"));
  };
  CHECK(said("\"on_failure\": \"drop\"") == lines{});
  CHECK(said("\"on_failure\": \"drop\", \"max_failures\": 1") == lines{});
  CHECK(said("\"on_failure\": \"keep\"") ==
        lines{"f:2:39: tasks[0].on_failure: expected \"drop\", found \"keep\""});
  CHECK(said("\"on_failure\": true") ==
        lines{"f:2:39: tasks[0].on_failure: expected a string, found true"});
  CHECK(said("\"on_failure\": \"drop\", \"max_failures\": 0") ==
        lines{"f:2:63: tasks[0].max_failures: expected a number of failures, whole, from 1 to "
              "2147483647, found 0"});
  CHECK(said("\"max_failures\": 2").at(0).find("`max_failures` and no `on_failure`") !=
        std::string::npos);
}

TEST_CASE("An unknown field that begins like one was probably meant to be it") {
  const auto said = [](const char* field) {
    const lines all =
        said_of(with(R"("tasks": [{"name": "a", ")" + std::string(field) + "\": 1}]"));
    const std::string& first = all.at(0);
    return first.substr(first.find("unknown"));
  };
  CHECK(said("same_progress") ==
        "unknown field \"same_progress\"; did you mean `same_progress_sync`?");
  CHECK(said("thread_name") == "unknown field \"thread_name\"; did you mean `thread`?");
  CHECK(said("laed") == "unknown field \"laed\"");
  CHECK(said("wei") == "unknown field \"wei\"");
  CHECK(said("weightless") == "unknown field \"weightless\"; did you mean `weight`?");
  CHECK(said("weihgt") == "unknown field \"weihgt\"; did you mean `weight`?");
}

TEST_CASE("All problems of a file are reported, in its order, the first hundred") {
  CHECK(said_of(R"({"name": 3,
 "task": [],
 "name": "x",
 "sauce": {},
 "stretto": 2,
 "groups": [{"thread": "t", "worker": 2}]})") ==
        lines{"f:1:1: field \"tasks\" is missing", "f:1:10: name: expected a string, found 3",
              "f:2:2: unknown field \"task\"; did you mean `tasks`?",
              "f:3:2: field \"name\" appears twice",
              "f:4:2: unknown field \"sauce\"; did you mean `source`?",
              "f:5:13: stretto: format version 2; this library reads version 1",
              "f:6:29: groups[0]: unknown field \"worker\"; did you mean `workers`?"});
  CHECK(said_of("17") == lines{"f:1:1: expected an object, found 17"});
  CHECK(said_of("{}") == lines{"f:1:1: field \"stretto\" is missing: the version of the format, 1",
                               "f:1:1: field \"tasks\" is missing"});
  std::string many = "1";
  for (int i = 0; i < 200; ++i) many += ", 1";
  CHECK(said_of(with("\"tasks\": [" + many + "]")).size() == 100);
}

TEST_CASE("What is not JSON is one problem, where it is") {
  const auto first = [](std::string text) {
    const lines all = said_of(std::move(text));
    REQUIRE(all.size() == 1);
    return all[0];
  };
  using namespace std::string_literals;
  CHECK(first("") ==
        "f:1:1: not JSON: syntax error while parsing value - unexpected end of input; "
        "expected '[', '{', or a literal");
  CHECK(first("{\n \"a\": [1,\n ]}").find("f:3:2: not JSON: ") == 0);
  CHECK(first("{\"a\": \"\xFF\"}").find("f:1:8: not JSON: ") == 0);
  CHECK(first("{\"a\": \"\xC3\"}").find("f:1:9: not JSON: ") == 0);
  CHECK(first("{\"a\": \"\xED\xA0\x80\"}").find("not JSON: ") != std::string::npos);  // a surrogate
  CHECK(first("{\"a\": \"\\ud800\"}").find("not JSON: ") != std::string::npos);
  CHECK(first("{} {}").find("f:1:4: not JSON: ") == 0);
  CHECK(first("{}\0{}"s) == "f:1:3: not JSON: a zero byte");
  CHECK(first(std::string(1'000'000, '[')) ==
        "f:1:17: nested more than 16 levels deep, which no schedule is");
  CHECK(first(std::string(dynamic::detail::document::most_bytes + 1, ' ')) ==
        "f: longer than 32 MiB");
}

TEST_CASE(
    "A good file that ends anywhere too soon, or has any byte changed, is an ordinary problem") {
  const std::string good = to_json(every_field());
  for (std::size_t size = 0; size + 2 < good.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(schedule_file(good.substr(0, size)).ok());
  }
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char c : {'\0', '"', '{', '9', '\\', '\xFF'}) {
      std::string changed = good;
      changed[at] = c;
      const schedule_file file(changed);
      if (file.ok()) CHECK(schedule_file(to_json(file.schedule())).ok());
    }
}

TEST_CASE("A byte order mark and any white space may be there") {
  CHECK(schedule_file("\xEF\xBB\xBF\r\n\t{ \"stretto\" :1 ,\r\n\"tasks\":\n[ ] } ").ok());
  CHECK(said_of("\xEF\xBB\xBF{ \"stretto\" : 3,\"tasks\":[]}").at(0).find("f:1:16: stretto: ") ==
        0);
}

TEST_CASE("Broken rules have the place of the culprit") {
  const auto first = [](std::string_view members) { return said_of(with(members)).at(0); };
  CHECK(
      first(
          "\"tasks\": [{\"name\": \"b\", \"depends_on\": [\n\"a\", \"c\"]}, {\"name\": \"a\"}]") ==
      "f:3:6: tasks[0].depends_on[1]: rule 6: task `b` names `c` in depends_on, which is not a "
      "task of this schedule; list it there, or drop the entry");
  CHECK(first("\"tasks\": [{\"name\": \"b\",\n \"lookahead\": -1}]")
            .find("f:3:15: tasks[0].lookahead: rule 2: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\",\n \"stream\": \"s\"}]")
            .find("f:3:12: tasks[0].stream: rule 3: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\"},\n{\"name\": \"b\"}]")
            .find("f:3:10: tasks[1].name: rule 1: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\"}],\n\"results\": [\"a\", \"b\"]")
            .find("f:3:13: results[0]: rule 5: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\"}],\n\"orders\": [[\"b\"], [], [\"b\", \"c\"]]")
            .find("f:3:29: orders[2][1]: rule 6: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\",\n\"reads\": [{\"slot\": \"x\"}, \"x\"]}]")
            .find("f:3:11: tasks[0].reads[0]: rule 5: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"b\"}, {\"name\": \"a\",\n\"same_progress_sync\": [\"a\"]}]")
            .find("f:2:") == 0);
  CHECK(first("\"tasks\": []").find("f:2:10: tasks: rule 1: ") == 0);
  CHECK(first("\"tasks\": [{\"name\": \"a\"}], \"groups\": [{\"thread\": \"t\", \"queue\": 1}]") ==
        "f: no task is in the group that is to have the queue of thread group `t`; give tasks that "
        "thread, or drop it");
}

TEST_CASE("Ten thousand tasks are read, with and without a problem in each") {
  dynamic::schedule s;
  for (int i = 0; i < 10'000; ++i) {
    dynamic::task t;
    t.name = "task " + std::to_string(i);
    if (i > 0) t.depends_on = {"task " + std::to_string(i - 1)};
    s.tasks.push_back(t);
  }
  const schedule_file file(to_json(s));
  CHECK(file.ok());
  check_equal(s, file.schedule());
}

TEST_CASE("What would take more memory or larger numbers than there are is a problem") {
  const auto first = [](const dynamic::schedule& s) {
    const lines all = said_of(to_json(s));
    return all.empty() ? std::string() : all[0];
  };
  dynamic::schedule writers;
  for (int i = 0; i < 224; ++i)
    writers.tasks.push_back({.name = std::to_string(i), .lookahead = i, .writes = {"x"}});
  CHECK(first(writers).find("50176 pairs of a writer and another user") != std::string::npos);
  writers.tasks.pop_back();
  CHECK(first(writers).empty());

  dynamic::schedule weights;
  for (int i = 0; i < 10'000; ++i)
    weights.tasks.push_back({.name = std::to_string(i), .weight = 1'000'000});
  CHECK(first(weights).empty());
  weights.tasks[0].cross_iter_depends_on = {{"1", 50'000}};
  CHECK(first(weights).empty());
  for (dynamic::task& t : weights.tasks) t.weight = 2'147'483'647;
  CHECK(first(weights).find("the tasks' weights add up to 21474836470001, too much") !=
        std::string::npos);

  dynamic::schedule workers;
  for (int i = 0; i < 11; ++i) {
    const std::string thread = "thread " + std::to_string(i);
    workers.tasks.push_back({.name = std::to_string(i), .thread = thread});
    workers.groups.push_back({thread, 0, 99});
  }
  CHECK(first(workers).find("thread groups have 1089 workers in all") != std::string::npos);
  workers.groups.pop_back();
  CHECK(first(workers).empty());
  for (int i = 0; i < 200; ++i)
    workers.tasks.push_back({.name = "more " + std::to_string(i), .thread = "thread 0"});
  CHECK(first(workers).find("groups with workers have 20790 tasks times workers in all") !=
        std::string::npos);
}

TEST_CASE("What is not one C++ type is none of a slot's") {
  const auto first = [](const std::string& cpp) {
    const lines all = said_of(with("\"types\": [{\"slot\": \"x\", \"cpp\": \"" + cpp +
                                   "\"}], \"tasks\": [{\"name\": \"a\", \"writes\": [\"x\"]}]"));
    return all.empty() ? std::string() : all[0];
  };
  for (const char* const type :
       {"int", "std::vector<int>", "::a::b<c, 3>::d", "unsigned long const*", "const char* const&",
        "std::array<std::array<float, 3>, 0x10>", "long unsigned int", "float [3][4]",
        "std::function<void(int, const a&)>", "int (*)(char)", "std::map<int, T*>",
        "a<(b::c)1, -2>", "struct a", "a<&b>", "a<>", "typename a<b>::template c<d>"})
    CHECK_MESSAGE(first(type).empty(), type);
  for (const char* const none : {"",          " ",        "int>, st::slot<char",
                                 "int, int",  "int; int", "a<b",
                                 "a>b",       "a<b>>",    "int x",
                                 "int[",      "int]",     "int)",
                                 "f(int",     "a::",      "::",
                                 "a:b",       "<int>",    "return",
                                 "a<if>",     "3",        "*",
                                 "int /* */", "a // b",   "#define a",
                                 "int\\n",    "int\\t",   "decltype(a)",
                                 "a{}",       "\xC3\xA4", "a<b,>",
                                 "a<,b>"})
    CHECK_MESSAGE(first(none).find("f:2:32: types[0].cpp: expected one C++ type, such as "
                                   "`std::vector<int>`, found ") == 0,
                  none);
  std::string deep;
  for (int i = 0; i < 3'000; ++i) deep += "a<";
  CHECK(!first(deep).empty());
}

TEST_CASE("Names do nothing to a terminal") {
  const lines all =
      said_of(with("\"tasks\": [{\"name\": \"a\\u001b[31mred\\nrule 9: forged\\u009b\\u202e\", "
                   "\"lookahead\": -1}]"));
  REQUIRE(all.size() == 1);
  CHECK(
      all[0] ==
      "f:2:79: tasks[0].lookahead: rule 2: task `a\\x1b[31mred\\nrule 9: forged\\u009b\\u202e` has "
      "lookahead -1; raise it to at least 0");
  CHECK(dynamic::message("a\x1b.json", {{1, 2}, "x", "y\x7f"}) == "a\\x1b.json:1:2: x: y\\x7f");
  dynamic::schedule s;
  s.name = "\xC2\x9B";
  CHECK(to_json(s).find("\"name\": \"\\u009b\"") != std::string::npos);
}

TEST_CASE("A long name is cut in sentences") {
  const lines all = said_of(
      with("\"tasks\": [{\"name\": \"" + std::string(1'000, 'x') + "\", \"lookahead\": -1}]"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].find("task `" + std::string(200, 'x') + "...` has lookahead -1") !=
        std::string::npos);
}

TEST_CASE("A document holds no more values than a schedule can have") {
  std::string many(std::size_t{1} << 24U, '0');
  for (std::size_t i = 2; i < many.size(); i += 2) many[i] = ',';
  many[0] = '[';
  const lines all = said_of(std::move(many));
  REQUIRE(all.size() == 1);
  CHECK(all[0].find("more than 4000000 values, which no schedule has") != std::string::npos);
}

TEST_CASE("The schema that a file names is saved again") {
  const schedule_file file(
      "{\"$schema\": \"a.json\", \"stretto\": 1, \"tasks\": [{\"name\": \"a\"}]}");
  REQUIRE(file.ok());
  CHECK(to_json(file.schedule()).find("{\n  \"$schema\": \"a.json\",\n  \"stretto\": 1,") == 0);
}

TEST_CASE("Files that are not there, or no files, say so") {
  const tested::scratch_folder folder;
  const std::filesystem::path& here = folder.path();
  CHECK(said(schedule_file::read(here).problems()) == lines{"f: a directory, not a file"});
  CHECK(said(schedule_file::read(here / "none").problems()) == lines{"f: no such file"});
  CHECK_THROWS_AS(dynamic::load(here / "none"), dynamic::file_error);
  CHECK_THROWS_AS(dynamic::save({}, here / "none" / "x.json"), dynamic::file_error);

  save(every_field(), here / "x.json");
  check_equal(every_field(), dynamic::load(here / "x.json"));
  std::ofstream(here / "x.json") << "{\"stretto\": 1}";
  CHECK_THROWS_WITH(dynamic::load(here / "x.json"),
                    ((here / "x.json").string() + ":1:1: field \"tasks\" is missing").c_str());
}

TEST_CASE("A name that is no text cannot be saved") {
  dynamic::schedule s;
  s.name = "\xFF";
  CHECK_THROWS_AS(to_json(s), stretto::usage_error);
}

}  // namespace
