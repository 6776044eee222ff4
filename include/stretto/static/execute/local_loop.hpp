// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/address_of.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/static/execute/chain.hpp>
#include <stretto/static/execute/local_values.hpp>
#include <stretto/static/execute/step.hpp>
#include <type_traits>
#include <utility>

namespace stretto::typed::detail {

/// A progress of a loop that has values to itself: what tasks see of it.
template <class Machine>
class local_moment {
  using schedule = typename Machine::schedule;
  using moment = typename Machine::position::moment;
  using values = local_values<schedule>;

 public:
  local_moment(const moment& at, values& local) : at_(at), values_(local) {}

  std::size_t progress() const { return at_.progress(); }
  /// As of any moment: a slot's value for the batch that a task with this lag works on.
  template <class Slot, std::size_t Lag>
  [[gnu::always_inline]] typename Slot::value_type& value(
      [[maybe_unused]] ring<schedule>& memory) const {
    if constexpr (values::template has<Slot>) {
      return values_.template at<Slot, Lag>();
    } else {
      return at_.template value<Slot, Lag>(memory);
    }
  }

 private:
  moment at_;
  values& values_;
};

/// The steady progresses of a pipeline on one thread, as a loop in one function: whatever changes
/// from one to the next is a variable of the function, as it would be in a loop by hand, and is put
/// back before anybody else can ask for it. `Source` is what takes batches from the source. The
/// function is `run`, or a function of the user that holds such a loop as a local variable.
template <class Machine, class Source>
class local_loop {
  using schedule = typename Machine::schedule;
  using position = typename Machine::position;
  using moment = local_moment<Machine>;
  using chain = detail::chain<Machine, 0>;
  using step = detail::step<Machine, 0, moment>;

 public:
  /// Whether there is one: nobody else is to be told of anything in between, and all of the chain
  /// is one function.
  static constexpr bool exists = Machine::alone && !Machine::submits && !Machine::collects &&
                                 !Machine::observed && !Source::abandons && !Machine::plan.rated &&
                                 chain::is_unrolled;

  /// Goes on from \p at, which is at the last progress that ran. Calls \p use with each progress
  /// in which a batch got through, and ends when \p goes_on, which is asked then, says false: from
  /// then on the machine may be gone. Otherwise tells how the last progress went.
  template <class Use, class GoesOn>
  [[gnu::always_inline]] static runner::progress_result run(Machine& m, position& at,
                                                            Source& source, const Use& use,
                                                            const GoesOn& goes_on) {
    local_loop here(m, at, source);
    while (true) {
      const moment now = here.advance();
      runner::progress_result w = runner::progress_result::stopped;
      if (!here.every_task(m, at, source, now, w)) [[unlikely]]
        return w;
      try {
        use(now);
      } catch (...) {
        if (goes_on()) here.put_back(m, at, source);
        throw;
      }
      if (!goes_on()) [[unlikely]]
        return runner::progress_result::complete;
    }
  }

  /// Goes on from \p at.
  [[gnu::always_inline]] local_loop(Machine& m, const position& at, Source& source)
      : at_(at), values_(at.now(), m.memory), source_(source) {}

  /// Runs one progress. Unless every task ran, all has been put back.
  [[gnu::always_inline]] runner::progress_result next(Machine& m, position& at, Source& source) {
    const moment now = advance();
    runner::progress_result w = runner::progress_result::stopped;
    return every_task(m, at, source, now, w) ? runner::progress_result::complete : w;
  }
  std::size_t progress() const { return at_.progress(); }
  /// The latest progress.
  [[gnu::always_inline]] moment now() { return moment(at_.now(), values_); }

  // Not in a function of its own, for which what is put back would be in memory all the time.
  [[gnu::always_inline]] void put_back(Machine& m, position& at, Source& source) const {
    // Found anew, so that what follows copies that nobody here uses is dropped.
    at.restart(m.memory, at_.next_progress());
    values_.put_back(at.now(), m.memory);
    if constexpr (Source::is_private)
      ::new (static_cast<void*>(declare::address_of(source))) Source(source_);
  }

 private:
  [[gnu::always_inline]] moment advance() {
    values_.advance();
    return moment(at_.advance(), values_);
  }

  /// Whether every task ran in a progress that was advanced to. Otherwise all has been put back,
  /// and \p w says what came of it. (GCC takes more registers for a loop by what a function returns
  /// that says both.)
  [[gnu::always_inline]] bool every_task(Machine& m, position& at, Source& source,
                                         const moment& now, runner::progress_result& w) {
    std::size_t place = 0;
    try {
      if (!step::template take<true>(m, at_, now, source_)) [[unlikely]] {
        put_back(m, at, source);
        w = chain::end(m, at, source);
        return false;
      }
      others(m, now, place, std::make_index_sequence<chain::length - 1>{});
    } catch (...) {
      put_back(m, at, source);
      chain::fail(m, at.progress(), place);
      return false;
    }
    return true;
  }

  /// What is behind the pull, which is the first. \p place: the one that is run.
  template <std::size_t... Index>
  [[gnu::always_inline]] static void others(Machine& m, const moment& now, std::size_t& place,
                                            std::index_sequence<Index...>) {
    ((place = Index + 1, step::template run<chain::template node<Index + 1>, true>(
                             m, now, typename chain::template slot_list<Index + 1>{},
                             typename chain::template parameters<Index + 1>{})),
     ...);
  }

  position at_;
  local_values<schedule> values_;
  /// Nobody else sees what changes in a source that was given away.
  std::conditional_t<Source::is_private, Source, Source&> source_;
};

}  // namespace stretto::typed::detail
