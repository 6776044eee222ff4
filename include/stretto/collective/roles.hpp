// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/collective/wording.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::collective {

/// The roles of a schedule that differs by rank.
struct casting {
  struct role {
    std::string_view name;
    bool transfers = false;  ///< something is sent to it or from it
  };
  std::string_view own{};  ///< the role of this rank; empty: all ranks run one schedule
  std::vector<role> all{};

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

/// Throws `usage_error` unless each role is played, and by one rank if it has to do with transfers.
inline void check_casting(const casting& roles, const std::vector<std::string>& by_rank) {
  for (const casting::role& r : roles.all) {
    const std::vector<std::size_t> ranks = ranks_of(by_rank, r.name);
    if (ranks.size() == 1 || (!ranks.empty() && !r.transfers)) continue;
    std::string text;
    if (ranks.empty()) {
      text.append("no rank plays role `").append(r.name).append("` of the schedule: ");
      for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
        text.append(rank == 0 ? "" : ", ")
            .append(ranks_text({rank}))
            .append(" plays `")
            .append(by_rank[rank])
            .append("`");
    } else {
      text.append(ranks_text(ranks)).append(" play role `").append(r.name);
      text.append(
          "`, which transfers are to or from, and a transfer is from one rank to one: let ");
      text.append("one rank play it");
    }
    throw usage_error(text);
  }
}

}  // namespace stretto::collective
