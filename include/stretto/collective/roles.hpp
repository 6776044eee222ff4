// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::collective {

/// From role to role, in a schedule that differs by rank.
struct role_transfer {
  std::string_view task{};
  std::string_view from{};
  std::vector<std::string_view> to{};
};

/// The roles of a schedule that differs by rank.
struct casting {
  /// Which ranks make a collective of this one's.
  struct meeting {
    std::size_t place = 0;                  ///< of its ticket, in the plan of all ranks
    std::vector<std::string_view> roles{};  ///< empty: all ranks
    bool in_place = false;  ///< of each role that rank alone which is in this one's place there
  };
  std::string_view own{};  ///< the role of this rank; empty: all ranks run one schedule
  std::vector<std::string_view> all{};
  std::vector<role_transfer> transfers{};
  std::vector<std::string_view> communicators{};  ///< which collectives of roles name, of any role
  std::size_t tickets = 0;                        ///< in the plan of all ranks
  std::vector<meeting> meetings{};                ///< by ticket of this rank

  bool empty() const { return own.empty(); }
};

/// Which ranks play a role. \p by_rank: each one's.
inline std::vector<std::size_t> ranks_of(const std::vector<std::string>& by_rank,
                                         std::string_view role) {
  std::vector<std::size_t> ranks;
  for (std::size_t r = 0; r < by_rank.size(); ++r)
    if (by_rank[r] == role) ranks.push_back(r);
  return ranks;
}

/// How many ranks before \p rank play its role.
inline std::size_t place_in_role(const std::vector<std::string>& by_rank, std::size_t rank) {
  std::size_t place = 0;
  for (std::size_t r = 0; r < rank; ++r)
    if (by_rank[r] == by_rank[rank]) ++place;
  return place;
}

/// The rank that has the place in \p role which \p rank has in its own; there is one.
inline std::size_t partner_of(const std::vector<std::string>& by_rank, std::size_t rank,
                              std::string_view role) {
  std::size_t before = place_in_role(by_rank, rank);
  std::size_t found = 0;
  while (by_rank[found] != role || before-- > 0) ++found;
  return found;
}

/// Throws `usage_error` unless each role is played, and by as many ranks as those are that it sends
/// to.
inline void check_casting(const casting& roles, const std::vector<std::string>& by_rank) {
  std::string text;
  for (const std::string_view role : roles.all) {
    if (!ranks_of(by_rank, role).empty()) continue;
    text.append("no rank plays role `").append(role).append("` of the schedule: ");
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
      text.append(rank == 0 ? "rank " : ", rank ")
          .append(std::to_string(rank))
          .append(" plays `")
          .append(by_rank[rank])
          .append("`");
    throw usage_error(text);
  }
  const auto add = [&](std::string_view role, std::size_t ranks) {
    text.append("role `").append(role).append("`, which ").append(std::to_string(ranks));
    text.append(ranks == 1 ? " rank plays, " : " ranks play, ");
  };
  for (const role_transfer& t : roles.transfers)
    for (const std::string_view to : t.to) {
      const std::size_t senders = ranks_of(by_rank, t.from).size();
      const std::size_t receivers = ranks_of(by_rank, to).size();
      if (senders == receivers) continue;
      text.append("transfer `").append(t.task).append("` is from ");
      add(t.from, senders);
      text.append("to ");
      add(to, receivers);
      text.append(
          "and each rank sends to the one that has its place in the other role: let as many ranks "
          "play both");
      throw usage_error(text);
    }
}

}  // namespace stretto::collective
