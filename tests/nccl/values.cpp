// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that were values from the beginning: the same plan as of types on other ranks, what
// their bodies may ask for, and what is refused.
#include <doctest/doctest.h>
#include <cstddef>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <vector>
#include "cluster.hpp"

namespace {

/// What contexts have of some other library.
struct of_another_library {};

}  // namespace

namespace stretto {
template <>
struct asked_of_collectives<of_another_library> {
  static constexpr bool known = true;
  using in_context = of_another_library;
  template <class Here>
  static in_context get(Here, const void*, const void*) {
    return {};
  }
};
}  // namespace stretto

namespace {

using namespace cluster;
namespace dynamic = st::dynamic;
using context = st::context_of<device, collectives>;
using in_context = collectives::in_context;

dynamic::schedule training_value() {
  return {
      .name = "training",
      .streams = {"prepare", "compute"},
      .source = {.slot = "number"},
      .results = {"result"},
      .tasks = {{.name = "upload",
                 .stream = "prepare",
                 .lookahead = 1,
                 .reads = {"number"},
                 .writes = {"raw"},
                 .body = dynamic::body::with_context<device::context, const pinned_cell&, cell&>(
                     upload())},
                {.name = "spread",
                 .stream = "prepare",
                 .lookahead = 1,
                 .collective = true,
                 .communicator = "tables",
                 .reads = {"raw"},
                 .writes = {"table"},
                 .body = [](const in_context& among, const cell& in,
                            cell& out) { among.all_reduce(in.data(), out.data(), 1); }},
                {.name = "train",
                 .stream = "compute",
                 .reads = {"table"},
                 .writes = {"part"},
                 .body = dynamic::body::with_context<device::context, const cell&, cell&>(train())},
                {.name = "sum",
                 .stream = "compute",
                 .collective = true,
                 .reads = {"part"},
                 .writes = {"total"},
                 .body =
                     [](context& ctx, const cell& in, cell& out) {
                       CHECK(ctx.task() == "sum");
                       ctx.all_reduce(in.data(), out.data(), 1);
                       ctx.all_reduce(out.data(), 1, wire::reduction::maximum);
                     }},
                {.name = "download",
                 .stream = "compute",
                 .reads = {"total"},
                 .writes = {"fetched"},
                 .body = dynamic::body::with_context<device::context, const cell&, pinned_cell&>(
                     download())},
                {.name = "look",
                 .reads = {"fetched"},
                 .writes = {"result"},
                 .body = [](const pinned_cell& in, long& out) { out = in[0]; }}}};
}

/// The results of \p batches batches, as `machines::run` gives them for types.
template <class Pipeline>
std::vector<long> run(machines& all, Pipeline& p, std::size_t rank, std::size_t batches) {
  std::vector<long> results;
  std::size_t next = 0;
  const auto source = [&](pinned_cell& into) {
    if (next == batches) return false;
    all.world(rank).host_writes(into.data(), sizeof(long));
    into[0] = static_cast<long>(10 * next++ + rank);
    return true;
  };
  for (const dynamic::result& r : p.template run<pinned_cell>(source))
    results.push_back(r.template get<long>());
  return results;
}

template <class... Options>
void give_right_results(std::size_t ranks, bool in_turn) {
  machines all(ranks);
  for (std::size_t r = 0; r < ranks; ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    dynamic::schedule s = training_value();
    s.serial = in_turn;
    dynamic::pipeline<device, collectives, Options...> p(s, all.driver_of(r), all.library_of(r),
                                                         all.communicators_of(r), patient);
    for (const std::size_t batches : {7U, 0U, 1U, 20U}) {
      const std::vector<long> got = run(all, p, r, batches);
      REQUIRE(got.size() == batches);
      for (std::size_t b = 0; b < batches; ++b) CHECK(got[b] == expected(b, ranks));
    }
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.differences().empty());
  all.check_clean();
}

}  // namespace

TEST_CASE("collectives of a schedule that is a value give the same results") {
  give_right_results<>(2, false);
  give_right_results<>(3, false);
  give_right_results<st::barrier>(2, false);
  give_right_results<>(2, true);
}

TEST_CASE("so they do where somebody watches") { give_right_results<st::timeline>(2, false); }

TEST_CASE("a rank with the plan as types and one with it as a value run together") {
  machines all(2);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    const auto check = [&](const std::vector<long>& got) {
      REQUIRE(got.size() == 20);
      for (std::size_t b = 0; b < 20; ++b) CHECK(got[b] == expected(b, 2));
    };
    if (r == 0) {
      st::pipeline<training, device, collectives> p{all.driver_of(r), all.library_of(r),
                                                    all.communicators_of(r), patient};
      check(all.run(p, r, 20));
    } else {
      dynamic::pipeline<device, collectives> p(training_value(), all.driver_of(r),
                                               all.library_of(r), all.communicators_of(r), patient);
      check(run(all, p, r, 20));
    }
  });
  for (const std::string& s : said) CHECK(s == "");
  CHECK(all.net.differences().empty());
  all.check_clean();
}

TEST_CASE("a value with another plan does not begin") {
  struct change {
    std::string found_at;
    void (*make)(dynamic::schedule&);
  };
  for (const change& c : {change{"upload",  // not `pull`, which follows it
                                 [](dynamic::schedule& s) { s.at("upload").lookahead = 2; }},
                          change{"spread", [](dynamic::schedule& s) {
                                   s.at("spread").communicator = "world";
                                   s.at("sum").communicator = "tables";
                                 }}}) {
    machines all(2);
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      dynamic::schedule s = training_value();
      if (r == 1) c.make(s);
      dynamic::pipeline<device, collectives> p(s, all.driver_of(r), all.library_of(r),
                                               all.communicators_of(r), patient);
      run(all, p, r, 3);
    });
    for (const std::string& s : said)
      CHECK(s == "rank 0 and rank 1 run different plans: they differ in task `" + c.found_at +
                     "`: its lookahead, stream, role, communicator or what it waits for");
    all.check_clean();
  }
}

TEST_CASE("ranks agree on the end of a value's batches where it says so, and fail where not") {
  for (const bool agreed : {true, false}) {
    CAPTURE(agreed);
    machines all(2);
    const std::vector<std::string> said = all.each([&](std::size_t r) {
      dynamic::schedule s = training_value();
      s.source.collective = agreed;
      dynamic::pipeline<device, collectives> p(s, all.driver_of(r), all.library_of(r),
                                               all.communicators_of(r), patient);
      const std::vector<long> got = run(all, p, r, 4 + 2 * r);
      REQUIRE(got.size() == 4);
      for (std::size_t b = 0; b < 4; ++b) CHECK(got[b] == expected(b, 2));
    });
    for (const std::string& s : said) {
      if (agreed)
        CHECK(s == "");
      else
        CHECK(s.find("rank 0 ended after 4 batches, but rank 1 ") == 0);
    }
    CHECK(all.net.differences().empty());
    all.check_clean();
  }
}

TEST_CASE("a task that throws ends all ranks, and another run is refused") {
  machines all(2);
  const std::vector<std::string> said = all.each([&](std::size_t r) {
    dynamic::schedule s = training_value();
    if (r == 1)
      s.at("look").body = [](const st::task_context& ctx, const pinned_cell& in, long& out) {
        if (ctx.batch() == 3) throw std::runtime_error("disk full");
        out = in[0];
      };
    dynamic::pipeline<device, collectives> p(s, all.driver_of(r), all.library_of(r),
                                             all.communicators_of(r), patient);
    try {
      run(all, p, r, 20);
    } catch (...) {
      p.reset();
      CHECK_THROWS_AS(run(all, p, r, 1), st::usage_error);
      throw;
    }
  });
  CHECK(said[0] == "rank 1 failed at task `look` on batch 3: disk full");
  CHECK(said[1] == "disk full");
  all.check_clean();
}

TEST_CASE("a value without collectives asks nobody") {
  machines all(2);
  dynamic::schedule s = training_value();
  for (const char* const name : {"spread", "sum"}) {
    dynamic::task& t = s.at(name);
    t.collective = false;
    t.communicator.clear();
    t.body = dynamic::body::with_context<device::context, const cell&, cell&>(
        [](device::context& ctx, const cell& in, cell& out) {
          ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
        });
  }
  {
    dynamic::pipeline<device, collectives> p(s, all.driver_of(0), all.library_of(0));
    CHECK(run(all, p, 0, 3) == std::vector<long>{1, 21, 41});
  }
  all.check_clean();
}

TEST_CASE("a collective on no stream is refused when the pipeline is made") {
  machines all(1);
  dynamic::schedule s = training_value();
  s.at("spread").stream.clear();
  CHECK_THROWS_WITH_AS(
      (dynamic::pipeline<device, collectives>(s, all.driver_of(0), all.library_of(0),
                                              all.communicators_of(0), patient)),
      "task `spread` is a collective of NCCL, and those are on streams: give it one",
      st::usage_error);
  all.check_clean();
}

TEST_CASE("a body that asks for what there is not is refused when the pipeline is made") {
  const auto refusal = [](const dynamic::schedule& s) -> std::string {
    machines all(1);
    try {
      const dynamic::pipeline<device, collectives> p(s, all.driver_of(0), all.library_of(0),
                                                     all.communicators_of(0), patient);
    } catch (const dynamic::schedule_error& e) {
      return e.what();
    }
    return "nothing";
  };
  const std::string what(collectives::context_name);

  dynamic::schedule s = training_value();
  s.at("look").body = [](const in_context&, const pinned_cell&, long&) {};
  CHECK(refusal(s) ==
        "schedule `training`: task `look` asks for its communicator and is no collective: set its "
        "`collective`, or let the body take `const stretto::task_context&`");

  s = training_value();
  s.at("sum").body = [](const of_another_library&, const cell&, cell&) {};
  CHECK(refusal(s).find("`, but the pipeline's collectives have `" + what + "`") !=
        std::string::npos);

  machines all(1);
  try {
    const dynamic::pipeline<device> p(training_value(), all.driver_of(0));
    CHECK(false);
  } catch (const dynamic::schedule_error& e) {
    REQUIRE(e.sentences().size() == 2);
    CHECK(e.sentences()[0] == "task `spread` asks for `" + what +
                                  "`, but the pipeline is given no collectives: give it those as "
                                  "an option");
  }
}

namespace {

/// What a reader has in a slot goes to a writer.
template <class Value>
dynamic::schedule sending(const std::string& stream) {
  dynamic::task send = dynamic::transfer<Value>("raw", "reader", {"writer"}, 1);
  send.stream = stream;
  return {.name = "sending",
          .streams = stream.empty() ? std::vector<std::string>() : std::vector{stream},
          .source = {.slot = "number"},
          .tasks = {{.name = "read",
                     .stream = stream,
                     .lookahead = 2,
                     .role = "reader",
                     .reads = {"number"},
                     .writes = {"raw"},
                     .body = [](const pinned_cell&, Value&) {}},
                    send,
                    {.name = "look",
                     .stream = stream,
                     .role = "writer",
                     .reads = {"raw"},
                     .body = [](const Value&) {}}}};
}

}  // namespace

TEST_CASE("a transfer of what NCCL does not send is refused when the pipeline is made") {
  machines all(1);
  const auto refusal = [&](const dynamic::schedule& s) -> std::string {
    try {
      const dynamic::pipeline<device, collectives> p(dynamic::projection(s, "writer"),
                                                     all.driver_of(0), all.library_of(0),
                                                     all.communicators_of(0), patient);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "nothing";
  };
  const std::string in_host_memory = refusal(sending<pinned_cell>("prepare"));
  CHECK(in_host_memory.find("transfer `raw_to_writer` sends slot `raw` of type `") !=
        std::string::npos);
  CHECK(
      in_host_memory.find("`, which is no memory on a device of one size; NCCL sends from device "
                          "to device: let the slot hold a `stretto::cuda::array`, which a task on "
                          "a stream fills") != std::string::npos);
  CHECK(refusal(sending<cell>("")) ==
        "task `raw_to_writer` is a collective of NCCL, and those are on streams: give it one");
  all.check_clean();
}
