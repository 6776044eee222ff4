// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules whose ranks differ, with threads as ranks: what they compute is what one rank would,
// and what one cannot go on with ends all.
#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>
#include <vector>
#include "../support/lane_job.hpp"
#include "../support/role_job.hpp"
#include "../support/tested.hpp"
#include "ranks.hpp"

namespace st = stretto;
namespace local = stretto::local;
using role_job::job;
using role_job::mishap;
using role_job::results;

namespace {

template <st::fixed_string Role, class... Options>
using rank_of = tested::pipeline<st::projection<job, Role>, local::collectives, Options...>;

/// How long a rank waits for others: a hang is a failure.
constexpr std::chrono::minutes patience(2);

auto numbers(int batches) {
  return [next = 0, batches]() mutable {
    return next < batches ? std::optional(next++) : std::nullopt;
  };
}

template <class... Options>
results on_three_ranks(int batches, int runs = 1) {
  results all;
  local::ranks there(3);
  ranks::each(3, [&](std::size_t r) {
    if (r == 0) {
      rank_of<"reader", Options...> pipeline(local::rank(there, r, patience));
      for (int i = 0; i < runs; ++i)
        for (const auto& [k, e] : pipeline.run(numbers(batches))) all.echoed.push_back(e + 0 * k);
    } else if (r == 1) {
      rank_of<"trainer", Options...> pipeline(local::rank(there, r, patience));
      for (int i = 0; i < runs; ++i) {
        int seen = 0;
        for ([[maybe_unused]] const auto& batch : pipeline.run(st::follow())) ++seen;
        CHECK(seen == batches);
      }
    } else {
      rank_of<"keeper", Options...> pipeline(local::rank(there, r, patience));
      for (int i = 0; i < runs; ++i)
        for (const double k : pipeline.run(st::follow())) all.kept.push_back(k);
    }
  });
  return all;
}

/// What each rank says of a mishap, or of what it does with its results.
struct said {
  std::string reader, trainer, keeper;
};
template <class Loop>
said when(const mishap& failing, const Loop& loop) {
  said all;
  local::ranks there(3);
  ranks::each(3, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    if (r == 0) {
      rank_of<"reader"> pipeline(here, role_job::decode{failing});
      all.reader = ranks::thrown<std::exception>([&] { loop(r, pipeline.run(numbers(9))); });
    } else if (r == 1) {
      rank_of<"trainer"> pipeline(here, role_job::train{failing});
      all.trainer = ranks::thrown<std::exception>([&] { loop(r, pipeline.run(st::follow())); });
    } else {
      rank_of<"keeper"> pipeline(here, role_job::keep_it{failing});
      all.keeper = ranks::thrown<std::exception>([&] { loop(r, pipeline.run(st::follow())); });
    }
  });
  return all;
}

constexpr auto to_the_end = [](std::size_t, auto&& run) {
  for ([[maybe_unused]] const auto& result : run) continue;
};

bool tells(const std::string& text, const char* part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ranks with roles compute what one rank would, bit by bit") {
  for (const int batches : {0, 1, 2, 3, 50}) {
    const results expected = role_job::on_one_rank(batches);
    CHECK(role_job::on_one_rank<job>(batches) == expected);
    CHECK(on_three_ranks(batches) == expected);
  }
  CHECK(on_three_ranks<st::barrier>(20) == role_job::on_one_rank(20));
}

TEST_CASE("ranks with roles make one run after the other") {
  const results once = role_job::on_one_rank(4);
  // The trainer's state goes on; what depends on it alone differs.
  const results twice = on_three_ranks(4, 2);
  REQUIRE(twice.kept.size() == 8);
  for (std::size_t b = 0; b < 4; ++b) CHECK(twice.kept[b] == once.kept[b]);
  CHECK(twice.echoed.size() == 8);
}

TEST_CASE("a task that fails in any role ends all ranks with what it said") {
  for (const std::size_t batch : {std::size_t{0}, std::size_t{3}, std::size_t{8}}) {
    const std::string on = " on batch " + std::to_string(batch);
    said s = when({"decode", batch}, to_the_end);
    CHECK(tells(s.reader, "disk full"));
    CHECK(tells(s.trainer, ("rank 0 of role `reader` failed at task `decode`" + on).c_str()));
    CHECK(tells(s.keeper, ("rank 0 of role `reader` failed at task `decode`" + on).c_str()));
    s = when({"train", batch}, to_the_end);
    CHECK(tells(s.trainer, "disk full"));
    CHECK(tells(s.reader, ("rank 1 of role `trainer` failed at task `train`" + on).c_str()));
    CHECK(tells(s.keeper, ("rank 1 of role `trainer` failed at task `train`" + on).c_str()));
    s = when({"keep_it", batch}, to_the_end);
    CHECK(tells(s.keeper, "disk full"));
    CHECK(tells(s.reader, ("rank 2 of role `keeper` failed at task `keep_it`" + on).c_str()));
    CHECK(tells(s.trainer, ("rank 2 of role `keeper` failed at task `keep_it`" + on).c_str()));
  }
}

TEST_CASE("a rank that leaves its run ends the others'") {
  for (std::size_t leaver = 0; leaver < 3; ++leaver) {
    const said s = when({}, [leaver](std::size_t rank, auto&& run) {
      std::size_t seen = 0;
      for ([[maybe_unused]] const auto& result : run)
        if (++seen == 3 && rank == leaver) break;
    });
    const char* const roles[] = {"reader", "trainer", "keeper"};
    const std::string left =
        "rank " + std::to_string(leaver) + " of role `" + roles[leaver] + "` left its run after ";
    const std::string* const texts[] = {&s.reader, &s.trainer, &s.keeper};
    for (std::size_t rank = 0; rank < 3; ++rank) {
      if (rank == leaver)
        CHECK(texts[rank]->empty());
      else
        CHECK(tells(*texts[rank], left.c_str()));
    }
  }
}

TEST_CASE("any rank may stop all") {
  std::vector<std::size_t> seen(3);
  local::ranks there(3);
  std::stop_source stop;
  const auto loop = [&](std::size_t r, auto&& run) {
    for ([[maybe_unused]] const auto& result : run)
      if (++seen[r] == 2 && r == 2) stop.request_stop();
  };
  ranks::each(3, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    if (r == 0) {
      rank_of<"reader"> pipeline(here);
      loop(r, pipeline.run(numbers(1'000'000)));
    } else if (r == 1) {
      rank_of<"trainer"> pipeline(here);
      loop(r, pipeline.run(st::follow()));
    } else {
      rank_of<"keeper"> pipeline(here);
      loop(r, pipeline.run(st::follow(), stop.get_token()));
    }
  });
  CHECK(seen[0] >= 2);
  CHECK(seen[1] == seen[0]);
  CHECK(seen[2] == seen[0]);
}

TEST_CASE("each role is played, and by as many ranks as it sends to") {
  const auto said_with = [](std::size_t size) {
    std::vector<std::string> all(size);
    local::ranks there(size);
    ranks::each(size, [&](std::size_t r) {
      const local::rank here(there, r, patience);
      const auto begin = [&](auto& pipeline, auto source) {
        all[r] = ranks::thrown<st::usage_error>([&] { to_the_end(r, pipeline.run(source)); });
      };
      if (r == 0) {
        rank_of<"reader"> pipeline(here);
        begin(pipeline, numbers(3));
      } else if (r == 2) {
        rank_of<"keeper"> pipeline(here);
        begin(pipeline, st::follow());
      } else {
        rank_of<"trainer"> pipeline(here);
        begin(pipeline, st::follow());
      }
    });
    for (const std::string& text : all) CHECK(text == all[0]);
    return all[0];
  };
  CHECK(said_with(2) ==
        "no rank plays role `keeper` of the schedule: rank 0 plays `reader`, rank 1 plays "
        "`trainer`");
  CHECK(said_with(4) ==
        "transfer `sample_to_trainer` is from role `reader`, which 1 rank plays, to role "
        "`trainer`, which 2 ranks play, and each rank sends to the one that has its place in the "
        "other role: let as many ranks play both");
  CHECK(said_with(3).empty());
}

TEST_CASE("a rank has one pipeline, and none after a failure") {
  local::ranks there(2);
  const auto refused = [&](std::size_t r) {
    return ranks::thrown<st::usage_error>([&] { rank_of<"reader">{local::rank(there, r)}; });
  };
  {
    const rank_of<"reader"> first(local::rank(there, 0));
    CHECK(tells(refused(0), "rank 0 of local::ranks has a pipeline"));
    CHECK(tells(refused(2), "local::ranks has 2 ranks, counted from 0, and no rank 2"));
    CHECK(refused(1).empty());
  }
  CHECK(refused(0).empty());
  using std::chrono::milliseconds;
  {
    rank_of<"reader"> alone(local::rank(there, 0, milliseconds(20)));
    CHECK(
        tells(ranks::thrown<st::missing_rank_error>([&] { to_the_end(0, alone.run(numbers(1))); }),
              "rank 1 did not begin run 1 within 20 ms, and no other rank plays role `trainer` or "
              "role `keeper`"));
    CHECK(tells(ranks::thrown<st::usage_error>([&] { to_the_end(0, alone.run(numbers(1))); }),
                "no other run can use them"));
  }
  CHECK(tells(refused(0), "make new local::ranks"));
}

TEST_CASE("ranks compare the plan of the whole, and not of their parts") {
  // The reader's part is the same in both.
  std::vector<std::string> all(3);
  local::ranks there(3);
  ranks::each(3, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    const auto begin = [&](auto& pipeline, auto source) {
      all[r] = ranks::thrown<st::plan_mismatch_error>([&] { to_the_end(r, pipeline.run(source)); });
    };
    if (r == 0) {
      rank_of<"reader"> pipeline(here);
      begin(pipeline, numbers(3));
    } else if (r == 1) {
      tested::pipeline<
          st::projection<st::replan<job, st::place<role_job::train, st::lookahead<3>>>, "trainer">,
          local::collectives>
          pipeline(here);
      begin(pipeline, st::follow());
    } else {
      rank_of<"keeper"> pipeline(here);
      begin(pipeline, st::follow());
    }
  });
  for (const std::string& text : all)
    CHECK(
        tells(text, "ranks 0 and 2 and rank 1 run different plans: they differ in task `decode`"));
}

TEST_CASE(
    "a projection has the tasks of its role, at the lookaheads and in the order of the whole") {
  using reader = st::projection<job, "reader">;
  using trainer = st::projection<job, "trainer">;
  using keeper = st::projection<job, "keeper">;
  constexpr const auto& whole = st::plan_of<job>;
  CHECK(st::plan_of<reader>.tasks == 4);
  CHECK(st::plan_of<trainer>.tasks == 3);
  CHECK(st::plan_of<keeper>.tasks == 4);
  CHECK(st::plan_of<reader>.max_lookahead == whole.max_lookahead);
  CHECK(st::plan_of<trainer>.max_lookahead == whole.max_lookahead);
  CHECK(st::plan_of<keeper>.tickets.size() == 4);
  CHECK(st::is_valid<reader>);
  // A plan of one rank's own would not be that of the others.
  CHECK_FALSE(st::is_valid<st::serial<reader>>);
  CHECK_FALSE(st::is_valid<st::projection<reader, "trainer">>);
  CHECK(st::is_valid<st::projection<st::serial<job>, "trainer">>);
  CHECK(st::is_valid<st::projection<st::pipelined<job>, "trainer">>);
}

namespace {

struct cut : st::slot<int> {};
struct cooked : st::slot<int> {};
struct eaten : st::slot<int> {};
struct washed : st::slot<int> {};
struct peel {
  using role = st::role<"kitchen">;
  using thread = st::thread<"a">;
  static constexpr int lookahead = 3;
  void operator()(st::in<role_job::number> in, st::out<cut> out) const { out = *in; }
};
struct cook {
  using role = st::role<"kitchen">;
  using thread = st::thread<"b">;
  static constexpr int lookahead = 3;
  void operator()(st::in<cut> in, st::out<cooked> out) const { out = *in; }
};
struct eat {
  using role = st::role<"table">;
  static constexpr int lookahead = 1;
  void operator()(st::in<cooked> in, st::out<eaten> out) const { out = *in + 1; }
};
struct wash {
  using role = st::role<"sink">;
  void operator()(st::in<eaten> in, st::out<washed> out) const { out = *in * 2; }
};
struct serve : st::transfer<cooked, "kitchen", "table"> {
  static constexpr int lookahead = 2;
};
struct meal : st::schedule<st::source<role_job::number>, st::result<washed>, peel, cook, serve, eat,
                           st::transfer<eaten, "table", "sink">, wash> {};

}  // namespace

TEST_CASE("a rank ends that is behind others which have nothing more to send") {
  std::vector<int> got;
  local::ranks there(3);
  ranks::each(3, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    if (r == 0) {
      tested::pipeline<st::projection<meal, "kitchen">, local::collectives> pipeline(here);
      to_the_end(r, pipeline.run(numbers(6)));
    } else if (r == 1) {
      tested::pipeline<st::projection<meal, "table">, local::collectives> pipeline(here);
      to_the_end(r, pipeline.run(st::follow()));
    } else {
      tested::pipeline<st::projection<meal, "sink">, local::collectives> pipeline(here);
      for (const int w : pipeline.run(st::follow())) got.push_back(w);
    }
  });
  CHECK(got == std::vector<int>{2, 4, 6, 8, 10, 12});
}

TEST_CASE("lookaheads of a pipelined schedule are raised alike on all ranks") {
  constexpr const auto& whole = st::plan_of<st::pipelined<meal>>;
  constexpr const auto& kitchen = st::plan_of<st::projection<st::pipelined<meal>, "kitchen">>;
  constexpr const auto& table = st::plan_of<st::projection<st::pipelined<meal>, "table">>;
  REQUIRE(whole.max_lookahead > st::plan_of<meal>.max_lookahead);
  CHECK(kitchen.max_lookahead == whole.max_lookahead);
  CHECK(table.max_lookahead == whole.max_lookahead);
  for (std::size_t t = 0; t < kitchen.tasks; ++t) CHECK(kitchen.lag[t] == whole.lag[t]);
  for (std::size_t t = 0; t < table.tasks; ++t) CHECK(table.lag[t] == whole.lag[t + 2]);
}

TEST_CASE("schedules with roles may be serial or pipelined") {
  const auto run = []<class Whole>(std::type_identity<Whole>) {
    std::vector<double> kept;
    local::ranks there(3);
    ranks::each(3, [&](std::size_t r) {
      const local::rank here(there, r, patience);
      if (r == 0) {
        tested::pipeline<st::projection<Whole, "reader">, local::collectives> pipeline(here);
        to_the_end(r, pipeline.run(numbers(12)));
      } else if (r == 1) {
        tested::pipeline<st::projection<Whole, "trainer">, local::collectives> pipeline(here);
        to_the_end(r, pipeline.run(st::follow()));
      } else {
        tested::pipeline<st::projection<Whole, "keeper">, local::collectives> pipeline(here);
        for (const double k : pipeline.run(st::follow())) kept.push_back(k);
      }
    });
    return kept;
  };
  CHECK(run(std::type_identity<st::serial<job>>()) == role_job::on_one_rank(12).kept);
  CHECK(run(std::type_identity<st::pipelined<job>>()) == role_job::on_one_rank(12).kept);
}

namespace {

struct big : st::slot<int> {};
struct pair_sum : st::slot<int> {};
struct scaled : st::slot<int> {};

/// On all ranks, of what one has sent to all.
struct weigh {
  static constexpr int lookahead = 1;
  void operator()(st::in<big> in, st::out<scaled> out) const { out = 3 * *in; }
};
struct enlarge {
  using role = st::role<"kitchen">;
  static constexpr int lookahead = 3;
  void operator()(st::in<role_job::number> in, st::out<big> out) const { out = 10 * *in; }
};
struct spread_big : st::transfer<big, "kitchen", "table"> {
  static constexpr int lookahead = 2;
};
/// Once for two batches, and so is what takes it to the other role.
struct add_two {
  using role = st::role<"table">;
  static constexpr int every = 2;
  static constexpr int lookahead = 1;
  using reads = st::reads<scaled, st::previous<big>>;
  using writes = st::writes<pair_sum>;
  void operator()(int now, const st::previous<big>& before, int& out) const {
    out = now + (before ? *before : 0);
  }
};
struct sum_back : st::transfer<pair_sum, "table", "kitchen"> {
  static constexpr int every = 2;
};
struct keep_sum {
  using role = st::role<"kitchen">;
  static constexpr int every = 2;
  using reads = st::reads<pair_sum>;
  std::vector<int>* sums;
  void operator()(int in) const { sums->push_back(in); }
};
struct uneven : st::schedule<st::source<role_job::number>, st::result<scaled>, enlarge, spread_big,
                             weigh, add_two, sum_back, keep_sum> {};

}  // namespace

TEST_CASE("tasks of all ranks, of some batches and of earlier ones are where their slots are") {
  for (const int batches : {0, 1, 4, 7}) {
    std::vector<int> expected;
    std::vector<int> sums;
    std::vector<std::vector<int>> got(3);
    {
      tested::pipeline<st::serial<uneven>> alone(keep_sum{&expected});
      for (const int s : alone.run(numbers(batches))) got[2].push_back(s);
    }
    local::ranks there(2);
    ranks::each(2, [&](std::size_t r) {
      const local::rank here(there, r, patience);
      if (r == 0) {
        tested::pipeline<st::projection<uneven, "kitchen">, local::collectives> pipeline(
            here, keep_sum{&sums});
        for (const int s : pipeline.run(numbers(batches))) got[r].push_back(s);
      } else {
        tested::pipeline<st::projection<uneven, "table">, local::collectives> pipeline(here);
        for (const int s : pipeline.run(st::follow())) got[r].push_back(s);
      }
    });
    CHECK(sums == expected);
    CHECK(sums.size() == static_cast<std::size_t>(batches / 2));
    CHECK(got[0] == got[2]);
    CHECK(got[1] == got[2]);
  }
}

namespace {

template <st::fixed_string Role>
using lane_of = tested::pipeline<st::projection<lane_job::job, Role>, local::collectives>;

/// Which ranks read, by lane; the others train, in their order.
using readers = std::vector<std::size_t>;

/// Calls \p use with each rank's pipeline, lane and source.
template <class Use>
void each_lane(const readers& reading, std::size_t size, const mishap& failing, std::size_t where,
               const Use& use) {
  local::ranks there(size);
  ranks::each(size, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    const mishap mine = r == where ? failing : mishap();
    const auto before = static_cast<std::size_t>(
        std::lower_bound(reading.begin(), reading.end(), r) - reading.begin());
    if (std::binary_search(reading.begin(), reading.end(), r)) {
      lane_of<"reader"> pipeline(here, lane_job::read{mine});
      use(r, before, pipeline);
    } else {
      lane_of<"trainer"> pipeline(here, lane_job::train{mine});
      use(r, r - before, pipeline);
    }
  });
}

/// What each rank says.
template <class Loop>
std::vector<std::string> said_on_lanes(const mishap& failing, std::size_t where, const Loop& loop) {
  const readers reading{1, 2};
  std::vector<std::string> all(4);
  each_lane(reading, 4, failing, where, [&](std::size_t r, std::size_t lane, auto& pipeline) {
    all[r] = ranks::thrown<std::exception>([&] {
      if constexpr (std::is_same_v<decltype(pipeline), lane_of<"reader">&>)
        loop(r, pipeline.run(lane_job::numbers(9, lane)));
      else
        loop(r, pipeline.run(st::follow()));
    });
  });
  return all;
}

}  // namespace

TEST_CASE("ranks of one role send to those of the other lane by lane, and meet among themselves") {
  for (const readers& reading :
       {readers{0}, readers{1}, readers{0, 1}, readers{1, 2}, readers{0, 3, 4}, readers{1, 3, 5}}) {
    for (const int batches : {0, 1, 12}) {
      const std::size_t lanes = reading.size();
      each_lane(reading, 2 * lanes, {}, 2 * lanes,
                [&](std::size_t r, std::size_t lane, auto& pipeline) {
                  for (int run = 0; run < 2; ++run) {
                    if constexpr (std::is_same_v<decltype(pipeline), lane_of<"reader">&>) {
                      CHECK(lane_job::is_told(pipeline.run(lane_job::numbers(batches, lane)),
                                              batches, lane, lanes));
                    } else {
                      to_the_end(r, pipeline.run(st::follow()));
                    }
                  }
                });
    }
  }
}

TEST_CASE("what one rank of a role fails with is told to all, with its number and role") {
  for (const std::size_t failing : {std::size_t{2}, std::size_t{3}}) {
    const char* const task = failing == 2 ? "read" : "train";
    const char* const role = failing == 2 ? "reader" : "trainer";
    const std::vector<std::string> texts = said_on_lanes({task, 4}, failing, to_the_end);
    const std::string told = "rank " + std::to_string(failing) + " of role `" + role +
                             "` failed at task `" + task + "` on batch 4: disk full";
    for (std::size_t r = 0; r < texts.size(); ++r)
      CHECK(tells(texts[r], r == failing ? "disk full" : told.c_str()));
  }
}

TEST_CASE("one rank of a role that leaves its run ends those of all others") {
  for (std::size_t leaver = 0; leaver < 4; ++leaver) {
    const std::vector<std::string> texts =
        said_on_lanes({}, 4, [leaver](std::size_t rank, auto&& run) {
          std::size_t seen = 0;
          for ([[maybe_unused]] const auto& result : run)
            if (++seen == 3 && rank == leaver) break;
        });
    const std::string left = "rank " + std::to_string(leaver) + " of role `" +
                             (leaver == 1 || leaver == 2 ? "reader" : "trainer") +
                             "` left its run after ";
    for (std::size_t r = 0; r < texts.size(); ++r)
      CHECK((r == leaver ? texts[r].empty() : tells(texts[r], left.c_str())));
  }
}

TEST_CASE("roles that send to each other are played by as many ranks") {
  std::vector<std::string> all(3);
  each_lane({0, 1}, 3, {}, 3, [&](std::size_t r, std::size_t lane, auto& pipeline) {
    all[r] = ranks::thrown<st::usage_error>([&] {
      if constexpr (std::is_same_v<decltype(pipeline), lane_of<"reader">&>)
        to_the_end(r, pipeline.run(lane_job::numbers(3, lane)));
      else
        to_the_end(r, pipeline.run(st::follow()));
    });
  });
  for (const std::string& text : all)
    CHECK(text ==
          "transfer `sample_to_trainer` is from role `reader`, which 2 ranks play, to role "
          "`trainer`, "
          "which 1 rank plays, and each rank sends to the one that has its place in the other "
          "role: let as many ranks play both");
}

namespace {

struct stirred : st::slot<int> {};
struct served : st::slot<int> {};

/// Among the ranks of its role, whose communicator has a name.
struct stir {
  using role = st::role<"kitchen">;
  using communicator = st::communicator<"stove">;
  static constexpr bool collective = true;
  static constexpr int lookahead = 2;
  using reads = st::reads<role_job::number>;
  using writes = st::writes<stirred>;
  void operator()(st::context auto& ctx, int in, int& out) const {
    out = 100 * ctx.all_reduced(in) + 10 * static_cast<int>(ctx.ranks()) +
          static_cast<int>(ctx.rank());
  }
};
struct bring : st::transfer<stirred, "kitchen", "table"> {
  static constexpr int lookahead = 1;
};
/// And of a role whose has none.
struct share_out {
  using role = st::role<"table">;
  static constexpr bool collective = true;
  using reads = st::reads<stirred>;
  using writes = st::writes<served>;
  void operator()(st::context auto& ctx, int in, int& out) const {
    out = 10 * ctx.all_reduced(in) + static_cast<int>(ctx.rank());
  }
};
struct stew
    : st::schedule<st::source<role_job::number>, st::result<served>, stir, bring, share_out> {};

}  // namespace

TEST_CASE("a collective of a role is among the ranks of that, whatever its communicator's name") {
  std::vector<std::vector<int>> got(2);
  local::ranks there(4);
  ranks::each(4, [&](std::size_t r) {
    const local::rank here(there, r, patience);
    const std::size_t lane = r / 2;
    if (r % 2 == 0) {
      tested::pipeline<st::projection<stew, "kitchen">, local::collectives> pipeline(here);
      to_the_end(r, pipeline.run([next = 0, lane]() mutable {
        return next < 3 ? std::optional(next++ + 5 * static_cast<int>(lane)) : std::nullopt;
      }));
    } else {
      tested::pipeline<st::projection<stew, "table">, local::collectives> pipeline(here);
      for (const int s : pipeline.run(st::follow())) got[lane].push_back(s);
    }
  });
  for (std::size_t lane = 0; lane < 2; ++lane) {
    REQUIRE(got[lane].size() == 3);
    for (int b = 0; b < 3; ++b) {
      const int stirred_by_both = 100 * (2 * b + 5) + 20;
      CHECK(got[lane][static_cast<std::size_t>(b)] ==
            10 * (2 * stirred_by_both + 1) + static_cast<int>(lane));
    }
  }
}
