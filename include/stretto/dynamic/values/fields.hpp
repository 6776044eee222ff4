// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stretto/declare/items.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A slot that a task reads or writes, and the offset (batches ahead of the training step) at which
/// it does: its task's lookahead unless given. A read may be of an earlier batch, as
/// `use::previous` makes it.
struct use {
  std::string slot;
  std::optional<int> offset;
  int ago = 0;          ///< how many batches before the one at hand
  bool takes = false;   ///< in `reads`: the task takes the value, see `dynamic::takes`
  bool latest = false;  ///< in `reads`: what was written last, as `use::latest` makes it
  int items = 0;        ///< for each call of the task, as `use::items_of` makes it; 0: one value

  /// What `items_of` makes of 0 items: an error, and not the one value that `items` means by 0.
  static constexpr int no_items = (std::numeric_limits<int>::min)();

  use(std::string named) : slot(std::move(named)) {}
  use(const char* named) : slot(named) {}
  use(std::string named, int at) : slot(std::move(named)), offset(at) {}
  /// What the slot held a number of batches before the one at hand: see `stretto::previous`. The
  /// body takes it as `dynamic::previous<T>`.
  static use previous(std::string named, int batches = 1) {
    use made(std::move(named));
    made.ago = batches;
    return made;
  }
  /// What was written last to a slot that is not written for every batch, as it was a number of
  /// batches before the one at hand: see `stretto::latest`. The body takes it as
  /// `dynamic::latest<T>`.
  static use latest_of(std::string named, int batches = 0) {
    use made(std::move(named));
    made.ago = batches;
    made.latest = true;
    return made;
  }
  /// Items of a slot that the task consumes, or produces, each time that it is called: see
  /// `stretto::consumes`. The body takes them as `dynamic::consumes<T>`, or `dynamic::produces<T>`.
  static use items_of(std::string named, int per_call = 1) {
    use made(std::move(named));
    made.items = per_call == 0 ? no_items : per_call;
    return made;
  }
  friend bool operator==(const use&, const use&) = default;
};

/// A slot of which a task takes the value, for `reads`: its body gets a `T&&`, and is the last to
/// use the batch's value.
inline use takes(use taken) {
  taken.takes = true;
  return taken;
}

/// A task, a number of batches ago.
struct ago {
  std::string task;
  int batches = 1;

  ago(std::string named, int earlier = 1) : task(std::move(named)), batches(earlier) {}
  ago(const char* named, int earlier = 1) : task(named), batches(earlier) {}
  friend bool operator==(const ago&, const ago&) = default;
};

/// A task as a value. The fields mean what the members of a task type mean.
struct task {
  std::string name{};
  std::string stream{};  ///< empty: a host task
  std::string thread{};  ///< empty: by stream, or as generated
  int lookahead = 0;
  bool collective = false;
  std::string communicator{};  ///< of a collective: among which ranks it is; empty: "world"
  int weight = 1;
  int every = 1;              ///< runs for one of N batches, this is N
  int phase = last_of_group;  ///< how many batches of such a group come before that one
  bool and_at_end = false;    ///< runs for what is left of a group at the end of the stream, too
  /// What becomes of a batch on which it throws: "drop", see `stretto::on_failure`; empty: the run
  /// ends.
  std::string on_failure{};
  int max_failures = 0;  ///< how often at most in a run; 0: any number of times
  /// Of the ranks that run it, see `stretto::role`; empty: all do. Of a transfer: who sends.
  std::string role{};
  /// The roles that get what the ranks of its role have in the slot that it writes: the task is a
  /// transfer, see `dynamic::transfer`.
  std::vector<std::string> to{};
  std::vector<use> reads{};
  std::vector<use> writes{};
  std::vector<std::string> depends_on{};
  std::vector<ago> cross_iter_depends_on{};
  std::vector<std::string> same_progress_sync{};
  std::vector<std::string> observes{};
  std::vector<std::string> mutates{};
  dynamic::body body{};  ///< only running needs it, not planning
};

namespace detail {

/// Numbers that a field can hold, and what they count.
struct bounds {
  std::string_view what{};
  std::int64_t least = 0;
  std::int64_t most = 0;
};

namespace range_of {
inline constexpr bounds batches{"a number of batches", -most_batches, most_batches};
inline constexpr bounds earlier{"a number of batches", 0, most_batches};
inline constexpr bounds items{"a number of items", 1, most_items};
inline constexpr bounds every{"a number of batches", 1, planner::most_rate};
inline constexpr bounds phase{"a number of batches", 0, planner::most_rate - 1};
inline constexpr bounds failures{"a number of failures", 1, (std::numeric_limits<int>::max)()};
inline constexpr bounds weight{"a weight", 0, (std::numeric_limits<int>::max)()};
}  // namespace range_of

/// A text, a number or a flag of a task: what it is called in files and in task types, where a task
/// and the planner keep it and, of a number, what it can be.
template <class Own, class Planned>
struct scalar_field {
  std::string_view name;
  Own own;  ///< a pointer to a member, as Planned is
  Planned planned;
  bounds range{};
};
template <class Own, class Planned, class... Range>
scalar_field(std::string_view, Own, Planned, Range...) -> scalar_field<Own, Planned>;

/// A list of a task.
template <class Own>
struct list_field {
  std::string_view name;
  Own own;
};
template <class Own>
list_field(std::string_view, Own) -> list_field<Own>;

// The table of a task's fields, in the order of its members, which is that of files: all but its
// name and its body. Not a std::tuple, which compilers take longer for than for a call.

/// Calls \p take with all scalars.
template <class Take>
constexpr auto with_scalars(Take take) {
  using from = planner::task;
  return take(
      scalar_field{"stream", &task::stream, &from::stream},
      scalar_field{"thread", &task::thread, &from::thread},
      scalar_field{"lookahead", &task::lookahead, &from::lookahead, range_of::batches},
      scalar_field{"collective", &task::collective, &from::collective},
      scalar_field{"communicator", &task::communicator, &from::communicator},
      scalar_field{"weight", &task::weight, &from::weight, range_of::weight},
      scalar_field{"every", &task::every, &from::every, range_of::every},
      scalar_field{"phase", &task::phase, &from::phase, range_of::phase},
      scalar_field{"and_at_end", &task::and_at_end, &from::and_at_end},
      scalar_field{"on_failure", &task::on_failure, &from::on_failure},
      scalar_field{"max_failures", &task::max_failures, &from::max_failures, range_of::failures},
      scalar_field{"role", &task::role, &from::role});
}

/// Whether a task takes what one rank has in a slot to others.
inline bool is_transfer(const task& t) { return !t.to.empty(); }

/// Calls \p take with all lists.
template <class Take>
constexpr auto with_lists(Take take) {
  return take(list_field{"to", &task::to}, list_field{"reads", &task::reads},
              list_field{"writes", &task::writes}, list_field{"depends_on", &task::depends_on},
              list_field{"cross_iter_depends_on", &task::cross_iter_depends_on},
              list_field{"same_progress_sync", &task::same_progress_sync},
              list_field{"observes", &task::observes}, list_field{"mutates", &task::mutates});
}

/// What a task's fields are called, except its body.
inline constexpr auto field_names = with_scalars([](auto... scalar) {
  return with_lists([&](auto... list) {
    return std::array<std::string_view, 1 + sizeof...(scalar) + sizeof...(list)>{
        "name", scalar.name..., list.name...};
  });
});

/// Whether a task is its name, such values, its body, and nothing more.
template <class... Own>
consteval bool are_all_fields() {
  return requires(task t, Own... own) {
    task{std::string(), t.*own..., body()};
  } && !requires(task t, Own... own) {
    task{std::string(), t.*own..., body(), {}};
  };
}
static_assert(
    with_scalars([]<class... Scalar, class... Planned>(const scalar_field<Scalar, Planned>&...) {
      return with_lists([]<class... List>(const list_field<List>&...) {
        return are_all_fields<Scalar..., List...>();
      });
    }),
    "each member of a task, in their order, is in the table of its fields");

}  // namespace detail

}  // namespace stretto::dynamic
