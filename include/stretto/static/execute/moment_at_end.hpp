// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/declare/history.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/ends.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/verdicts_of.hpp>

namespace stretto::typed::detail {

/// The progress in which a node runs for what is left of a group when the stream has ended: what
/// its body gets of the batches that are there.
template <class Machine, std::size_t Node>
class moment_at_end {
  using schedule = typename Machine::schedule;
  static constexpr const auto& plan = Machine::plan;

 public:
  // relaxed: that the stream has ended is known here.
  moment_at_end(Machine& m, std::size_t progress)
      : machine_(m), progress_(progress), last_(m.source_end.load(std::memory_order_relaxed) - 1) {}

  std::size_t progress() const { return progress_; }
  /// The last batch of the stream.
  std::size_t last_batch() const { return last_; }

  /// As of any moment: a slot's value for the last batch, or for its group.
  template <class Slot, std::size_t Lag>
  typename Slot::value_type& value(ring<schedule>& memory) const {
    return value_of<Slot>(memory, last_ / every<Slot>);
  }
  /// What the node gets that looks back.
  template <class Entry>
  decltype(auto) past() const {
    return given<Entry>::from(*this);
  }

 private:
  template <class Slot>
  static constexpr std::size_t number = number_of_slot<schedule, Slot>;
  template <class Slot>
  static constexpr std::size_t every = plan.every_of(number<Slot>);
  template <class Slot>
  static typename Slot::value_type& value_of(ring<schedule>& memory, std::size_t group) {
    return value_in<Slot, plan.copies[number<Slot>]>(memory, group);
  }

  /// Of which group of a slot the value is read; none: of no one.
  template <class Slot>
  std::size_t group_of(int ago, bool latest, std::size_t farthest) const {
    planner::access read;
    read.ago = ago;
    read.latest = latest;
    const std::size_t group = planner::group_read_at_end(
        read, plan.runs[plan.fillers[number<Slot>]], farthest, progress_ - plan.lag[Node], last_);
    if constexpr (plan.drops && every<Slot> == 1)
      if (group != planner::none && !latest && ago > 0 &&
          machine_.verdicts.template unwritten<number<Slot>>(group))
        return planner::none;
    return group;
  }

  template <class Slot>
  struct given {
    static typename Slot::value_type& from(const moment_at_end& at) {
      return at.template value<Slot, 0>(at.machine_.memory);
    }
  };
  template <class Slot, bool Latest, class Value, int Batches>
  struct one_value {
    static Value from(const moment_at_end& at) {
      constexpr std::size_t farthest =
          planner::farthest_read(declared<schedule>::value.tasks[Node], name_of<Slot>);
      const std::size_t group = at.group_of<Slot>(Batches, Latest, farthest);
      if (group == planner::none) return {};
      return Value(value_of<Slot>(at.machine_.memory, group));
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<previous<Slot, Batches>>>
      : one_value<Slot, false, previous<Slot, Batches>, int{Batches}> {};
  template <class Slot, auto Batches>
  struct given<declare::past<latest<Slot, Batches>>>
      : one_value<Slot, true, latest<Slot, Batches>, int{Batches}> {};
  template <class Slot, auto Batches>
  struct given<declare::past<window<Slot, Batches>>> {
    static window<Slot, Batches> from(const moment_at_end& at) {
      constexpr auto most = static_cast<int>(Batches);
      const auto group = [&at](int ago) {
        return at.group_of<Slot>(ago, false, static_cast<std::size_t>(most - 1));
      };
      int size = 1;
      while (size < most && group(size) != planner::none) ++size;
      return window<Slot, Batches>::of(static_cast<std::size_t>(size), [&, ago = 0]() mutable {
        return &value_of<Slot>(at.machine_.memory, group(ago++));
      });
    }
  };

  Machine& machine_;
  std::size_t progress_;
  std::size_t last_;
};

}  // namespace stretto::typed::detail
