// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of plans: what is on them, in both languages.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <regex>
#include <stretto/dynamic/query/from_types.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/picture/dot.hpp>
#include <stretto/picture/mermaid.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "hostile.hpp"

namespace {

namespace st = stretto;
namespace picture = stretto::picture;

struct raw : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};
struct weights : st::resource<> {};

struct copy {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<copy, 2>>;
  using mutates = st::mutates<weights>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};
struct log_loss {
  using reads = st::reads<loss>;
  using depends_on = st::depends_on<copy>;
  void operator()(float) const {}
};
struct training : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute">,
                               copy, train, log_loss> {};

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

using row = std::vector<std::string>;
/// The arrows as text, such as `copy > train slot 0 batch`.
row arrows_of(const picture::detail::diagram& d) {
  row all;
  for (const picture::detail::arrow& a : d.arrows) {
    const auto node = [&](std::size_t n) {
      return std::string(st::planner::node_name(d.plan.declared, n));
    };
    all.push_back(node(a.order.producer) + " > " + node(a.order.consumer) + ", " +
                  picture::detail::look_of(a.kind).meaning + ", " + std::to_string(a.order.delta) +
                  (a.order.slot == st::planner::none
                       ? ""
                       : ", " + std::string(d.plan.slot_list[a.order.slot].text)) +
                  (a.implied ? ", implied" : ""));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST_CASE("A picture has every task on its thread, every wait, and on request what is implied") {
  const st::dynamic::planned_schedule p(st::dynamic::outline<training>());
  const st::planner::viewed_plan viewed(p.declaration(), p.plan());
  const st::planner::plan_view plan = viewed.view();
  const picture::detail::diagram d = picture::detail::make_diagram(plan, {});
  const row threads(plan.threads.begin(), plan.threads.end());
  CHECK(threads == row{"caller", "memcpy", "compute", "host"});
  CHECK(plan.chains[1].last - plan.chains[1].first == 1);
  CHECK(plan.chained[plan.chains[1].first] == 0);
  CHECK(plan.lookahead(0) == 1);
  CHECK(plan.stream_of[2] == st::planner::none);
  const row few = arrows_of(d);
  // Each wait of the plan is an arrow, once.
  for (const auto& waits : {p.run_ahead_waits(), p.minimal_stream_waits()})
    for (const st::planner::edge& e : waits)
      CHECK(std::count_if(d.arrows.begin(), d.arrows.end(), [&](const picture::detail::arrow& a) {
              return a.order.producer == e.producer && a.order.consumer == e.consumer &&
                     a.order.delta == e.delta && !a.implied;
            }) == 1);
  CHECK(std::count(few.begin(), few.end(), "copy > train, slot, 1, batch") == 1);
  CHECK(std::count(few.begin(), few.end(), "pull > deliver, next on the thread, 0") == 1);

  const picture::detail::diagram whole = picture::detail::make_diagram(plan, {.implied = true});
  const row many = arrows_of(whole);
  CHECK(many.size() > few.size());
  CHECK(std::includes(many.begin(), many.end(), few.begin(), few.end()));
  for (const st::planner::edge& e : p.plan().edges)
    CHECK(std::count_if(whole.arrows.begin(), whole.arrows.end(),
                        [&](const picture::detail::arrow& a) {
                          return a.order.producer == e.producer && a.order.consumer == e.consumer &&
                                 a.order.delta == e.delta && a.kind != picture::detail::line::chain;
                        }) == 1);
  CHECK(std::count(many.begin(), many.end(), "copy > log_loss, dependency, 1, implied") == 1);
}

TEST_CASE("Both versions have the same picture") {
  const st::dynamic::planned_schedule p(st::dynamic::outline<training>());
  for (const bool implied : {false, true})
    for (const bool legend : {false, true}) {
      const picture::options o{implied, legend};
      CHECK(picture::to_dot<training>(o) == picture::to_dot(p, o));
      CHECK(picture::to_mermaid<training>(o) == picture::to_mermaid(p, o));
      CHECK((count(picture::to_dot(p, o), "subgraph cluster4") == 1) == legend);  // after threads
      CHECK((count(picture::to_dot(p, o), "implied by others") == 1) == (legend && implied));
    }
}

namespace {

struct fetch {
  using role = st::role<"front <1>">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct hand_over : st::transfer<batch, "front <1>", "back"> {
  static constexpr int lookahead = 1;
};
struct finish {
  using role = st::role<"back">;
  using reads = st::reads<batch>;
  void operator()(int) const {}
};
struct in_roles : st::schedule<st::source<raw>, fetch, hand_over, finish> {};

}  // namespace

TEST_CASE("the role of a task is in its box, in both languages") {
  const std::string dot = picture::to_dot<in_roles>();
  CHECK(count(dot, "fetch\\n+2, role front <1>\"") == 1);
  CHECK(count(dot, "batch_to_back\\n+1, role front <1> to back\"") == 1);
  const std::string mermaid = picture::to_mermaid<in_roles>();
  CHECK(count(mermaid, "finish<br/>+0, role back\"") == 1);
  CHECK(count(mermaid, "front <1>") == 0);
}

TEST_CASE("Mermaid gets a line a box, an arrow and a style, whatever the names") {
  const st::dynamic::planned_schedule p(hostile_schedule());
  const std::string text = picture::to_mermaid(p, {.implied = true, .legend = false});
  const st::planner::viewed_plan viewed(p.declaration(), p.plan());
  const st::planner::plan_view plan = viewed.view();
  const picture::detail::diagram d = picture::detail::make_diagram(plan, {.implied = true});
  const std::size_t boxes = plan.order.size();
  CHECK(count(text, "\n") ==
        1 + boxes + 2 * plan.threads.size() + 2 * d.arrows.size() + plan.streams.size());
  CHECK(count(text, "\n  linkStyle ") == d.arrows.size());
  CHECK(count(text, "\n  subgraph thread") == count(text, "\n  end\n"));
  CHECK(count(text, "\n    n") == boxes);
  CHECK(text.find("linkStyle " + std::to_string(d.arrows.size()) + " ") == std::string::npos);
  // Between the quotes of labels, nothing that could end or mark up anything but line breaks and
  // characters by number.
  const std::regex by_number("<br/>|#[0-9]+;");
  const std::regex label("\"([^\"]*)\"");
  std::size_t labels = 0;
  for (std::sregex_iterator l(text.begin(), text.end(), label), end; l != end; ++l, ++labels)
    CHECK(std::regex_replace((*l)[1].str(), by_number, "").find_first_of("\\[]{}|`<>&;#") ==
          std::string::npos);
  CHECK(labels >= boxes + plan.threads.size());
  CHECK(text.find("\"#60;script#62;alert(1)#60;/script#62;<br/>+") != std::string::npos);
  CHECK(text.find("\"end<br/>+") != std::string::npos);
  CHECK(text.find("\"zero\xE2\x90\x80"
                  "byte<br/>+") != std::string::npos);
}

}  // namespace
