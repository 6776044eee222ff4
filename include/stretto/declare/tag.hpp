// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// How far ahead, or how long ago, a schedule can reach, in batches. Every slot may need as many
/// copies.
inline constexpr int most_batches = 100'000;

/// The phase of a task that states none: it runs for the last batch of each of its groups. (The
/// least int, so that no phase out of range is taken for it.)
inline constexpr int last_of_group = -2'147'483'647 - 1;

/// What a part of a schedule is, told by its member `stretto_tag`. (Partial specialisations could
/// tell too, but nvcc does not deduce string arguments in them.) A part without it is a task.
namespace tag {
struct source {};
struct result {};
struct streams {};
struct threads {};
struct thread_map_entry {};
struct caller_runs {};
struct place {};
struct slack {};
struct thread_group {};
struct order {};
struct stream {};
struct lookahead {};
struct thread {};
struct weight {};
struct every {};
struct on_failure {};
struct max_failures {};
struct serially {};
struct waiting {};
struct pace {};
struct strict {};
struct frugal {};
struct observer {};
struct affinity {};
struct device {};
struct collectives {};
struct communicator {};
struct agreed_end {};
struct role {};
struct projected {};
struct result_on {};
struct replanned {};
struct pipelined {};
struct left_out {};
struct thread_names {};
struct offered_threads {};
struct unscheduled {};
struct scheduled_within {};
struct max_in_flight {};
struct max_bytes {};

/// The part that makes a schedule serial.
struct one_by_one {
  using stretto_tag = serially;
};

/// Stands between the options of a replan and the parts of the schedule, which they override.
struct of_the_schedule_replanned {
  using stretto_tag = replanned;
};
}  // namespace tag

}  // namespace stretto
