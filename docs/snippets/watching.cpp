// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <span>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/replay.hpp>
#include <stretto/report.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace st = stretto;

struct text : st::slot<std::string> {};
struct words : st::slot<std::vector<std::string>> {};
struct number_of_words : st::slot<std::size_t> {};
struct longest : st::slot<std::string> {};

struct cut {
  using thread = st::thread<"cutting">;
  static constexpr int lookahead = 1;
  using reads = st::reads<text>;
  using writes = st::writes<words>;
  void operator()(const std::string& in, std::vector<std::string>& out) const {
    out.clear();
    for (std::size_t from = 0; from < in.size();) {
      const std::size_t to = in.find(' ', from) == in.npos ? in.size() : in.find(' ', from);
      if (to > from) out.push_back(in.substr(from, to - from));
      from = to + 1;
    }
  }
};
struct measure {
  using thread = st::thread<"measuring">;
  using reads = st::reads<words>;
  using writes = st::writes<number_of_words, longest>;
  void operator()(const std::vector<std::string>& in, std::size_t& count, std::string& most) const {
    count = in.size();
    most.clear();
    for (const std::string& w : in)
      if (w.size() > most.size()) most = w;
  }
};
// [results]
struct counting
    : st::schedule<st::source<text>, st::result<number_of_words, longest>, cut, measure> {};
// [results]

// [effects]
struct all_words : st::slot<std::size_t> {};
struct total {
  using reads = st::reads<number_of_words>;
  using writes = st::writes<all_words>;
  std::size_t sum = 0;
  std::size_t capture() const { return sum; }
  void restore(std::size_t captured) { sum = captured; }
  void operator()(std::size_t count, std::size_t& out) { out = sum += count; }
};
// [effects]
// [recorded_value]
struct sentence {
  std::shared_ptr<std::string> text;
};
template <>
struct st::recorded_value<sentence> {
  static std::string copy(const sentence& s) { return *s.text; }
  static void restore(sentence& s, const std::string& kept) {
    s.text = std::make_shared<std::string>(kept);
  }
  static bool same(const std::string& kept, const sentence& s) { return kept == *s.text; }
};
// [recorded_value]
struct totals : st::schedule<st::source<text>, st::result<all_words>, cut, measure, total> {};
struct count {
  using reads = st::reads<text>;
  using writes = st::writes<all_words>;
  std::size_t batches = 0;
  void operator()(const std::string&, std::size_t& out) { out = ++batches; }
};
struct counting_in_secret : st::schedule<st::source<text>, st::result<all_words>, count> {};

// [observer]
struct slowest {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  using clock = std::chrono::steady_clock;

  struct row {  // written by the thread that runs the task, and by no other
    std::string name;
    clock::time_point began{};
    clock::duration longest{};
    std::size_t batch = 0;
  };
  std::vector<row> rows;

  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> tasks) {
    for (const std::string_view t : tasks) rows.emplace_back().name = t;
  }
  void started(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    rows[task].began = clock::now();
  }
  void finished(std::size_t /*thread*/, std::size_t task, std::size_t batch) {
    row& r = rows[task];
    const clock::duration took = clock::now() - r.began;
    if (took > r.longest) {
      r.longest = took;
      r.batch = batch;
    }
  }
};
// [observer]

const std::vector<std::string> lines{"a rose is a rose", "by any other name", "", "stretto"};

/// Hangs on its second batch, until somebody lets it go.
struct measure_and_hang : measure {
  void operator()(const std::vector<std::string>& in, std::size_t& count, std::string& most) {
    if (++batches == 2)
      while (!let_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    measure::operator()(in, count, most);
  }
  int batches = 0;
  inline static std::atomic<bool> let_go{false};
};
struct hanging
    : st::schedule<st::source<text>, st::result<number_of_words, longest>, cut, measure_and_hang> {
};

/// Times differ from run to run, and are left out of what the page shows.
void print_without_times(const std::string& text) {
  const std::regex times(R"([0-9]+(\.[0-9]+)? (s|ms|us|ns)\b)");
  std::printf("%s\n", std::regex_replace(text, times, "...").c_str());
}

int main() {
  {
    std::printf("=== results\n");
    // [run]
    st::pipeline<counting> pipeline;
    for (const auto& [count, word] : pipeline.run(lines))
      std::printf("%zu words, the longest is `%s`\n", count, word.c_str());
    // [run]
  }
  {
    std::printf("=== times\n");
    // [times]
    st::pipeline<counting, st::timeline> pipeline;
    for ([[maybe_unused]] const auto& result : pipeline.run(lines)) {
    }

    const st::timeline& record = pipeline.observer();
    std::vector<st::timeline::seconds> busy(record.tasks().size());
    std::vector<std::size_t> runs(record.tasks().size());
    for (std::size_t thread = 0; thread < record.threads().size(); ++thread)
      for (const st::timeline::span& s : record.spans(thread)) {
        busy[s.task] += s.end - s.begin;
        ++runs[s.task];
      }
    for (std::size_t t = 0; t + 2 < busy.size(); ++t)  // the last two are `pull` and `deliver`
      std::printf("%-8s %zu runs%s\n", record.tasks()[t].c_str(), runs[t],
                  busy[t].count() > 0 ? ", each has a time" : "");
    // [times]
    std::printf("=== bound\n");
    // [bound]
    const auto costs = st::measured_costs(record);
    std::printf("%s", st::bound_of<counting>(costs).text().c_str());
    // [bound]
    // [idle]
    const st::idle_times idle = st::idle_of<counting>(record);
    std::fprintf(stderr, "%s", idle.text().c_str());
    // [idle]
    // [trace]
    std::ofstream trace("trace.json");
    st::write_trace(trace, record, st::waits_of<counting>(record));
    // [trace]
    // [perfetto]
    std::ofstream tree("trace.pftrace", std::ios::binary);
    st::write_perfetto(tree, record, st::waits_of<counting>(record),
                       st::queues_of<counting>(record));
    // [perfetto]
    // [report]
    std::ofstream page("report.html");
    st::write_report<counting>(page, record);
    // [report]
    // [pictures]
    std::ofstream graph("graph.svg");
    st::draw_graph<counting>(graph, st::measured_costs(record));
    // [pictures]
  }
  {
    std::printf("=== observer\n");
    // [observed]
    st::pipeline<counting, slowest> pipeline;
    for ([[maybe_unused]] const auto& result : pipeline.run(lines)) {
    }

    for (const slowest::row& r : pipeline.observer().rows)
      if (r.longest.count() > 0) std::printf("%s\n", r.name.c_str());
    // [observed]
  }
  {
    const std::vector<std::string> many(2'000, lines.front());
    // [padding]
    st::pipeline<counting, st::padding> pipeline;
    pipeline.observer().pad({.longest = std::chrono::microseconds(5)});
    for ([[maybe_unused]] const auto& result : pipeline.run(many)) {
    }
    std::fprintf(stderr, "%s", pipeline.observer().result().text().c_str());
    // [padding]
    if (pipeline.observer().result().stretches == 0) return 1;
  }
  {
    const std::vector<std::string> many(2'000, lines.front());
    // [record]
    st::recording tape;
    st::pipeline<totals, st::replay> first;
    first.observer().record(tape, {.tasks = {"cut", "total"}, .batches = 160, .compare = true});
    for ([[maybe_unused]] const auto& result : first.run(many)) {
    }
    // [record]
    std::printf("=== compare\n");
    // [compare]
    st::pipeline<totals, st::replay> second;  // its `total` is 0, as that of the first was
    second.observer().play(tape, {.compare = true});
    for ([[maybe_unused]] const auto& result : second.run(many)) {
    }
    std::printf("%s", second.observer().result().text().c_str());
    // [compare]
    // [play]
    st::pipeline<totals, st::replay> third;
    third.observer().play(tape);
    for ([[maybe_unused]] const auto& result : third.run(many)) {
    }
    st::replay_result found = third.observer().result();
    found.hold_against<totals>();
    std::fprintf(stderr, "%s", found.text().c_str());
    // [play]
    std::printf("=== refused\n");
    // [refused]
    st::pipeline<counting_in_secret, st::replay> pipeline;
    try {
      pipeline.observer().record(tape, {.tasks = {"count"}});
    } catch (const st::usage_error& why) {
      std::puts(why.what());
    }
    // [refused]
  }
  {
    const std::vector<std::string> many(2'000, lines.front());
    // [pause]
    st::pipeline<counting, st::timeline> pipeline;
    pipeline.observer().pause();
    std::size_t results = 0;
    for ([[maybe_unused]] const auto& result : pipeline.run(many)) {
      if (++results == 1000) pipeline.observer().resume();
      if (results == 1500) pipeline.observer().pause();
    }
    // [pause]
    if (pipeline.observer().stretches().size() != 1) return 1;
  }
  {
    // [monitor]
    st::pipeline<counting, st::monitor> pipeline;
    st::activity before = pipeline.observer().look();
    for ([[maybe_unused]] const auto& result : pipeline.run(lines)) {
      const st::activity now = pipeline.observer().look();  // any thread may, at any time
      if (now.at - before.at > std::chrono::seconds(1)) {
        std::fprintf(stderr, "\r%s", st::status_line(now, before, lines.size()).c_str());
        before = now;
      }
    }
    // [monitor]
    // [metrics]
    std::ostringstream page;  // what `GET /metrics` answers
    const std::vector<std::pair<std::string, std::string>> labels{{"job", "nightly"}};
    st::write_metrics(page, pipeline.observer().look(), labels);
    // [metrics]
    if (page.str().find("stretto_batches_total{job=\"nightly\"} 4\n") == std::string::npos)
      return 1;
  }
  {
    std::printf("=== watchdog\n");
    std::string told;
    const auto tell = [&](const std::string& what) {
      if (what.find("has been in `measure_and_hang` on batch 1") == std::string::npos) return;
      told = what;
      measure_and_hang::let_go = true;
    };
    {
      // [watchdog]
      st::pipeline<hanging, st::monitor> pipeline;
      const st::watchdog dog(pipeline, std::chrono::milliseconds(100), tell);
      for ([[maybe_unused]] const auto& result : pipeline.run(lines)) {
      }
      // [watchdog]
    }
    print_without_times(told);
  }
}
