// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <stretto/collective/demand.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "../support/tested.hpp"
#include "cluster.hpp"

namespace {

using namespace cluster;

template <class Schedule, class... Options>
void give_right_results(std::size_t ranks, bool jitter) {
  CAPTURE(ranks);
  machines all(ranks);
  if (jitter)
    for (std::size_t r = 0; r < ranks; ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    tested::pipeline<Schedule, device, collectives, Options...> p{
        all.driver_of(r), all.library_of(r), all.communicators_of(r), patient};
    for (const std::size_t batches : {7U, 0U, 1U, 20U}) {
      const std::vector<long> got = all.run(p, r, batches);
      REQUIRE(got.size() == batches);
      for (std::size_t b = 0; b < batches; ++b) CHECK(got[b] == expected(b, ranks));
    }
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.differences().empty());
  all.check_clean();
}

struct together
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   st::agreed_end, upload, spread, train, sum, download, look> {};

/// On one rank the stream comes to `spread` after the other one has come to `sum` of the batch
/// before.
struct late_upload {
  using stream = st::stream<"prepare">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<raw>;
  bool late = false;
  void operator()(st::context auto& ctx, const pinned_cell& in, cell& out) const {
    if (late)
      ctx.driver().enqueue(ctx.stream(),
                           [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, {});
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct one_late
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   late_upload, spread, train, sum, download, look> {};

struct plain : st::slot<int> {};
/// Differs in its communicators only.
template <class Communicators>
struct among_named {
  static constexpr std::string_view name = "among_named";
  static constexpr bool collective = true;
  using communicator = Communicators;
  using reads = st::reads<plain>;
  void operator()(const int& in) const;
};
template <class Communicators>
struct naming : st::schedule<st::source<plain>, st::result<>, among_named<Communicators>> {};

struct of_pair : st::slot<cell> {};
/// Collectives of two communicators, as one call and one by one.
struct exchange {
  using stream = st::stream<"prepare">;
  using communicator = st::communicator<"world", "tables">;
  static constexpr bool collective = true;
  using reads = st::reads<raw>;
  using writes = st::writes<total, of_pair>;
  void operator()(st::context auto& ctx, const cell& in, cell& out, cell& pair) const {
    const auto tables = ctx.among("tables");
    CHECK(tables.ranks() == 2);
    CHECK(ctx.among("world").ranks() == ctx.ranks());
    if (ctx.batch() % 2 == 0) {
      ctx.grouped([&] {
        ctx.all_reduce(in.data(), out.data(), 1);
        tables.all_reduce(in.data(), pair.data(), 1);
      });
    } else {
      tables.all_reduce(in.data(), pair.data(), 1);
      ctx.all_reduce(in.data(), out.data(), 1);
    }
    if (ctx.batch() == 3) CHECK_THROWS_AS(ctx.among("node"), st::usage_error);
  }
};
struct combine {
  using stream = st::stream<"compute">;
  using reads = st::reads<total, of_pair>;
  using writes = st::writes<fetched>;
  void operator()(st::context auto& ctx, const cell& in, const cell& pair, pinned_cell& out) const {
    ctx.driver().enqueue(
        ctx.stream(), [a = in.data(), b = pair.data(), to = out.data()] { *to = 1000 * *a + *b; },
        "combine",
        {recording::reads(in.data(), sizeof(long)), recording::reads(pair.data(), sizeof(long)),
         recording::writes(out.data(), sizeof(long))});
  }
};
struct exchanging
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   upload, exchange, combine, look> {};

}  // namespace

TEST_CASE("a task may be among the ranks of several communicators") {
  for (const bool blocking : {false, true}) {
    machines all(4);
    st::nccl::local_ranks pairs[2] = {st::nccl::local_ranks(2), st::nccl::local_ranks(2)};
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      st::pipeline<exchanging, device, collectives> p{
          all.driver_of(r), all.library_of(r), patient,
          communicators{
              {"world", st::nccl::in_process(all.among_all, r), nullptr, {blocking}},
              {"tables", st::nccl::in_process(pairs[r / 2], r % 2), nullptr, {blocking}}}};
      const std::vector<long> got = all.run(p, r, 9);
      REQUIRE(got.size() == 9);
      for (std::size_t b = 0; b < 9; ++b) {
        const long of_all = static_cast<long>(40 * b + 6);
        const long of_pair = static_cast<long>(20 * b + (r < 2 ? 1 : 5));
        CHECK(got[b] == 1000 * of_all + of_pair);
      }
    });
    for (const std::string& s : said) CHECK(s == "");
    CHECK(all.net.differences().empty());
    all.check_clean();
  }
}

/// Over a part of the ranks only, in the other order.
struct among_pairs {
  using stream = st::stream<"prepare">;
  using communicator = st::communicator<"tables">;
  static constexpr bool collective = true;
  using reads = st::reads<raw>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    CHECK(ctx.ranks() == 2);
    // What the second of the two has, which has the lower number in the other communicator.
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
    ctx.broadcast(out.data(), 1, 1);
  }
};
struct splitting
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   upload, among_pairs, download, look> {};

TEST_CASE("which communicators a task names, and in which order, is in the comparison of plans") {
  const auto told = [](auto schedule) {
    const auto digest = st::collective::digest_of<decltype(schedule)>();
    CHECK(digest.tasks.size() >= 2);
    return digest.fingerprint;
  };
  const auto first = told(naming<st::communicator<"world", "tables">>{});
  CHECK(first == told(naming<st::communicator<"world", "tables">>{}));
  CHECK(first != told(naming<st::communicator<"tables", "world">>{}));
  CHECK(first != told(naming<st::communicator<"world">>{}));
  CHECK(told(naming<st::communicator<"a", "bc">>{}) !=
        told(naming<st::communicator<"a", "b", "c">>{}));
}

TEST_CASE("communicators are split from others, by color and key") {
  for (const bool blocking : {false, true}) {
    machines all(4);
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      const int number = static_cast<int>(r);
      st::pipeline<splitting, device, collectives> p{
          all.driver_of(r), all.library_of(r), patient,
          communicators{{"world", st::nccl::in_process(all.among_all, r), nullptr, {blocking}},
                        {"half", st::nccl::split{"world", number / 2, 0}, nullptr, {blocking}},
                        {"unused", st::nccl::split{"half", 0, 0}},
                        {"tables", st::nccl::split{"half", 0, -number}, nullptr, {blocking}}}};
      const std::vector<long> got = all.run(p, r, 9);
      REQUIRE(got.size() == 9);
      for (std::size_t b = 0; b < 9; ++b) CHECK(got[b] == static_cast<long>(10 * b + r / 2 * 2));
    });
    for (const std::string& s : said) CHECK(s == "");
    CHECK(all.net.differences().empty());
    all.check_clean();
  }
}

TEST_CASE("a communicator that nobody can split is refused, with what to do") {
  machines all(1);
  const auto refused = [&](const communicators& given) {
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      const st::pipeline<splitting, device, collectives> p{all.driver_of(r), all.library_of(r),
                                                           given, patient};
    });
    all.check_clean();
    return said[0];
  };
  const auto world = st::nccl::in_process(all.among_all, 0);
  CHECK(refused({{"tables", st::nccl::split{"world", 0, 0}}, {"world", world}}) ==
        "communicator `tables` is the first one, over which the ranks meet, and cannot be split "
        "from another: pass one with a meeting before it");
  CHECK(refused({{"world", world}, {"tables", st::nccl::split{"word", 0, 0}}}) ==
        "communicator `tables` is split from `word`, and no communicator of that name is passed "
        "before it");
  CHECK(refused({{"world", world}, {"tables", st::nccl::split{"world", -1, 0}}}) ==
        "communicator `tables` is split from another by a negative color: a rank that has no part "
        "in it takes a color that no other has");
}

TEST_CASE("whichever call fails while a communicator is split, all ranks end and nothing is left") {
  for (std::size_t k = 0;; ++k) {
    CAPTURE(k);
    machines all(2, 1);
    all.net.let_aborts_end_calls();
    all.net.fail_at(1, k, wire::result::internal_error);
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      const st::pipeline<splitting, device, collectives> p{
          all.driver_of(r), all.library_of(r),
          timeouts{.peers = tested::patience, .stop = std::chrono::milliseconds(50)},
          communicators{{"world", st::nccl::in_process(all.among_all, r)},
                        {"tables", st::nccl::split{"world", 0, static_cast<int>(r)}}}};
    });
    all.check_clean();
    if (all.net.fault_left()) {
      CHECK(k > 5);
      break;
    }
    if (said[1].empty()) continue;  // what is given back
    CHECK(said[1].find("internal error (ncclResult_t 3)") != std::string::npos);
    // The other one may have its own by then.
    if (!said[0].empty())
      CHECK(said[0].find("internal error (ncclResult_t 3)") != std::string::npos);
  }
}

TEST_CASE("collectives over two communicators, across threads and progresses, running ahead") {
  for (const std::size_t ranks : {1U, 2U, 3U}) give_right_results<training>(ranks, true);
}

TEST_CASE("the same with a barrier, and in a serial plan") {
  give_right_results<training, st::barrier>(2, true);
  give_right_results<st::serial<training>>(2, false);
}

TEST_CASE("of several communicators on a device one collective at a time finds room") {
  for (const bool in_order : {false, true}) {
    CAPTURE(in_order);
    machines all(2);
    all.net.limit_residents(1);
    if (in_order) all.net.keep_launch_order();
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      tested::pipeline<one_late, device, collectives> p{late_upload{r == 1}, all.driver_of(r),
                                                        all.library_of(r), all.communicators_of(r),
                                                        patient};
      const std::vector<long> got = all.run(p, r, 20);
      REQUIRE(got.size() == 20);
      for (std::size_t b = 0; b < 20; ++b) CHECK(got[b] == expected(b, 2));
    });
    for (const std::string& s : said) CHECK(s == "");
    CHECK(all.net.differences().empty());
    all.check_clean();
  }
}

TEST_CASE("ranks with unequal numbers of batches agree to stop after the same one") {
  machines all(2);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    tested::pipeline<together, device, collectives> p{all.driver_of(r), all.library_of(r),
                                                      all.communicators_of(r), patient};
    for (const std::size_t least : {5U, 0U, 1U}) {
      const std::vector<long> got = all.run(p, r, least + 2 * r);
      REQUIRE(got.size() == least);
      for (std::size_t b = 0; b < least; ++b) CHECK(got[b] == expected(b, 2));
      CHECK(p.report().end == st::run_end::completed);
    }
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.differences().empty());
  all.check_clean();
}

TEST_CASE("blocking communicators give the same results") {
  machines all(3);
  for (std::size_t r = 0; r < 3; ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    tested::pipeline<training, device, collectives> p{
        all.driver_of(r), all.library_of(r), all.communicators_of(r, {.blocking = true}), patient};
    const std::vector<long> got = all.run(p, r, 20);
    REQUIRE(got.size() == 20);
    for (std::size_t b = 0; b < 20; ++b) CHECK(got[b] == expected(b, 3));
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.count_blocking() == 6);
  CHECK(all.net.differences().empty());
  all.check_clean();
}

TEST_CASE("a user's communicators are used, and left to the user") {
  machines all(2);
  wire::library::identifier of_all{};
  wire::library::identifier of_tables{};
  all.library_of(0).unique_id(of_all);
  all.library_of(0).unique_id(of_tables);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const wire::library lib = all.library_of(r);
    const auto ready = [&](wire::library::communicator c) {
      wire::result state = wire::result::in_progress;
      while (state == wire::result::in_progress) lib.async_error(c, state);
    };
    wire::library::communicator whole = nullptr;
    wire::library::communicator tables = nullptr;
    lib.init(whole, 2, of_all, static_cast<int>(r));
    lib.init(tables, 2, of_tables, static_cast<int>(1 - r));
    ready(whole);
    ready(tables);
    {
      tested::pipeline<training, device, collectives> p{
          all.driver_of(r), lib, patient,
          communicators{{"world", st::nccl::in_process(all.among_all, r), whole},
                        {"tables", st::nccl::in_process(all.among_tables, 1 - r), tables}}};
      const std::vector<long> got = all.run(p, r, 4);
      for (std::size_t b = 0; b < 4; ++b) CHECK(got[b] == expected(b, 2));
    }
    // Numbered otherwise than the ranks that meet.
    const communicators swapped{{"world", st::nccl::in_process(all.among_all, 1 - r), whole},
                                {"tables", st::nccl::in_process(all.among_tables, r), tables}};
    CHECK_THROWS(
        (tested::pipeline<training, device, collectives>{all.driver_of(r), lib, patient, swapped}));
    for (const auto c : {whole, tables}) {
      lib.finalize(c);
      ready(c);
      lib.destroy(c);
    }
  });
  for (const std::string& s : said) CHECK(s == "");
  all.check_clean();
}
