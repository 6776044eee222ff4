// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stretto/observe/timeline.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// A number that changed in a recorded run.
struct recorded_counter {
  /// A value, from a time on.
  struct change {
    timeline::clock::time_point at{};
    int value = 0;
  };

  std::string name;
  std::string unit;             ///< what is counted, in the plural: "batches"
  std::vector<change> changes;  ///< in the order of time, no two at one time
};

namespace observe {

/// Collects what goes up and down.
class counted {
 public:
  void up(timeline::clock::time_point at) { steps_.emplace_back(at, 1); }
  void down(timeline::clock::time_point at) { steps_.emplace_back(at, -1); }

  recorded_counter under(std::string_view name, std::string_view unit) {
    recorded_counter made{std::string(name), std::string(unit), {}};
    std::sort(steps_.begin(), steps_.end());
    int value = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      value += steps_[i].second;
      if (i + 1 < steps_.size() && steps_[i + 1].first == steps_[i].first) continue;
      made.changes.push_back({steps_[i].first, value});
    }
    return made;
  }

 private:
  std::vector<std::pair<timeline::clock::time_point, int>> steps_;
};

/// How many batches are between the begin of their pull and the end of their last task, and how
/// many threads are in tasks.
inline std::vector<recorded_counter> counters_of(const timeline& record) {
  counted batches, busy;
  // By batch: from its first begin to its last end.
  std::map<std::size_t, timeline::span> through;
  std::set<std::size_t> run;  // else the source was asked, and had none
  const auto take = [&](const std::vector<timeline::span>& spans, bool of_thread) {
    for (const timeline::span& s : spans) {
      timeline::span& whole = through.try_emplace(s.batch, s).first->second;
      whole.begin = (std::min)(whole.begin, s.begin);
      whole.end = (std::max)(whole.end, s.end);
      if (record.in_source(s)) continue;
      run.insert(s.batch);
      if (!of_thread) continue;
      busy.up(s.begin);
      busy.down(s.end);
    }
  };
  for (std::size_t t = 0; t < record.threads().size(); ++t) take(record.spans(t), true);
  for (std::size_t s = 0; s < record.streams().size(); ++s) take(record.stream_spans(s), false);
  for (const std::size_t batch : run) {
    batches.up(through.at(batch).begin);
    batches.down(through.at(batch).end);
  }
  return {batches.under("batches in flight", "batches"), busy.under("busy threads", "threads")};
}

}  // namespace observe
}  // namespace stretto
