// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// One record of what the original engine computed, as a declaration that the planner takes. The
/// declaration points into the record, which therefore stays where it is.
class record {
 public:
  explicit record(nlohmann::json line) : json_(std::move(line)) {
    for (const auto& s : json_["streams"]) streams_.push_back(text(s));
    const auto& tasks = json_["tasks"];
    fields_.resize(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& t = tasks[i];
      fields& f = fields_[i];
      for (const auto& a : t["reads"]) f.reads.push_back({text(a[0]), a[1].get<int>()});
      for (const auto& a : t["writes"]) f.writes.push_back({text(a[0]), a[1].get<int>()});
      for (const auto& n : t["depends_on"]) f.depends_on.push_back({text(n), 0});
      for (const auto& n : t["cross_iter_depends_on"])
        f.cross_iter.push_back({text(n[0]), -n[1].get<int>()});
      for (const auto& n : t["same_progress_sync"]) f.sync.push_back({text(n), 0});
      stretto::planner::task& task = tasks_.emplace_back();
      task.id = text(t["name"]);
      task.stream = text(t["stream"]);
      task.lookahead = t["lookahead"].get<int>();
      task.collective = t["nccl"].get<bool>();
      task.reads = f.reads;
      task.writes = f.writes;
      task.depends_on = f.depends_on;
      task.cross_iter_depends_on = f.cross_iter;
      task.same_progress_sync = f.sync;
    }
  }
  record(const record&) = delete;
  record& operator=(const record&) = delete;

  const nlohmann::json& json() const { return json_; }
  std::string id() const { return json_["id"].get<std::string>(); }
  bool valid() const { return json_["verdict"] == "valid"; }

  stretto::planner::declaration declaration(bool strict) const {
    stretto::planner::declaration d;
    d.tasks = tasks_;
    d.streams = streams_;
    d.from.slot = stretto::name("batch_cpu");
    d.strict = strict;
    return d;
  }

  /// The record's tasks, each on the thread that `thread_of(task)` names.
  template <class ThreadOf>
  std::vector<stretto::planner::task> tasks_on_threads(ThreadOf thread_of) const {
    std::vector<stretto::planner::task> placed = tasks_;
    for (auto& t : placed) t.thread = thread_of(t);
    return placed;
  }

 private:
  struct fields {
    std::vector<stretto::planner::access> reads, writes;
    std::vector<stretto::planner::dependency> depends_on, cross_iter, sync;
  };
  static std::string_view text(const nlohmann::json& j) {
    return *j.get_ptr<const nlohmann::json::string_t*>();
  }

  nlohmann::json json_;
  std::vector<std::string_view> streams_;
  std::vector<fields> fields_;
  std::vector<stretto::planner::task> tasks_;
};

}  // namespace conformance
