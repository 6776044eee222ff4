// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots in memory that the library allocates, registered with the communicators.
#include <doctest/doctest.h>
#include <cstddef>
#include <memory>
#include <stretto/nccl/memory.hpp>
#include <string>
#include <vector>
#include "cluster.hpp"

namespace {

using namespace cluster;

struct sized : st::slot<st::device::buffer<long, driver>> {};
struct summed : st::slot<st::device::buffer<long, driver>> {};
/// Buffers that grow between collectives, and within a group of them.
struct spread_out {
  using stream = st::stream<"prepare">;
  using reads = st::reads<raw>;
  using writes = st::writes<sized>;
  void operator()(st::context auto& ctx, const cell& in,
                  st::device::buffer<long, driver>& out) const {
    out.resize(ctx.batch() + 1);
    ctx.driver().enqueue(ctx.stream(),
                         [from = in.data(), to = out.data(), n = out.size()] {
                           for (std::size_t i = 0; i < n; ++i) to[i] = *from;
                         },
                         "spread out",
                         {recording::reads(in.data(), sizeof(long)),
                          recording::writes(out.data(), out.size() * sizeof(long))});
  }
};
struct sum_up {
  using stream = st::stream<"prepare">;
  static constexpr bool collective = true;
  using reads = st::reads<sized>;
  using writes = st::writes<summed>;
  void operator()(st::context auto& ctx, const st::device::buffer<long, driver>& in,
                  st::device::buffer<long, driver>& out) const {
    ctx.grouped([&] {
      out.resize(in.size());
      ctx.all_reduce(in.data(), out.data(), in.size());
    });
  }
};
struct bring_last {
  using stream = st::stream<"prepare">;
  using reads = st::reads<summed>;
  using writes = st::writes<fetched>;
  void operator()(st::context auto& ctx, const st::device::buffer<long, driver>& in,
                  pinned_cell& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data() + in.size() - 1, sizeof(long));
  }
};
struct growing : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare">,
                              upload, spread_out, sum_up, bring_last, look> {};

/// The memory of a rank.
std::unique_ptr<memory> memory_of(machines& all, std::size_t rank) {
  return std::make_unique<memory>(all.library_of(rank), all.driver_of(rank));
}

}  // namespace

TEST_CASE("collectives use slots in the library's memory where they lie, in run after run") {
  machines all(2);
  for (std::size_t r = 0; r < 2; ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const auto own = memory_of(all, r);
    std::size_t blocks = 0;
    {
      st::pipeline<training, device, collectives> p{
          all.driver_of(r),        all.library_of(r),     patient,
          all.communicators_of(r), registered{own.get()}, st::device::memory<driver>{own.get()}};
      for (const std::size_t batches : {7U, 3U}) {
        const std::vector<long> got = all.run(p, r, batches);
        REQUIRE(got.size() == batches);
        for (std::size_t b = 0; b < batches; ++b) CHECK(got[b] == expected(b, 2));
        if (blocks == 0) blocks = own->count();
        CHECK(own->count() == blocks);
      }
    }
    CHECK(blocks > 0);
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.submitted() == 2 * 3 * 10);
  CHECK(all.net.submitted_registered() == all.net.submitted());
  CHECK(all.net.differences().empty());
  all.check_clean();
}

TEST_CASE("what grows is registered before a collective uses it") {
  machines all(2);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const auto own = memory_of(all, r);
    st::pipeline<growing, device, collectives> p{
        all.driver_of(r),
        all.library_of(r),
        patient,
        communicators{{"world", st::nccl::in_process(all.among_all, r)}},
        registered{own.get()},
        st::device::memory<driver>{own.get()}};
    const std::vector<long> got = all.run(p, r, 12);
    REQUIRE(got.size() == 12);
    for (std::size_t b = 0; b < 12; ++b) CHECK(got[b] == static_cast<long>(20 * b + 1));
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.submitted_registered() == 2 * 12);
  all.check_clean();
}

TEST_CASE("ranks that register memory do not begin with ranks that do not") {
  machines all(2);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const auto own = memory_of(all, r);
    st::pipeline<training, device, collectives> p{all.driver_of(r),
                                                  all.library_of(r),
                                                  patient,
                                                  all.communicators_of(r),
                                                  registered{r == 0 ? own.get() : nullptr},
                                                  st::device::memory<driver>{own.get()}};
    all.run(p, r, 1);
  });
  for (const std::string& s : said)
    CHECK(s.find("rank 0 and rank 1 run different plans") != std::string::npos);
  all.check_clean();
}

TEST_CASE("memory is given out again in the order of its stream, and where there is enough of it") {
  machines all(1);
  const driver d = all.driver_of(0);
  recording::stream one{};
  recording::stream other{};
  d.create_stream(one, 0);
  d.create_stream(other, 0);
  {
    memory own(all.library_of(0), d);
    void* const small = own.allocate(64, one);
    void* const large = own.allocate(256, one);
    CHECK(own.count() == 2);
    CHECK(own.at(1).bytes == 256);
    own.deallocate(large, 256, one);
    own.deallocate(small, 64, one);
    CHECK(own.allocate(64, other) != small);
    CHECK(own.allocate(64, one) == small);
    CHECK(own.allocate(100, one) == large);
    CHECK(own.allocate(100, one) != large);
    CHECK(own.count() == 4);
    all.net.fail_at(0, all.net.count_calls(0), wire::result::system_error);
    CHECK_THROWS_AS(own.allocate(64, one), st::nccl::error);
    CHECK(own.count() == 4);
  }
  d.destroy_stream(one);
  d.destroy_stream(other);
  all.check_clean();
}
