// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans a web server's log for slow or failed. The reader is slow and bursty (think of a network
// drive), so it has a thread of its own, ahead of everything else; so have parsing and matching,
// and the calling thread counts. The log is made up, the same on every run.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <regex>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace st = stretto;

struct record {
  std::string_view path;  // into the chunk's text
  int status = 0;
  int milliseconds = 0;
};
struct finding {
  std::string path;
  int milliseconds = 0;
};
struct summary {
  std::size_t lines = 0;
  std::size_t findings = 0;
};

// --- what travels with a chunk ----------------------------------------------------------------

struct chunk : st::slot<std::string> {};
struct records : st::slot<std::vector<record>> {};
struct findings : st::slot<std::vector<finding>> {};
struct line_count : st::slot<std::size_t> {};
struct so_far : st::slot<summary> {};

// --- tasks --------------------------------------------------------------------------------------

// "GET /cart 503 812": method, path, status, milliseconds.
struct parse {
  using thread = st::thread<"parser">;
  static constexpr int lookahead = 2;
  using reads = st::reads<chunk>;
  using writes = st::writes<records, line_count>;

  void operator()(const std::string& text, std::vector<record>& out, std::size_t& lines) const {
    out.clear();
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() + 1);
      const std::size_t path = line.find(' ') + 1;
      const std::size_t status = line.find(' ', path) + 1;
      const std::size_t time = line.find(' ', status) + 1;
      out.push_back({line.substr(path, status - path - 1), number(line.substr(status)),
                     number(line.substr(time))});
    }
    lines = out.size();
  }

 private:
  static int number(std::string_view digits) {
    int value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') break;
      value = value * 10 + (c - '0');
    }
    return value;
  }
};

struct match {
  using thread = st::thread<"matcher">;
  static constexpr int lookahead = 1;
  // `records` points into the chunk's text: reading that too keeps it until this task is done.
  using reads = st::reads<records, chunk>;
  using writes = st::writes<findings>;
  std::regex shop{"/(cart|pay)\\?item=[0-9]+"};

  void operator()(const std::vector<record>& in, const std::string& /*text*/,
                  std::vector<finding>& out) const {
    out.clear();
    for (const record& r : in) {
      if (r.status < 500 && r.milliseconds < 600) continue;
      if (std::regex_match(r.path.begin(), r.path.end(), shop))
        out.push_back({std::string(r.path.substr(0, r.path.find('?'))), r.milliseconds});
    }
  }
};

struct aggregate {
  using thread = st::thread<"caller">;
  using reads = st::reads<findings, line_count>;
  using writes = st::writes<so_far>;
  std::map<std::string, std::vector<int>> by_path;
  summary total;

  void operator()(const std::vector<finding>& in, std::size_t lines, summary& out) {
    for (const finding& f : in) by_path[f.path].push_back(f.milliseconds);
    total.lines += lines;
    total.findings += in.size();
    out = total;
  }
};

// The reader works three batches ahead, on its own thread.
struct scan : st::schedule<st::source<chunk, st::lookahead<3>, st::thread<"reader">>,
                           st::result<so_far>, parse, match, aggregate> {};

// --- the slow reader ----------------------------------------------------------------------------

// Chunk number `n` of the log.
std::string log_text(std::uint32_t n) {
  static constexpr std::string_view pages[] = {"/", "/cart", "/search", "/pay", "/help"};
  std::minstd_rand random(n + 1);
  std::string text;
  for (int line = 0; line < 10000; ++line) {
    text += "GET ";
    text += pages[random() % 5];
    text += "?item=" + std::to_string(random() % 100);
    text += random() % 50 == 0 ? " 503 " : " 200 ";
    text += std::to_string(random() % 1000) + '\n';
  }
  return text;
}

// Hands out the chunks: most after a short wait, every eighth after a long one.
class reader {
 public:
  explicit reader(const std::vector<std::string>& log) : log_(log) {}

  // A callable `bool(T&)` fills the slot in place: the string's memory is used again and again.
  bool operator()(std::string& text) {
    if (next_ == log_.size()) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(next_ % 8 == 7 ? 4000 : 400));
    text = log_[next_++];
    return true;
  }

 private:
  const std::vector<std::string>& log_;
  std::size_t next_ = 0;
};

struct outcome {
  summary total;
  std::map<std::string, std::vector<int>> by_path;
  double milliseconds = 0;
};

template <class Schedule>
outcome scan_all(const std::vector<std::string>& log, bool chatty) {
  st::pipeline<Schedule> pipeline;
  outcome result;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t done = 0; const summary& s : pipeline.run(reader(log))) {
    if (chatty && ++done % 20 == 0)
      std::printf("  %3zu chunks, %7zu lines, %5zu slow or failed\n", done, s.lines, s.findings);
    result.total = s;
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  result.milliseconds = took.count();
  result.by_path = std::move(pipeline.template task<aggregate>().by_path);
  return result;
}

int main() {
  std::vector<std::string> log;
  for (std::uint32_t n = 0; n < 80; ++n) log.push_back(log_text(n));
  std::printf("pipelined:\n");
  const outcome pipelined = scan_all<scan>(log, true);
  const outcome serial = scan_all<st::serial<scan>>(log, false);
  for (const auto& [path, times] : pipelined.by_path)
    std::printf("  %-8s %4zu slow or failed\n", path.c_str(), times.size());
  std::printf("serial %.0f ms, pipelined %.0f ms\n", serial.milliseconds, pipelined.milliseconds);
  const bool same =
      serial.by_path == pipelined.by_path && serial.total.lines == pipelined.total.lines;
  std::printf("%s\n", same ? "both found the same" : "THE TWO DIFFER");
  return same ? 0 : 1;
}
