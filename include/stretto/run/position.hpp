// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <stretto/compiled/linkage.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/derive/looked_back.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/given_batches.hpp>
#include <stretto/run/number_misuse.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/run/value_type.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace runner {

/// What is asked of a position: by which schedule, and where its slots are.
struct position_question {
  const planner::declaration& declared;
  planner::view<name> slot_list;
  const planner::list<planner::earlier_value>& needed;
};

/// Throws `usage_error` if a slot whose values are handed over points into another one.
STRETTO_INLINE void check_handed_over(const position_question& asked);

/// Throws `usage_error`: batches from \p next on look back at values that a device makes.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_made_by_device(std::string_view slot,
                                                                 std::size_t next);
/// Throws it if an executor's batches from \p next on do so.
template <class Executor>
void refuse_made_by_device(const Executor& of, const planner::list<planner::earlier_value>& needed,
                           std::size_t next) {
  if constexpr (Executor::machine_type::submits)
    for (const planner::earlier_value& v : needed)
      if (of.is_made_by_device(v.slot)) throw_made_by_device(of.all_slots()[v.slot].text, next);
}

/// Throws `usage_error`: who asks for a slot's value as one of another type.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_other_type(std::string_view slot,
                                                             const value_type& held,
                                                             const value_type& asked);

}  // namespace runner

/// What a position has of a slot for one batch: a copy of its value; that a task dropped the batch
/// before there was one; or that nobody is to read it.
class kept_value {
 public:
  /// \p value: null if there is none; then \p unread tells why.
  kept_value(const name& slot, std::size_t batch, const runner::value_type& type,
             std::shared_ptr<const void> value, bool unread = false)
      : slot_(slot.text),
        slot_type_(slot.is_type ? slot.type : nullptr),
        batch_(batch),
        type_(type),
        value_(std::move(value)),
        unread_(unread) {}

  /// The name of the slot.
  std::string_view slot() const { return slot_; }
  /// The batch for which the value was written. (Of a slot that is written once per N batches: the
  /// one for which it was.)
  std::size_t batch() const { return batch_; }
  bool dropped() const { return value_ == nullptr && !unread_; }
  /// Whether it only says that nobody reads the slot: see `position::seed_unread`.
  bool unread() const { return unread_; }
  /// The value; null if there is none. Throws `usage_error` if it is of another type.
  template <class Type>
  const Type* get() const {
    if (value_ == nullptr) return nullptr;
    if (!(type_ == runner::value_type::of<Type>()))
      runner::throw_other_type(slot_, type_, runner::value_type::of<Type>());
    return static_cast<const Type*>(value_.get());
  }

  /// Whether it is of a slot: of the type that says so, or, where slots are values, of that name.
  bool is_of(const name& slot) const {
    return slot_type_ != nullptr && slot.is_type ? slot_type_ == slot.type : slot_ == slot.text;
  }
  /// Whether another value is of the slot that this one is of.
  bool is_slot_of(const kept_value& other) const {
    return slot_type_ != nullptr && other.slot_type_ != nullptr ? slot_type_ == other.slot_type_
                                                                : slot_ == other.slot_;
  }
  const runner::value_type& type() const { return type_; }
  /// Assigns the value to that of a slot of its type.
  void copy_to(void* slot) const { type_.assign(slot, value_.get()); }

 private:
  std::string slot_;
  const char* slot_type_;  ///< null: by its name
  std::size_t batch_;
  runner::value_type type_;
  std::shared_ptr<const void> value_;
  bool unread_;
};

namespace runner {

/// A position is to hold a number as one that cannot say it.
template <class Given, class Value>
struct cut_value {
  static auto named() -> pack<
      invalid::a_position_holds_a_number_of_which_its_slot_cuts_something_off<Given, Value>>;
  static constexpr errors::words text() {
    return loses_a_part<Given, Value>("a position is given", "its slot");
  }
};

}  // namespace runner

/// Between two batches of a pipeline: the number of the next one, what slots hold that the next
/// ones look back at, and what those are given that begin half-processed. `pipeline.position()`
/// takes it, where the latest run ended; `from` begins a run there, of that pipeline or of another
/// one of the schedule, whatever its plan. What it holds can be saved, and a position be made of
/// what was saved:
///
///     st::position p(64);
///     p.seed<weights>(63, saved);
///     auto run = pipeline.run(source, st::from(p));   // begins with batch 64
///
/// Copies share the values, which do not change.
class position {
 public:
  /// Before batch \p next, without values. Throws `usage_error` if no run gets that far.
  explicit position(std::size_t next) : next_(next) { check_next(); }

  /// The number of the next batch.
  std::size_t batch() const { return next_; }

  /// Has slot `Slot` hold \p value for a batch; in place of another value, if there is one. Before
  /// the next batch that is what later ones look back at. From the next batch on it is what the
  /// tasks that write the slot would have left there: they are not called for that batch, which so
  /// begins half-processed. If it is the slot of the source, that is not asked for the batch.
  template <class Slot>
  position& seed(std::size_t batch, typename Slot::value_type value) {
    return put(name_of<Slot>, batch, std::move(value));
  }
  /// Of a number of which the slot would lose a part: a compile error that says so.
  template <class Slot, class Given,
            auto Why = errors::why<runner::cut_value<Given, typename Slot::value_type>>>
    requires runner::cuts_off<Given, typename Slot::value_type>
  STRETTO_REFUSED position& seed(std::size_t, const Given&) {
    static_cast<void>(
        errors::emit_in_body<runner::cut_value<Given, typename Slot::value_type>>::value);
    return *this;
  }
  /// Likewise of a slot that is a value, by its name. `Type` is the slot's.
  template <class Type>
  position& seed(std::string_view slot, std::size_t batch, Type value) {
    return put(name(slot), batch, std::move(value));
  }
  /// Says of the next batch or a later one that nobody who is called reads the slot, so that those
  /// who write it need not be called if all else that they write is given, too. Throws
  /// `usage_error` if \p batch is before the next one.
  template <class Slot>
  position& seed_unread(std::size_t batch) {
    return put_value({name_of<Slot>, batch, {}, nullptr, true});
  }
  position& seed_unread(std::string_view slot, std::size_t batch) {
    return put_value({name(slot), batch, {}, nullptr, true});
  }
  /// Says that a task dropped a batch before the slot was written for it: tasks that look back at
  /// it find nothing. Throws `usage_error` if \p batch is not before the next one.
  template <class Slot>
  position& seed_dropped(std::size_t batch) {
    return put_value({name_of<Slot>, batch, {}, nullptr});
  }
  position& seed_dropped(std::string_view slot, std::size_t batch) {
    return put_value({name(slot), batch, {}, nullptr});
  }

  /// All that it holds.
  const std::vector<kept_value>& values() const { return values_; }
  /// What it holds of a slot for a batch; null: nothing, or that the batch was dropped.
  template <class Slot>
  const typename Slot::value_type* value(std::size_t batch) const {
    const kept_value* const found = find(name_of<Slot>, batch);
    return found == nullptr ? nullptr : found->template get<typename Slot::value_type>();
  }
  /// Likewise by its name. Throws `usage_error` if the value is of another type.
  template <class Type>
  const Type* value(std::string_view slot, std::size_t batch) const {
    const kept_value* const found = find(name(slot), batch);
    return found == nullptr ? nullptr : found->template get<Type>();
  }
  /// Null: nothing.
  const kept_value* find(const name& slot, std::size_t batch) const {
    for (const kept_value& v : values_)
      if (v.batch() == batch && v.is_of(slot)) return &v;
    return nullptr;
  }

  /// The position of what an executor (run/session/session.hpp) has in its slots before a batch.
  /// \p store: copies a value to a position.
  template <class Executor, class Keep>
  static position before(Executor& of, std::size_t next, Keep store) {
    const planner::list<planner::earlier_value> needed = of.looked_back(next);
    runner::refuse_made_by_device(of, needed, next);
    runner::check_handed_over({of.declaration(), of.all_slots(), needed});
    position taken(next);
    for (const planner::earlier_value& v : needed) store(taken, v);
    return taken;
  }

 private:
  template <class Type>
  position& put(const name& slot, std::size_t batch, Type&& value) {
    return put_value({slot, batch, runner::value_type::of<Type>(),
                      std::make_shared<const Type>(std::forward<Type>(value))});
  }
  STRETTO_INLINE void check_next() const;
  STRETTO_INLINE position& put_value(kept_value value);

  std::size_t next_;
  std::vector<kept_value> values_;
};

namespace runner {

/// Throws `usage_error` unless a position has each value that is needed, and no other of a batch
/// before its own.
STRETTO_INLINE void check_position(const position& where, const position_question& asked);
/// Throws `usage_error`: nobody drops batches before the slot is written.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_never_dropped(std::string_view slot,
                                                                std::size_t batch);

/// A node that is not called for a batch, and what a slot is given in its place.
struct given_value {
  std::size_t node;
  std::size_t batch;
  std::size_t slot;                   ///< none: no slot is, or that of another node
  const kept_value* value = nullptr;  ///< then null
};
/// Where nodes stand in a plan: those of a batch are called by lag, then in this order.
struct planned_nodes {
  planner::view<std::size_t> order;
  planner::view<std::size_t> lag;
};
/// What a position gives batches that begin half-processed, by batch and node. Throws `usage_error`
/// if it gives what no task would have written, or part of what one would have; if somebody who is
/// called reads what is not there, or sees a slot between those who write it.
STRETTO_INLINE std::vector<given_value> find_given(const position& where,
                                                   const position_question& asked,
                                                   const planned_nodes& planned);
/// Throws `usage_error`: what is given of a batch cannot be.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_not_given(const kept_value& value,
                                                            std::string_view why);

/// Values that a run puts into slots of an executor.
template <class Executor>
class given_to : public given_values {
 public:
  given_to(Executor& of, const std::vector<given_value>& all)
      : given_values{all.back().batch + 1, &is_there, &put_there, &erase}, of_(of) {
    all_.reserve(all.size());
    for (const given_value& g : all)
      all_.push_back({{g.slot, g.batch}, g.node, g.value == nullptr ? none : *g.value});
  }

 private:
  struct entry {
    planner::earlier_value place;
    std::size_t node;
    kept_value value;
  };
  static inline const kept_value none{name{}, 0, {}, nullptr, true};

  /// Calls \p use with each of a node's entries for a batch; whether there are any.
  template <class Use>
  static bool each(const given_values& of, std::size_t node, std::size_t batch, const Use& use) {
    const std::vector<entry>& all = static_cast<const given_to&>(of).all_;
    std::size_t first = 0;
    for (std::size_t last = all.size(); first < last;) {
      const std::size_t middle = first + (last - first) / 2;
      const entry& e = all[middle];
      const bool before = e.place.batch != batch ? e.place.batch < batch : e.node < node;
      if (before) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    bool any = false;
    for (; first < all.size() && all[first].place.batch == batch && all[first].node == node;
         ++first) {
      any = true;
      use(all[first]);
    }
    return any;
  }
  static bool is_there(const given_values& of, std::size_t node, std::size_t batch) {
    return each(of, node, batch, [](const entry&) {});
  }
  static void put_there(const given_values& of, std::size_t node, std::size_t batch) {
    each(of, node, batch, [&of](const entry& e) {
      if (!e.value.unread())
        e.value.copy_to(static_cast<const given_to&>(of).of_.address_of(e.place));
    });
  }
  static void erase(given_values* of) { delete static_cast<given_to*>(of); }

  Executor& of_;
  std::vector<entry> all_;  ///< by batch, then node
};

/// That a run begins at a position.
struct at_position {
  using begins_a_run = void;
  const position* where;

  template <class Session>
  std::size_t first(Session& s) const {
    Session::refuse_positions();
    auto& to = s.admit().executor();
    const planner::list<planner::earlier_value> needed = to.looked_back(where->batch());
    refuse_made_by_device(to, needed, where->batch());
    check_position(*where, {to.declaration(), to.all_slots(), needed});
    const auto kept = [&](const planner::earlier_value& v) -> const kept_value& {
      return *where->find(to.all_slots()[v.slot], v.batch);
    };
    for (const planner::earlier_value& v : needed) {
      const kept_value& value = kept(v);
      if (value.dropped()) {
        if (!to.may_be_unwritten(v.slot)) throw_never_dropped(value.slot(), v.batch);
      } else if (!to.holds_type(v.slot, value.type())) {
        throw_other_type(value.slot(), to.type_of(v.slot), value.type());
      }
    }
    const std::vector<given_value> all_given = given(to, needed);
    s.begin_keeping();
    for (const planner::earlier_value& v : needed)
      if (kept(v).dropped()) to.tell_unwritten(v, true);
    // Behind those, because a task that drops one slot's batches may have written others'.
    for (const planner::earlier_value& v : needed) {
      if (kept(v).dropped()) continue;
      to.tell_unwritten(v, false);
      kept(v).copy_to(to.address_of(v));
    }
    if (!all_given.empty())
      s.give(new given_to<std::remove_reference_t<decltype(to)>>(to, all_given));
    return where->batch();
  }

 private:
  template <class Executor>
  std::vector<given_value> given(Executor& to,
                                 const planner::list<planner::earlier_value>& needed) const {
    using machine = typename Executor::machine_type;
    std::vector<given_value> all =
        find_given(*where, {to.declaration(), to.all_slots(), needed}, {to.order(), to.lag()});
    for (const given_value& g : all) {
      if (g.value == nullptr) continue;
      const kept_value& value = *g.value;
      if constexpr (replaces_bodies<decltype(machine::observer)>)
        throw_not_given(value,
                        "the pipeline records or replays what its tasks write, of every batch");
      if constexpr (machine::submits)
        if (to.is_made_by_device(g.slot) || to.machine.device.on_stream(g.node))
          throw_not_given(value,
                          "it is written on the device: give what a task on the host writes");
      if (!to.holds_type(g.slot, value.type()))
        throw_other_type(value.slot(), to.type_of(g.slot), value.type());
    }
    return all;
  }
};

/// Likewise, at a position that nobody else keeps.
struct at_kept_position {
  using begins_a_run = void;
  position where;

  template <class Session>
  std::size_t first(Session& s) const {
    return at_position{&where}.first(s);
  }
};

}  // namespace runner

/// For `pipeline::run`: the run begins at \p where, which is used in that call only. Batches are
/// numbered from `where.batch()` on, and slots hold for those before what the position has of them.
/// For what it has of those from there on tasks are not called; each value is put into its slot by
/// the thread that would have called them, when it would have.
///
/// `run` makes the values of all slots that have none yet, on the calling thread, and throws what
/// that throws. It throws `usage_error` if the position lacks a value that batches from there on
/// look back at, has one that none does, or one of another type; if it gives a batch part of what a
/// task writes for it, or what none does. If the source ends before a batch of which the position
/// has values, the run throws it behind its last result.
[[nodiscard]] inline runner::at_position from(const position& where) { return {&where}; }
/// Likewise, of one that is given away.
[[nodiscard]] inline runner::at_kept_position from(position&& where) { return {std::move(where)}; }

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/position.ipp>
#endif
