// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The repair that a sentence proposes is carried out, on thousands of random declarations: what it
// was proposed for must be gone.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <vector>
#include "../../support/seed.hpp"
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using planner::field;
using planner::finding;
using planner::none;
using planner::remedy;

constexpr std::array words{"load", "decode", "forward", "backward", "step", "report"};
constexpr std::array slots{"source", "batch", "loss", "tag"};
constexpr std::array streams{"", "compute", "memcpy", "undeclared"};
constexpr std::array resources{"weights", "cache"};

/// A declaration that can be changed.
struct changeable {
  struct task {
    planner::task row;
    std::vector<planner::access> reads, writes;
    std::vector<planner::dependency> depends_on, cross_iter, sync;
    std::vector<stretto::name> observes, mutates;

    std::vector<planner::access>& uses(field f) { return f == field::reads ? reads : writes; }
    std::vector<planner::dependency>& entries(field f) {
      return f == field::depends_on              ? depends_on
             : f == field::cross_iter_depends_on ? cross_iter
                                                 : sync;
    }
    void work_at(int lookahead) {
      row.lookahead = lookahead;
      for (auto* all : {&reads, &writes})
        for (planner::access& a : *all) a.offset = lookahead;
    }
  };
  std::vector<task> tasks;
  std::vector<stretto::name> results;
  std::vector<planner::turn> turns;
  std::vector<planner::pointing> points;
  std::vector<std::string_view> declared{"compute", "memcpy"};
  bool strict = false;
  std::vector<planner::task> rows;

  planner::declaration declaration() {
    rows.clear();
    for (const task& t : tasks) {
      planner::task r = t.row;
      r.reads = t.reads;
      r.writes = t.writes;
      r.depends_on = t.depends_on;
      r.cross_iter_depends_on = t.cross_iter;
      r.same_progress_sync = t.sync;
      r.observes = t.observes;
      r.mutates = t.mutates;
      rows.push_back(r);
    }
    planner::repeat_calls(rows);
    planner::declaration d;
    d.tasks = rows;
    d.streams = declared;
    d.from.slot = stretto::name("source");
    d.results = results;
    d.turns = turns;
    d.points = points;
    d.strict = strict;
    return d;
  }
};

class dice {
 public:
  explicit dice(unsigned seed) : random_(seed) {}
  int upto(int n) { return static_cast<int>(random_() % (static_cast<unsigned>(n) + 1)); }
  bool one_in(int n) { return upto(n - 1) == 0; }
  template <std::size_t N>
  std::string_view of(const std::array<const char*, N>& from) {
    return from[static_cast<std::size_t>(upto(static_cast<int>(N) - 1))];
  }

 private:
  std::mt19937 random_;
};

/// Mostly in order, with every mistake now and then.
changeable random_declaration(dice& d) {
  changeable c;
  c.strict = d.one_in(4);
  const int count = 1 + d.upto(4);
  for (int i = 0; i < count; ++i) {
    changeable::task t;
    const auto word = static_cast<std::size_t>(i);
    t.row.id = stretto::name(d.one_in(25)   ? (d.one_in(3) ? "deliver" : "")
                             : d.one_in(20) ? d.of(words)
                                            : words[word]);
    t.row.lookahead = d.one_in(20) ? -1 : d.upto(2);
    t.row.stream = d.one_in(20) ? streams[3] : streams[static_cast<std::size_t>(d.upto(2))];
    for (auto* uses : {&t.reads, &t.writes})
      for (int k = d.upto(2); k > 0; --k)
        uses->push_back(
            {stretto::name(d.of(slots)), d.one_in(20) ? d.upto(4) - 2 : t.row.lookahead});
    for (planner::access& read : t.reads) read.takes = d.one_in(6);
    for (planner::access& read : t.reads)
      if (!read.takes && d.one_in(5)) read.ago = 1 + d.upto(1);
    for (auto* field : {&t.depends_on, &t.cross_iter, &t.sync})
      for (int k = d.upto(5) - 3; k > 0; --k)
        field->push_back({stretto::name(d.one_in(10) ? "forwards" : d.of(words)),
                          field == &t.cross_iter ? d.upto(4) - (d.one_in(5) ? 1 : 0) : 0});
    for (auto* shared : {&t.observes, &t.mutates})
      if (d.one_in(4)) shared->push_back(stretto::name(d.of(resources)));
    c.tasks.push_back(t);
  }
  if (d.one_in(3))
    for (int k = d.upto(3); k >= 0; --k)
      c.turns.push_back({stretto::name(d.one_in(10) ? "forwards" : d.of(words)), 0});
  if (d.one_in(3)) {
    const auto from = static_cast<std::size_t>(d.upto(3));
    c.points.push_back({stretto::name(slots[from]), stretto::name(slots[(from + 1) % 4])});
  }
  if (d.one_in(3)) c.results.push_back(stretto::name(d.of(slots)));
  return c;
}

/// The same where tasks run once per so many batches, or are said to.
changeable random_rates(dice& d) {
  changeable c = random_declaration(d);
  for (changeable::task& t : c.tasks) {
    if (d.one_in(2)) t.row.every = d.one_in(20) ? (d.one_in(2) ? -1 : 100'001) : 1 + d.upto(3);
    if (d.one_in(3)) t.row.phase = d.one_in(6) ? d.upto(6) - 1 : d.upto(2);
    t.row.and_at_end = d.one_in(3);
    for (planner::access& read : t.reads) {
      read.latest = d.one_in(8);
      if (read.ago > 0 && d.one_in(3)) read.ago = 100'000;
    }
  }
  return c;
}

/// Random declarations whose tasks may drop batches, and some must not.
changeable random_drops(dice& d) {
  changeable c = random_rates(d);
  for (changeable::task& t : c.tasks) {
    t.row.drops = d.one_in(3);
    if (d.one_in(4)) t.row.on_failure = planner::drops_it;
    t.row.collective = d.one_in(4);
    for (planner::access& read : t.reads) {
      read.in_window = !read.latest && !read.takes && d.one_in(3);
      if (read.in_window) read.ago = 1;
    }
  }
  return c;
}

/// Random declarations whose tasks consume and produce items, and some that do what does not go
/// with that.
changeable random_items(dice& d) {
  changeable c = d.one_in(2) ? random_drops(d) : random_declaration(d);
  for (changeable::task& t : c.tasks)
    for (auto* uses : {&t.reads, &t.writes})
      for (planner::access& a : *uses) {
        if (a.ago > 0 || a.latest || a.in_window || !d.one_in(2)) continue;
        const auto is_of = [&a](const planner::access& b) {
          return b.slot == a.slot && b.items > 0;
        };
        // Named twice, it could be inconsistent twice.
        if (std::ranges::any_of(t.reads, is_of) || std::ranges::any_of(t.writes, is_of)) continue;
        a.takes = false;
        a.items = d.one_in(6) ? 65521 - d.upto(5) : 1 + d.upto(3);
      }
  return c;
}

/// No dependencies and little else, so that races, which only sound declarations have, come up.
changeable random_sharing(dice& d) {
  changeable c;
  const int count = 2 + d.upto(2);
  for (int i = 0; i < count; ++i) {
    changeable::task t;
    t.row.id = stretto::name(words[static_cast<std::size_t>(i)]);
    t.row.lookahead = d.upto(2);
    t.row.stream = streams[static_cast<std::size_t>(d.upto(2))];
    if (d.one_in(2)) t.reads.push_back({stretto::name("source"), t.row.lookahead});
    if (i > 0 && d.one_in(2)) t.sync.push_back({stretto::name(words[0]), 0});
    (d.one_in(2) ? t.observes : t.mutates).push_back(stretto::name(d.of(resources)));
    c.tasks.push_back(t);
  }
  return c;
}

bool is_use(field f) { return f == field::reads || f == field::writes; }

template <class T>
void drop(std::vector<T>& from, std::size_t position) {
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(position));
}

/// Takes out every way in which a task waits for another in its own progress.
void stop_waiting(changeable& c, std::size_t task, std::size_t other) {
  const stretto::name producer = c.tasks[other].row.id;
  for (auto* entries : {&c.tasks[task].depends_on, &c.tasks[task].cross_iter, &c.tasks[task].sync})
    std::erase_if(*entries, [&](const planner::dependency& e) { return e.task == producer; });
  for (planner::access& read : c.tasks[task].reads) read.takes = false;
  std::erase_if(c.tasks[task].reads, [&](const planner::access& r) {
    return std::ranges::any_of(c.tasks[other].writes,
                               [&](const planner::access& w) { return w.slot == r.slot; });
  });
}

/// Does what the repair says. The declaration's tasks may be `pull` and `deliver` too, which have
/// results only.
void carry_out(changeable& c, const finding& f, const planner::repair& r) {
  if (f.where == field::order) {
    if (r.how == remedy::drop_entry) drop(c.turns, f.position);
    if (r.how == remedy::replace_entry) c.turns[f.position].task = c.tasks[r.task].row.id;
    return;
  }
  if (r.how == remedy::no_view) {
    const stretto::name slot =
        f.task < c.tasks.size() ? c.tasks[f.task].writes[f.position].slot : stretto::name("source");
    std::erase_if(c.points, [&](const planner::pointing& p) { return p.slot == slot; });
    return;
  }
  if (f.task >= c.tasks.size()) {
    if (r.how == remedy::drop_entry) drop(c.results, f.position);
    if (r.how == remedy::set_lookahead) c.tasks[r.task].work_at(r.value);
    return;
  }
  changeable::task& t = c.tasks[f.task];
  switch (r.how) {
    case remedy::unknown:
    case remedy::no_view: break;
    case remedy::rename: t.row.id = stretto::name("of its own"); break;
    case remedy::declare: c.declared.push_back(t.row.stream); break;
    case remedy::one_stream: t.row.stream = c.tasks[f.other].row.stream; break;
    case remedy::own_slot: t.writes[f.position].slot = stretto::name("of its own"); break;
    case remedy::set_lookahead: c.tasks[r.task].work_at(r.value); break;
    case remedy::set_offset: t.uses(f.where)[f.position].offset = r.value; break;
    case remedy::set_ago: t.entries(f.where)[f.position].ago = r.value; break;
    case remedy::replace_entry: t.entries(f.where)[f.position].task = c.tasks[r.task].row.id; break;
    case remedy::set_every: t.row.every = r.value; break;
    case remedy::set_phase: t.row.phase = r.value; break;
    case remedy::one_rate:
      t.row.every = c.tasks[f.other].row.every;
      t.row.phase = c.tasks[f.other].row.phase;
      t.row.and_at_end = c.tasks[f.other].row.and_at_end;
      break;
    case remedy::full_groups: t.row.and_at_end = false; break;
    case remedy::at_end: c.tasks[f.other].row.and_at_end = true; break;
    case remedy::set_items: t.uses(f.where)[f.position].items = r.value; break;
    case remedy::no_items:
      for (auto* uses : {&t.reads, &t.writes})
        for (planner::access& a : *uses) a.items = 0;
      break;
    case remedy::read_latest: t.reads[f.position].latest = true; break;
    case remedy::keep_all:
      c.tasks[r.task].row.drops = false;
      c.tasks[r.task].row.on_failure = {};
      break;
    case remedy::drop_entry:
      if (is_use(f.where)) {
        drop(t.uses(f.where), f.position);
      } else {
        drop(t.entries(f.where), f.position);
      }
      break;
    case remedy::only_read:
      for (planner::access& read : t.reads)
        if (read.slot == t.reads[f.position].slot) read.takes = false;
  }
}

/// What a finding is about, independent of the position of its entry in a list.
std::string subject(const planner::declaration& d, const finding& f) {
  std::string text(planner::kind_name(f.what));
  text += ' ' + std::to_string(f.task) + ' ' + std::to_string(f.other) + ' ';
  text += planner::field_name(f.where);
  if (f.position == none) return text;
  if (f.where == field::order) return text + std::string(d.turns[f.position].task.text);
  if (f.task >= d.tasks.size()) return text + std::string(d.results[f.position].text);
  const planner::task& t = d.tasks[f.task];
  if (is_use(f.where)) {
    const planner::access& use = (f.where == field::reads ? t.reads : t.writes)[f.position];
    return text + std::string(use.slot.text) + ' ' + std::to_string(use.ago);
  }
  if (f.where == field::observes) return text + std::string(t.observes[f.position].text);
  if (f.where == field::mutates) return text + std::string(t.mutates[f.position].text);
  return text + std::string(planner::entry_of(d, f).task.text);
}

std::ptrdiff_t times_found(const planner::declaration& d, const std::string& about) {
  const planner::diagnosis all = planner::diagnose(d);
  return std::ranges::count_if(all.findings,
                               [&](const finding& f) { return subject(d, f) == about; });
}

std::map<planner::finding_kind, int> tried;

void check_repairs_of(changeable broken) {
  const planner::declaration d = broken.declaration();
  const planner::diagnosis before = planner::diagnose(d);
  for (const finding& f : before.findings) {
    const std::string about = subject(d, f);
    CAPTURE(about);
    CAPTURE(planner::sentence(d, f, before.cycle));
    changeable repaired = broken;
    const planner::repair r = planner::repair_of(d, f);
    if (f.what == kind::order_cycle) {
      repaired.turns.clear();
      CHECK(times_found(repaired.declaration(), about) == 0);
    } else if (f.what == kind::cycle) {
      repaired.turns.clear();
      stop_waiting(repaired, before.cycle.front(), before.cycle[before.cycle.size() > 1 ? 1 : 0]);
      const planner::diagnosis after = planner::diagnose(repaired.declaration());
      CHECK_FALSE(std::ranges::equal(after.cycle, before.cycle));
    } else {
      REQUIRE(r.how != remedy::unknown);
      carry_out(repaired, f, r);
      CHECK(times_found(repaired.declaration(), about) < times_found(d, about));
    }
    ++tried[f.what];
  }
}

}  // namespace

TEST_CASE("a finding is gone when its repair is carried out") {
  dice d(seeds::first(20260801));
  for (int i = 0; i < 5000; ++i) check_repairs_of(random_declaration(d));
  for (int i = 0; i < 500; ++i) check_repairs_of(random_sharing(d));
  for (int i = 0; i < 2000; ++i) check_repairs_of(random_rates(d));
  for (int i = 0; i < 1000; ++i) check_repairs_of(random_drops(d));
  for (int i = 0; i < 1000; ++i) check_repairs_of(random_items(d));
  for (const planner::rules::rule& r : planner::all_rules) {
    for (const planner::rules::kind_row& row : r.kinds) {
      if (row.name.empty()) continue;
      CAPTURE(row.name);
      if (row.what == kind::empty_schedule) continue;  // there is nothing to change
      CHECK(tried[row.what] >= 15);
    }
  }
}

namespace {

/// A sound declaration, and one with a single mistake: after its repair it is sound again.
struct slip {
  const char* what;
  void (*make)(changeable&);
};

changeable sound() {
  changeable c;
  const auto add = [&](const char* name, int lookahead, const char* stream) {
    changeable::task t;
    t.row.id = stretto::name(name);
    t.row.lookahead = lookahead;
    t.row.stream = stream;
    c.tasks.push_back(t);
    return c.tasks.size() - 1;
  };
  const auto h2d = add("h2d", 2, "memcpy");
  const auto prefetch = add("prefetch", 1, "compute");
  const auto forward = add("forward", 0, "compute");
  const auto step = add("step", 0, "compute");
  c.tasks[h2d].reads = {{stretto::name("source"), 2}};
  c.tasks[h2d].writes = {{stretto::name("batch"), 2}};
  c.tasks[prefetch].reads = {{stretto::name("batch"), 1}};
  c.tasks[prefetch].writes = {{stretto::name("rows"), 1}};
  c.tasks[forward].reads = {{stretto::name("batch"), 0}, {stretto::name("rows"), 0}};
  c.tasks[forward].writes = {{stretto::name("loss"), 0}};
  c.tasks[step].depends_on = {{stretto::name("forward"), 0}};
  c.results = {stretto::name("loss")};
  return c;
}

planner::dependency on(const char* task, int ago = 0) { return {stretto::name(task), ago}; }

constexpr std::array slips{
    slip{"negative_lookahead", [](changeable& c) { c.tasks[3].work_at(-1); }},
    slip{"duplicate_name", [](changeable& c) { c.tasks.push_back(c.tasks[3]); }},
    slip{"empty_name", [](changeable& c) { c.tasks[3].row.id = stretto::name(""); }},
    slip{"reserved_name", [](changeable& c) { c.tasks[3].row.id = stretto::name("pull"); }},
    slip{"reserved_write",
         [](changeable& c) {
           c.tasks[3].writes = {{stretto::name("source"), 0}};
         }},
    slip{"stream_not_declared", [](changeable& c) { c.tasks[0].row.stream = "copies"; }},
    slip{"name_multi_stream",
         [](changeable& c) {
           c.tasks[1].reads.clear();
           c.tasks[1].writes.push_back({stretto::name("batch"), 1});
         }},
    slip{"slot_future_read", [](changeable& c) { c.tasks[1].work_at(0), c.tasks[2].work_at(1); }},
    slip{"unresolved_read",
         [](changeable& c) {
           c.tasks[3].reads = {{stretto::name("tag"), 0}};
         }},
    slip{"unresolved_read", [](changeable& c) { c.results.push_back(stretto::name("tag")); }},
    slip{"reader_not_after_writer",
         [](changeable& c) {
           c.tasks[2].reads.push_back({stretto::name("loss"), 0});
         }},
    slip{"taken_before_use",
         [](changeable& c) {
           c.tasks[1].reads[0].takes = true;
           drop(c.tasks[2].reads, 0);
           c.tasks[3].reads = {{stretto::name("batch"), 0}};
           c.tasks[3].depends_on.clear();
         }},
    slip{"taken_result",
         [](changeable& c) {
           c.tasks[3].reads = {{stretto::name("loss"), 0, false, 0, true}};
         }},
    slip{"taken_twice",
         [](changeable& c) {
           c.tasks[2].reads[0].takes = true;
           c.tasks[3].depends_on.clear();
           c.tasks[3].reads = {{stretto::name("batch"), 0, false, 0, true}};
         }},
    slip{"view_of_unread",
         [](changeable& c) {
           c.points = {{stretto::name("batch"), stretto::name("rows")}};
         }},
    slip{"view_of_unread",
         [](changeable& c) {
           c.points = {{stretto::name("source"), stretto::name("batch")}};
         }},
    slip{"changed_under_view",
         [](changeable& c) {
           c.points = {{stretto::name("rows"), stretto::name("batch")}};
           c.tasks[0].row.stream = "compute";
           drop(c.tasks[2].reads, 0);
           c.tasks[3].depends_on.clear();
           c.tasks[3].writes = {{stretto::name("batch"), 0}};
         }},
    slip{"unknown_name", [](changeable& c) { c.tasks[3].depends_on = {on("foward")}; }},
    slip{"unknown_name", [](changeable& c) { c.tasks[3].sync = {on("nobody")}; }},
    slip{"field_overlap", [](changeable& c) { c.tasks[3].sync = {on("forward")}; }},
    slip{"listed_twice", [](changeable& c) { c.tasks[3].depends_on.push_back(on("forward")); }},
    slip{"cross_offset_not_negative",
         [](changeable& c) { c.tasks[0].cross_iter = {on("step", 0)}; }},
    slip{"cross_iter_future_read", [](changeable& c) { c.tasks[0].cross_iter = {on("step", 1)}; }},
    slip{"depends_future_read",
         [](changeable& c) {
           c.tasks[1].depends_on = {on("step")};
           c.tasks[3].depends_on.clear();
         }},
    slip{"cross_iter_rotated_out",
         [](changeable& c) {
           c.strict = true;
           c.tasks[2].cross_iter = {on("step", 1)};
           c.tasks[3].row.stream = "memcpy";
         }},
    slip{"redundant_cross_iter", [](changeable& c) { c.tasks[2].cross_iter = {on("h2d", 2)}; }},
    slip{"race", [](changeable& c) {
           c.tasks[0].observes = {stretto::name("table")};
           c.tasks[3].mutates = {stretto::name("table")};
         }}};

}  // namespace

TEST_CASE("a declaration with one mistake is sound after its repair") {
  REQUIRE(planner::diagnose(sound().declaration()).findings.empty());
  for (const slip& s : slips) {
    CAPTURE(std::string(s.what));
    changeable c = sound();
    s.make(c);
    const planner::declaration broken = c.declaration();
    const planner::diagnosis all = planner::diagnose(broken);
    REQUIRE(all.findings.size() == 1);
    CHECK(planner::kind_name(all.findings[0].what) == s.what);
    const planner::repair r = planner::repair_of(broken, all.findings[0]);
    CAPTURE(planner::sentence(broken, all.findings[0]));
    changeable repaired = c;
    carry_out(repaired, all.findings[0], r);
    CHECK(planner::diagnose(repaired.declaration()).findings.empty());
  }
}

TEST_CASE("the task that was meant is at most two letters away") {
  namespace planner = stretto::planner;
  using planner::distance;
  CHECK(distance("zero_grad", "zero_grad", 2) == 0);
  CHECK(distance("zero_gradd", "zero_grad", 2) == 1);  // dropped
  CHECK(distance("zer_grad", "zero_grad", 2) == 1);    // inserted
  CHECK(distance("zeru_grad", "zero_grad", 2) == 1);   // replaced
  CHECK(distance("ezro_grad", "zero_grad", 2) == 1);   // swapped
  CHECK(distance("ezor_grad", "zero_grad", 2) == 2);
  CHECK(distance("zero_gard", "zero_gra", 2) == 2);
  CHECK(distance("forward", "backward", 2) > 2);
  CHECK(distance("ab", "ba", 1) == 1);
  CHECK(distance("abc", "bca", 1) > 1);

  draft d;
  d.add("zero_grad");
  d.add("train").depends_on({"zeru_grads"});
  const planner::declaration declared = d.declaration();
  const auto findings = planner::diagnose(declared).findings;
  REQUIRE(findings.size() == 1);
  const planner::repair fix = planner::repair_of(declared, findings[0]);
  CHECK(fix.how == planner::remedy::replace_entry);
  CHECK(fix.task == 0);
}
