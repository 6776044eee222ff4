// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that differ: what they compute is what one would; what one cannot go on with ends all.
#include <mpi.h>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include "../support/lane_job.hpp"
#include "../support/patience.hpp"
#include "../support/role_job.hpp"
#include "../support/tested.hpp"
#include "scenarios.hpp"

namespace scenarios {
namespace {

constexpr auto to_the_end = [](auto&& run) {
  for ([[maybe_unused]] const auto& result : run) continue;
};

/// Has rank 2 leave its run, of which all others hear by its role.
template <class Play>
void check_left(Play play_it, const std::string& who) {
  const std::string text = play_it([](auto&& run) {
    std::size_t seen = 0;
    for ([[maybe_unused]] const auto& result : run)
      if (++seen == 4 && rank() == 2) break;
  });
  if (rank() == 2)
    expect(text.empty(), "who leaves hears nothing", text);
  else
    expect(text.find(who + " left its run") != std::string::npos, "the others hear of it", text);
}

namespace st = stretto;
namespace mpi = stretto::mpi;
using role_job::mishap;

template <st::fixed_string Role>
using part = tested::pipeline<st::projection<role_job::job, Role>, mpi::collectives>;

auto numbers(int batches) {
  return [next = 0, batches]() mutable {
    return next < batches ? std::optional(next++) : std::nullopt;
  };
}

/// This rank's part in a run; what it throws, as text.
template <class Loop>
std::string play(int batches, const mishap& failing, const Loop& loop) {
  const mpi::timeout patience(tested::patience);
  try {
    if (rank() == 0) {
      part<"reader"> pipeline(patience, role_job::decode{failing});
      loop(pipeline.run(numbers(batches)));
    } else if (rank() == 1) {
      part<"trainer"> pipeline(patience, role_job::train{failing});
      loop(pipeline.run(st::follow()));
    } else {
      part<"keeper"> pipeline(patience, role_job::keep_it{failing});
      loop(pipeline.run(st::follow()));
    }
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace

void roles() {
  for (const int batches : {0, 1, 5, 40}) {
    const role_job::results expected = role_job::on_one_rank(batches);
    std::size_t seen = 0;
    bool same = true;
    const std::string text = play(batches, {}, [&](auto&& run) {
      for (const auto& result : run) {
        if constexpr (requires { std::get<1>(result); }) {
          same =
              same && seen < expected.echoed.size() && std::get<1>(result) == expected.echoed[seen];
        } else if (rank() == 2) {
          same = same && seen < expected.kept.size() &&
                 static_cast<double>(result) == expected.kept[seen];
        }
        ++seen;
      }
    });
    expect(text.empty(), "nothing is thrown", text);
    expect(same, "results are those of one rank");
    expect(seen == static_cast<std::size_t>(batches), "all batches", std::to_string(seen));
  }
}

void role_fails() {
  const std::string text = play(9, {"train", 3}, to_the_end);
  const char* const part_of_it =
      rank() == 1 ? "disk full" : "rank 1 of role `trainer` failed at task `train` on batch 3";
  expect(text.find(part_of_it) != std::string::npos, "the failure is told", text);
}

void role_is_left() {
  check_left([](auto use) { return play(50, {}, use); }, "rank 2 of role `keeper`");
}

void role_unplayed() {
  const std::string text = play(3, {}, to_the_end);
  expect(text.find("no rank plays role `keeper`") != std::string::npos, "the role is named", text);
}

namespace {

template <st::fixed_string Role>
using lane_part = tested::pipeline<st::projection<lane_job::job, Role>, mpi::collectives>;

/// This rank's part where every second one reads; what it throws, as text.
template <class Loop>
std::string play_lane(int batches, const mishap& failing, const Loop& loop) {
  const mpi::timeout patience(tested::patience);
  const auto lane = static_cast<std::size_t>(rank() / 2);
  try {
    if (rank() % 2 == 1) {
      lane_part<"reader"> pipeline(patience, lane_job::read{failing});
      loop(pipeline.run(lane_job::numbers(batches, lane)));
    } else {
      lane_part<"trainer"> pipeline(patience, lane_job::train{failing});
      loop(pipeline.run(st::follow()));
    }
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace

void lanes() {
  for (const int batches : {0, 1, 30}) {
    const std::string text = play_lane(batches, {}, [&](auto&& run) {
      if constexpr (std::is_same_v<decltype(*run.begin()), double&>)
        expect(lane_job::is_told(run, batches, static_cast<std::size_t>(rank() / 2),
                                 static_cast<std::size_t>(ranks() / 2)),
               "results are those of the lanes");
      else
        to_the_end(run);
    });
    expect(text.empty(), "nothing is thrown", text);
  }
}

void lane_fails() {
  const bool fails = rank() == 3;
  const std::string text = play_lane(9, fails ? mishap{"read", 4} : mishap(), to_the_end);
  const char* const part_of_it =
      fails ? "disk full" : "rank 3 of role `reader` failed at task `read` on batch 4";
  expect(text.find(part_of_it) != std::string::npos, "the failure is told", text);
}

void lane_is_left() {
  check_left([](auto use) { return play_lane(50, {}, use); }, "rank 2 of role `trainer`");
}

void lanes_unequal() {
  const std::string text = play_lane(3, {}, to_the_end);
  expect(text.find("role `reader`, which 1 rank plays, to role `trainer`, which 2 ranks play") !=
             std::string::npos,
         "numbers are compared", text);
}

}  // namespace scenarios
