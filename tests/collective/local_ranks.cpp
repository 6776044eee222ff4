// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One schedule on threads that are ranks, in both versions: what collectives are told, in which
// order they run, where ranks end, and what they say of each other.
#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../support/tested.hpp"
#include "ranks.hpp"
#if defined(STRETTO_TEST_DYNAMIC)
#  include <recording/driver.hpp>
#  include <stretto/device/backend.hpp>
#endif

namespace st = stretto;
namespace local = stretto::local;

namespace {

constexpr std::chrono::minutes patience(2);
constexpr std::size_t ranks_in_all = 3;

struct number : st::slot<int> {};
struct first : st::slot<int> {};
struct sum : st::slot<int> {};

/// What ranks of one process have between them.
struct board {
  std::vector<std::vector<std::pair<std::string, std::size_t>>> order{ranks_in_all};
  std::vector<std::atomic<int>> inside = std::vector<std::atomic<int>>(ranks_in_all);
  std::size_t failing = ranks_in_all;  ///< the rank of which a task fails

  /// On one thread of a rank at a time.
  template <class Context>
  void note(Context& ctx) {
    CHECK(inside[ctx.rank()]++ == 0);
    order[ctx.rank()].emplace_back(std::string(ctx.task()), ctx.batch());
    --inside[ctx.rank()];
  }
};

struct tell {
  static constexpr bool collective = true;
  static constexpr int lookahead = 1;
  using thread = st::thread<"tell">;
  using reads = st::reads<number>;
  using writes = st::writes<first>;
  board* all;
  void operator()(st::context auto& ctx, int in, int& out) const {
    all->note(ctx);
    if (ctx.rank() == all->failing && ctx.batch() == 2) throw std::runtime_error("disk full");
    out = in * 10 + static_cast<int>(ctx.rank());
  }
};
struct count {
  static constexpr bool collective = true;
  using reads = st::reads<first>;
  using writes = st::writes<sum>;
  board* all;
  void operator()(st::context auto& ctx, int in, int& out) const {
    all->note(ctx);
    out = in * 10 + static_cast<int>(ctx.ranks());
  }
};
struct counting : st::schedule<st::source<number>, st::result<sum>, st::agreed_end, tell, count> {};
struct unequal : st::schedule<st::source<number>, st::result<sum>, tell, count> {};
struct earlier : st::replan<counting, st::place<tell, st::lookahead<2>>> {};

/// What each rank says.
using said = std::vector<std::string>;

template <class Schedule, class... Options>
std::vector<int> results_of(board& all, local::ranks& there, std::size_t rank,
                            std::size_t batches) {
  tested::pipeline<Schedule, local::collectives, Options...> pipeline(
      local::rank(there, rank, patience), tell{&all}, count{&all});
  std::vector<int> source;
  for (std::size_t b = 0; b < batches; ++b) source.push_back(static_cast<int>(b));
  std::vector<int> results;
  for (const int r : pipeline.run(source)) results.push_back(r);
  CHECK(pipeline.report().end == st::run_end::completed);
  return results;
}

template <class... Options>
void ranks_end_alike() {
  board all;
  local::ranks there(ranks_in_all);
  std::vector<std::vector<int>> results(ranks_in_all);
  ranks::each(ranks_in_all, [&](std::size_t r) {
    results[r] = results_of<counting, Options...>(all, there, r, 20 + (r + 1) % ranks_in_all);
  });
  for (std::size_t r = 0; r < ranks_in_all; ++r) {
    REQUIRE(results[r].size() == 20);
    for (std::size_t b = 0; b < results[r].size(); ++b)
      CHECK(results[r][b] == static_cast<int>(b * 100 + r * 10 + ranks_in_all));
    CHECK(all.order[r].size() == 40);
    CHECK(all.order[r] == all.order[0]);
  }
}

said with_failures(std::size_t failing, std::size_t leaving) {
  board all;
  all.failing = failing;
  local::ranks there(ranks_in_all);
  said texts(ranks_in_all);
  ranks::each(ranks_in_all, [&](std::size_t r) {
    texts[r] = ranks::thrown<std::exception>([&] {
      tested::pipeline<counting, local::collectives> pipeline(local::rank(there, r, patience),
                                                              tell{&all}, count{&all});
      std::size_t seen = 0;
      for ([[maybe_unused]] const int result : pipeline.run(std::vector<int>(30)))
        if (++seen == 4 && r == leaving) break;
    });
  });
  return texts;
}

bool tells(const std::string& text, std::string_view part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("collectives of local ranks know who they are, run in one order and end alike") {
  ranks_end_alike();
  ranks_end_alike<st::barrier>();
}

TEST_CASE("what a local rank fails with is told to all others") {
  const said texts = with_failures(1, ranks_in_all);
  CHECK(tells(texts[1], "task `tell` failed on batch 2 (progress 2): disk full"));
  CHECK(tells(texts[0], "rank 1 failed at task `tell` on batch 2: disk full"));
  CHECK(tells(texts[2], "rank 1 failed at task `tell` on batch 2: disk full"));
}

TEST_CASE("a local rank that leaves its run ends the others'") {
  const said texts = with_failures(ranks_in_all, 2);
  CHECK(texts[2].empty());
  CHECK(tells(texts[0], "rank 2 left its run"));
  CHECK(tells(texts[1], "rank 2 left its run"));
}

TEST_CASE("local ranks with unequal numbers of batches hear of it") {
  board all;
  local::ranks there(ranks_in_all);
  said texts(ranks_in_all);
  ranks::each(ranks_in_all, [&](std::size_t r) {
    texts[r] = ranks::thrown<st::batch_count_error>(
        [&] { static_cast<void>(results_of<unequal>(all, there, r, r == 0 ? 3 : 5)); });
  });
  CHECK(tells(texts[1], "3"));
  CHECK(tells(texts[2], "3"));
}

TEST_CASE("a local rank that never comes is named, by when the ranks say") {
  board all;
  local::ranks there(2, std::chrono::milliseconds(20));
  st::missing_rank_error error({}, "", std::chrono::milliseconds(0));
  tested::pipeline<counting, local::collectives> pipeline(local::rank(there, 0), tell{&all},
                                                          count{&all});
  try {
    for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>(3))) {
    }
    FAIL("it ran alone");
  } catch (const st::missing_rank_error& e) {
    error = e;
  }
  tells(error.what(), "rank 1 did not begin run 1 within");
  CHECK(error.ranks() == std::vector<std::size_t>{1});
  CHECK(error.seconds() == std::chrono::milliseconds(20));
}

TEST_CASE("a stop ends the wait for a local rank that has not begun, which hears of it") {
  board all;
  local::ranks there(2);
  std::stop_source stop;
  stop.request_stop();
  int asked = 0;
  const auto source = [&](int& slot) {
    slot = ++asked;
    return true;
  };
  tested::pipeline<counting, local::collectives> early(local::rank(there, 0, patience), tell{&all},
                                                       count{&all});
  {
    auto run = early.run(source, st::cancel_on(stop.get_token()));
    CHECK_FALSE(run.next());
    CHECK_FALSE(run.has_more());
  }
  CHECK(asked == 0);
  CHECK(early.report().end == st::run_end::cancelled);
  CHECK(early.report().pulled == 0);
  CHECK(early.report().failures.empty());
  tells(ranks::thrown<st::usage_error>([&] { static_cast<void>(early.run(source)); }),
        "no other run can use them");
  tested::pipeline<counting, local::collectives> late(local::rank(there, 1, patience), tell{&all},
                                                      count{&all});
  tells(ranks::thrown<st::task_error>([&] {
          for ([[maybe_unused]] const int r : late.run(std::vector<int>(3))) continue;
        }),
        "rank 0 was stopped before all ranks had begun run 1");
}

TEST_CASE("a local rank that waits for another one hears of one that was stopped, too") {
  board all;
  local::ranks there(ranks_in_all);  // the last one never comes
  std::stop_source stop;
  stop.request_stop();
  tested::pipeline<counting, local::collectives> first(local::rank(there, 0, patience), tell{&all},
                                                       count{&all});
  tested::pipeline<counting, local::collectives> second(local::rank(there, 1, patience), tell{&all},
                                                        count{&all});
  auto run = first.run(std::vector<int>(3), st::cancel_on(stop.get_token()));
  CHECK_FALSE(run.next());
  tells(ranks::thrown<st::peer_error>([&] { static_cast<void>(second.run(std::vector<int>(3))); }),
        "rank 0 was stopped before all ranks had begun run 1");
}

TEST_CASE("local ranks that begin two pipelines in different orders do not wait for ever") {
  board all;
  local::ranks one(2, std::chrono::milliseconds(20));
  local::ranks other(2, std::chrono::milliseconds(20));
  said texts(2);
  ranks::each(2, [&](std::size_t r) {
    const auto begin = [&](local::ranks& there) {
      tested::pipeline<counting, local::collectives> pipeline(local::rank(there, r), tell{&all},
                                                              count{&all});
      for ([[maybe_unused]] const int result : pipeline.run(std::vector<int>(3))) {
      }
    };
    texts[r] = ranks::thrown<st::missing_rank_error>([&] {
      begin(r == 0 ? one : other);
      begin(r == 0 ? other : one);
    });
  });
  for (const std::size_t r : {0U, 1U})
    tells(texts[r], "rank " + std::to_string(1 - r) + " did not begin run 1 within");
}

TEST_CASE("local ranks compare plans") {
  board all;
  local::ranks there(ranks_in_all);
  said texts(ranks_in_all);
  ranks::each(ranks_in_all, [&](std::size_t r) {
    texts[r] = ranks::thrown<st::plan_mismatch_error>([&] {
      if (r == 1)
        static_cast<void>(results_of<earlier>(all, there, r, 3));
      else
        static_cast<void>(results_of<counting>(all, there, r, 3));
    });
  });
  for (const std::string& text : texts)
    CHECK(tells(text, "ranks 0 and 2 and rank 1 run different plans"));
}

namespace {

/// One thing that ranks do with two elements each.
struct exchange {
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
  std::string_view call;
  std::size_t made = 2;          ///< how many elements it makes room for
  std::size_t root = 0;          ///< of a broadcast
  bool rank_1_has_more = false;  ///< an element, and room for as many more as that needs
  void operator()(st::context auto& ctx, int in, int& out) const {
    const std::size_t more = rank_1_has_more && ctx.rank() == 1 ? 1 : 0;
    std::vector<int> own(2 + more, in);
    std::vector<int> all(made + made / 2 * more);
    if (call == "all_reduce") ctx.all_reduce(own, all);
    if (call == "all_gather") ctx.all_gather(own, all);
    if (call == "broadcast") ctx.broadcast(own, root);
    out = call == "broadcast" ? own[0] : all[0];
  }
};
struct exchanging : st::schedule<st::source<number>, st::result<sum>, exchange> {};

/// What two ranks say, or what they got of a batch that is 7 on rank 0 and 8 on rank 1.
said exchanged(const exchange& how) {
  local::ranks there(2);
  said texts(2);
  ranks::each(2, [&](std::size_t r) {
    texts[r] = ranks::thrown<std::exception>([&] {
      tested::pipeline<exchanging, local::collectives> pipeline(local::rank(there, r, patience),
                                                                exchange(how));
      std::string got;
      for (const int result : pipeline.run(std::vector<int>{7 + static_cast<int>(r)}))
        got += "got " + std::to_string(result);
      throw std::runtime_error(got);
    });
  });
  return texts;
}
/// Whichever rank finds it first: others hear of it.
void check_refused(const exchange& how, std::string_view text) {
  for (const std::string& t : exchanged(how)) CHECK(tells(t, text));
}

}  // namespace

TEST_CASE("what fits is exchanged, and what does not is told by whoever finds it") {
  CHECK(exchanged({"all_reduce"}) == said{"got 15", "got 15"});
  CHECK(exchanged({"all_gather", 4}) == said{"got 7", "got 7"});
  CHECK(exchanged({"broadcast", 2, 1}) == said{"got 8", "got 8"});
  check_refused({"all_reduce", 1}, "all_reduce: in and out differ in length");
  check_refused({"all_reduce", 2, 0, true}, "all_reduce: ranks differ in length");
  check_refused({"all_gather", 3}, "all_gather: out is not ranks() times in");
  check_refused({"all_gather", 4, 0, true}, "all_gather: ranks differ in length");
  check_refused({"broadcast", 2, 0, true}, "broadcast: ranks differ in length");
  check_refused({"broadcast", 2, 2}, "broadcast: there is no such rank");
}

#if !defined(STRETTO_TEST_DYNAMIC)

namespace {

struct ask_others {
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
  void operator()(st::context auto& ctx, int in, int& out) const { out = ctx.all_reduced(in); }
};
struct asking : st::schedule<st::source<number>, st::result<sum>, st::agreed_end, ask_others> {};

}  // namespace

TEST_CASE("a task that is no collective asks no other ranks") {
  local::ranks there(1);
  st::pipeline<asking, local::collectives> pipeline(local::rank(there, 0, patience));
  CHECK(tells(ranks::thrown<st::task_error>([&] {
                for ([[maybe_unused]] const int r : pipeline.run(std::vector<int>{1})) continue;
              }),
              "task `ask_others` asks for other ranks and is no collective: declare `static "
              "constexpr bool collective = true;`"));
}

#endif

#if defined(STRETTO_TEST_DYNAMIC)

namespace {

namespace dynamic = stretto::dynamic;
using context = st::context_of<st::no_device, local::collectives>;

/// Written as a value; ranks of both versions compare plans, and find them equal.
dynamic::schedule counting_value() {
  return {.name = "counting",
          .source = {.slot = "number", .collective = true},
          .results = {"sum"},
          .tasks = {{.name = "tell",
                     .thread = "tell",
                     .lookahead = 1,
                     .collective = true,
                     .reads = {"number"},
                     .writes = {"first"},
                     .body = [](const local::in_context& among, int in,
                                int& out) { out = in * 10 + static_cast<int>(among.rank()); }},
                    {.name = "count",
                     .collective = true,
                     .reads = {"first"},
                     .writes = {"sum"},
                     .body = [](context& ctx, int in, int& out) {
                       out = in * 10 + static_cast<int>(ctx.ranks());
                     }}}};
}

}  // namespace

TEST_CASE("a local rank of values runs with ranks of types") {
  board all;
  local::ranks there(ranks_in_all);
  ranks::each(ranks_in_all, [&](std::size_t r) {
    if (r == 1) {
      dynamic::pipeline<local::collectives> pipeline(counting_value(),
                                                     local::rank(there, r, patience));
      int b = 0;
      for (const dynamic::result& result : pipeline.run(std::vector<int>{0, 1, 2}))
        CHECK(result.get<int>() == b++ * 100 + 13);
      CHECK(b == 3);
      return;
    }
    st::pipeline<counting, local::collectives> pipeline(local::rank(there, r, patience), tell{&all},
                                                        count{&all});
    std::size_t seen = 0;
    for ([[maybe_unused]] const int result : pipeline.run(std::vector<int>{0, 1, 2})) ++seen;
    CHECK(seen == 3);
  });
}

TEST_CASE("what values ask of local ranks and do not get is refused") {
  local::ranks there(1);
  const auto refusal = [](auto make) { return ranks::thrown<std::exception>(make); };
  CHECK(tells(refusal([] { const dynamic::pipeline<> p(counting_value()); }),
              "task `tell` asks for `stretto::local::in_context`, but the pipeline is given no "
              "collectives: give it those as an option"));
  CHECK(tells(refusal([&] {
                dynamic::schedule s = counting_value();
                s.at("count").collective = false;
                const dynamic::pipeline<local::collectives> p(s, local::rank(there, 0));
              }),
              "task `count` asks for its communicator and is no collective: set its `collective`"));
  using device = st::device::backend<st::testing::recording::driver>;
  st::testing::recording::world world;
  CHECK(tells(refusal([&] {
                dynamic::schedule s = counting_value();
                s.streams = {"exchange"};
                s.at("tell").stream = "exchange";
                const dynamic::pipeline<device, local::collectives> p(
                    s, st::testing::recording::driver(world), local::rank(there, 0));
              }),
              "task `tell` is a collective of ranks of one process, and what those send is in "
              "host memory where streams are a device's: leave out its stream"));
  // The refusal gave the rank back.
  const dynamic::pipeline<local::collectives> p(counting_value(), local::rank(there, 0));
}

#endif
