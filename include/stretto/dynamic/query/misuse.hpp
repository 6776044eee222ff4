// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <vector>

/// What can be wrong with a schedule beyond the rules. In a schedule of types the compiler sees to
/// it, or it cannot be written at all.
namespace stretto::dynamic {

using stretto::most_batches;

/// How many threads a group of workers can have.
inline constexpr int most_workers = 99;
/// How many threads a generated thread map can have.
inline constexpr int most_generated = 1'000;

/// How many workers all groups can have together.
inline constexpr std::int64_t most_workers_in_all = 1'000;
/// How many tasks times workers there can be: each is looked at for itself.
inline constexpr std::int64_t most_worker_tasks = 20'000;
/// How many pairs of a writer and another user slots can have: each is looked at for itself.
inline constexpr std::int64_t most_pairs = 50'000;

namespace detail {

/// What is wrong with a schedule that no rule is about, one sentence for each. \p d: its
/// declaration.
STRETTO_INLINE std::vector<std::string> find_misuse(const schedule& s,
                                                    const planner::declaration& d);

}  // namespace detail
}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/misuse.ipp>
#endif
