// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "operation.hpp"

namespace stretto::testing::recording_nccl {

/// A collective of a communicator: complete when each rank's stream has come to it.
struct meeting_place {
  std::vector<std::optional<operation>> asked;  // by rank
  std::vector<std::optional<bytes>> given;      // by rank: what was there when its stream came
};

/// From one rank to another: complete when both streams have come to it.
struct letter {
  std::optional<operation> sent;
  std::optional<operation> received;
  std::optional<bytes> given;  // what was there when the sender's stream came
  bool taken = false;
};

/// What the ranks of a communicator ask for when they split it; complete when all have.
struct splitting {
  struct wish {
    int color = 0;
    int key = 0;
    bool blocking = false;
    struct communicator_object* of = nullptr;
    struct communicator_object* made = nullptr;
  };
  std::map<int, wish> by_rank{};
  bool is_complete = false;
};

/// The ranks that have one unique id.
struct clique {
  int number = 0;
  std::size_t size = 0;
  std::vector<struct communicator_object*> members{};  // by rank; null: not there yet
  std::deque<meeting_place> places{};
  std::map<std::pair<int, int>, std::deque<letter>> letters{};  // by sender and receiver
  std::deque<splitting> splits{};

  bool is_whole() const {
    return std::count(members.begin(), members.end(), nullptr) == 0 && members.size() == size;
  }
};

/// What a call, or a group of them, puts on streams once one of its communicators is asked whether
/// it is done.
struct delayed {
  std::function<bool()> put;  // whether it could
  std::function<void()> drop;
};

struct communicator_object {
  clique* of = nullptr;
  int rank = 0;
  int owner = 0;  // the rank whose library made it
  int device = 0;
  std::size_t submitted = 0;              // collectives, which are numbered
  std::map<int, std::size_t> sent{};      // letters, which are numbered by receiver
  std::map<int, std::size_t> received{};  // and by sender
  std::optional<std::size_t> latest{};    // kernel
  int launched = 0;                       // kernels that have not ended
  std::size_t kernels = 0;                // that were put on streams
  std::size_t ended = 0;                  // of these
  int polls_left = 0;                     // until it is no longer in progress
  result error = result::success;
  bool blocking = false;
  std::map<int, std::pair<const std::byte*, std::size_t>> registered{};  // by number
  std::size_t splits = 0;
  communicator_object** split_into = nullptr;  // what is written when it is split; null: it is not
  std::shared_ptr<struct delayed> late{};      // what a call has yet to put on its stream
  bool aborted = false;
  bool finalized = false;
  bool destroyed = false;

  std::string name() const {
    return std::string("communicator ")
        .append(std::to_string(of->number))
        .append(" of rank ")
        .append(std::to_string(rank));
  }
};

/// What connects the ranks of a test, each of which has a library (library.hpp): threads of this
/// process. All functions may be called by any thread.
class network {
 public:
  /// After each call a communicator is in progress until it was asked \p polls times.
  explicit network(int polls = 2) : polls_(polls) {}
  network(const network&) = delete;
  network& operator=(const network&) = delete;

  // What happened.

  /// What was done that NCCL forbids.
  std::vector<std::string> breaches() const { return copy(breaches_); }
  /// Where ranks submitted other collectives, or in another order.
  std::vector<std::string> differences() const { return copy(differences_); }
  /// Communicators that were made, and neither destroyed nor aborted.
  std::vector<std::string> leaks() const {
    const std::lock_guard hold(lock_);
    std::vector<std::string> all;
    for (const communicator_object& c : communicators_)
      if (!c.destroyed && !c.aborted) all.push_back(c.name());
    return all;
  }
  std::size_t count_calls(int owner) const {
    const std::lock_guard hold(lock_);
    const auto found = calls_.find(owner);
    return found == calls_.end() ? 0 : found->second;
  }
  /// The collectives of a rank in the order in which they ended. (That of the rank's streams tells
  /// it a moment later, when the next one may have ended, too.)
  std::vector<std::string> done(int owner) const {
    const std::lock_guard hold(lock_);
    const auto found = done_.find(owner);
    return found == done_.end() ? std::vector<std::string>() : found->second;
  }
  /// Communicators that were made as blocking ones.
  std::size_t count_blocking() const {
    const std::lock_guard hold(lock_);
    return static_cast<std::size_t>(
        std::count_if(communicators_.begin(), communicators_.end(),
                      [](const communicator_object& c) { return c.blocking; }));
  }
  /// Collectives that ranks have submitted; of them, those with registered memory only.
  std::size_t submitted() const {
    const std::lock_guard hold(lock_);
    return submitted_;
  }
  std::size_t submitted_registered() const {
    const std::lock_guard hold(lock_);
    return submitted_registered_;
  }
  std::size_t aborts(int owner) const {
    const std::lock_guard hold(lock_);
    return static_cast<std::size_t>(
        std::count_if(communicators_.begin(), communicators_.end(),
                      [&](const auto& c) { return c.owner == owner && c.aborted; }));
  }

  // What goes wrong.

  /// The \p k-th call of a rank, counted from 0, returns \p r; abort is never one of them.
  void fail_at(int owner, std::size_t k, result r) {
    const std::lock_guard hold(lock_);
    fault_ = {owner, k, r, true};
  }
  bool fault_left() const {
    const std::lock_guard hold(lock_);
    return fault_.planned;
  }
  /// The communicators of a rank report this from now on.
  void report(int owner, result r) {
    const std::lock_guard hold(lock_);
    for (communicator_object& c : communicators_)
      if (c.owner == owner) c.error = r;
  }
  /// An abort ends calls that other threads are in, which is then no breach: for limits so short
  /// that a thread may be kept from running for longer.
  void let_aborts_end_calls() {
    const std::lock_guard hold(lock_);
    ends_calls_ = true;
  }
  /// A device has room for the kernels of so many collectives at a time: of several communicators
  /// one may have to wait until another one's has ended.
  void limit_residents(std::size_t most) {
    const std::lock_guard hold(lock_);
    room_ = most;
  }
  /// Kernels of a device begin in the order in which they were launched, whatever streams they are
  /// on, as with NCCL_LAUNCH_ORDER_IMPLICIT.
  void keep_launch_order() {
    const std::lock_guard hold(lock_);
    in_order_ = true;
  }
  /// As NCCL does unless it is told otherwise: the first call by which a rank sends to another one,
  /// or receives from it, comes to its end when that one has made its own.
  void connect_on_demand() {
    const std::lock_guard hold(lock_);
    on_demand_ = true;
  }
  /// When a rank aborts, its peers' communicators report an error, as they do over a network.
  void tell_of_aborts() {
    const std::lock_guard hold(lock_);
    tells_ = true;
  }

 private:
  friend class library;
  struct fault {
    int owner = 0;
    std::size_t at = 0;
    result what = result::success;
    bool planned = false;
  };
  struct device_state {
    std::size_t residents = 0;
    std::size_t launched = 0;
    std::size_t begun = 0;
  };
  struct submission {
    int clique = 0;
    std::size_t place = 0;
    bool operator==(const submission&) const = default;
  };

  /// Something that ends on all its ranks at once: a collective of a communicator by number, or a
  /// letter by its sender and receiver, too.
  struct meeting {
    int clique = 0;
    int from = -1;
    int to = -1;
    std::size_t number = 0;
    auto operator<=>(const meeting&) const = default;
  };
  /// What is put on a stream: it begins when those before it have ended, and ends when all that
  /// belong to its meetings have begun.
  struct kernel {
    std::vector<meeting> of;
    std::vector<std::size_t> behind;  // kernels
    bool ended = false;
  };

  std::vector<std::string> copy(const std::vector<std::string>& of) const {
    const std::lock_guard hold(lock_);
    return of;
  }

  // The lock is held from here on.

  clique& clique_of(int number, std::size_t size) {
    std::unique_ptr<clique>& c = cliques_[number];
    if (c == nullptr) c = std::make_unique<clique>(clique{number, size});
    c->members.resize(size, nullptr);
    return *c;
  }

  /// All ranks of a clique have said how they split it: those of a color are a clique of their own.
  void complete(splitting& all) {
    std::map<int, std::vector<std::pair<int, int>>> parts;  // by color: keys and ranks
    for (const auto& [rank, wish] : all.by_rank) parts[wish.color].emplace_back(wish.key, rank);
    for (auto& [color, members] : parts) {
      std::sort(members.begin(), members.end());
      clique& part = clique_of(identifiers_++, members.size());
      for (std::size_t r = 0; r < members.size(); ++r) {
        splitting::wish& wish = all.by_rank.at(members[r].second);
        wish.made = &communicators_.emplace_back();
        *wish.made = {.of = &part,
                      .rank = static_cast<int>(r),
                      .owner = wish.of->owner,
                      .device = wish.of->device};
        wish.made->blocking = wish.blocking;
        wish.made->aborted = wish.of->aborted;
        part.members[r] = wish.made;
      }
    }
    all.is_complete = true;
    changed_.notify_all();
  }

  /// A rank submits something: is it what, and where, its peers do? Its number among its kind.
  std::size_t submit(communicator_object& c, const operation& o) {
    ++submitted_;
    if (o.registered) ++submitted_registered_;
    return o.is_of_pair() ? submit_letter(c, o) : submit_collective(c, o);
  }
  std::size_t submit_letter(communicator_object& c, const operation& o) {
    const bool sends = o.what == call::send;
    const std::size_t number = (sends ? c.sent : c.received)[o.root]++;
    letter& l = letter_of(c, o, number);
    (sends ? l.sent : l.received) = o;
    if (l.sent && l.received && !l.sent->fits(*l.received))
      differ(c.name() + ", " + o.text() + " with rank " + std::to_string(o.root) +
             ", which asks for " + (sends ? l.received : l.sent)->text());
    changed_.notify_all();
    return number;
  }
  static letter& letter_of(const communicator_object& c, const operation& o, std::size_t number) {
    const bool sends = o.what == call::send;
    std::deque<letter>& all =
        c.of->letters[sends ? std::pair(c.rank, o.root) : std::pair(o.root, c.rank)];
    if (all.size() <= number) all.resize(number + 1);
    return all[number];
  }
  /// Whether all ranks that this one has begun to send to, or to receive from, have made their
  /// part.
  bool is_connected(const communicator_object& c) const {
    const auto first_is_met = [&](int from, int to) {
      const letter& first = c.of->letters.at({from, to}).front();
      return first.sent && first.received;
    };
    return !on_demand_ || released_ ||
           (std::all_of(c.sent.begin(), c.sent.end(),
                        [&](const auto& s) { return first_is_met(c.rank, s.first); }) &&
            std::all_of(c.received.begin(), c.received.end(),
                        [&](const auto& r) { return first_is_met(r.first, c.rank); }));
  }

  std::size_t submit_collective(communicator_object& c, const operation& o) {
    const std::size_t place = c.submitted++;
    if (c.of->places.size() <= place) c.of->places.resize(place + 1);
    meeting_place& at = c.of->places[place];
    at.asked.resize(c.of->size);
    at.given.resize(c.of->size);
    for (std::size_t r = 0; r < at.asked.size(); ++r)
      if (at.asked[r] && !at.asked[r]->fits(o))
        differ(c.name() + ", collective " + std::to_string(place) + ": " + o.text() +
               ", but rank " + std::to_string(r) + " asks for " + at.asked[r]->text());
    at.asked[static_cast<std::size_t>(c.rank)] = o;
    orders_[c.owner].push_back({c.of->number, place});
    compare_orders(c.owner);
    return place;
  }

  static meeting meeting_of(const communicator_object& c, const operation& o, std::size_t number) {
    if (o.what == call::send) return {c.of->number, c.rank, o.root, number};
    if (o.what == call::receive) return {c.of->number, o.root, c.rank, number};
    return {c.of->number, -1, -1, number};
  }
  /// A kernel of a communicator comes to a stream, behind what is there and what the communicator
  /// has begun before, on whatever stream.
  std::size_t enlist(communicator_object& c, const void* stream, std::vector<meeting> of) {
    const std::size_t number = kernels_.size();
    kernel& k = kernels_.emplace_back(kernel{std::move(of), {}});
    if (c.latest) k.behind.push_back(*c.latest);
    if (const auto last = latest_on_.find(stream); last != latest_on_.end())
      k.behind.push_back(last->second);
    c.latest = number;
    latest_on_[stream] = number;
    for (const meeting& m : k.of) attendants_[m].push_back(number);
    if (waits_for_itself(number))
      differ(c.name() + ": a kernel waits for ranks that wait for what comes behind it");
    return number;
  }
  /// Adds the kernels that end with some, and all that those come behind, to a set.
  void follow(std::set<std::size_t>& all, std::vector<std::size_t> next, bool back) const {
    while (!next.empty()) {
      const std::size_t k = next.back();
      next.pop_back();
      if (kernels_[k].ended || !all.insert(k).second) continue;
      for (const meeting& m : kernels_[k].of)
        next.insert(next.end(), attendants_.at(m).begin(), attendants_.at(m).end());
      if (back) next.insert(next.end(), kernels_[k].behind.begin(), kernels_[k].behind.end());
    }
  }
  bool waits_for_itself(std::size_t number) const {
    std::set<std::size_t> together;
    follow(together, {number}, false);
    std::vector<std::size_t> before;
    for (const std::size_t k : together)
      before.insert(before.end(), kernels_[k].behind.begin(), kernels_[k].behind.end());
    std::set<std::size_t> awaited;
    follow(awaited, before, true);
    return std::any_of(together.begin(), together.end(),
                       [&](std::size_t k) { return awaited.count(k) > 0; });
  }

  bool takes_part(int owner, int clique) const {
    return std::any_of(communicators_.begin(), communicators_.end(),
                       [&](const auto& c) { return c.owner == owner && c.of->number == clique; });
  }
  std::vector<submission> common(int of, int with) const {
    std::vector<submission> all;
    for (const submission& s : orders_.at(of))
      if (takes_part(with, s.clique)) all.push_back(s);
    return all;
  }
  void compare_orders(int owner) {
    for (const auto& [other, unused] : orders_) {
      if (other == owner) continue;
      const std::vector<submission> mine = common(owner, other);
      const std::vector<submission> theirs = common(other, owner);
      const std::size_t length = std::min(mine.size(), theirs.size());
      for (std::size_t i = 0; i < length; ++i) {
        if (mine[i] == theirs[i]) continue;
        differ("in place " + std::to_string(i) + " of those they share, rank " +
               std::to_string(owner) + " submits to communicator " +
               std::to_string(mine[i].clique) + ", rank " + std::to_string(other) + " to " +
               std::to_string(theirs[i].clique));
        break;
      }
    }
  }
  /// In NCCL streams would wait for ever: here all go on.
  void differ(std::string how) {
    if (!released_) differences_.push_back(std::move(how));
    released_ = true;
    changed_.notify_all();
  }

  const int polls_;
  mutable std::mutex lock_;
  std::condition_variable changed_;
  std::vector<std::string> breaches_;
  std::vector<std::string> differences_;
  std::map<int, std::unique_ptr<clique>> cliques_;
  std::deque<communicator_object> communicators_;
  std::deque<kernel> kernels_;
  std::map<meeting, std::vector<std::size_t>> attendants_;  // kernels
  std::map<const void*, std::size_t> latest_on_;            // by stream: a kernel
  std::map<int, std::vector<submission>> orders_;           // by rank that made them
  std::map<int, std::size_t> calls_;                        // by rank
  std::map<int, std::vector<std::string>> done_;            // by rank
  std::map<std::pair<int, int>, std::thread::id> inside_;   // by rank and device
  std::map<std::pair<int, int>, device_state> devices_;     // by rank and device
  fault fault_;
  std::size_t room_ = static_cast<std::size_t>(-1);
  bool in_order_ = false;
  bool on_demand_ = false;
  std::map<const std::byte*, std::size_t> memory_;  // that libraries have allocated
  int registrations_ = 0;
  std::size_t submitted_ = 0;
  std::size_t submitted_registered_ = 0;
  int identifiers_ = 0;
  bool ends_calls_ = false;
  bool tells_ = false;
  bool released_ = false;
};

}  // namespace stretto::testing::recording_nccl
