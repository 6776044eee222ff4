// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One schedule that breaks every rule, and one task for each misspelling that is known.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
namespace planner = stretto::planner;
namespace kind = planner::kind;

struct raw : st::slot<int> {};
struct batch : st::slot<int> {};
struct rows : st::slot<int> {};
struct loss : st::slot<float> {};
struct labels : st::slot<int> {};

struct nobody;
struct forward;
struct step;

struct unnamed {
  static constexpr auto name = "";
};
namespace other {
struct step {};
}  // namespace other
struct behind {
  static constexpr int lookahead = -1;
};
struct early {
  static constexpr int lookahead = 1;
  using stream = st::stream<"memcpyy">;                     // not declared
  using writes = st::writes<st::at_offset<rows, -2>, raw>;  // negative offset, reserved slot
  using depends_on = st::depends_on<step>;                  // not yet
};
struct load {
  static constexpr int lookahead = 1;
  using stream = st::stream<"memcpy">;
  using writes = st::writes<batch, st::at_offset<labels, 3>>;  // another offset
};
struct augment {
  static constexpr int lookahead = 1;
  using stream = st::stream<"compute">;
  using writes = st::writes<batch>;  // two writers, two streams
};
struct peek {
  static constexpr int lookahead = 2;
  using reads = st::reads<batch>;                                 // too early
  using cross_iter_depends_on = st::cross_iter_depends_on<step>;  // still to come
};
struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch, loss>;  // its own
  using writes = st::writes<loss>;
  using depends_on = st::depends_on<nobody, step, step>;  // unknown, twice, in a cycle
  using cross_iter_depends_on = st::cross_iter_depends_on<load, st::ago<augment, 0>>;
};
struct step {
  using stream = st::stream<"memcpy">;
  using reads = st::reads<loss>;
  using cross_iter_depends_on = st::cross_iter_depends_on<augment, forward>;
  using same_progress_sync = st::same_progress_sync<augment>;  // in another field too
};
struct pull {};  // what every plan has
struct result_of_nobody : st::slot<int> {};

struct everything : st::schedule<st::source<raw>, st::result<result_of_nobody>, st::strict,
                                 st::streams<"memcpy", "compute">, unnamed, step, other::step,
                                 behind, early, load, augment, peek, forward, pull> {};

}  // namespace

namespace {

template <std::size_t Rule, std::size_t Kind>
constexpr bool has_name =
    planner::all_rules[Rule].kinds[Kind].name.empty() ||
    requires(st::invalid::in<planner::field::depends_on> where) {
      st::invalid::name(st::invalid::is<planner::all_rules[Rule].kinds[Kind].what>{}, where,
                        st::invalid::culprits<step, forward, st::pack<batch>>{});
    };
template <std::size_t Rule>
constexpr bool kinds_have_names = []<std::size_t... Kind>(std::index_sequence<Kind...>) {
  return (has_name<Rule, Kind> && ...);
}(std::make_index_sequence<std::size(planner::all_rules[Rule].kinds)>{});

static_assert(
    []<std::size_t... Rule>(std::index_sequence<Rule...>) {
      return (kinds_have_names<Rule> && ...);
    }(std::make_index_sequence<std::size(planner::all_rules)>{}),
    "a kind has no name in errors/names.hpp");

}  // namespace

TEST_CASE("all findings of a schedule are listed, by rule") {
  std::vector<planner::finding_kind> kinds;
  for (const planner::finding& f : st::findings<everything>) kinds.push_back(f.what);
  // An empty schedule has nothing else wrong; a race and an order are looked for in sound ones;
  // which streams there are, the backend says.
  for (const planner::finding_kind k : {kind::duplicate_name,
                                        kind::empty_name,
                                        kind::reserved_name,
                                        kind::negative_lookahead,
                                        kind::negative_slot_offset,
                                        kind::slot_offset_mismatch,
                                        kind::reserved_write,
                                        kind::stream_not_declared,
                                        kind::multiple_writers,
                                        kind::name_multi_stream,
                                        kind::unresolved_read,
                                        kind::slot_future_read,
                                        kind::reader_not_after_writer,
                                        kind::unknown_name,
                                        kind::field_overlap,
                                        kind::listed_twice,
                                        kind::cross_offset_not_negative,
                                        kind::depends_future_read,
                                        kind::cross_iter_future_read,
                                        kind::cross_iter_rotated_out,
                                        kind::redundant_cross_iter,
                                        kind::cycle}) {
    CAPTURE(planner::kind_name(k));
    CHECK(std::ranges::count(kinds, k) >= 1);
  }
  CHECK(std::ranges::is_sorted(kinds, {},
                               [](planner::finding_kind k) { return planner::rule_of(k); }));

  const std::vector<std::string> sentences = st::explain_findings<everything>();
  REQUIRE(sentences.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CAPTURE(sentences[i]);
    CHECK(sentences[i].starts_with("rule " + std::to_string(planner::rule_of(kinds[i])) + ": "));
    CHECK(std::ranges::count(sentences, sentences[i]) == 1);
  }
}

namespace {

#define MISSPELLED(wrong, given, right)                                                         \
  struct with_##wrong {                                                                         \
    using wrong = given;                                                                        \
  };                                                                                            \
  static_assert(std::is_same_v<decltype(st::typed::detail::misspelled_member<with_##wrong>()),  \
                               st::errors::misspelled<with_##wrong, st::invalid::member::wrong, \
                                                      st::invalid::did_you_mean::right>>);

MISSPELLED(read, st::reads<batch>, reads)
MISSPELLED(input, st::reads<batch>, reads)
MISSPELLED(inputs, st::reads<batch>, reads)
MISSPELLED(write, st::writes<batch>, writes)
MISSPELLED(output, st::writes<batch>, writes)
MISSPELLED(outputs, st::writes<batch>, writes)
MISSPELLED(depend_on, st::depends_on<step>, depends_on)
MISSPELLED(depends, st::depends_on<step>, depends_on)
MISSPELLED(dependencies, st::depends_on<step>, depends_on)
MISSPELLED(cross_iter, st::cross_iter_depends_on<step>, cross_iter_depends_on)
MISSPELLED(cross_iter_depend_on, st::cross_iter_depends_on<step>, cross_iter_depends_on)
MISSPELLED(cross_iter_dependencies, st::cross_iter_depends_on<step>, cross_iter_depends_on)
MISSPELLED(sync, st::same_progress_sync<step>, same_progress_sync)
MISSPELLED(same_progress, st::same_progress_sync<step>, same_progress_sync)
MISSPELLED(same_progress_syncs, st::same_progress_sync<step>, same_progress_sync)
MISSPELLED(observe, st::observes<>, observes)
MISSPELLED(mutate, st::mutates<>, mutates)
MISSPELLED(streams, st::stream<"memcpy">, stream)
MISSPELLED(threads, st::thread<"loader">, thread)
MISSPELLED(look_ahead, st::lookahead<1>, lookahead)

/// A member of that name that is the task's own affair.
struct own_affair {
  using input = int;
  using sync = std::vector<int>;
};
static_assert(
    st::errors::is_no_error<decltype(st::typed::detail::misspelled_member<own_affair>())>);

}  // namespace
