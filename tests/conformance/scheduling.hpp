// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/problem.hpp>
#include <string>
#include <vector>

/// Instances of cyclic schedules to look for, and answers to them, as lines of JSON.
namespace conformance {

using json = nlohmann::json;

/// A whole number, or two of them as a quotient.
inline stretto::planner::ratio quotient(const std::string& text) {
  const std::size_t over = text.find('/');
  if (over == std::string::npos) return {std::stoll(text), 1};
  return {std::stoll(text), std::stoll(text.substr(over + 1))};
}

/// A problem, and what its numbers are called.
struct instance {
  std::string id;
  stretto::search::problem asked;
  std::vector<std::string> tasks;
  std::vector<std::string> threads;
  std::vector<std::string> slots;

  explicit instance(const json& line) : id(line.at("id")) {
    const auto numbered = [](const std::vector<std::string>& names) {
      std::map<std::string, stretto::search::number> number;
      for (std::size_t i = 0; i < names.size(); ++i)
        number.emplace(names[i], static_cast<stretto::search::number>(i));
      return number;
    };
    threads = line.at("threads").get<std::vector<std::string>>();
    const auto resources = line.value("resources", std::vector<std::string>{});
    const auto thread_of = numbered(threads);
    const auto resource_of = numbered(resources);
    asked.threads = static_cast<stretto::search::number>(threads.size());
    asked.resources = static_cast<stretto::search::number>(resources.size());
    asked.in_flight = line.at("in_flight_cap");
    if (!line.at("bytes_cap").is_null()) asked.bytes = line.at("bytes_cap");
    for (const json& t : line.at("tasks")) {
      stretto::search::problem::task task;
      task.weight = t.at("weight");
      task.host = t.value("host", true);
      if (t.contains("thread")) task.thread = thread_of.at(t.at("thread"));
      for (const json& r : t.value("on", json::array())) task.on.push_back(resource_of.at(r));
      if (t.contains("lookahead")) {
        const json& ahead = t.at("lookahead");
        if (ahead.is_number()) {
          task.least = task.most = ahead;
        } else {
          task.least = ahead.value("min", task.least);
          task.most = ahead.value("max", task.most);
        }
      }
      tasks.push_back(t.at("name"));
      asked.tasks.push_back(task);
    }
    auto node_of = numbered(tasks);
    node_of.emplace("pull", asked.pull());
    node_of.emplace("deliver", asked.deliver());
    for (const json& s : line.at("slots")) {
      stretto::search::problem::slot slot;
      slot.bytes = s.at("bytes");
      slot.writer = node_of.at(s.at("writer"));
      for (const json& r : s.at("readers")) slot.readers.push_back({node_of.at(r), 0});
      slots.push_back(s.at("name"));
      asked.slot_list.push_back(slot);
    }
    for (const json& a : line.at("arcs"))
      asked.arcs.push_back({node_of.at(a.at("from")), node_of.at(a.at("to")), a.at("ago")});
    for (const json& a : line.value("same_progress", json::array()))
      asked.progresses.push_back({node_of.at(a.at(0)), node_of.at(a.at(1)), 0});
  }

  /// What the original's own tasks are authored with; of other instances nothing is, and tasks wait
  /// their turn on threads.
  stretto::search::authored authored() const {
    stretto::search::authored by{{}, false};
    if (id.rfind("hstu", 0) != 0) return by;
    const std::map<std::string, int> table{{"h2d", 2},
                                           {"start_shuffle", 2},
                                           {"finish_shuffle", 2},
                                           {"start_input_dist", 1},
                                           {"wait_input_dist", 1},
                                           {"prefetch_embeddings", 1}};
    const std::string submits = "submit_";
    for (const std::string& task : tasks) {
      const auto at = table.find(task.rfind(submits, 0) == 0 ? task.substr(submits.size()) : task);
      by.lookahead.push_back(at == table.end() ? 0 : at->second);
    }
    return by;
  }

  json told(const stretto::search::answer& a) const {
    json all{{"id", id}, {"in_flight", a.in_flight}};
    json& ahead = all["lookahead"] = json::object();
    json& thread = all["thread"] = json::object();
    json& order = all["order"] = json::array();
    json& copies = all["copies"] = json::object();
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      ahead[tasks[t]] = a.lookahead[t];
      if (a.thread[t] != stretto::search::no_number) thread[tasks[t]] = threads[a.thread[t]];
    }
    for (const auto t : a.order) order.push_back(tasks[t]);
    for (std::size_t s = 0; s < slots.size(); ++s) copies[slots[s]] = a.copies[s];
    return all;
  }
};

}  // namespace conformance
