// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stretto/collective/channel.hpp>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include <stretto/collective/plans.hpp>
#include <stretto/collective/roles.hpp>
#include <stretto/collective/row.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::collective {

/// A rank's part in what the ranks of a pipeline agree on over a channel: that they run the same
/// plan, that none has failed, that all have as many batches. What the collectives themselves are
/// done with is not its business.
///
/// Not thread-safe: it is for whoever holds the ticket, and between runs for who makes them.
class peers {
 public:
  /// \p timeout is how long a wait for peers may take.
  peers(channel& to, plan_digest plan, ticket_row tickets, std::chrono::milliseconds timeout)
      : channel_(to),
        plan_(std::move(plan)),
        tickets_(std::move(tickets)),
        timeout_(timeout),
        ended_(to.size(), not_known),
        finished_(to.size(), false) {}

  /// From now on somebody else listens while collectives are under way (`watch`): to enter one
  /// costs no look at the channel.
  void listen_elsewhere() { listens_on_entry_ = false; }

  /// The ranks play roles: each runs its part of one schedule, whose plan is compared. All
  /// agree before each batch whether there is one, so that what they count is agreements.
  void play(casting roles) { roles_ = std::move(roles); }
  /// The ranks that play a role; known in a run.
  std::vector<std::size_t> players(std::string_view role) const { return ranks_of(by_rank_, role); }
  /// The rank in \p role that has this rank's place in its own role; known in a run.
  std::size_t partner(std::string_view role) const { return partner_of(by_rank_, rank(), role); }

  std::size_t rank() const { return channel_.rank(); }
  std::size_t size() const { return channel_.size(); }

  /// Waits until all ranks begin a run. False if \p stopping() says so before: then peers are told,
  /// and no other run can be. Throws `plan_mismatch_error` before the first run if their plans are
  /// not the same; `peer_error` if one has failed, or was stopped so; `missing_rank_error` if one
  /// does not come; `usage_error` after a failure, and where the ranks left their last run at
  /// different collectives.
  template <class Stopping>
  bool begin_run(Stopping&& stopping) {
    if (broken_) {
      give_up();
      refuse();
    }
    const struct meeting {
      std::atomic<std::uint64_t>& missing;
      ~meeting() { missing.store(0, std::memory_order_relaxed); }
    } ends{missing_};
    try {
      meet(stopping);
    } catch (const wait_stopped&) {
      turn_back();
      return false;
    }
    return true;
  }
  /// Likewise, where nobody stops it.
  void begin_run() {
    begin_run([] { return false; });
  }

  /// On any thread: the ranks that this one waits for in `begin_run`.
  runner::missing_ranks missing() const {
    // relaxed: nothing else is read because of it.
    const std::uint64_t now = missing_.load(std::memory_order_relaxed);
    return {static_cast<std::size_t>(now >> 32U), static_cast<std::size_t>(now & 0xffffffffU)};
  }

  /// This rank has no other run: tells peers that may wait for it, once.
  void give_up() noexcept {
    broken_ = true;
    if (std::exchange(told_, true)) return;
    try {
      notice n;
      n.run = run_;
      if (tickets_.size() > 0) n.task = task_name();
      n.batch = at_.batch;
      n.text = "it gave up collectives of its last run, and cannot begin another";
      channel_.notify(n);
    } catch (...) {
      return;  // peers run into their timeout
    }
  }

  /// The collective task at place \p ticket begins: on batch \p batch in progress \p progress.
  /// Throws `peer_error`, `batch_count_error`, and `wait_stopped` if it waits for peers and
  /// \p stopping() says so.
  template <class Stopping>
  void enter(std::size_t ticket, std::size_t batch, std::size_t progress, Stopping&& stopping) {
    at_ = {ticket, batch, true};
    if (counts(ticket)) ++submitted_;
    if (!roles_.empty()) reached_ = place_of(at_);
    guarded([&] {
      if (listens_on_entry_) listen();
      check_peers();
      // Collectives of batches that do not exist are left out: peers that have them would meet
      // others of ours in their place. Ranks with roles have agreed on the end.
      if (!roles_.empty()) return;
      if (const std::optional<std::size_t> batches = tickets_.enter(ticket, progress))
        compare_batch_counts(*batches, stopping);
    });
  }
  void leave() { at_.inside = false; }
  /// How many batches this rank has: see `ticket_row::tell_end`.
  void tell_end(std::size_t batches) { tickets_.tell_end(batches); }
  /// The batch of the collective that was entered last.
  std::size_t batch() const { return at_.batch; }

  /// A wait for peers, within the collective that was entered last. \p Idle is what it does between
  /// two looks.
  template <class Idle = pause>
  class wait {
   public:
    explicit wait(peers& by, Idle idle = Idle()) : by_(by), until_(by.timeout_), idle_(idle) {}

    /// Part of what is waited for has come.
    void moved() { idle_.moved(); }

    /// Between two looks for what is waited for; may let some time go by. Throws `peer_error` if a
    /// peer has failed, `batch_count_error` if one has no such batch, `timeout_error`, and
    /// `wait_stopped` if \p stopping() says so.
    template <class Stopping>
    void operator()(Stopping&& stopping) {
      idle_();
      if (++times_ % 16 != 0) return;
      by_.guarded([&] {
        by_.listen();
        by_.check_peers();
        if (until_.passed())
          throw timeout_error(by_.at_.ticket, by_.task_name(), by_.at_.batch, until_.length());
      });
      if (stopping()) throw wait_stopped();
    }

   private:
    peers& by_;
    deadline until_;
    Idle idle_;
    unsigned times_ = 0;
  };

  /// Whether all ranks have what this one may have, in the collective that was entered last. Throws
  /// as `wait` does.
  template <class Stopping>
  bool agreed(bool here, Stopping&& stopping) {
    bool all = true;
    guarded([&] {
      const message mine = writer().number(here ? 1 : 0).made();
      for (const message& m :
           channel_.gather(mine, [&, idle = wait(*this)](const auto&) mutable { idle(stopping); }))
        all = reader(m).number() != 0 && all;
    });
    return all;
  }

  /// For collectives that go on when they have been left, given by `ticket` and `batch`: throws
  /// `peer_error` or `batch_count_error` if a peer has failed, or one of these will never complete.
  template <class Pending>
  void watch(const Pending& all) {
    const position now = at_;
    guarded([&] {
      listen();
      for (const auto& p : all) {
        at_ = {p.ticket, p.batch, true};
        check_peers();
      }
    });
    at_ = now;
  }
  /// Those of \p all, given by `ticket` and `batch`, were given up, and whatever came behind them.
  template <class Pending>
  void take_back(const Pending& all) {
    for (const auto& p : all) {
      if (counts(p.ticket)) --submitted_;
      const position where{p.ticket, p.batch};
      if (!roles_.empty()) reached_ = (std::min)(reached_, place_of(where) - 1);
    }
  }

  /// A run ended otherwise than by its source: tells the peers what they have not been told.
  void failed(const run_report& report) noexcept {
    try {
      if (told_ && report.failures.empty()) return;  // it turned back
      notice n;
      n.run = run_;
      if (report.failures.empty()) {
        n.what = news::left;
        n.batch = report.finished;
        // It gave up the one it was in.
        n.submitted = submitted_ - (at_.inside && counts(at_.ticket) ? 1 : 0);
        n.reached =
            at_.inside && !roles_.empty() ? (std::min)(reached_, place_of(at_) - 1) : reached_;
        // What was sent and not received would be taken for the next run's.
        if (at_.inside || !roles_.empty()) broken_ = true;
      } else {
        broken_ = true;
        if (told_) return;
        n = failure_in(report);
        n.run = run_;
        told_ = true;
        if (n.task.empty()) return;  // caused by a peer's: that one has told all
      }
      channel_.notify(n);
    } catch (...) {
      broken_ = true;  // peers run into their timeout
    }
  }

  /// A run ended by its source after \p batches batches: waits until each peer has said that it has
  /// as many, and that its run is over without a failure. What went wrong, if something did:
  /// `batch_count_error`, `peer_error`, `missing_rank_error`.
  std::exception_ptr finished(std::size_t batches) noexcept {
    try {
      guarded([&] {
        compare_batch_counts(batches, [] { return false; });
        compare_ends();
      });
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  /// Whether a run failed: collectives may never complete then.
  bool broken() const { return broken_; }

  /// Does what no other run can come after if it throws.
  template <class Body>
  void guarded(Body&& body) {
    try {
      body();
    } catch (...) {
      broken_ = true;
      throw;
    }
  }

 private:
  static constexpr std::size_t not_known = static_cast<std::size_t>(-1);
  struct position {
    std::size_t ticket = 0;
    std::size_t batch = 0;
    bool inside = false;
  };
  struct beginning {
    std::size_t submitted = 0;
    std::string plan;
    std::string role;
  };

  template <class Stopping>
  void meet(Stopping& stopping) {
    guarded([&] {
      ++run_;
      counts_compared_ = false;
      departed_.clear();
      reached_ = 0;
      std::fill(ended_.begin(), ended_.end(), not_known);
      least_ended_ = not_known;
      std::fill(finished_.begin(), finished_.end(), false);
      tickets_.restart();
      for (const notice& n : std::exchange(early_, {})) hear(n);
      writer mine;
      mine.number(run_).number(submitted_).text(packed(plan_)).text(roles_.own);
      const std::string arrival = std::string("begin run ").append(std::to_string(run_));
      const std::vector<message> all = gathered(mine.made(), arrival, stopping);
      if (run_ == 1) {
        std::vector<plan_digest> plans;
        plans.reserve(all.size());
        for (const message& m : all) plans.push_back(unpacked_plan(part(m).plan));
        compare_plans(plans);
        by_rank_.clear();
        for (const message& m : all) by_rank_.push_back(part(m).role);
        if (!roles_.empty()) check_casting(roles_, by_rank_);
      }
      for (const message& m : all)
        if (part(m).submitted != submitted_)
          throw usage_error(
              "the ranks left their last run at different collectives: end a run by its source or "
              "by stretto::agreed_end, or make a new pipeline on all ranks");
    });
  }

  /// Tells peers that this rank does not wait for them any more before a run.
  void turn_back() noexcept {
    told_ = true;
    try {
      notice n;
      n.what = news::turned_back;
      n.run = run_;
      channel_.notify(n);
    } catch (...) {
      return;  // peers run into their timeout
    }
  }

  static beginning part(const message& m) {
    reader in(m);
    static_cast<void>(in.number());
    beginning b;
    b.submitted = in.size();
    b.plan = in.text();
    b.role = in.text();
    return b;
  }

  [[noreturn]] static void refuse() {
    throw usage_error(
        "a run over these communicators failed, and collectives on them may never complete: no "
        "other run can use them; report the error and end the program (docs/collectives.md)");
  }

  std::string_view task_name() const { return tickets_.name(at_.ticket); }

  /// Whether a collective is one that all ranks have.
  bool counts(std::size_t ticket) const { return roles_.empty() || tickets_.asks(ticket); }

  /// Where ranks play roles: the place of a collective in a run, in the order of all ranks.
  std::size_t place_of(const position& p) const {
    return (p.batch + tickets_.lag(p.ticket)) * roles_.tickets + roles_.meetings[p.ticket].place +
           1;
  }
  /// Whether a rank that left its run did so before the collective that this one is at, in which
  /// both have a part.
  bool is_missed(const notice& departed) const {
    if (roles_.empty()) return submitted_ > departed.submitted;
    if (departed.reached >= place_of(at_)) return false;
    const casting::meeting& here = roles_.meetings[at_.ticket];
    if (here.roles.empty()) return true;
    if (std::find(here.roles.begin(), here.roles.end(), departed.role) == here.roles.end())
      return false;
    return !here.in_place || partner(departed.role) == departed.rank;
  }

  /// Reads what peers have said. Throws if one failed.
  void listen() {
    for (;;) {
      std::optional<notice> n = channel_.look();
      if (!n.has_value()) return;
      n->role = role_of(n->rank);
      hear(*n);
    }
  }
  std::string role_of(std::size_t rank) const {
    return by_rank_.empty() ? std::string() : by_rank_[rank];
  }
  void hear(const notice& n) {
    if (n.what == news::failed) throw peer_error(n);
    if (n.what == news::peer_failed) throw peer_error(departure_in(n));
    if (n.run > run_) return early_.push_back(n);  // it turned back from one that is to come here
    if (n.run != run_) return;                     // it left a run that is over here, too
    if (n.what == news::turned_back) throw peer_error(n);
    if (n.what == news::left) departed_.push_back(n);
    if (n.what == news::ended) note_end(n.rank, n.batch);
    if (n.what == news::finished) finished_[n.rank] = true;
    if (n.what == news::continued) {
      told_ = true;
      throw batch_count_error(n.ended, n.batches, n.rank, n.batch);
    }
  }

  void note_end(std::size_t rank, std::size_t batches) {
    ended_[rank] = batches;
    least_ended_ = (std::min)(least_ended_, batches);
  }

  /// Throws if a peer will never come to the collective this rank is at: because it left its run
  /// before, or does not have the batch.
  void check_peers() {
    for (const notice& n : departed_)
      if (is_missed(n)) throw peer_error(n);
    const std::size_t needed = tickets_.asks(at_.ticket) ? at_.batch : at_.batch + 1;
    if (least_ended_ >= needed) return;
    for (std::size_t r = 0; r < size(); ++r) {
      if (ended_[r] == not_known || ended_[r] >= needed) continue;
      notice n;
      n.what = news::continued;
      n.run = run_;
      n.task = task_name();
      n.batch = at_.batch;
      n.ended = r;
      n.batches = ended_[r];
      told_ = true;
      channel_.notify(n);
      throw batch_count_error(r, ended_[r], rank(), at_.batch);
    }
  }

  template <class Which>
  std::vector<std::size_t> ranks_that(Which which) const {
    std::vector<std::size_t> all;
    for (std::size_t r = 0; r < size(); ++r)
      if (which(r)) all.push_back(r);
    return all;
  }

  /// This rank has \p batches batches: so must all. Once in a run.
  template <class Stopping>
  void compare_batch_counts(std::size_t batches, Stopping&& stopping) {
    if (std::exchange(counts_compared_, true)) return;
    note_end(rank(), batches);
    notice mine;
    mine.what = news::ended;
    mine.run = run_;
    mine.batch = batches;
    channel_.notify(mine);
    const deadline until(timeout_);
    for (pause idle;; idle()) {
      listen();
      for (const notice& n : departed_)
        if (ended_[n.rank] == not_known) throw peer_error(n);
      const std::vector<std::size_t> missing =
          ranks_that([this](std::size_t r) { return ended_[r] == not_known; });
      if (missing.empty()) break;
      if (until.passed()) throw missed(missing, "say how many batches it has", until);
      if (stopping()) throw wait_stopped();
    }
    const auto least = std::min_element(ended_.begin(), ended_.end());
    const auto most = std::max_element(ended_.begin(), ended_.end());
    if (*least == *most) return;
    told_ = true;  // every rank gets here
    throw batch_count_error(static_cast<std::size_t>(least - ended_.begin()), *least,
                            static_cast<std::size_t>(most - ended_.begin()), *least);
  }

  /// What a peer does after its last collective may still fail, and that peer's batches have been
  /// counted by then.
  void compare_ends() {
    finished_[rank()] = true;
    notice mine;
    mine.what = news::finished;
    mine.run = run_;
    channel_.notify(mine);
    const deadline until(timeout_);
    for (pause idle;; idle()) {
      listen();
      for (const notice& n : departed_) {
        if (n.submitted < submitted_) throw peer_error(n);
        finished_[n.rank] = true;  // its user left at the last result
      }
      const std::vector<std::size_t> missing =
          ranks_that([this](std::size_t r) { return !finished_[r]; });
      if (missing.empty()) return;
      if (until.passed()) throw missed(missing, "end its run", until);
    }
  }

  /// What every rank gives.
  template <class Stopping>
  std::vector<message> gathered(const message& mine, std::string_view arrival, Stopping& stopping) {
    const deadline until(timeout_);
    auto look = [&, idle = pause()](const auto& missing, const auto& there) mutable {
      listen();
      missing_.store(std::uint64_t{missing.front()} << 32U | missing.size(),
                     std::memory_order_relaxed);
      if (until.passed()) {
        const missing_rank_error bare = missed(missing, arrival, until);
        if (!by_rank_.empty()) throw bare;
        throw missing_rank_error(bare, unplayed(there));
      }
      if (stopping()) throw wait_stopped();
      idle();
    };
    return channel_.gather(mine, look);
  }
  missing_rank_error missed(const std::vector<std::size_t>& ranks, std::string_view arrival,
                            const deadline& until) const {
    if (roles_.empty() || by_rank_.empty()) return {ranks, arrival, until.length()};
    return {ranks, arrival, until.length(), by_rank_};
  }
  /// The roles that are not played by those ranks that have begun the run.
  std::vector<std::string_view> unplayed(const std::vector<message>& there) const {
    std::vector<std::string_view> all = roles_.all;
    for (const message& m : there)
      if (!m.empty()) std::erase(all, std::string_view(part(m).role));
    return all;
  }

  /// The failure that caused the others; without a task if it was a peer's.
  static notice failure_in(const run_report& report) {
    notice n;
    n.what = news::failed;
    for (const run_report::failure& f : report.failures) {
      try {
        std::rethrow_exception(f.error);
      } catch (const wait_stopped&) {
        continue;
      } catch (const peer_error& e) {
        if (!e.task().empty()) return {};
        n.what = news::peer_failed;
        n.ended = e.rank();
        n.batches = e.batch();
      } catch (const std::exception& e) {
        n.text = e.what();
      } catch (...) {
        n.text = "an exception that is not a std::exception";
      }
      n.task = f.task;
      n.batch = f.batch;
      return n;
    }
    return n;
  }

  /// What the peer that another one missed would have told.
  notice departure_in(const notice& of_another) const {
    notice n;
    n.role = role_of(of_another.ended);
    n.what = news::left;
    n.run = of_another.run;
    n.rank = of_another.ended;
    n.batch = of_another.batches;
    return n;
  }

  channel& channel_;
  plan_digest plan_;
  ticket_row tickets_;
  casting roles_{};
  std::vector<std::string> by_rank_;  ///< the role of each, from the first run on
  std::chrono::milliseconds timeout_;
  std::vector<std::size_t> ended_;  ///< by rank: its number of batches, when it has said so
  std::size_t least_ended_ = not_known;
  std::vector<bool> finished_;    ///< by rank: its run is over
  std::vector<notice> departed_;  ///< of peers that left this run
  std::vector<notice> early_;     ///< of peers that turned back from the next one
  position at_;
  std::size_t run_ = 0;
  std::size_t submitted_ = 0;  ///< collectives, in all runs
  std::size_t reached_ = 0;  ///< where ranks play roles: the place in this run, of all ranks' order
  bool listens_on_entry_ = true;
  bool counts_compared_ = false;
  bool told_ = false;  ///< what is wrong, all peers know
  bool broken_ = false;
  /// While a run is to begin: the first rank that is missing, and in the lower half how many are.
  std::atomic<std::uint64_t> missing_{0};
};

}  // namespace stretto::collective
