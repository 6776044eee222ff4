// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/find_streams.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

namespace detail {

/// Looks with tasks on one stream and another: on all that there are, if these are few, else with
/// one task on another one, or in exchange with one there, as long as that helps.
class stream_search {
 public:
  stream_search(const dynamic::schedule& s, planner::view<task_cost> costs, const limits& within,
                const std::vector<std::string>& offered, const effort& how)
      : s_(&s), costs_(costs), within_(&within), offered_(&offered), how_(how) {
    refuse_what_is_no_choice();
    std::vector<std::size_t> now;
    for (std::size_t t = 0; t < s.tasks.size(); ++t) {
      const auto on = std::find(offered.begin(), offered.end(), s.tasks[t].stream);
      const std::vector<std::string>& frozen = within.frozen;
      if (on == offered.end() ||
          std::find(frozen.begin(), frozen.end(), s.tasks[t].name) != frozen.end())
        continue;
      movable_.push_back(t);
      now.push_back(static_cast<std::size_t>(on - offered.begin()));
    }
    best_ = find_schedule(s, costs, within, how_);
    how_.progress = {};
    const planner::ratio least = least_on_any();
    const bool all = ways() <= few;
    if (all || least < best_.period) {
      const std::size_t tries = all ? ways() : 4 * movable_.size() * offered.size();
      const long long steps = how.steps > 0 ? how.steps : 2'000'000'000;
      how_.steps =
          (std::max)(steps / static_cast<long long>((std::max)(tries, std::size_t{1})), 100'000LL);
      if (all) {
        try_each(now);
      } else {
        improve(now, least);
      }
    }
    prove(least, all);
  }

  found_schedule found() && { return std::move(best_); }

 private:
  static constexpr std::size_t few = 256;

  void refuse_what_is_no_choice() const {
    for (const std::string& stream : *offered_) {
      if (std::find(s_->streams.begin(), s_->streams.end(), stream) == s_->streams.end())
        throw usage_error(std::string("tasks are offered the stream `")
                              .append(stream)
                              .append("`, which the schedule does not declare"));
      if (std::count(offered_->begin(), offered_->end(), stream) > 1)
        throw usage_error(
            std::string("tasks are offered the stream `").append(stream).append("` twice"));
      if (stream == s_->results_on)
        throw usage_error(std::string("tasks are offered the stream `")
                              .append(stream)
                              .append("`, in whose order results are handed out: who is on it is "
                                      "no choice of a search"));
    }
    if (offered_->size() < 2)
      throw usage_error("of streams there is a choice if two are offered, at least");
  }

  /// How many ways there are, if they are few; else more than that.
  std::size_t ways() const {
    std::size_t all = 1;
    for (std::size_t i = 0; i < movable_.size() && all <= few; ++i) all *= offered_->size();
    return all;
  }
  /// Whether some stream has more than the best schedule takes.
  bool is_too_full(const std::vector<std::size_t>& on) const {
    std::vector<long long> loads = stay_;
    for (std::size_t i = 0; i < on.size(); ++i) loads[on[i]] += move_[i];
    return std::any_of(loads.begin(), loads.end(), [&](long long load) {
      return best_.period < planner::ratio{load, 1};
    });
  }
  /// Keeps what is found with tasks on these streams if it is better. Whether it is.
  bool helps(const std::vector<std::size_t>& on) {
    if (is_too_full(on)) return false;
    dynamic::schedule s = *s_;
    for (std::size_t i = 0; i < movable_.size(); ++i)
      s.tasks[movable_[i]].stream = (*offered_)[on[i]];
    std::optional<found_schedule> made;
    try {
      made = find_schedule(s, costs_, *within_, how_);
    } catch (const usage_error&) {  // nothing is there within the limits, or of several writers
      return false;
    } catch (const dynamic::schedule_error&) {  // some are on several streams
      return false;
    }
    if (!closed_ || made->least < *closed_) closed_ = made->least;
    const bool better = made->period < best_.period ||
                        (made->period == best_.period &&
                         (made->bytes < best_.bytes ||
                          (made->bytes == best_.bytes && made->in_flight < best_.in_flight)));
    if (!better || !dynamic::diagnose(made->schedule).ok() || !keeps_results(*s_, made->schedule))
      return false;
    const long long steps = best_.steps + made->steps;
    best_ = std::move(*made);
    best_.steps = steps;
    return true;
  }

  /// Those first that leave the last tasks where they are \p now. All, because of several with the
  /// least period one takes the fewest bytes.
  void try_each(const std::vector<std::size_t>& now) {
    std::vector<std::size_t> on(now.size());
    for (std::size_t way = 0; way < ways(); ++way) {
      std::size_t rest = way;
      for (std::size_t i = 0; i < on.size(); ++i) {
        on[i] = (now[i] + rest) % offered_->size();
        rest /= offered_->size();
      }
      helps(on);
    }
  }
  void improve(std::vector<std::size_t> on, const planner::ratio& least) {
    for (bool helped = true; helped;) {
      helped = false;
      const auto attempt = [&](std::vector<std::size_t> next) {
        if (!(least < best_.period) || !helps(next)) return;
        on = std::move(next);
        helped = true;
      };
      for (std::size_t i = 0; i < on.size(); ++i) {
        for (std::size_t stream = 0; stream < offered_->size(); ++stream) {
          if (stream == on[i]) continue;
          std::vector<std::size_t> next = on;
          next[i] = stream;
          attempt(std::move(next));
        }
        for (std::size_t j = i + 1; j < on.size(); ++j) {
          if (on[i] == on[j]) continue;
          std::vector<std::size_t> next = on;
          std::swap(next[i], next[j]);
          attempt(std::move(next));
        }
      }
    }
  }

  /// What no schedule takes less than, whatever stream tasks are on: that of their problem without
  /// these streams, and what is on them, divided among them.
  planner::ratio least_on_any() {
    const schedule_problem asked(*s_, costs_, *within_, kept::nothing);
    problem p = asked.asked();
    const auto is_offered = [&](number r) {
      return std::any_of(offered_->begin(), offered_->end(), [&](const std::string& stream) {
        return asked.resource_name(r) == "stream " + stream;
      });
    };
    for (const std::string& stream : *offered_) {
      long long on = 0;
      for (const problem::task& task : p.tasks)
        for (const number r : task.on)
          if (asked.resource_name(r) == "stream " + stream) on += task.weight;
      stay_.push_back(on);
    }
    for (const std::size_t t : movable_) {
      const auto on = std::find(offered_->begin(), offered_->end(), s_->tasks[t].stream);
      move_.push_back(p.tasks[t].weight);
      stay_[static_cast<std::size_t>(on - offered_->begin())] -= move_.back();
    }
    long long total = 0;
    std::vector<std::string> sharing;
    for (number t = 0; t < p.tasks.size(); ++t) {
      const problem::task& task = p.tasks[t];
      if (std::none_of(task.on.begin(), task.on.end(), is_offered)) continue;
      total += task.weight;
      sharing.push_back(asked.name_of(t));
    }
    for (const std::size_t t : movable_) {
      problem::task& task = p.tasks[t];
      std::erase_if(task.on, is_offered);
      // Without a thread of its own it goes to that of its stream.
      if (s_->tasks[t].thread.empty() && within_->threads.empty()) task.host = false;
    }
    const least_period own = find_least_period(p);
    planner::ratio least = own.period;
    why_.reason = own.why.reason;
    for (const number n : own.why.nodes) why_.because.push_back(asked.name_of(n));
    if (own.why.reason == proof::why::thread) why_.busy = asked.thread_name(own.why.which);
    if (own.why.reason == proof::why::resource) why_.busy = asked.resource_name(own.why.which);
    why_.share = static_cast<int>(own.why.share);
    if (const planner::ratio shared{total, static_cast<long long>(offered_->size())};
        least < shared) {
      least = shared;
      why_ = {};
      why_.reason = proof::why::streams;
      why_.because = sharing;
    }
    return least;
  }
  /// What is proved of one way is not proved of all.
  void prove(const planner::ratio& least, bool all) {
    best_.least = least;
    best_.reason = why_.reason;
    best_.because = why_.because;
    best_.busy = why_.busy;
    best_.share = why_.share;
    if (all && closed_ && least < *closed_) {
      best_.least = *closed_;
      best_.reason = proof::why::search;
      best_.because.clear();
      best_.busy.clear();
    }
    if (best_.period < best_.least) best_.least = best_.period;
    best_.least_bytes = 0;
    best_.fewest_in_flight = false;
  }

  const dynamic::schedule* s_;
  planner::view<task_cost> costs_;
  const limits* within_;
  const std::vector<std::string>* offered_;
  effort how_;
  std::vector<std::size_t> movable_;
  std::vector<long long> move_;  // by movable task: what it takes
  std::vector<long long> stay_;  // by offered stream: what those take that stay on it
  found_schedule best_;
  found_schedule why_;                    // in which it is said why `least_on_any` is
  std::optional<planner::ratio> closed_;  // none of the ways that were looked at takes less
};

}  // namespace detail

STRETTO_INLINE found_schedule find_streams(const dynamic::schedule& s,
                                           planner::view<task_cost> costs, const limits& within,
                                           const std::vector<std::string>& streams,
                                           const effort& how) {
  detail::refuse_device(within.device.has_value(), "`find_streams`");
  return detail::stream_search(s, costs, within, streams, how).found();
}

}  // namespace stretto::search
