// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules as values whose collectives two or three ranks do together, over a library that
// keeps NCCL's rules: run at random paces, then disturbed on one rank. No rank may hang, have a
// wrong result or miss that another one failed. Prints what is wrong with which seed.
//
//   random_collectives [--schedules N] [--seed FIRST]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/seed.hpp"
#include "ranks.hpp"

namespace random_device {
namespace {

/// What became of a run on one rank.
struct outcome {
  bool failed = false;
  std::string error{};
  std::size_t delivered = 0;
  std::string wrong{};
};

/// One run of a rank's pipeline.
template <class Pipeline>
class rank_run {
 public:
  rank_run(Pipeline& p, board& b, recording::spoken_to& to, const dynamic::schedule& s)
      : p_(p), b_(b), to_(to), s_(s) {}

  outcome operator()(const run_plan& plan) {
    b_.begin(plan);
    try {
      const auto pull = [this](pinned_cell& into) { return b_.pull(into); };
      if (plan.what == fault::abandon) {
        auto run = begun(p_, pull, st::cancel_on(token{&b_.requested}));
        consume(run, plan);
      } else {
        auto run = begun(p_, pull);
        consume(run, plan);
      }
    } catch (const std::exception& e) {
      o_.failed = true;
      o_.error = e.what();
    }
    check();
    return std::exchange(o_, {});
  }

 private:
  template <class Run>
  void consume(Run& run, const run_plan& plan) {
    while (run.next()) {
      const std::size_t batch = o_.delivered++;
      const std::vector<const value*> results = addresses_in(run.result(), b_);
      for (std::size_t i = 0; loop_on_host(s_) && i < results.size(); ++i) {
        to_.w.host_reads(results[i], sizeof(value));
        if (*results[i] != b_.expected_result(b_.expected().results[i], batch))
          say("a result of batch " + std::to_string(batch) + " is another");
      }
      if (batch == plan.batch && plan.what == fault::leave) return;
    }
  }
  void check() {
    to_.w.forget_faults();
    if (!to_.w.idle()) return say("streams are still at work");
    o_.wrong += b_.complaints();
  }
  void say(const std::string& what) { o_.wrong += what + "\n"; }

  Pipeline& p_;
  board& b_;
  recording::spoken_to& to_;
  const dynamic::schedule& s_;
  outcome o_;
};

/// What is wrong with how the ranks ended, each after its run.
std::string judged(const ranks_plan& p, const dynamic::schedule& s, const std::vector<outcome>& all,
                   bool thrown) {
  std::string wrong;
  const auto say = [&](std::size_t r, const std::string& what) {
    wrong += "rank " + std::to_string(r) + ": " + what + "\n";
  };
  const bool shorter = p.what == rank_fault::shorter && p.batch < p.batches;
  const bool may_end_early = p.what == rank_fault::leave || p.what == rank_fault::abandon;
  // It may be one when all that ranks do together is done.
  const bool any_call = p.what == rank_fault::call || p.what == rank_fault::library;
  const bool must_fail = thrown || (shorter && !s.source.collective);
  bool any_failed = false;
  for (const outcome& o : all) any_failed = any_failed || o.failed;
  const std::size_t batches = shorter ? p.batch : p.batches;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const outcome& o = all[r];
    if (!o.wrong.empty()) say(r, o.wrong);
    if (must_fail && !o.failed) say(r, "goes on although a rank has failed");
    if (!o.failed && any_failed && !may_end_early && !any_call) say(r, "knows of no failure");
    if (!o.failed && any_call && o.delivered != batches) say(r, "results are missing");
    if (o.failed && p.what == rank_fault::none) say(r, "fails for nothing: " + o.error);
    if (o.failed && shorter && s.source.collective) say(r, "knows of no end: " + o.error);
    if (!any_failed && !may_end_early && o.delivered != batches) say(r, "results are missing");
  }
  return wrong;
}

template <class... Options>
bool exercise(const dynamic::schedule& s, std::uint64_t seed, const char* which) {
  const std::size_t size = 2 + dice(seed).below(2);
  constexpr std::size_t runs = 3;
  std::vector<ranks_plan> plans;
  for (std::size_t i = 0; i < runs; ++i) {
    plans.push_back(draw_ranks_run((seed << 8U) + i, size, s.tasks.size()));
    if (i + 1 < runs) plans.back().what = rank_fault::none;
  }
  ranks all(size, seed);
  std::vector<std::vector<outcome>> ends(runs, std::vector<outcome>(size));
  std::vector<char> thrown(size);
  std::vector<std::string> refused(size);
  all.each([&](std::size_t r) {
    recording::spoken_to& to = all.machine(r);
    board b(s, to.w, size, r);
    using pipeline = dynamic::pipeline<device, collectives, Options...>;
    const st::nccl::timeouts brief{.peers = std::chrono::minutes(1),
                                   .stop = std::chrono::milliseconds(50)};
    pipeline p(bodied_on_ranks(s, b), to.d, all.library_of(r), all.communicators_of(r), brief);
    rank_run<pipeline> run(p, b, to, s);
    for (std::size_t i = 0; i < runs; ++i) {
      const ranks_plan& plan = plans[i];
      to.w.jitter(static_cast<unsigned>(seed + i + r));
      if (plan.rank == r && plan.what == rank_fault::call)
        to.w.fail_at(plan.call, status::launch_out_of_resources);
      if (plan.rank == r && plan.what == rank_fault::library) {
        const int owner = static_cast<int>(r);
        all.net().fail_at(owner, all.net().count_calls(owner) + plan.call,
                          wire::result::system_error);
      }
      ends[i][r] = run(plan.of(r));
      thrown[r] = b.thrown ? 1 : 0;
      if (!ends[i][r].failed) continue;
      if (plan.what == rank_fault::call || plan.what == rank_fault::library) return;
      p.reset();
      try {
        begun(p, [](pinned_cell&) { return false; });
        refused[r] = "a pipeline runs again whose communicators were aborted\n";
      } catch (const st::usage_error&) {
        return;
      }
    }
  });
  std::string wrong;
  for (std::size_t i = 0; i < runs && wrong.empty(); ++i) {
    bool any = false;
    for (const char t : thrown) any = any || t != 0;
    wrong = judged(plans[i], s, ends[i], i + 1 == runs && any);
    if (!wrong.empty()) wrong = plans[i].text() + ":\n" + wrong;
  }
  for (const std::string& r : refused) wrong += r;
  for (std::size_t r = 0; r < size; ++r)
    for (const std::string& breach : all.machine(r).w.take_breaches())
      wrong += "rank " + std::to_string(r) + ": " + breach + "\n";
  wrong += all.complaints();
  if (wrong.empty()) return true;
  std::printf("seed %llu (%s), %zu ranks, %s", static_cast<unsigned long long>(seed), which, size,
              wrong.c_str());
  return false;
}

/// Collectives on streams, on two communicators; no tasks: that is no schedule.
dynamic::schedule on_ranks(dynamic::schedule s) {
  bool any = false;
  for (std::size_t n = 0; n < s.tasks.size(); ++n) {
    dynamic::task& t = s.tasks[n];
    if (!t.collective) continue;
    any = true;
    if (t.stream.empty()) t.stream = "a";
    if (n % 2 == 1) t.communicator = "others";
  }
  if (!any || !dynamic::diagnose(s).ok()) s.tasks.clear();
  return s;
}

bool try_seed(std::uint64_t seed, std::uint64_t& tried) {
  const dynamic::schedule s = on_ranks(random_runs::draw(seed).schedule);
  if (s.tasks.empty()) return true;
  ++tried;
  return (dice(seed).one_in(3) ? exercise<st::barrier>(s, seed, "barrier")
                               : exercise<st::run_ahead>(s, seed, "running ahead")) &&
         exercise<st::run_ahead>(dynamic::serial(s), seed, "serial");
}

}  // namespace
}  // namespace random_device

int main(int argc, char** argv) {
  std::uint64_t schedules = 100;
  std::uint64_t first = seeds::first(1);
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--schedules") schedules = number;
    if (name == "--seed") first = number;
  }
  seeds::print(first, schedules, "schedules", argc, argv);
  std::uint64_t tried = 0;
  std::uint64_t seed = first;
  bool good = true;
  for (; good && tried < schedules; ++seed) {
    const std::string what = "the runs on ranks of seed " + std::to_string(seed);
    const deadline limit(what.c_str(), std::chrono::seconds(60));
    good = random_device::try_seed(seed, tried);
  }
  std::printf("%llu schedules of %llu seeds: %s\n", static_cast<unsigned long long>(tried),
              static_cast<unsigned long long>(seed - first), good ? "nothing wrong" : "wrong");
  return good ? 0 : 1;
}
