// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdio>
#include <memory>
#include <stretto/explain.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace st = stretto;

struct keys : st::slot<int> {};
struct rows : st::slot<int> {};
struct loss : st::slot<int> {};
struct table : st::resource<> {};

struct optimize;

// [fields]
struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<keys>;
  using writes = st::writes<rows>;  // batch b
  void operator()(int key, int& row) const { row = key * 10; }
};

struct patch {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using writes = st::writes<rows>;  // the same batch, one progress later: updates in place
  using cross_iter_depends_on = st::cross_iter_depends_on<optimize>;
  using observes = st::observes<table>;
  void operator()(int& row) const { ++row; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<rows>;
  using writes = st::writes<loss>;
  void operator()(int row, int& out) const { out = -row; }
};

struct optimize {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<forward>;
  using mutates = st::mutates<table>;
  void operator()() const {}
};

struct training : st::schedule<st::source<keys>, st::result<loss>, st::streams<"copy", "compute">,
                               load, patch, forward, optimize> {};
// [fields]

// [values]
constexpr const auto& plan = st::plan_of<training>;
static_assert(plan.max_lookahead == 2 && st::in_flight<training> == 3);
static_assert(st::copies_of<training, rows> == 3);
static_assert(st::copies_of<training, loss> == 2);  // one is needed: see below
// [values]

// [questions]
static_assert(st::ordered<training, optimize, patch>);     // in the same progress
static_assert(st::ordered<training, patch, optimize, 1>);  // one progress later
static_assert(!st::ordered<training, load, forward>);      // these two overlap
static_assert(st::minimal_stream_waits<training>.size() < plan.stream_waits.size());
static_assert(st::memory_bytes<training> < 1024);
struct roomy : st::replan<training, st::slack<rows, 2>> {};  // two copies more than needed
static_assert(st::copies_of<roomy, rows> == 5);
static_assert(st::fingerprint<roomy> != st::fingerprint<training>);
// [questions]

// [order]
struct step_first : st::replan<training, st::order<forward, load>> {};
static_assert(st::is_valid<step_first>);
struct odd : st::replan<training, st::order<patch, forward>> {};
static_assert(!st::is_valid<odd>);  // `patch` needs `optimize`, which needs `forward`
// [order]

namespace by_name {

struct optimize;

// [parameters]
struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  void operator()(st::out<rows> row, st::in<keys> key) const { row = key * 10; }
};

struct patch {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using cross_iter_depends_on = st::cross_iter_depends_on<optimize>;
  using observes = st::observes<table>;
  void operator()(st::inout<rows> row) const { ++*row; }
};
// [parameters]

// [functions]
void negate(st::in<rows> row, st::out<loss> out) { out = -row; }
using forward = st::task<"forward", negate, st::stream<"compute">>;

struct optimize : st::task<"optimize", [] {}, st::stream<"compute">, st::depends_on<forward>,
                           st::mutates<table>> {};  // `patch` has named it before
// [functions]

struct training : st::schedule<st::source<keys>, st::result<loss>, st::streams<"copy", "compute">,
                               load, patch, forward, optimize> {};
static_assert(st::fingerprint<training> == st::fingerprint<::training>);

}  // namespace by_name

namespace film {

struct frame : st::slot<int> {};
struct image : st::slot<int> {};
struct motion : st::slot<int> {};
struct level : st::slot<double> {};
struct peak : st::slot<int> {};

// [earlier]
struct denoise {
  static constexpr int lookahead = 1;
  void operator()(st::in<frame> in, st::out<image> out) const { out = *in; }
};

struct flow {  // what a task before it made of the batch before
  void operator()(st::in<image> now, st::previous<image> before, st::out<motion> out) const {
    out = *now - before.value_or(*now);
  }
};

struct follow {  // what it wrote itself
  void operator()(st::in<image> now, st::previous<level> before, st::out<level> out) const {
    out = before ? 0.9 * *before + 0.1 * *now : *now;
  }
};

struct hold {  // the last four of a slot, [0] the one at hand
  using reads = st::reads<st::window<image, 4>>;
  using writes = st::writes<peak>;
  void operator()(const st::window<image, 4>& last, int& out) const {
    out = 0;
    for (const int i : last) out = i > out ? i : out;
  }
};

struct tracking : st::schedule<st::source<frame>, st::result<motion, level, peak>, denoise, flow,
                               follow, hold> {};
static_assert(st::copies_of<tracking, image> == 5);  // from one batch ahead to three back
static_assert(st::copies_of<tracking, level> == 2);
// [earlier]

}  // namespace film

namespace many {

struct doubled : st::slot<int> {};
struct more : st::slot<int> {};
struct most : st::slot<long> {};

// [bodies]
template <class In, class Out>
void scale(st::in<In> in, st::out<Out> out) {
  out = 2 * in;
}
template <st::fixed_string Name, class In, class Out>
using scaled = st::task<Name, scale<In, Out>>;

template <class In, class Out>
struct shift {
  typename Out::value_type by = 1;  // passed to the pipeline, if it is to be another
  void operator()(st::in<In> in, st::out<Out> out) const { out = in + by; }
};

constexpr auto add = [](const auto& a, const auto& b, auto& sum) { sum = a + b; };

using total = st::task<"add", add, st::reads<more, loss>, st::writes<most>>;  // by place

struct all : st::schedule<st::source<keys>, st::result<most>, scaled<"double keys", keys, doubled>,
                          shift<doubled, more>, shift<more, loss>, total> {};
// [bodies]

// [names of numbers]
template <int Number>
struct stage : st::slot<int> {};

template <int Number>
void add_one(st::in<stage<Number>> in, st::out<stage<Number + 1>> out) {
  out = in + 1;
}
template <int Number>
using step = st::task<"stage " + st::fixed_number<Number>, add_one<Number>,
                      st::thread<"stage " + st::fixed_number<Number>>, st::lookahead<3 - Number>>;

template <int... Number>
st::schedule<st::source<stage<0>>, st::result<stage<4>>, step<Number>...> stages(
    std::integer_sequence<int, Number...>);
struct chain : decltype(stages(std::make_integer_sequence<int, 4>())) {};
static_assert(st::name_of<step<3>>.text == "stage 3");
// [names of numbers]

}  // namespace many

namespace pointing {

struct file : st::slot<std::string> {};
struct words_in_all : st::slot<std::size_t> {};

// [points_into]
struct text : st::slot<std::string> {};
struct words : st::slot<std::vector<std::string_view>>, st::points_into<text> {};

struct load {
  static constexpr int lookahead = 2;
  void operator()(st::in<file> name, st::out<text> all) const { all = "the text of " + *name; }
};
struct split {
  static constexpr int lookahead = 1;
  void operator()(st::in<text> all, st::out<words> out) const { out->assign(1, *all); }
};
struct count {  // still finds the text, of which it says nothing
  void operator()(st::in<words> all, st::out<words_in_all> n) const { n = all->size(); }
};
// [points_into]
struct reading : st::schedule<st::source<file>, st::result<words_in_all>, load, split, count> {};
// [kept]
static_assert(st::copies_of<reading, text> == 3);  // 2, if nothing pointed into it
// [kept]

}  // namespace pointing

namespace moving {

struct request : st::slot<std::unique_ptr<std::string>> {};
struct length : st::slot<std::size_t> {};
struct reply : st::slot<std::unique_ptr<std::string>> {};

// [takes]
struct measure {
  static constexpr int lookahead = 1;
  void operator()(st::in<request> r, st::out<length> n) const { n = (*r)->size(); }
};
struct respond {  // the last to use the request
  void operator()(st::takes<request> r, st::in<length> n, st::out<reply> out) const {
    out = *r;
    **out += " of length " + std::to_string(n);
  }
};
struct service : st::schedule<st::source<request>, st::result<reply>, measure, respond> {};
// [takes]

std::vector<std::unique_ptr<std::string>> replies_to(
    std::vector<std::unique_ptr<std::string>> requests) {
  // [moved]
  st::pipeline<service> pipeline;
  std::vector<std::unique_ptr<std::string>> replies;
  for (auto& r : pipeline.run(std::move(requests))) replies.push_back(std::move(r));
  // [moved]
  return replies;
}

}  // namespace moving

// [fire]
void table_of(std::size_t batches) {
  std::printf("progress");
  for (std::size_t i = 0; i < batches + 2; ++i) std::printf("  %zu", i);
  for (const int lookahead : {2, 1, 0}) {
    std::printf("\n      +%d", lookahead);
    const std::size_t lag = st::planner::lag(2, lookahead);
    for (std::size_t i = 0; i < batches + 2; ++i)
      st::planner::fires(lag, i, batches) ? std::printf("  %zu", i - lag) : std::printf("  .");
  }
  std::printf("\n");
}
// [fire]

int main() {
  std::printf("=== plan\n%s", st::describe<training>().c_str());
  std::printf("=== explain\n%s", st::explain<training, load, forward>(2).c_str());
  std::printf("=== order\n%s\n", st::explain_findings<odd>()[0].c_str());
  std::printf("=== fire\n");
  table_of(4);
  st::pipeline<training> pipeline;
  int expected = -1;
  for (const int l : pipeline.run(std::vector{0, 1, 2, 3})) {
    if (l != expected) return 1;
    expected -= 10;
  }
  if (expected != -41) return 1;
  long sum = 0;
  st::pipeline<many::all> bodies{many::shift<many::more, loss>{2}};
  for (const long s : bodies.run(std::vector{0, 1})) sum += s;
  if (sum != (1 + 3) + (3 + 5)) return 1;
  st::pipeline<film::tracking> film;
  const int peaks[] = {9, 9, 9, 9, 5, 6};
  int frame = 0;
  for (const auto [motion, level, peak] : film.run(std::vector{9, 1, 3, 2, 5, 6})) {
    if (peak != peaks[frame++] || (frame == 1 && (motion != 0 || level != 9))) return 1;
    if (frame == 6 && motion != 1) return 1;
  }
  if (frame != 6) return 1;
  std::vector<std::unique_ptr<std::string>> requests;
  requests.push_back(std::make_unique<std::string>("abc"));
  return *moving::replies_to(std::move(requests)).at(0) == "abc of length 3" ? 0 : 1;
}
