// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <recording_nccl/library.hpp>
#include <stretto/nccl/collectives.hpp>
#include <string>
#include <thread>
#include <vector>
#include "trial.hpp"

/// Random schedules whose collectives the ranks do together: threads that each have a pipeline on a
/// device of their own.
namespace random_device {

namespace wire = stretto::testing::recording_nccl;
using collectives = st::nccl::collectives_over<wire::library, driver>;
using communicators = st::nccl::communicators_of<wire::library>;
using ranks_context = st::context_of<device, collectives>;

/// How a run of one rank is disturbed; those of the others are not.
enum class rank_fault {
  none,
  abandon,
  leave,
  body,
  body_submitted,
  refused,
  call,     ///< a call of the driver fails
  library,  ///< one of the library
  shorter   ///< its source has fewer batches
};

struct ranks_plan {
  rank_fault what = rank_fault::none;
  std::size_t rank = 0;
  std::size_t node = 0;
  std::size_t batch = 0;
  std::size_t batches = 0;
  std::size_t call = 0;

  std::string text() const {
    static constexpr const char* faults[] = {"nothing", "abandon",         "leave",
                                             "body",    "body, submitted", "refused",
                                             "call",    "library",         "shorter"};
    return std::string(faults[static_cast<std::size_t>(what)]) + " of rank " +
           std::to_string(rank) + " at node " + std::to_string(node) + ", batch " +
           std::to_string(batch) + " of " + std::to_string(batches) + ", call " +
           std::to_string(call);
  }
  /// What a rank's board is to do.
  run_plan of(std::size_t r) const {
    run_plan p;
    p.batches = batches;
    if (r != rank) return p;
    p.node = node;
    p.batch = batch;
    switch (what) {
      case rank_fault::abandon: p.what = fault::abandon; break;
      case rank_fault::leave: p.what = fault::leave; break;
      case rank_fault::body: p.what = fault::body; break;
      case rank_fault::body_submitted: p.what = fault::body_submitted; break;
      case rank_fault::refused: p.what = fault::refused; break;
      case rank_fault::call: p.what = fault::call; break;
      case rank_fault::shorter: p.batches = batch; break;
      default: break;
    }
    return p;
  }
};

inline ranks_plan draw_ranks_run(std::uint64_t seed, std::size_t ranks, std::size_t tasks) {
  dice d(seed);
  ranks_plan p;
  p.what = static_cast<rank_fault>(d.below(9));
  p.rank = d.below(ranks);
  p.batches = d.one_in(3) ? d.below(4) : d.below(most_batches - 3);
  p.batch = d.below(p.batches + 1);
  p.node = d.below(tasks);
  p.call = d.one_in(2) ? d.below(12) : d.below(150);
  return p;
}

/// A machine for each rank, and what connects them.
class ranks {
 public:
  ranks(std::size_t count, std::uint64_t seed)
      : net_(dice(seed).number(3)), among_all_(count), among_others_(count) {
    dice d(seed ^ 0xc011U);
    blocking_ = d.one_in(3);
    if (d.one_in(2)) net_.limit_residents(1);
    if (d.one_in(4)) net_.tell_of_aborts();
    for (std::size_t r = 0; r < count; ++r) {
      machines_.push_back(std::make_unique<recording::spoken_to>());
      surroundings where = draw_surroundings(seed + 7 * r);
      // A kernel that is loaded while a collective waits for another rank waits for that, too:
      // users load theirs before, or eagerly.
      where.loads_lazily = false;
      where.arrange(machines_.back()->w);
    }
  }

  std::size_t size() const { return machines_.size(); }
  recording::spoken_to& machine(std::size_t rank) { return *machines_[rank]; }
  wire::network& net() { return net_; }

  wire::library library_of(std::size_t rank) {
    return {net_, machine(rank).d, static_cast<int>(rank)};
  }
  communicators communicators_of(std::size_t rank) {
    wire::library::config config = wire::library::standard_config();
    config.blocking = blocking_;
    return {{"world", st::nccl::in_process(among_all_, rank), nullptr, config},
            {"others", st::nccl::in_process(among_others_, rank), nullptr, config}};
  }

  /// Runs `body(rank)` on a thread for each rank.
  template <class Body>
  void each(const Body& body) {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < size(); ++r) threads.emplace_back([&body, r] { body(r); });
    for (std::thread& t : threads) t.join();
  }

  /// What was done against the rules, and what is left when all pipelines have ended.
  std::string complaints() {
    std::string all;
    const auto add = [&all](const std::vector<std::string>& lines) {
      for (const std::string& l : lines) (all += l) += '\n';
    };
    for (const auto& m : machines_) add(m->w.leaks());
    add(net_.breaches());
    add(net_.differences());
    add(net_.leaks());
    return all;
  }

 private:
  wire::network net_;
  bool blocking_ = false;
  std::vector<std::unique_ptr<recording::spoken_to>> machines_;
  st::nccl::local_ranks among_all_;
  st::nccl::local_ranks among_others_;
};

/// What a collective does behind its kernel: the ranks make one value of what each has written.
inline void unite(const ranks_context& here, const model::task& t, const operands& o) {
  const auto each = [&] {
    for (std::size_t w = 0; w < o.out.size(); ++w) switch (model::reduction_of(t.writes[w])) {
        case model::reduction::sum: here.all_reduce(o.out[w], 1); break;
        case model::reduction::greatest:
          here.all_reduce(o.out[w], 1, wire::reduction::maximum);
          break;
        case model::reduction::of_first_rank: here.broadcast(o.out[w], 1, 0); break;
      }
  };
  if (t.lookahead % 2 == 0) {
    each();
  } else {
    here.grouped(each);
  }
}

/// The schedule of a rank, with bodies.
inline dynamic::schedule bodied_on_ranks(const dynamic::schedule& s, board& b) {
  dynamic::schedule all = bodied(s, b);
  for (std::size_t n = 0; n < all.tasks.size(); ++n)
    if (all.tasks[n].collective)
      all.tasks[n].body = [n, &b](const ranks_context& here, dynamic::slot_access& values) {
        const operands o = operands_of(b, n, values);
        // What a launch that was refused has not made is not for the other ranks.
        if (b.body(n, here.batch(), here.stream(), o)) unite(here, b.expected().tasks[n], o);
      };
  return all;
}

}  // namespace random_device
