// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws and traces a pipeline whose task, thread and title have a hostile name, for each of some
// names: `hostile FOLDER` writes FOLDER/N.svg and N.json, and `names`, each name in hexadecimal.

#include <chrono>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <optional>
#include <stretto/dynamic.hpp>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/trace.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

namespace {

void sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

struct in : st::slot<int> {};
struct between : st::slot<int> {};
struct out : st::slot<int> {};

/// The name is cut where bars are short, so that every length matters.
struct odd {
  static constexpr std::string_view name =
      "\xC3\x84\xC3\x96\xC3\x9C a\xCC\x88 \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E <script>\"'&]]> "
      "\x01\x1b[31m\n \xFF\xFE\xC3 \xEF\xBF\xBE \xE2\x80\xAE \xF0\x9F\x98\x80\xF0\x9F\x98\x80";
  using thread = st::thread<"\xC3\xA4\x01<\xFF">;
  using reads = st::reads<in>;
  using writes = st::writes<between>;
  void operator()(int a, int& b) const {
    sleep(a % 7);
    b = a;
  }
};
struct plain {
  using thread = st::thread<"plain">;
  using reads = st::reads<between>;
  using writes = st::writes<out>;
  void operator()(int a, int& b) const {
    sleep(2);
    b = a;
  }
};
struct typed : st::schedule<st::source<in>, st::result<out>, odd, plain> {};

std::vector<std::string> hostile() {
  using namespace std::string_literals;
  const std::string umlauts = "\xC3\x84\xC3\x96\xC3\x9C";
  const std::string japanese = "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E";
  const auto times = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  return {"plain",
          times(umlauts, 20),
          "x" + times(umlauts, 20),
          times(japanese, 20),
          times("a\xCC\x88\xCC\xA4", 40),
          times("\xF0\x9F\x98\x80", 30),
          times("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", 10),
          "a\x01b\x1b[2J\r\n\t",
          "<script>alert(\"'&\")</script>]]>",
          "&amp; &#1; &bogus;",
          "\\ \\u0000 \\\"",
          "x\x7f\xC2\x85\xC2\x9B",
          "\xFF\xFE",
          times("\xC3", 60),
          "\xED\xA0\x80 surrogate",
          "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xB7\x90\xF0\x9F\xBF\xBE",
          "\xE2\x80\xAE turned",
          "zero\0byte"s};
}

void write(const st::timeline& record, const std::string& file, std::string_view title) {
  std::ofstream svg(file + ".svg", std::ios::binary);
  std::ofstream json(file + ".json", std::ios::binary);
  st::draw_svg(svg, record, 0, 3, title);
  st::write_trace(json, record);
}

}  // namespace

template <>
inline constexpr bool stretto::works_in_turn<typed> = true;

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string folder = std::string(arguments[1]) + "/";
  std::ofstream names(folder + "names");
  const auto tell = [&](std::string_view name) {
    for (const char c : name) {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      names << digits[byte / 16U] << digits[byte % 16U];
    }
    names << "\n";
  };

  const std::vector<int> batches{1, 2, 3, 4, 5, 6};
  std::size_t number = 0;
  for (const std::string& name : hostile()) {
    dynamic::schedule s;
    s.source.slot = "a";
    s.results = {"c"};
    const auto varied = [](int a, int& b) {
      sleep(a);
      b = a;
    };
    s.tasks.push_back(
        {.name = name, .thread = name, .reads = {"a"}, .writes = {"b"}, .body = varied});
    s.tasks.push_back(
        {.name = "after", .thread = "after", .reads = {"b"}, .writes = {"c"}, .body = varied});
    dynamic::pipeline pipeline(s, st::timeline{});
    for (const auto& r : pipeline.run(batches)) static_cast<void>(r);
    write(pipeline.observer(), folder + std::to_string(number++), name);
    tell(name);
  }
  st::pipeline<typed, st::timeline> pipeline;
  for (const int r : pipeline.run(batches)) static_cast<void>(r);
  write(pipeline.observer(), folder + std::to_string(number), odd::name);
  tell(odd::name);
}
