// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/access.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// What a rank does in a schedule of several: `using role = stretto::role<"trainer">;` in a task
/// that runs on ranks of this role only. A task that states none runs on all ranks. A schedule in
/// which a task states one is that of all ranks together; what one rank runs is a `projection` of
/// it.
template <fixed_string Name>
struct role {
  using stretto_tag = tag::role;
  static_assert(!Name.view().empty(), "a role has a name");
  static constexpr std::string_view value = Name.view();
};

namespace declare {

/// "sample_to_trainer": what a transfer is called that states no name.
template <class Slot, fixed_string To>
constexpr auto make_transfer_name() {
  constexpr std::array<std::string_view, 3> parts{name_of<Slot>.text, "_to_", To.view()};
  std::array<char, parts[0].size() + parts[1].size() + parts[2].size()> text{};
  std::size_t at = 0;
  for (const std::string_view part : parts)
    for (const char c : part) text[at++] = c;
  return text;
}
template <class Slot, fixed_string To>
inline constexpr auto transfer_name = make_transfer_name<Slot, To>();

}  // namespace declare

/// A task of a schedule with roles: what the rank of role `From` has in a slot goes to the ranks of
/// the roles `To`, whose tasks read it there. In the schedule of all ranks it updates the slot in
/// place, so it has a smaller lookahead than the task that writes the slot, and whoever reads the
/// slot after it reads what was sent. Derive from it to state what tasks state: `struct hand_over :
/// stretto::transfer<sample, "reader", "trainer"> { static constexpr int lookahead = 1; };`
///
/// Transfers are collectives: all ranks make theirs in one order. An error if `From` does not have
/// the slot's value at this lookahead, if one of `To` has it already, if no task has one of the
/// roles, or if the value views into another slot.
template <class Slot, fixed_string From, fixed_string To, fixed_string... Further>
struct transfer {
  static constexpr bool collective = true;
  static constexpr std::string_view name{declare::transfer_name<Slot, To>.data(),
                                         declare::transfer_name<Slot, To>.size()};
  using role = stretto::role<From>;
  using slot_sent = Slot;
  static constexpr std::array<std::string_view, 1 + sizeof...(Further)> receivers{
      To.view(), Further.view()...};
  using writes = stretto::writes<Slot>;

  /// On one rank alone, the value is where it is read.
  void operator()(typename Slot::value_type& /*value*/) const {}
};

namespace declare {

template <class Task>
concept is_transfer = requires {
  typename Task::slot_sent;
  Task::receivers;
};

/// A transfer on the rank that sends,
template <class Transfer>
struct sending : Transfer {
  using transfer = Transfer;
  using reads = stretto::reads<typename Transfer::slot_sent>;
  using writes = stretto::writes<>;
  template <class Context>
  void operator()(Context& ctx, const typename Transfer::slot_sent::value_type& value) const {
    ctx.send_value(value);
  }
};
/// and on one that receives.
template <class Transfer>
struct receiving : Transfer {
  using transfer = Transfer;
  template <class Context>
  void operator()(Context& ctx, typename Transfer::slot_sent::value_type& value) const {
    ctx.receive_value(value);
  }
};

/// Stands for a batch where the source is another role's.
struct batch_of_others {};
struct batches_of_others : slot<batch_of_others> {
  static constexpr std::string_view name = "batch_of_others";
};

/// The part by which a schedule is known as a projection.
template <class Schedule, class Role>
struct projected {
  using stretto_tag = tag::projected;
  using whole = Schedule;
  using role = Role;
};

}  // namespace declare

// Whoever names a transfer means it on either side.
template <class Transfer>
inline constexpr name name_of<declare::sending<Transfer>> = name_of<Transfer>;
template <class Transfer>
inline constexpr name name_of<declare::receiving<Transfer>> = name_of<Transfer>;

/// The source of a rank whose role has none of its own: it has a batch whenever the ranks that have
/// the source agree that there is one. `for (auto&& r : pipeline.run(stretto::follow())) ...`
struct follow {
  bool operator()(declare::batch_of_others& /*filled*/) const { return true; }
};

}  // namespace stretto
