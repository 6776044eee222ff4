// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "violations.hpp"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace conformance {
namespace {

using nlohmann::json;

const char* const source_slot = "batch_cpu";

/// A task's read or write of a slot.
struct access {
  std::size_t task;
  std::string slot;
  int offset;
  std::string entry;
};

/// A task's entry in one of the three dependency fields.
struct dependency {
  std::size_t task;
  std::string field;
  std::string name;
  int ago;
  std::string entry;
};

class search {
 public:
  explicit search(const json& record) : record_(record), tasks_(record["tasks"]) {
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      ahead_.push_back(tasks_[t]["lookahead"]);
      names_.push_back(tasks_[t]["name"]);
      streams_.push_back(tasks_[t]["stream"]);
      most_ = std::max(most_, ahead_[t]);
      add_accesses(t, "reads", reads_);
      add_accesses(t, "writes", writes_);
      add_dependencies(t);
    }
  }

  std::set<violation> everything() {
    rule_1_names();
    rule_2_offsets();
    rule_3_streams();
    rule_4_writers();
    rule_5_reads();
    rule_6_dependencies();
    rule_7_cycles();
    return found_;
  }

 private:
  void rule_1_names() {
    if (names_.empty()) found_.insert({1, "empty_schedule"});
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (names_[t].empty()) found_.insert({1, "empty_name", t});
      if (names_[t] == "pull" || names_[t] == "deliver") found_.insert({1, "reserved_name", t});
      for (std::size_t earlier = 0; earlier < t; ++earlier)
        if (names_[earlier] == names_[t]) found_.insert({1, "duplicate_name", t, earlier});
    }
  }

  void rule_2_offsets() {
    for (std::size_t t = 0; t < names_.size(); ++t)
      if (ahead_[t] < 0) found_.insert({2, "negative_lookahead", t});
    for (const auto* const accesses : {&reads_, &writes_})
      for (const access& a : *accesses) {
        if (a.offset < 0) found_.insert({2, "negative_slot_offset", a.task, nobody, a.entry});
        if (a.offset != ahead_[a.task])
          found_.insert({2, "slot_offset_mismatch", a.task, nobody, a.entry});
      }
    for (const access& w : writes_)
      if (w.slot == source_slot) found_.insert({2, "reserved_write", w.task, nobody, w.entry});
  }

  void rule_3_streams() {
    for (std::size_t t = 0; t < names_.size(); ++t) {
      bool declared = streams_[t].empty();
      for (const json& s : record_["streams"]) declared = declared || s == streams_[t];
      if (!declared) found_.insert({3, "stream_not_declared", t});
    }
  }

  void rule_4_writers() {
    for (const access& earlier : writes_)
      for (const access& later : writes_) {
        if (earlier.task >= later.task || earlier.slot != later.slot) continue;
        if (earlier.offset == later.offset)
          found_.insert({4, "multiple_writers", later.task, earlier.task, later.entry});
        if (streams_[earlier.task] != streams_[later.task])
          found_.insert({4, "name_multi_stream", later.task, earlier.task, later.entry});
      }
  }

  void rule_5_reads() {
    for (const access& r : reads_) {
      const int now = progress(0, ahead_[r.task]);
      bool is_there = false;
      for (const access& w : writers(r.slot)) {
        const int when = written(r, w);
        is_there = is_there || when <= now;
        if (when == now && w.task == r.task)
          found_.insert({5, "reader_not_after_writer", r.task, r.task, r.entry});
      }
      if (is_there) continue;
      if (writers(r.slot).empty()) found_.insert({5, "unresolved_read", r.task, nobody, r.entry});
      for (const access& w : writers(r.slot))
        found_.insert({5, "slot_future_read", r.task, w.task, r.entry});
    }
  }

  void rule_6_dependencies() {
    for (const dependency& d : dependencies_) {
      const std::size_t other = task_named(d.name);
      const auto report = [&](const char* kind) {
        found_.insert({6, kind, d.task, other, d.entry});
      };
      if (other == nobody) {
        report("unknown_name");
        continue;
      }
      for (const dependency& earlier : dependencies_) {
        if (&earlier == &d) break;
        if (earlier.task != d.task || earlier.name != d.name) continue;
        if (earlier.field != d.field) report("field_overlap");
        if (earlier.entry == d.entry) report("listed_twice");
      }
      const int now = progress(0, ahead_[d.task]);
      const int when = progress(-d.ago, ahead_[other]);
      if (d.field == "depends_on" && when > now) report("depends_future_read");
      if (d.field != "cross_iter_depends_on") continue;
      if (d.ago < 1) report("cross_offset_not_negative");
      if (when > now) report("cross_iter_future_read");
      if (when >= now) continue;
      // The batches that the ring holds are those in flight.
      if (streams_[other] != streams_[d.task] && -d.ago < batch(now, 0))
        report("cross_iter_rotated_out");
      for (const access& r : reads_)
        for (const access& w : writes_)
          if (r.task == d.task && w.task == other && r.slot == w.slot &&
              written(r, w) == now - d.ago)
            report("redundant_cross_iter");
    }
    for (const auto* const accesses : {&reads_, &writes_})
      for (const access& a : *accesses)
        for (const access& earlier : *accesses) {
          if (&earlier == &a) break;
          if (earlier.task == a.task && earlier.entry == a.entry)
            found_.insert({6, "listed_twice", a.task, nobody, a.entry});
        }
  }

  void rule_7_cycles() {
    const std::size_t tasks = names_.size();
    std::vector<std::vector<bool>> waits(tasks, std::vector<bool>(tasks));
    for (const access& r : reads_)
      for (const access& w : writes_)
        if (r.task != w.task && r.slot == w.slot && written(r, w) == progress(0, ahead_[r.task]))
          waits[r.task][w.task] = true;
    for (const dependency& d : dependencies_) {
      const std::size_t other = task_named(d.name);
      if (other != nobody && (d.field == "same_progress_sync" ||
                              progress(-d.ago, ahead_[other]) == progress(0, ahead_[d.task])))
        waits[d.task][other] = true;
    }
    auto reaches = waits;
    for (std::size_t via = 0; via < tasks; ++via)
      for (std::size_t a = 0; a < tasks; ++a)
        for (std::size_t b = 0; b < tasks; ++b)
          if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
    for (std::size_t a = 0; a < tasks; ++a)
      for (std::size_t b = 0; b < tasks; ++b)
        if (waits[a][b] && (a == b || reaches[b][a])) found_.insert({7, "cycle", a, b});
  }

  // What holds of one batch holds of all: each task is looked at when it works on batch 0.

  /// The progress in which a batch is at an offset of the ring, and the batch that is there then.
  int progress(int batch, int offset) const { return batch + (most_ - offset); }
  int batch(int progress, int offset) const { return progress - (most_ - offset); }

  /// When the value is written that is read.
  int written(const access& read, const access& write) const {
    return progress(batch(progress(0, ahead_[read.task]), read.offset), write.offset);
  }

  std::vector<access> writers(const std::string& slot) const {
    std::vector<access> all;
    for (const access& w : writes_)
      if (w.slot == slot) all.push_back(w);
    if (slot == source_slot) all.push_back({names_.size(), slot, most_, ""});
    return all;
  }

  std::size_t task_named(const std::string& name) const {
    for (std::size_t t = 0; t < names_.size(); ++t)
      if (names_[t] == name) return t;
    return nobody;
  }

  void add_accesses(std::size_t t, const std::string& field, std::vector<access>& to) {
    const json& listed = tasks_[t][field];
    for (std::size_t i = 0; i < listed.size(); ++i)
      to.push_back({t, listed[i][0], listed[i][1], entry_text(tasks_[t], field, i)});
  }

  void add_dependencies(std::size_t t) {
    for (const char* field : {"depends_on", "cross_iter_depends_on", "same_progress_sync"}) {
      const json& listed = tasks_[t][field];
      for (std::size_t i = 0; i < listed.size(); ++i) {
        const json& e = listed[i];
        const std::string entry = entry_text(tasks_[t], field, i);
        if (e.is_array()) {
          dependencies_.push_back({t, field, e[0], -e[1].get<int>(), entry});
        } else {
          dependencies_.push_back({t, field, e, 0, entry});
        }
      }
    }
  }

  const json& record_;
  const json& tasks_;
  std::vector<int> ahead_;
  std::vector<std::string> names_;
  std::vector<std::string> streams_;
  std::vector<access> reads_;
  std::vector<access> writes_;
  std::vector<dependency> dependencies_;
  int most_ = 0;
  std::set<violation> found_;
};

/// A violation that has to be mended before one of another kind means anything: of the same entry
/// or, where it is of no entry alone, of the same task.
struct obstacle {
  std::string_view kind;
  std::string_view hidden;
};
constexpr obstacle obstacles[] = {
    // Nobody can be named that, so it does not matter that two are.
    {"empty_name", "duplicate_name"},
    {"reserved_name", "duplicate_name"},
    // An offset is to equal the lookahead, and none can equal a negative one and be right.
    {"negative_lookahead", "negative_slot_offset"},
    {"negative_lookahead", "slot_offset_mismatch"},
    // A lookahead is never negative, so a negative offset is no lookahead's.
    {"negative_slot_offset", "slot_offset_mismatch"},
    // Nobody may write the source's slot, so it does not matter that two do.
    {"reserved_write", "multiple_writers"},
    {"reserved_write", "name_multi_stream"},
    // The entry names no earlier batch, so there is none to be out of reach.
    {"cross_offset_not_negative", "cross_iter_future_read"},
    {"cross_offset_not_negative", "cross_iter_rotated_out"},
    {"cross_offset_not_negative", "redundant_cross_iter"},
    // The entry is one too many because of another field, whatever its own holds.
    {"field_overlap", "listed_twice"},
};

}  // namespace

std::string entry_text(const json& task, const std::string& field, std::size_t position) {
  return field + " " + task[field][position].dump();
}

std::set<violation> violations(const json& record) { return search(record).everything(); }

bool is_told_by(const violation& v, const violation& told) {
  if (v.kind != told.kind) return false;
  // One cycle is told of all: which waits to drop is the author's choice, and may break them all.
  if (v.kind == "cycle") return true;
  if (v.task != told.task || v.entry != told.entry) return false;
  // A task whose name, stream or read is wrong is told once, with one of the others.
  return v.other == told.other || v.kind == "duplicate_name" || v.kind == "name_multi_stream" ||
         v.kind == "slot_future_read";
}

bool is_hidden(const violation& v, const std::set<violation>& all) {
  return std::any_of(all.begin(), all.end(), [&](const violation& first) {
    return first.task == v.task && (first.entry.empty() || first.entry == v.entry) &&
           std::any_of(std::begin(obstacles), std::end(obstacles), [&](const obstacle& o) {
             return o.kind == first.kind && o.hidden == v.kind;
           });
  });
}

std::string text(const json& record, const violation& v) {
  const auto name = [&](std::size_t task) {
    return task < record["tasks"].size() ? record["tasks"][task]["name"].dump() : "the source";
  };
  std::string all = "rule " + std::to_string(v.rule) + " " + v.kind;
  if (v.task != nobody) all += " of " + name(v.task);
  if (!v.entry.empty()) all += " by " + v.entry;
  if (v.other != nobody) all += " with " + name(v.other);
  return all;
}

}  // namespace conformance
