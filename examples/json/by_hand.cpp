// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cstddef>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>
#include "compare.hpp"
#include "twins/channel.hpp"
#include "work.hpp"

namespace filters {
namespace {

struct stage {
  std::string thread;
  std::size_t first;
  std::vector<filter> filters;
};

/// Filters that follow each other on one thread are a stage.
std::deque<stage> read_stages(const std::string& file) {
  std::deque<stage> stages;
  std::size_t position = 0;
  const auto chain = nlohmann::json::parse(std::ifstream(file));
  for (const nlohmann::json& task : chain.at("tasks")) {
    const std::string thread = task.at("thread");
    if (stages.empty() || stages.back().thread != thread) stages.push_back({thread, position, {}});
    stages.back().filters.push_back(find_filter(task.at("name").get<std::string>()));
    ++position;
  }
  return stages;
}

}  // namespace

outcome run_by_hand(const std::string& file, std::size_t pages) {
  using page = std::vector<std::string>;  // as it comes, and after each filter
  outcome result;
  const std::deque<stage> stages = read_stages(file);
  const std::size_t texts = stages.back().first + stages.back().filters.size() + 1;
  std::vector<page> memory(stages.size() + 2, page(texts));
  twins::channel<page> spare;
  std::deque<twins::channel<page>> passed(stages.size() + 1);
  for (page& p : memory) spare.put(&p);
  std::deque<std::jthread> threads;
  for (std::size_t i = 0; i < stages.size(); ++i)
    threads.emplace_back([&stages, &passed, i] {
      while (page* const p = passed[i].take()) {
        std::size_t at = stages[i].first;
        for (const filter f : stages[i].filters) {
          f((*p)[at], (*p)[at + 1]);
          ++at;
        }
        passed[i + 1].put(p);
      }
      passed[i + 1].put(nullptr);
    });
  threads.emplace_back([&] {
    book next(pages);
    for (page* p = spare.take(); next(p->front()); p = spare.take()) passed.front().put(p);
    passed.front().put(nullptr);
  });
  while (page* const p = passed.back().take()) {
    result.add(p->back());
    spare.put(p);
  }
  return result;
}

}  // namespace filters
