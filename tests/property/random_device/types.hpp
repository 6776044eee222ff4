// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "../stress/random_types.hpp"
#include "board.hpp"

/// Random schedules of types on streams of the recording driver. Most tasks take the stream only,
/// so that they can be captured; some take the context, and are called each time.
namespace random_device {

using stress::shape;

/// What all bodies work on.
inline board* common = nullptr;

enum class told { nothing, the_batch, host_task };

template <unsigned Seed>
struct typed {
  static constexpr shape drawn = stress::shape_for<Seed>;
  /// Whether some tasks on streams are called each time, which keeps graphs from spanning streams.
  static constexpr bool is_mixed = Seed % 3 == 0;

  /// Of some schedules all tasks are on streams, so that more of them are in one graph.
  static constexpr int stream_of(std::size_t node) {
    const int stream = drawn.all[node].stream;
    return stream < 0 && Seed % 6 == 5 ? 0 : stream;
  }
  static constexpr told told_to(std::size_t node) {
    if (stream_of(node) < 0) return told::host_task;
    const bool asks = is_mixed && stress::dice(100 * Seed + node).one_in(4);
    return asks ? told::the_batch : told::nothing;
  }
  static constexpr bool is_collective(std::size_t node) {
    return is_mixed && drawn.all[node].collective;
  }

  /// What a task looks back at, after whose writers it comes in any order of a progress.
  struct earlier {
    std::size_t slot = 0;
    int ago = 0;  ///< 0: nothing
  };
  static constexpr earlier earlier_of(std::size_t node) {
    stress::dice d(~(100 * Seed + node));
    if (told_to(node) == told::host_task || !d.one_in(4)) return {};
    const std::size_t slot = d.below(drawn.tasks + 1);
    // To look back and to wait for whoever wrote that is saying it twice, which is refused.
    for (std::size_t n = 0; n < node; ++n) {
      const stress::link to = drawn.all[node].to[n];
      const bool waits = to == stress::link::cross_iter || to == stress::link::cross_iter_2;
      if (waits && (n == slot || (slot < n && drawn.all[n].to[slot] == stress::link::updates)))
        return {};
    }
    return {slot == drawn.tasks ? shape::most : slot, 1 + drawn.all[node].lookahead};
  }

  /// Whether the host uses a slot; some are in its memory for nothing.
  static constexpr bool pinned(std::size_t slot) {
    if (slot == shape::most || slot < 2) return true;  // the source's, and results
    for (std::size_t n = 0; n < drawn.tasks; ++n)
      if (told_to(n) == told::host_task &&
          (n == slot || drawn.all[n].to[slot] == stress::link::reads ||
           drawn.all[n].to[slot] == stress::link::updates))
        return true;
    return stress::dice(slot + Seed).one_in(3);
  }
};

inline constexpr std::array<std::string_view, shape::most + 1> slot_names{
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "source"};
inline constexpr std::array<std::string_view, shape::most> task_names{"t0", "t1", "t2", "t3",
                                                                      "t4", "t5", "t6"};

template <unsigned Seed, std::size_t Number>
struct numbered : st::slot<std::conditional_t<typed<Seed>::pinned(Number), pinned_cell, cell>> {
  static constexpr std::string_view name = slot_names[Number];
};

/// What a body is given, in the order of its lists.
template <class... Slot>
operands operands_of(Slot&... slots) {
  operands o;
  const auto add = [&o]<class Value>(Value& v) {
    if constexpr (requires { v.has_value(); }) {
      o.in.push_back(v ? v->data() : nullptr);
      o.ago.push_back(0);
    } else if constexpr (std::is_const_v<Value>) {
      o.in.push_back(v.data());
      o.ago.push_back(0);
    } else {
      o.out.push_back(v.data());
    }
  };
  (add(slots), ...);
  return o;
}

template <unsigned Seed, std::size_t Node, told = typed<Seed>::told_to(Node)>
struct body {
  template <class... Slot>
  void operator()(recording::stream s, Slot&... slots) const {
    common->uncounted_body(Node, s, looking_back(operands_of(slots...)));
  }

 protected:
  static operands looking_back(operands o) {
    constexpr int ago = typed<Seed>::earlier_of(Node).ago;
    if (ago > 0) o.ago.back() = static_cast<std::size_t>(ago);  // it is the last in the list
    return o;
  }
};
template <unsigned Seed, std::size_t Node>
struct body<Seed, Node, told::the_batch> : body<Seed, Node, told::nothing> {
  template <class... Slot>
  void operator()(const context& here, Slot&... slots) const {
    common->body(Node, here.batch(), here.stream(), this->looking_back(operands_of(slots...)));
  }
};
template <unsigned Seed, std::size_t Node>
struct body<Seed, Node, told::host_task> {
  template <class... Slot>
  void operator()(const st::task_context& here, Slot&... slots) const {
    common->host_body(Node, here.batch(), operands_of(slots...));
  }
};

template <unsigned Seed, std::size_t Node>
auto earlier_entry() {
  constexpr auto e = typed<Seed>::earlier_of(Node);
  if constexpr (e.ago > 0) {
    return st::pack<st::previous<numbered<Seed, e.slot>, e.ago>>{};
  } else {
    return st::pack<>{};
  }
}

template <unsigned Seed, std::size_t Node>
struct typed_task : stress::on_stream<typed<Seed>::stream_of(Node)>,
                    stress::on_thread<stress::shape_for<Seed>.all[Node].thread>,
                    body<Seed, Node> {
 private:
  using linked = stress::links<Seed, Node, numbered, typed_task>;
  static constexpr typename linked::earlier before{};

 public:
  static constexpr std::string_view name = task_names[Node];
  static constexpr int lookahead = stress::shape_for<Seed>.all[Node].lookahead;
  static constexpr bool collective = typed<Seed>::is_collective(Node);
  /// Where tasks take no time, streams are spanned whenever that takes fewer calls.
  static constexpr int weight = Seed % 6 == 5 ? 0 : 1;
  using reads = decltype(stress::as_list<st::reads>(
      stress::operator+(linked::reads(before), earlier_entry<Seed, Node>())));
  using writes = decltype(stress::as_list<st::writes>(linked::writes(before)));
  using depends_on = decltype(stress::as_list<st::depends_on>(
      linked::template tasks<stress::link::depends_on>(before)));
  using cross_iter_depends_on =
      decltype(stress::as_list<st::cross_iter_depends_on>(linked::ago(before)));
  using same_progress_sync = decltype(stress::as_list<st::same_progress_sync>(
      linked::template tasks<stress::link::sync>(before)));
};

template <unsigned Seed>
auto source_part() {
  constexpr shape s = stress::shape_for<Seed>;
  if constexpr (s.reader) {
    return st::source<numbered<Seed, shape::most>, st::lookahead<s.source_ahead>,
                      st::thread<"reader">>{};
  } else {
    return st::source<numbered<Seed, shape::most>, st::lookahead<s.source_ahead>>{};
  }
}
template <unsigned Seed, std::size_t... Node>
auto schedule_of(std::index_sequence<Node...>)
    -> st::schedule<decltype(source_part<Seed>()), st::result<numbered<Seed, 0>, numbered<Seed, 1>>,
                    st::streams<"a", "b", "c">, typed_task<Seed, Node>...>;

/// The schedule of a seed, as its tasks say.
template <unsigned Seed>
struct plain
    : decltype(schedule_of<Seed>(std::make_index_sequence<stress::shape_for<Seed>.tasks>{})) {};

/// Planned in one of six ways. Graphs of one thread may span its streams.
inline constexpr unsigned variants = 6;
template <unsigned Seed>
auto varied() {
  using all = plain<Seed>;
  using on_one_thread = st::replan<all, st::threads<st::on_caller>>;
  if constexpr (Seed % variants == 1) {
    return std::type_identity<st::replan<all, st::threads<st::per_task>>>();
  } else if constexpr (Seed % variants == 2) {
    return std::type_identity<st::serial<all>>();
  } else if constexpr (Seed % variants == 3) {
    return std::type_identity<st::replan<on_one_thread, st::slack<numbered<Seed, 0>, 2>,
                                         st::place<typed_task<Seed, 1>, st::weight<0>>>>();
  } else if constexpr (Seed % variants == 4) {
    return std::type_identity<st::replan<on_one_thread, st::result_on<"a">>>();
  } else if constexpr (Seed % variants == 5) {
    return std::type_identity<on_one_thread>();
  } else {
    return std::type_identity<all>();
  }
}

}  // namespace random_device
