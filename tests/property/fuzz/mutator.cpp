// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the time a fuzzer changes the schedule that its bytes stand for, not the bytes: those
// that keep the rules are few, and the planner is behind the rules.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stretto/dynamic/file.hpp>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

namespace dynamic = stretto::dynamic;

class schedule_changer {
 public:
  schedule_changer(dynamic::schedule& s, unsigned seed) : s_(s), random_(seed) {}

  void change() {
    for (int n = pick(1, 4); n > 0; --n) change_once();
  }

 private:
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool rarely() { return pick(0, 9) == 0; }
  std::string numbered(const char* what, int most) { return what + std::to_string(pick(0, most)); }
  int batches() { return rarely() ? (rarely() ? 100'000 : pick(3, 400)) : pick(0, 3); }
  /// A slot, now and then as items.
  dynamic::use used(const std::string& slot) {
    return rarely() ? dynamic::use::items_of(slot, pick(1, 6)) : dynamic::use(slot);
  }
  dynamic::task& any_task() {
    return s_.tasks[static_cast<std::size_t>(pick(0, static_cast<int>(s_.tasks.size()) - 1))];
  }
  template <class Entries, class Entry>
  void toggle(Entries& entries, Entry entry) {
    if (!entries.empty() && pick(0, 2) == 0) {
      entries.erase(entries.begin() + pick(0, static_cast<int>(entries.size()) - 1));
    } else {
      entries.push_back(std::move(entry));
    }
  }

  void change_once() {
    if (s_.tasks.empty() || (s_.tasks.size() < 40 && pick(0, 5) == 0)) {
      dynamic::task t;
      t.name = "t" + std::to_string(s_.tasks.size());
      t.lookahead = batches();
      s_.tasks.push_back(t);
      return;
    }
    dynamic::task& t = any_task();
    const std::string other = any_task().name;
    switch (pick(0, 22)) {
      case 0: t.lookahead = batches(); break;
      case 1:
        t.weight = rarely() ? 2'147'483'647 : pick(0, 20);
        t.every = rarely() ? 100'000 : pick(0, 4);
        if (pick(0, 2) == 0) t.phase = pick(-1, 4);
        break;
      case 2:
        t.collective = !t.collective;
        t.communicator = t.collective && rarely() ? "node" : "";
        break;
      case 3:
        t.stream = numbered("s", 3);
        if (std::find(s_.streams.begin(), s_.streams.end(), t.stream) == s_.streams.end())
          s_.streams.push_back(t.stream);
        break;
      case 4: t.stream.clear(); break;
      case 5: t.thread = rarely() ? std::string("caller") : numbered("h", 3); break;
      case 6: toggle(t.reads, used(numbered("x", 5))); break;
      case 7: toggle(t.writes, used(numbered("x", 5))); break;
      case 8:
        toggle(t.reads, pick(0, 1) == 0 ? dynamic::use(numbered("x", 5), t.lookahead)
                                        : dynamic::use::latest_of(numbered("x", 5), pick(0, 2)));
        break;
      case 9: toggle(t.depends_on, other); break;
      case 10: toggle(t.cross_iter_depends_on, dynamic::ago(other, batches())); break;
      case 11: toggle(t.same_progress_sync, other); break;
      case 12: toggle(t.observes, numbered("r", 2)); break;
      case 13: toggle(t.mutates, numbered("r", 2)); break;
      case 14: toggle(s_.orders, std::vector<std::string>{t.name, other}); break;
      case 15: {  // nearly always of a slot that there is: of others the planner hears nothing
        const bool known = !t.reads.empty() && !rarely();
        toggle(s_.slacks,
               dynamic::slack{known ? t.reads.front().slot : numbered("x", 5), batches() + 1});
        break;
      }
      case 16:
        toggle(s_.groups,
               dynamic::thread_group{numbered("h", 3), batches(), rarely() ? 99 : pick(1, 4)});
        break;
      case 17: s_.generated = rarely() ? 1000 : pick(0, 4); break;
      case 18: s_.strict = !s_.strict; break;
      case 19: s_.source.slot = numbered("x", 5); break;
      case 20: toggle(s_.results, numbered("x", 5)); break;
      case 21: s_.caller_runs = t.thread.empty() || rarely() ? numbered("h", 3) : t.thread; break;
      case 22: s_.frugal = !s_.frugal; break;
    }
  }

  dynamic::schedule& s_;
  std::minstd_rand random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  dynamic::schedule s = dynamic::schedule_file(std::string(data, data + size)).schedule();
  schedule_changer(s, seed).change();
  const std::string text = to_json(s);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
