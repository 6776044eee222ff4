// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/copy_size.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/values/generated_layout.hpp>
#include <stretto/static/values/pipelined_lookaheads.hpp>
#include <stretto/static/values/pointed_into.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto::typed {

namespace detail {

/// What `place` says of a task; the first entry that says something goes.
struct placement {
  planner::task said;         ///< of a number: what `place` says, or `not_placed`
  bool moves_stream = false;  ///< to no stream, if that is empty
};

struct not_placed {
  static constexpr int value = planner::deepest;
};

template <class Placement, class... Scalar>
consteval placement placement_of(const name& task, pack<Scalar...>) {
  placement p;
  p.said.id = task;
  using stream_part = declare::first<tag::stream, Placement>;
  using thread_part = declare::first<tag::thread, Placement>;
  if constexpr (!std::is_void_v<stream_part>) {
    p.moves_stream = true;
    p.said.stream = stream_part::value;
  }
  if constexpr (!std::is_void_v<thread_part>) p.said.thread = thread_part::value;
  ((p.said.*Scalar::kept =
        declare::first<typename Scalar::placement, Placement, not_placed>::value),
   ...);
  return p;
}

template <class... Place>
consteval std::array<placement, sizeof...(Place)> placements(pack<Place...>) {
  return {
      placement_of<typename Place::placement>(name_of<typename Place::task>, placed_scalars{})...};
}

/// How many replans override each of the parts with a tag.
template <class Tag, class Parts>
constexpr auto layers_of = [] {
  constexpr auto& places = declare::only_of<Tag, Parts>::places;
  std::array<std::size_t, places.size()> layers{};
  [[maybe_unused]] std::size_t number = 0;
  for (const std::size_t place : places) {
    for (std::size_t p = 0; p < place; ++p)
      layers[number] +=
          declare::tags_of<Parts>::value[p] == declare::mark<tag::replanned> ? 1U : 0U;
    ++number;
  }
  return layers;
}();

/// What is said of slack, without what a replan overrides.
template <std::size_t Count>
struct slack_rows {
  std::array<planner::slack, Count> all{};
  std::array<std::size_t, Count> parts{};  ///< the part that each is
  std::size_t count = 0;
};
template <class Parts, class... Slack>
consteval auto slacks_of(pack<Slack...>) {
  slack_rows<sizeof...(Slack)> rows;
  [[maybe_unused]] const auto& layers = layers_of<tag::slack, Parts>;
  [[maybe_unused]] std::size_t number = 0;
  [[maybe_unused]] const auto add = [&](const planner::slack& one) {
    bool overridden = false;
    for (std::size_t i = 0; i < rows.count; ++i)
      overridden =
          overridden || (rows.all[i].slot == one.slot && layers[rows.parts[i]] < layers[number]);
    if (!overridden) {
      rows.all[rows.count] = one;
      rows.parts[rows.count++] = number;
    }
    ++number;
  };
  (add({name_of<typename Slack::slot>, Slack::copies}), ...);
  return rows;
}

/// What the parts for thread groups say, each group once, without what a replan overrides.
template <std::size_t Count>
struct group_rows {
  std::array<planner::thread_group, Count> all{};
  std::array<std::size_t, Count> queued{};  ///< by group: the layer that gives it a queue, or none
  std::array<std::size_t, Count> shared{};  ///< the same of workers
  std::size_t count = 0;
  std::size_t repeated =
      planner::none;  ///< the first part that says what one of its layer has said

  constexpr void add(const planner::thread_group& one, std::size_t part, std::size_t layer) {
    std::size_t at = 0;
    while (at < count && all[at].thread != one.thread) ++at;
    if (at == count) {
      all[count].thread = one.thread;
      queued[count] = shared[count] = planner::none;
      ++count;
    }
    std::size_t& said = one.queue > 0 ? queued[at] : shared[at];
    if (said == layer && repeated == planner::none) repeated = part;
    if (said != planner::none) return;
    said = layer;
    (one.queue > 0 ? all[at].queue : all[at].workers) = one.queue > 0 ? one.queue : one.workers;
  }
};
template <class Parts, class... Group>
consteval auto groups_of(pack<Group...>) {
  group_rows<sizeof...(Group)> rows;
  [[maybe_unused]] std::size_t number = 0;
  [[maybe_unused]] const auto add = [&](const planner::thread_group& one) {
    rows.add(one, number, layers_of<tag::thread_group, Parts>[number]);
    ++number;
  };
  (add({Group::value, Group::batches, Group::number}), ...);
  return rows;
}

/// The tasks that parts leave out.
template <class... Part>
consteval auto all_names(pack<Part...>) {
  std::array<name, (std::size_t{0} + ... + Part::tasks::size)> all{};
  [[maybe_unused]] std::size_t next = 0;
  [[maybe_unused]] const auto add = [&](const auto& some) {
    for (const name& n : some) all[next++] = n;
  };
  (add(names(typename Part::tasks{})), ...);
  return all;
}

/// The bytes of a copy of each slot, of lists of them. \p tasks: those that may ask for items.
template <class... Slot>
consteval std::array<planner::slot_size, sizeof...(Slot)> copy_sizes(
    pack<Slot...>, [[maybe_unused]] const planner::slot_items& items) {
  return {planner::slot_size{
      name_of<Slot>, planner::copy_size(sizeof(typename Slot::value_type) * items[name_of<Slot>],
                                        alignof(typename Slot::value_type))}...};
}
template <class... List>
consteval auto all_copy_sizes(pack<List...>, planner::view<planner::task> tasks) {
  std::array<planner::slot_size, (std::size_t{0} + ... + List::size)> all{};
  std::size_t next = 0;
  const auto add = [&](const auto& sizes) {
    for (const planner::slot_size& s : sizes) all[next++] = s;
  };
  const planner::slot_items items(tasks);
  (add(copy_sizes(List{}, items)), ...);
  return all;
}
template <class Source>
consteval auto source_slots() {
  if constexpr (std::is_void_v<Source>) {
    return pack<>{};
  } else {
    return pack<typename Source::slot>{};
  }
}

/// The numbers of tasks by name; of a name given twice (rule 1) the first.
class task_numbers {
 public:
  template <std::size_t Count>
  constexpr explicit task_numbers(const std::array<planner::task, Count>& tasks) : names_(Count) {
    for (std::size_t t = 0; t != Count; ++t)
      if (names_.number(tasks[t].id) == bearers_.size()) bearers_.push_back(t);
  }

  /// Or `none`.
  constexpr std::size_t find(const name& task) const {
    const std::size_t known = names_.find(task);
    return known == planner::none ? planner::none : bearers_[known];
  }

 private:
  planner::name_index names_;
  planner::list<std::size_t> bearers_;
};
template <class Map>
inline constexpr bool is_generated = false;
template <auto Threads>
inline constexpr bool is_generated<generated<Threads>> = true;

/// The number of threads that a thread map asks to be generated; 0: it does not.
template <class... Map>
consteval std::size_t generated_threads(pack<Map...>) {
  std::size_t number = 0;
  const auto look = [&]<class Machine>(pack<Machine>) {
    if constexpr (is_generated<Machine>)
      if (number == 0 && Machine::number > 0) number = static_cast<std::size_t>(Machine::number);
  };
  (look(pack<Map>{}), ...);
  return number;
}

}  // namespace detail

/// A schedule's parts, sorted out, and what they declare as values.
template <class Schedule>
struct declared {
  using parts = typename Schedule::parts;
  using tasks = declare::only<void, parts>;
  using source_part = declare::first<tag::source, parts>;
  using results = typename declare::first<tag::result, parts, result<>>::slot_list;
  using places = declare::only<tag::place, parts>;
  using thread_part = declare::first<tag::threads, parts, threads<by_stream>>;
  using stream_part = declare::first<tag::streams, parts, streams<>>;
  using orders = declare::only<tag::order, parts>;
  using caller_part = declare::first<tag::caller_runs, parts, caller_runs<"caller">>;

  /// Whether there is a part with a tag, by its mark.
  static constexpr bool has_part(std::uint64_t mark) {
    return declare::place_among(declare::tags_of<parts>::value, mark) != parts::size;
  }
  static constexpr bool has_source = !std::is_void_v<source_part>;
  static constexpr bool is_serial = declare::only<tag::serially, parts>::size > 0;
  static constexpr bool is_pipelined = !is_serial && declare::only<tag::pipelined, parts>::size > 0;
  static constexpr std::string_view serial_stream[1] = {"serial"};

  static constexpr auto placed = detail::placements(places{});
  using slack_parts = declare::only<tag::slack, parts>;
  static constexpr auto slacks = detail::slacks_of<parts>(slack_parts{});
  using group_parts = declare::only<tag::thread_group, parts>;
  static constexpr auto groups = detail::groups_of<parts>(group_parts{});
  /// Tasks that others may name in vain.
  static constexpr auto left_out = [] {
    if constexpr (has_part(declare::mark<tag::left_out>)) {
      return detail::all_names(declare::only<tag::left_out, parts>{});
    } else {
      return std::array<name, 0>{};
    }
  }();
  /// All on the calling thread, so that there are no groups.
  static constexpr bool is_alone =
      is_serial || std::is_same_v<typename thread_part::map, pack<on_caller>>;

 private:
  /// The thread that one entry of the thread map gives a task; empty: it says nothing of the task.
  template <class Map>
  static constexpr std::string_view thread_by(const planner::task& t) {
    if constexpr (std::is_same_v<Map, per_task>) {
      return t.id.text;
    } else if constexpr (std::is_same_v<Map, on_caller>) {
      return planner::caller;
    } else if constexpr (requires { Map::choose; }) {
      return Map::choose(t);
    } else {
      static_assert(std::is_same_v<Map, by_stream> || detail::is_generated<Map>,
                    "a thread map is by_stream, per_task, on_caller, chosen_by<f>, group<...>s or "
                    "generated<N>");
      return {};
    }
  }

  /// Gives the tasks that have no thread yet that of one entry of the thread map.
  template <class Map, std::size_t Count>
  static constexpr void map_threads(std::array<planner::task, Count>& all,
                                    [[maybe_unused]] const detail::task_numbers& numbers) {
    if constexpr (requires { typename Map::tasks; }) {
      for (const name& member : detail::names(typename Map::tasks{})) {
        const std::size_t t = numbers.find(member);
        if (t != planner::none && all[t].thread.empty()) all[t].thread = Map::value;
      }
    } else {
      for (planner::task& t : all)
        if (t.thread.empty()) t.thread = thread_by<Map>(t);
    }
  }

  // Not consteval: GCC 12 takes its address where it is called on each type of a pack.
  static constexpr int placed_lookahead(const name& task, int own) {
    for (const detail::placement& p : placed)
      if (p.said.id == task && p.said.lookahead != detail::not_placed::value)
        return p.said.lookahead;
    return own;
  }

  /// The turns of all orders. One at a time, there are no other batches in flight to be before or
  /// after: an order holds among tasks of the same lookahead.
  template <class... Order>
  static consteval auto turns_of(pack<Order...>) {
    std::array<planner::turn, (std::size_t{0} + ... + Order::tasks::size)> result{};
    [[maybe_unused]] std::size_t next = 0;
    [[maybe_unused]] const auto add = [&]<class... Task>(pack<Task...> all) {
      const std::size_t first = next;
      for (const name& task : detail::names(all)) result[next++] = {task, first};
      if constexpr (is_serial && sizeof...(Task) > 0) {
        const std::array<int, sizeof...(Task)> lookaheads{
            placed_lookahead(name_of<Task>, own<scalar::lookahead, Task>)...};
        for (std::size_t i = 0; i < lookaheads.size(); ++i)
          while (lookaheads[result[first + i].list - first] != lookaheads[i])
            ++result[first + i].list;
      }
    };
    (add(typename Order::tasks{}), ...);
    return result;
  }

  /// What `place` says of a task takes precedence over what its type says.
  template <class... Scalar>
  static constexpr void apply_places(planner::task& t, pack<Scalar...>) {
    const auto override_with = [](int& own, int number) {
      if (number != detail::not_placed::value) own = number;
    };
    for (const detail::placement* p = placed.data() + placed.size(); p != placed.data();) {
      --p;  // the first entry last, so that it is the one that remains
      if (!(p->said.id == t.id)) continue;
      if (p->moves_stream) t.stream = p->said.stream;
      if (!p->said.thread.empty()) t.thread = p->said.thread;
      (override_with(t.*Scalar::kept, p->said.*Scalar::kept), ...);
    }
  }

  /// What the types of tasks declare, with what `place` says.
  static constexpr auto stated = []<class... Type>(pack<Type...>) {
    std::array<detail::own_fields, sizeof...(Type)> all{
        detail::fields_of<Type>(detail::scalars{})...};
    if constexpr (places::size > 0)
      for (detail::own_fields& f : all) apply_places(f.said, detail::placed_scalars{});
    return all;
  }(tasks{});

  /// Whether a task would work on the same batch as another in a pipeline. One at a time, there is
  /// no other batch in flight to wait for. Unknown tasks are left to the rules.
  static constexpr bool worked_on_together(const detail::own_fields& f, const name& other) {
    for (const detail::own_fields& o : stated)
      if (o.said.id == other) return f.said.lookahead == o.said.lookahead;
    return true;
  }

  /// How many reads entries are: a window is one of each of its batches.
  static constexpr std::size_t batches_in(planner::view<detail::field_entry> reads) {
    std::size_t all = 0;
    for (const detail::field_entry& e : reads) all += static_cast<std::size_t>(e.batches);
    return all;
  }

  /// Whether a task may name another in vain.
  static constexpr bool is_left_out([[maybe_unused]] const name& task) {
    for (const name& n : left_out)
      if (n == task) return true;
    return false;
  }

  // What tasks' declarations point into: one table of each kind for all tasks.
  struct table_sizes {
    std::size_t accesses = 0, dependencies = 0, names = 0;
    bool items = false;
  };
  static constexpr table_sizes sizes = [] {
    table_sizes s;
    for (const detail::own_fields& f : stated) {
      s.accesses += batches_in(f.reads) + f.writes.size();
      for (const planner::view<detail::field_entry> list : {f.reads, f.writes})
        for (const detail::field_entry& e : list) s.items = s.items || e.items != 0;
      s.dependencies +=
          f.depends_on.size() + f.cross_iter_depends_on.size() + f.same_progress_sync.size();
      s.names += f.observes.size() + f.mutates.size();
    }
    return s;
  }();
  struct table {
    std::array<planner::access, sizes.accesses> accesses{};
    std::array<planner::dependency, sizes.dependencies> dependencies{};
    std::array<name, sizes.names> names{};
    // By task: how many of each kind stay.
    std::array<std::size_t, tasks::size> depends_on{};
    std::array<std::size_t, tasks::size> cross_iter_depends_on{};
    std::array<std::size_t, tasks::size> syncs{};
  };
  static constexpr table entries = [] {
    table t;
    planner::access* access = t.accesses.data();
    planner::dependency* dependency = t.dependencies.data();
    name* named = t.names.data();
    std::size_t n = 0;
    const auto add = [&](const detail::field_entry& e, std::size_t& count) {
      if (is_left_out(*e.named)) return;
      *dependency = {*e.named, e.number};
      ++dependency;
      ++count;
    };
    for (const detail::own_fields& f : stated) {
      for (const planner::view<detail::field_entry> list : {f.reads, f.writes})
        for (const detail::field_entry& e : list) {
          const int at = e.number == planner::deepest ? f.said.lookahead : e.number;
          for (int ago = e.ago; ago < e.ago + e.batches; ++ago) {
            access->slot = *e.named;
            access->offset = is_serial ? 0 : at;
            access->given = e.number != planner::deepest;
            access->ago = ago;
            access->takes = e.takes;
            access->latest = e.latest;
            access->in_window = e.batches > 1;
            access->items = e.items;
            ++access;
          }
        }
      for (const detail::field_entry& e : f.depends_on) add(e, t.depends_on[n]);
      for (const detail::field_entry& e : f.cross_iter_depends_on)
        add(e, t.cross_iter_depends_on[n]);
      for (const detail::field_entry& e : f.same_progress_sync)
        if (!is_serial || worked_on_together(f, *e.named)) add(e, t.syncs[n]);
      for (const planner::view<detail::field_entry> list : {f.observes, f.mutates})
        for (const detail::field_entry& e : list) {
          *named = *e.named;
          ++named;
        }
      ++n;
    }
    return t;
  }();

 public:
  /// Whether tasks consume or produce items of slots.
  static constexpr bool has_items = sizes.items;
  /// What is said of slack, without slots that only tasks used which were left out.
  static constexpr auto slacked = [] {
    auto kept = slacks;
    if constexpr (left_out.size() > 0 && slacks.all.size() > 0) {
      kept.count = 0;
      for (std::size_t i = 0; i < slacks.count; ++i) {
        bool used = false;
        if constexpr (has_source) used = slacks.all[i].slot == name_of<typename source_part::slot>;
        for (const planner::access& a : entries.accesses)
          used = used || a.slot == slacks.all[i].slot;
        if (!used) continue;
        kept.all[kept.count] = slacks.all[i];
        kept.parts[kept.count++] = slacks.parts[i];
      }
    }
    return kept;
  }();
  static constexpr auto rows = []<class... Map>(pack<Map...>) {
    std::array<planner::task, tasks::size> all;
    const planner::access* access = entries.accesses.data();
    const planner::dependency* dependency = entries.dependencies.data();
    const name* named = entries.names.data();
    const auto take = []<class Item>(const Item*& next, std::size_t count) {
      const planner::view<Item> taken(next, count);
      next += count;
      return taken;
    };
    std::size_t n = 0;
    for (planner::task& t : all) {
      const detail::own_fields& f = stated[n];
      t = f.said;
      t.reads = take(access, batches_in(f.reads));
      t.writes = take(access, f.writes.size());
      t.depends_on = take(dependency, entries.depends_on[n]);
      t.cross_iter_depends_on = take(dependency, entries.cross_iter_depends_on[n]);
      t.same_progress_sync = take(dependency, entries.syncs[n]);
      t.observes = take(named, f.observes.size());
      t.mutates = take(named, f.mutates.size());
      if constexpr (is_serial) {
        t.stage = std::exchange(t.lookahead, 0);
        t.stream = serial_stream[0];
        t.thread = planner::caller;
      }
      ++n;
    }
    if constexpr (has_items) planner::repeat_calls(all);
    if constexpr (!is_serial) {
      const detail::task_numbers numbers(all);
      (map_threads<Map>(all, numbers), ...);
    }
    return all;
  }(typename thread_part::map{});
  /// By task: whether it would be on a stream, in a plan that is not serial.
  static constexpr auto on_streams() {
    std::array<bool, tasks::size> all{};
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = !stated[n].said.stream.empty();
    return all;
  }
  static constexpr auto result_names = detail::names(results{});
  static constexpr auto turns = turns_of(orders{});
  static constexpr std::size_t most_points = [] {
    std::size_t most = 0;
    if constexpr (has_source)
      most += detail::count_into(static_cast<typename source_part::slot*>(nullptr));
    for (const detail::own_fields& f : stated)
      for (const detail::field_entry& e : f.writes) most += e.into;
    return most;
  }();
  static constexpr auto points = [] {
    if constexpr (most_points == 0) {
      return pointing_rows<0>{};
    } else if constexpr (has_source) {
      return pointings_of<most_points, pack<typename source_part::slot>>(tasks{});
    } else {
      return pointings_of<most_points, pack<>>(tasks{});
    }
  }();

  template <class... Task>
  static consteval auto sizes_of_all(pack<Task...>) {
    if constexpr (has_part(declare::mark<tag::max_bytes>)) {
      return detail::all_copy_sizes(
          pack<decltype(detail::source_slots<source_part>()), results,
               typename task_fields<Task>::reads..., typename task_fields<Task>::writes...>{},
          has_items ? planner::view<planner::task>(rows) : planner::view<planner::task>());
    } else {
      return std::array<planner::slot_size, 0>{};
    }
  }
  /// What a copy of each slot takes, where there is a bound on it.
  static constexpr auto copy_sizes = sizes_of_all(tasks{});

  /// What is declared, before any thread map is generated.
  static constexpr planner::declaration bare = [] {
    planner::declaration d;
    d.tasks = rows;
    d.streams = is_serial ? planner::view<std::string_view>(serial_stream)
                          : planner::view<std::string_view>(stream_part::value, stream_part::size);
    d.results = result_names;
    d.turns = turns;
    if constexpr (most_points > 0) d.points = {points.all.data(), points.count};
    d.serial = is_serial;
    d.pipelined = is_pipelined;
    if constexpr (slacks.all.size() > 0 && !is_serial)
      d.slacks = {slacked.all.data(), slacked.count};
    if constexpr (groups.all.size() > 0 && !is_alone) d.groups = {groups.all.data(), groups.count};
    using results_part = declare::first<tag::result_on, parts>;
    if constexpr (!std::is_void_v<results_part>)
      if (!is_serial) d.results_on = results_part::value;
    d.strict = declare::only<tag::strict, parts>::size > 0;
    d.frugal = has_part(declare::mark<tag::frugal>);
    d.from.collective = declare::only<tag::agreed_end, parts>::size > 0;
    if constexpr (has_source) {
      constexpr planner::task p = detail::placement_of<typename source_part::placement>(
                                      name_of<typename source_part::slot>, detail::placed_scalars{})
                                      .said;
      d.from.slot = p.id;
      if (!is_serial) d.from.lookahead = p.lookahead;
      if (!is_serial && !p.thread.empty()) d.from.thread = p.thread;
      if (p.weight != detail::not_placed::value) d.from.weight = p.weight;
      if constexpr (source_part::placement::size > 0) {
        using placed_at = declare::tags_of<typename source_part::placement>;
        constexpr std::size_t at =
            declare::place_among(placed_at::value, declare::mark<tag::on_failure>);
        if constexpr (at < placed_at::value.size())
          detail::add_failures<declare::nth<at, typename source_part::placement>>(d.from);
      }
    }
    if constexpr (!is_serial && has_part(declare::mark<tag::thread_names>)) {
      using listed = declare::first<tag::thread_names, parts>;
      d.thread_names = {listed::value, listed::size};
    }
    if constexpr (!is_serial && has_part(declare::mark<tag::max_in_flight>))
      d.within.in_flight = declare::first<tag::max_in_flight, parts>::value;
    if constexpr (!is_serial && has_part(declare::mark<tag::max_bytes>)) {
      d.within.bytes = declare::first<tag::max_bytes, parts>::value;
      d.within.sizes = copy_sizes;
    }
    if (!is_serial) d.generated = detail::generated_threads(typename thread_part::map{});
    // A replan may leave the group without tasks.
    if (!is_serial && caller_part::value != planner::caller &&
        planner::has_group(d, caller_part::value))
      d.caller_runs = caller_part::value;
    return d;
  }();

  static constexpr planner::declaration value = [] {
    planner::declaration d = bare;
    if constexpr (is_pipelined) {
      d.raised = detail::pipelined_lookaheads<declared>::raised;
      d.layout = detail::pipelined_lookaheads<declared>::layout;
    } else if constexpr (bare.generated > 0) {
      d.layout = detail::generated_layout<declared>::value;
    }
    return d;
  }();
};

}  // namespace stretto::typed
