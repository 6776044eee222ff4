// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A user's file that gives short names to types of its own, outside any namespace. Compilers that
// warn of names that hide others must not speak of what our templates call their locals. (A list
// of those of which GCC 12 did.)

#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/picture.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <vector>

using ahead = std::vector<int>;
using all = std::vector<int>;
using at = std::vector<int>;
using attached = std::vector<int>;
using by_consumer = std::vector<int>;
using copies = std::vector<int>;
using count = std::vector<int>;
using counts = std::vector<int>;
using dependency = std::vector<int>;
using distinct = std::vector<int>;
using e = std::vector<int>;
using first = std::vector<int>;
using found = std::vector<int>;
using group = std::vector<int>;
using host = std::vector<int>;
using i = std::vector<int>;
using items = std::vector<int>;
using layers = std::vector<int>;
using least = std::vector<int>;
using list = std::vector<int>;
using literal = std::vector<int>;
using memory = std::vector<int>;
using minimal = std::vector<int>;
using most = std::vector<int>;
using n = std::vector<int>;
using named = std::vector<int>;
using next = std::vector<int>;
using number = std::vector<int>;
using numbers = std::vector<int>;
using on = std::vector<int>;
using one = std::vector<int>;
using other = std::vector<int>;
using overridden = std::vector<int>;
using place = std::vector<int>;
using places = std::vector<int>;
using row = std::vector<int>;
using same = std::vector<int>;
using self = std::vector<int>;
using settings = std::vector<int>;
using sorted = std::vector<int>;
using source = std::vector<int>;
using stop = std::vector<int>;
using syncs = std::vector<int>;
using t = std::vector<int>;
using tag = std::vector<int>;
using take = std::vector<int>;
using taken = std::vector<int>;
using task = std::vector<int>;
using tasks = std::vector<int>;
using value = std::vector<int>;
using where = std::vector<int>;

namespace st = stretto;

struct text : st::slot<int> {};
struct length : st::slot<int> {};
struct sum : st::slot<int> {};

struct measure {
  static constexpr int lookahead = 1;
  using reads = st::reads<text>;
  using writes = st::writes<length>;
  void operator()(int in, int& out) const { out = in; }
};
struct add {
  using stream = st::stream<"back">;
  using reads = st::reads<length>;
  using writes = st::writes<sum>;
  void operator()(st::context auto& ctx, int in, int& out) const {
    out = in + static_cast<int>(ctx.batch());
  }
};
struct adding : st::schedule<st::source<text>, st::result<sum>, st::streams<"front", "back">,
                             st::threads<st::generated<2>>, st::slack<length>, measure, add> {};
struct by_hand : st::replan<adding, st::threads<st::group<"one thread", measure>>,
                            st::workers<"one thread", 2>, st::place<add, st::weight<2>>> {};

int main() {
  const std::vector<int> numbers_in{1, 2, 3};
  int total =
      static_cast<int>(st::describe<by_hand>().size() + st::explain<adding, measure, add>().size());
  st::pipeline<adding, st::timeline> pipeline;
  for (const int s : pipeline.run(numbers_in)) total += s;
  st::pipeline<by_hand, st::barrier> groups;
  for (const int s : groups.run(numbers_in)) total += s;
  st::dynamic::pipeline values(st::dynamic::from_types<adding>());
  for (const st::dynamic::result& r : values.run(numbers_in)) total += r.get<int>();
  return total > 0 ? 0 : 1;
}
