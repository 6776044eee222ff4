// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules whose tasks are on streams or drop batches at random, by their verdicts or
// because they throw, with a chain of items from one of them to a stream: what comes out is what a
// loop by hand comes to that does one batch after the other.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <random>
#include <stretto/dynamic.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../../support/drawn_drops.hpp"
#include "../../support/seed.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;
using namespace drawn_drops;
namespace dynamic = stretto::dynamic;
using here = st::device::context<driver>;

/// What a schedule has besides what is drawn for hosts.
struct places {
  std::vector<std::string> stream;  ///< by task; empty: the host, and only such tasks drop batches
  std::size_t items_of = no_task;   ///< the task whose value is cut into items
};

places place(plan_of_all& p, std::mt19937& random) {
  places all;
  std::vector<std::size_t> stay;
  for (std::size_t n = 0; n < p.tasks.size(); ++n) {
    const bool is_updated =
        std::ranges::any_of(p.tasks, [n](const plan_of_task& t) { return t.updates == n; });
    if (!is_updated) stay.push_back(n);
    plan_of_task& t = p.tasks[n];
    // All writers of a slot are on one stream.
    if (t.updates != no_task) {
      all.stream.push_back(all.stream[t.updates]);
    } else {
      const auto drawn = random() % 4;
      all.stream.emplace_back(drawn == 0 ? "a" : drawn == 1 ? "b" : "");
    }
    if (!all.stream[n].empty()) t.drops_one_in = t.fails_one_in = 0;
  }
  all.items_of = stay[random() % stay.size()];
  return all;
}

/// The sum of what six items come to, two and two.
number of_items(number value) {
  number sum = 0;
  for (number i = 0; i < 6; i += 2) sum += mixed(mixed(value, i), mixed(value, i + 1));
  return sum;
}

class drawn_schedule {
 public:
  drawn_schedule(const plan_of_all& p, const places& where, std::mt19937& random, fixture& f)
      : plan_(p), where_(where), w_(f.w), ran(p.tasks.size()) {
    made.streams = {"a", "b"};
    made.source.slot = "source";
    made.results = {slot_name(p.result)};
    made.slot<pinned_cell>("source");
    for (std::size_t n = 0; n < p.tasks.size(); ++n) add(n, random);
    add_items(random);
  }

 private:
  const plan_of_all& plan_;
  const places& where_;
  recording::world& w_;

 public:
  dynamic::schedule made;
  std::vector<std::atomic<long>> ran;
  std::vector<std::pair<std::size_t, number>> got;  ///< what the chain of items came to, by batch

 private:
  static number as_number(long cell) { return static_cast<number>(cell); }
  static long as_cell(number value) { return static_cast<long>(value); }

  /// What a task reads; null: there is no such batch, or it has none.
  static std::vector<const long*> read(const plan_of_task& t, dynamic::slot_access& slots) {
    std::vector<const long*> in;
    for (const slot_read& r : t.reads) {
      const pinned_cell* const at =
          r.ago == 0
              ? &slots.read<pinned_cell>(slot_name(r.slot))
              : slots.previous<pinned_cell>(slot_name(r.slot), static_cast<std::size_t>(r.ago));
      in.push_back(at == nullptr ? nullptr : at->data());
    }
    return in;
  }

  void add(std::size_t n, std::mt19937& random) {
    const plan_of_task& t = plan_.tasks[n];
    dynamic::task& task = made.tasks.emplace_back();
    task.name = "t" + std::to_string(n);
    task.stream = where_.stream[n];
    task.lookahead = t.lookahead;
    if (const auto thread = random() % 4; thread > 0)
      task.thread = "thread" + std::to_string(thread);
    for (const slot_read& r : t.reads)
      task.reads.push_back(r.ago == 0 ? dynamic::use(slot_name(r.slot))
                                      : dynamic::use::previous(slot_name(r.slot), r.ago));
    task.writes.push_back(slot_name(n));
    if (t.updates != no_task) task.writes.push_back(slot_name(t.updates));
    if (t.after != no_task) task.depends_on.push_back("t" + std::to_string(t.after));
    made.slot<pinned_cell>(slot_name(n));
    if (!task.stream.empty()) {
      task.body = [this, &t, n](const here& c, dynamic::slot_access& slots) {
        ++ran[n];
        long* const updated =
            t.updates == no_task ? nullptr : slots.write<pinned_cell>(slot_name(t.updates)).data();
        put_on(c, n, read(t, slots), slots.write<pinned_cell>(slot_name(n)).data(), updated);
      };
      return;
    }
    if (t.fails_one_in != 0) task.on_failure = "drop";
    const auto work = [this, &t, n](dynamic::slot_access& slots) {
      ++ran[n];
      number value = n;
      for (const long* const in : read(t, slots))
        value = mixed(value, in == nullptr ? nothing : as_number(w_.host_read(in)));
      w_.host_write(slots.write<pinned_cell>(slot_name(n)).data(), as_cell(value));
      if (t.updates != no_task) {
        long* const to = slots.write<pinned_cell>(slot_name(t.updates)).data();
        w_.host_write(to, as_cell(as_number(w_.host_read(to)) + value));
      }
      if (fails(t, value)) throw value;
      return says_drop(t, value) ? st::drop : st::keep;
    };
    if (t.drops_one_in == 0) {
      task.body = [work](dynamic::slot_access& slots) { static_cast<void>(work(slots)); };
    } else {
      task.body = work;
    }
  }
  static void put_on(const here& c, number first, std::vector<const long*> in, long* out,
                     long* updated) {
    std::vector<recording::access> uses{recording::writes(out, sizeof(long))};
    if (updated != nullptr) {
      uses.push_back(recording::reads(updated, sizeof(long)));
      uses.push_back(recording::writes(updated, sizeof(long)));
    }
    for (const long* const at : in)
      if (at != nullptr) uses.push_back(recording::reads(at, sizeof(long)));
    c.driver().enqueue(
        c.stream(),
        [in = std::move(in), first, out, updated] {
          number value = first;
          for (const long* const at : in)
            value = mixed(value, at == nullptr ? nothing : as_number(*at));
          *out = as_cell(value);
          if (updated != nullptr) *updated = as_cell(as_number(*updated) + value);
        },
        label(c.task(), c.batch()), std::move(uses));
  }

  /// Cut into six, added two and two, put together for a stream, and back.
  void add_items(std::mt19937& random) {
    using dynamic::use;
    const int ahead = plan_.tasks[where_.items_of].lookahead;
    const auto add_step = [&](const char* name, use in, use out, auto body) {
      dynamic::task& task = made.tasks.emplace_back();
      task.name = name;
      task.lookahead = ahead;
      if (random() % 2 == 0) task.thread = "items";
      task.reads = {std::move(in)};
      task.writes = {std::move(out)};
      task.body = std::move(body);
    };
    add_step("cut", slot_name(where_.items_of), use::items_of("piece", 6),
             [this](const pinned_cell& in, dynamic::produces<number> out) {
               const number value = as_number(w_.host_read(in.data()));
               for (number i = 0; i < 6; ++i) out[i] = mixed(value, i);
             });
    add_step("pair", use::items_of("piece", 2), use::items_of("paired", 1),
             [](dynamic::consumes<number> in, dynamic::produces<number> out) {
               out[0] = mixed(in[0], in[1]);
             });
    add_step("gather", use::items_of("paired", 3), "gathered",
             [this](dynamic::consumes<number> in, pinned_cell& out) {
               w_.host_write(out.data(), as_cell(in[0] + in[1] + in[2]));
             });
    made.tasks.push_back({.name = "check",
                          .stream = "a",
                          .reads = {"gathered"},
                          .writes = {"checked"},
                          .body = [](const here& c, const pinned_cell& in, pinned_cell& out) {
                            put_on(c, 0, {in.data()}, out.data(), nullptr);
                          }});
    made.tasks.push_back({.name = "look",
                          .reads = {"checked"},
                          .body = [this](const st::task_context& ctx, const pinned_cell& in) {
                            got.emplace_back(ctx.batch(), as_number(w_.host_read(in.data())));
                          }});
  }
};

template <class... Options>
void compare(const plan_of_all& p, const places& where, unsigned seed, bool serial) {
  kept_values kept;
  const outcome wanted = by_hand(p, &kept);
  std::vector<std::pair<std::size_t, number>> items = kept[where.items_of];
  for (auto& [batch, value] : items) value = mixed(0, of_items(value));
  fixture f;
  if (seed % 4 != 0) f.w.jitter(seed);
  {
    std::mt19937 random(seed);
    drawn_schedule d(p, where, random, f);
    d.made.serial = serial;
    dynamic::pipeline<device, Options...> pipeline(d.made, f.d);
    for (int again = 0; again < 2; ++again) {
      outcome o;
      for (auto& n : d.ran) n = 0;
      d.got.clear();
      auto source = [&f, b = 0](pinned_cell& into) mutable {
        if (b == batches) return false;
        f.w.host_write(into.data(), static_cast<long>(b++));
        return true;
      };
      for (const dynamic::result& r : pipeline.template run<pinned_cell>(source))
        o.results.emplace_back(
            r.batch(), static_cast<number>(f.w.host_read(r.template get<pinned_cell>().data())));
      for (const auto& n : d.ran) o.ran.push_back(n);
      o.withheld = pipeline.report().dropped;
      o.failed = pipeline.report().dropped_failures;
      CHECK(o == wanted);
      CHECK(d.got == items);
    }
  }
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

TEST_CASE("random drops and items between streams are those of a loop by hand") {
  int tried = 0;
  int dropped = 0;
  for (const unsigned seed : seeds::from(0, 120)) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    plan_of_all p = draw(random);
    const places where = place(p, random);
    {
      fixture f;
      std::mt19937 again(seed);
      if (!dynamic::diagnose(drawn_schedule(p, where, again, f).made).ok()) continue;
    }
    ++tried;
    dropped += by_hand(p).withheld > 0 ? 1 : 0;
    compare<>(p, where, seed, false);
    if (seed % 3 == 0) compare<st::barrier>(p, where, seed, false);
    if (seed % 3 == 1) compare<>(p, where, seed, true);
  }
  CHECK(tried > 40);
  CHECK(dropped > 15);
}

}  // namespace
