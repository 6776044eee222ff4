// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <string>
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

}  // namespace

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
      tested::pipeline<one_late, device, collectives> p{
          late_upload{r == 1}, all.driver_of(r), all.library_of(r), all.communicators_of(r),
          timeouts{.peers = std::chrono::seconds(20), .stop = patient.stop}};
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
