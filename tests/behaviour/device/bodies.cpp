// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies that are values, and slots of types that only a device can make: what the runtime version
// asks when the pipeline is made. What it does then is tested with types: see
// tests/support/tested.hpp.

#include <any>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
namespace dynamic = stretto::dynamic;

/// Memory of two cells, and what else a user's type may hold.
struct two_cells {
  explicit two_cells(const st::device::slot_location<driver>& where)
      : first(where), second(where) {}
  cell first;
  cell second;
};

/// Another device's.
struct strange_driver : driver {
  using driver::driver;
};
struct strange_cell {
  explicit strange_cell(const st::device::slot_location<strange_driver>& /*where*/) {}
};

/// `load` asks for its stream, `work` for the context, `send` for what is in its slots alone.
dynamic::schedule line(const driver& d) {
  return {.name = "line",
          .streams = {"up", "down"},
          .source = {.slot = "raw"},
          .results = {"out"},
          .tasks = {
              {.name = "load",
               .stream = "up",
               .lookahead = 1,
               .reads = {"raw"},
               .writes = {"there"},
               .body =
                   [d](recording::stream s, const pinned_cell& in, two_cells& out) {
                     const long* const from = in.data();
                     long* const to = out.first.data();
                     long* const too = out.second.data();
                     d.enqueue(
                         s, [from, to, too] { *too = 1 + (*to = *from); }, "load",
                         {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long)),
                          recording::writes(too, sizeof(long))});
                   }},
              {.name = "work",
               .stream = "down",
               .reads = {"there"},
               .writes = {"back"},
               .body =
                   [](const st::device::context<driver>& c, const two_cells& in, pinned_cell& out) {
                     CHECK(c.task() == "work");
                     CHECK(c.device() == 0);
                     kernel(c, {out.data()}, {in.first.data(), in.second.data()});
                   }},
              {.name = "send",
               .reads = {"back"},
               .writes = {"out"},
               .body = [](const pinned_cell& in, long& out) { out = in[0]; }}}};
}

std::vector<long> expected(std::size_t batches) {
  std::vector<long> all;
  for (std::size_t b = 0; b < batches; ++b)
    all.push_back(made_by("work", {number_of_batch(b), number_of_batch(b) + 1}));
  return all;
}

template <class Pipeline>
std::vector<long> run(Pipeline& p, recording::world& w, std::size_t batches) {
  std::vector<long> all;
  for (const dynamic::result& r : p.template run<pinned_cell>(numbers(w, batches)))
    all.push_back(r.get<long>());
  return all;
}

TEST_CASE("bodies ask for their stream, or for the device's context") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    dynamic::pipeline<device> p(line(f.d), f.d);
    CHECK(run(p, f.w, 9) == expected(9));
    CHECK(run(p, f.w, 9) == expected(9));
    CHECK(f.breaches() == "");
  }
}

TEST_CASE("settings of the device come in any order, with cores and attached threads") {
  fixture f;
  recording::stream mine = nullptr;
  f.d.create_stream(mine, 0);
  {
    dynamic::pipeline<device, st::barrier> p(line(f.d), streams{{"up", {.adopted = mine}}},
                                             st::cores{{"caller", {0}}}, f.d,
                                             st::device::usage{.sleep = true});
    CHECK(p.device().stream("up") == mine);
    CHECK(run(p, f.w, 5) == expected(5));
    CHECK(f.w.logged().count(call::create_blocking_event) > 0);
  }
  f.d.destroy_stream(mine);
  CHECK(f.breaches() == "");
}

TEST_CASE("one batch after the other: who does not ask for a stream is on the host") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    fixture f;
    if (seed != 0) f.w.jitter(seed);
    dynamic::pipeline<device> p(dynamic::serial(line(f.d)), f.d);
    CHECK(run(p, f.w, 6) == expected(6));
    CHECK(f.breaches() == "");
    CHECK(f.w.logged().count(call::create_stream) == 1);
    CHECK(f.w.logged().count(call::create_event) == 0);
  }
}

TEST_CASE("a body that asks its context by name gets it, and slots by name") {
  fixture f;
  dynamic::schedule s = line(f.d);
  s.at("work").body = [](const st::device::context<driver>& c, dynamic::slot_access& slots) {
    const auto& in = slots.read<two_cells>("there");
    kernel(c, {slots.write<pinned_cell>("back").data()}, {in.first.data(), in.second.data()});
  };
  dynamic::pipeline<device> p(s, f.d);
  CHECK(run(p, f.w, 4) == expected(4));
  CHECK(f.breaches() == "");
}

template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const dynamic::schedule_error& e) {
    std::string all;
    for (const std::string& sentence : e.sentences()) (all += sentence) += '\n';
    return all;
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}
bool tells(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("what needs a device is refused where there is none, by name") {
  fixture f;
  const std::string no_device = refusal([&] { dynamic::pipeline<> p(line(f.d)); });
  CAPTURE(no_device);
  CHECK(tells(no_device, "task `load` asks for its place on the device of"));
  CHECK(tells(no_device, "task `work` asks for its place on the device of"));
  CHECK(tells(no_device, "slot `there` is `"));
  CHECK(tells(no_device, "slot `raw` is `"));
  CHECK(tells(no_device, "give it the device as an option"));
  CHECK_FALSE(tells(no_device, "`send`"));
  CHECK_FALSE(tells(no_device, "slot `out`"));
}

TEST_CASE("a host task that asks for a stream is refused, by name") {
  fixture f;
  dynamic::schedule s = line(f.d);
  s.at("send").body = [](recording::stream, const pinned_cell&, long&) {};
  const std::string text = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(text);
  CHECK(tells(text, "task `send` has no stream, and its body asks for one"));
  CHECK_FALSE(tells(text, "`work`"));
}

TEST_CASE("tasks on streams that consume or produce items are refused, and items of a device") {
  fixture f;
  dynamic::schedule s = line(f.d);
  s.tasks.push_back({.name = "cut",
                     .stream = "up",
                     .writes = {dynamic::use::items_of("pieces", 2)},
                     .body = [](dynamic::produces<int>) {}});
  const std::string on_stream = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(on_stream);
  CHECK(tells(on_stream,
              "task `cut` consumes or produces items of slots, but it is on a stream of a device: "
              "let it work on all items of a batch at once"));
  s.at("cut").stream = "";
  s.at("cut").body = [](dynamic::produces<two_cells>) {};
  const std::string by_device = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(by_device);
  CHECK(tells(by_device,
              "task `cut` consumes or produces items of slot `pieces`, whose values the device "
              "makes: let items be of a type that the host makes"));
}

TEST_CASE("tasks on streams that drop batches are refused, by name and by what drops them") {
  fixture f;
  dynamic::schedule s = line(f.d);
  s.at("work").on_failure = "drop";
  const std::string failing = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(failing);
  CHECK(tells(failing,
              "task `work` drops batches if it fails, but it is on a stream of a device: its body "
              "returns before the stream has done what it put there"));
  s = line(f.d);
  s.at("work").body = [](recording::stream, const two_cells&, pinned_cell&) { return st::keep; };
  const std::string judging = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(judging);
  CHECK(tells(judging, "task `work` may drop batches, but it is on a stream of a device"));
}

TEST_CASE("a stream of the other device is refused, and so is memory of it") {
  fixture f;
  dynamic::schedule s = line(f.d);
  s.at("work").body = [](const st::device::context<strange_driver>&, const two_cells&,
                         pinned_cell&) {};
  const std::string stream = refusal([&] { dynamic::pipeline<device> p(s, f.d); });
  CAPTURE(stream);
  CHECK(tells(stream, "task `work` asks for its place on the device of"));
  CHECK(tells(stream, "strange_driver"));
  CHECK_FALSE(tells(stream, "`load`"));

  s = line(f.d);
  s.at("work").body = [](const two_cells&, strange_cell&) {};
  s.at("send").body = [](const strange_cell&, long&) {};
  dynamic::pipeline<device> p(s, f.d);
  const std::string memory = refusal([&] { run(p, f.w, 3); });
  CAPTURE(memory);
  CHECK(tells(memory, "task `work`"));
  CHECK(tells(memory, "strange_driver"));
  CHECK(f.breaches() == "");
}

// What holds anything is not made of its place, in either version.
struct anything : st::slot<std::any> {};
struct look {
  using stream = st::stream<"a">;
  using reads = st::reads<anything>;
  void operator()(const std::any& in) const { CHECK(in.type() == typeid(int)); }
};
struct looking : st::schedule<st::source<anything>, st::streams<"a">, look> {};

TEST_CASE("what can be made of anything is made of nothing") {
  static_assert(!device::makes<std::any>);
  static_assert(!dynamic::detail::made_at_places<std::any>);
  static_assert(dynamic::detail::made_at_places<two_cells>);
  static_assert(!dynamic::slot_value<const long>);
  fixture f;
  auto source = [next = 0](std::any& to) mutable {
    CHECK((next > 0 || !to.has_value()));
    to = next;
    return next++ < 4;
  };
  st::pipeline<looking, device> typed(f.d);
  for ([[maybe_unused]] const auto b : typed.run(source)) {
  }
  dynamic::pipeline<device> valued(dynamic::from_types<looking, device>(), f.d);
  for ([[maybe_unused]] const auto& r : valued.run<std::any>(source)) {
  }
}

TEST_CASE("what the device refuses is told when the pipeline is made") {
  fixture f;
  f.w.fail(call::create_stream, 1, status::memory_allocation);
  CHECK(tells(refusal([&] { dynamic::pipeline<device> p(line(f.d), f.d); }), "create_stream"));
  CHECK(f.leaks() == "");
  CHECK(tells(refusal([&] {
                dynamic::pipeline<device> p(line(f.d), f.d, streams{{"side", {}}});
              }),
              "`side`"));
}

}  // namespace
