// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Metrics as a reader of Prometheus' text format takes them, who is strict: a name, labels, a
// number.

#include <doctest/doctest.h>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <stretto/run/error.hpp>
#include <stretto/watch/metrics.hpp>
#include <string>
#include <utility>
#include <vector>

namespace st = stretto;
using seconds = st::activity::seconds;

namespace {

using labels = std::map<std::string, std::string>;
using samples = std::map<std::pair<std::string, labels>, double>;

std::string name_at(const std::string& text, std::size_t& at) {
  const std::size_t first = at;
  while (at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
    ++at;
  REQUIRE(at > first);
  REQUIRE_FALSE(std::isdigit(static_cast<unsigned char>(text[first])));
  return text.substr(first, at - first);
}

samples read(const std::string& text) {
  samples all;
  std::set<std::string> helped;
  std::set<std::string> typed;
  std::istringstream lines(text);
  REQUIRE(text.back() == '\n');
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
      std::size_t at = 7;
      const std::string name = name_at(line, at);
      REQUIRE(line.at(at) == ' ');
      REQUIRE((line[2] == 'H' ? helped : typed).insert(name).second);
      if (line[2] == 'T') {
        const std::string type = line.substr(at + 1);
        REQUIRE((type == "summary" || type == "counter" || type == "gauge"));
      }
      continue;
    }
    std::size_t at = 0;
    const std::string name = name_at(line, at);
    std::string family = name;
    for (const std::string end : {"_sum", "_count"})
      if (name.ends_with(end)) family = name.substr(0, name.size() - end.size());
    REQUIRE(helped.contains(family));
    REQUIRE(typed.contains(family));
    labels own;
    if (line.at(at) == '{') {
      do {
        ++at;
        const std::string label = name_at(line, at);
        REQUIRE(line.substr(at, 2) == "=\"");
        std::string value;
        for (at += 2; line.at(at) != '"'; ++at) {
          if (line[at] == '\\') ++at;
          value += line.at(at);
        }
        REQUIRE(own.emplace(label, value).second);
        ++at;
      } while (line.at(at) == ',');
      REQUIRE(line.at(at) == '}');
      ++at;
    }
    REQUIRE(line.at(at) == ' ');
    std::size_t read = 0;
    const double value = std::stod(line.substr(at + 1), &read);
    REQUIRE(at + 1 + read == line.size());
    REQUIRE(all.emplace(std::pair(name, own), value).second);
  }
  return all;
}

st::activity seen() {
  st::activity now;
  now.running = true;
  now.begun = 12;
  now.through = 9;
  now.tasks.resize(3);
  now.tasks[0] = {.name = "a \"task\" \\ of\nmine",
                  .runs = {10, seconds(5), seconds(0.25), seconds(1.5), seconds(2)},
                  .waits = {9, seconds(0.5), seconds(3e-8), seconds(0.125), seconds(0.2)},
                  .failures = 1,
                  .batches = 9};
  now.tasks[1].name = "pull";
  now.tasks[2].name = "deliver";
  now.threads.resize(1);
  now.threads[0] = {.name = "caller", .busy = seconds(5)};
  now.queues.push_back({.slot = "im\"age", .room = 4, .waiting = 3, .found = {9, 21, 2, 4, 4}});
  return now;
}

}  // namespace

TEST_CASE("a reader finds each figure, whatever tasks are called") {
  std::ostringstream text;
  const std::vector<std::pair<std::string, std::string>> job{{"job", "night\\ly"}};
  st::write_metrics(text, seen(), job);
  const samples all = read(text.str());
  const std::string task = "a \"task\" \\ of\xE2\x90\x8Amine";
  const auto of = [&](const std::string& name, labels own) {
    own.emplace("job", "night\\ly");
    const auto found = all.find({name, own});
    REQUIRE(found != all.end());
    return found->second;
  };
  CHECK(of("stretto_task_seconds", {{"task", task}, {"quantile", "0.5"}}) == 0.25);
  CHECK(of("stretto_task_seconds", {{"task", task}, {"quantile", "0.99"}}) == 1.5);
  CHECK(of("stretto_task_seconds_sum", {{"task", task}}) == 5);
  CHECK(of("stretto_task_seconds_count", {{"task", task}}) == 10);
  CHECK(of("stretto_task_wait_seconds", {{"task", task}, {"quantile", "0.5"}}) == 3e-8);
  CHECK(of("stretto_task_wait_seconds_count", {{"task", task}}) == 9);
  CHECK(of("stretto_task_failures_total", {{"task", task}}) == 1);
  CHECK(of("stretto_task_failures_total", {{"task", "deliver"}}) == 0);
  CHECK(of("stretto_thread_busy_seconds_total", {{"thread", "caller"}}) == 5);
  CHECK(of("stretto_batches_total", {}) == 9);
  CHECK(of("stretto_batches_in_flight", {}) == 3);
  CHECK(of("stretto_running", {}) == 1);
  CHECK(of("stretto_queue_batches", {{"slot", "im\"age"}}) == 3);
  CHECK(of("stretto_queue_room_batches", {{"slot", "im\"age"}}) == 4);
  CHECK(of("stretto_queue_found_batches", {{"slot", "im\"age"}, {"quantile", "0.5"}}) == 2);
  CHECK(of("stretto_queue_found_batches", {{"slot", "im\"age"}, {"quantile", "0.99"}}) == 4);
  CHECK(of("stretto_queue_found_batches_sum", {{"slot", "im\"age"}}) == 21);
  CHECK(of("stretto_queue_found_batches_count", {{"slot", "im\"age"}}) == 9);
  CHECK(all.size() == 3 * 9 + 4 + 6);
}

TEST_CASE("labels that Prometheus does not take, and those that are there already, are refused") {
  const auto takes = [](const std::vector<std::pair<std::string, std::string>>& labels) {
    std::ostringstream text;
    try {
      st::write_metrics(text, {}, labels);
    } catch (const st::usage_error&) {
      CHECK(text.str().empty());
      return false;
    }
    return true;
  };
  CHECK(takes({{"job", ""}, {"_host1", "a"}}));
  for (const char* name :
       {"", "9", "a b", "a-b", "\xC3\xA9", "__name__", "task", "thread", "slot", "quantile"})
    CHECK_FALSE(takes({{name, "x"}}));
  CHECK_FALSE(takes({{"job", "a"}, {"job", "b"}}));
}

TEST_CASE("without labels, and of a pipeline that has not run") {
  std::ostringstream text;
  st::write_metrics(text, {});
  CHECK(read(text.str()).size() == 3);
  CHECK(text.str().find("stretto_running 0\n") != std::string::npos);
}
