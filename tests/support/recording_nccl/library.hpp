// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <recording/driver.hpp>
#include <stretto/nccl/interface.hpp>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#include "network.hpp"

namespace stretto::testing::recording_nccl {

/// Stands in for NCCL on a rank: collectives are kernels on streams of a recording driver, which
/// end when all ranks of the communicator have come to them. It keeps NCCL's rules, and says who
/// does not. The network and the driver's world outlive it.
class library {
 public:
  using result = recording_nccl::result;
  using communicator = communicator_object*;
  struct identifier {
    int number = -1;
  };
  using operation = reduction;
  using datatype = const element*;
  using stream = recording::stream;
  using registration = int;
  struct config {
    bool blocking;
  };
  static config standard_config() { return {false}; }

  static constexpr result success = result::success;
  static constexpr result in_progress = result::in_progress;
  static constexpr reduction sum = reduction::sum;
  static const char* text(result r) { return text_of(r); }
  static const char* call_name(call c) { return name_of(c); }
  template <class T>
  static datatype type_of() {
    return &element_of<T>;
  }

  library(network& all, const recording::driver& driver, int rank)
      : all_(&all), driver_(driver), rank_(rank) {}

  bool keeps_launch_order() const {
    const std::lock_guard hold(all_->lock_);
    return all_->in_order_;
  }
  const char* last_error(communicator) const { return ""; }

  result unique_id(identifier& id) const {
    return make(call::unique_id, nullptr, [&](auto&) {
      id.number = all_->identifiers_++;
      return success;
    });
  }
  result init(communicator& c, int size, const identifier& id, int rank,
              config asked = standard_config()) const {
    int device = 0;
    driver_.current_device(device);
    return make(call::init, nullptr, [&](auto& hold) {
      clique& of = all_->clique_of(id.number, static_cast<std::size_t>(size));
      c = &all_->communicators_.emplace_back();
      *c = {.of = &of, .rank = rank, .owner = rank_, .device = device};
      c->blocking = asked.blocking;
      c->polls_left = asked.blocking ? 0 : all_->polls_;
      if (of.members[static_cast<std::size_t>(rank)] != nullptr)
        return breach(c, call::init, "there is such a rank");
      of.members[static_cast<std::size_t>(rank)] = c;
      all_->changed_.notify_all();
      if (!asked.blocking) return in_progress;
      all_->changed_.wait(hold, [&] { return of.is_whole(); });
      return success;
    });
  }
  /// \p made is written when all ranks of the communicator have come.
  result split(communicator c, int color, int key, communicator& made,
               config asked = standard_config()) const {
    return make(call::split, c, [&](auto& hold) {
      if (c->polls_left > 0 || !c->of->is_whole())
        return breach(c, call::split, "before the call before it has come to its end");
      if (c->launched > 0) return breach(c, call::split, "with collectives on streams");
      if (color < 0) return result::invalid_argument;
      clique& of = *c->of;
      const std::size_t number = c->splits++;
      if (of.splits.size() <= number) of.splits.resize(number + 1);
      of.splits[number].by_rank[c->rank] = {color, key, asked.blocking, c, nullptr};
      if (of.splits[number].by_rank.size() == of.size) all_->complete(of.splits[number]);
      made = nullptr;
      c->split_into = &made;
      if (c->blocking) {
        all_->changed_.wait(hold, [&] { return c->aborted || is_split(*c); });
        give_split(*c);
      }
      return pending(c);
    });
  }
  /// May be asked whenever the communicator is alive. As in NCCL a call may come back before its
  /// kernel is on the stream: here that is put there when the call is found to be done.
  result async_error(communicator c, result& r) const {
    delayed late;
    const result asked = make(call::async_error, c, [&](auto&) {
      if (c->polls_left > 0) --c->polls_left;
      const bool is_through = c->polls_left == 0 && (c->aborted || all_->is_connected(*c));
      if (is_through) late = taken(c);
      if (is_through && is_split(*c)) give_split(*c);
      r = c->error != success ? c->error
          : is_through && (c->aborted || (c->of->is_whole() && c->split_into == nullptr))
              ? success
              : in_progress;
      return success;
    });
    if (late.put && !late.put() && r == success) r = result::unhandled_cuda_error;
    return asked;
  }
  result finalize(communicator c) const {
    return make(call::finalize, c, [&](auto&) {
      if (c->finalized) return breach(c, call::finalize, "a second time");
      c->finalized = true;
      return pending(c);
    });
  }
  result destroy(communicator c) const {
    return make(call::destroy, c, [&](auto&) {
      if (!c->finalized) breach(c, call::destroy, "before it was finalized");
      if (c->launched > 0) breach(c, call::destroy, "with collectives on streams");
      if (!c->registered.empty()) breach(c, call::destroy, "with registered memory");
      c->destroyed = true;
      return success;
    });
  }
  /// From any thread. Ends when the kernels have; in a group, when the group does.
  result abort(communicator c) const {
    std::unique_lock hold(all_->lock_);
    if (!alive(c, call::abort)) return result::invalid_argument;
    c->aborted = true;
    taken(c);
    if (is_split(*c)) c->of->splits[c->splits - 1].by_rank.at(c->rank).made->aborted = true;
    c->split_into = nullptr;
    if (all_->tells_)
      for (communicator_object* m : c->of->members)
        if (m != nullptr && m != c) m->error = result::remote_error;
    all_->changed_.notify_all();
    if (depth() > 0) {
      ending().push_back(c);
    } else {
      await_end(c, hold);
    }
    return success;
  }
  result count(communicator c, int& n) const {
    return make(call::count, c, [&](auto&) {
      n = static_cast<int>(c->of->size);
      return success;
    });
  }
  result rank(communicator c, int& n) const {
    return make(call::rank, c, [&](auto&) {
      n = c->rank;
      return success;
    });
  }
  result device(communicator c, int& n) const {
    return make(call::device, c, [&](auto&) {
      n = c->device;
      return success;
    });
  }

  result allocate(void*& at, std::size_t size) const {
    at = nullptr;
    return make(call::allocate, nullptr, [&](auto&) {
      at = driver_.make_mapped(size);
      all_->memory_[static_cast<std::byte*>(at)] = size;
      return success;
    });
  }
  result release(void* at) const {
    return make(call::release, nullptr, [&](auto&) {
      const auto* const first = static_cast<std::byte*>(at);
      for (const communicator_object& c : all_->communicators_)
        for (const auto& [number, of] : c.registered)
          if (of.first == first && !c.aborted && !c.destroyed)
            all_->breaches_.push_back(c.name() + ", release: of memory that is registered");
      all_->memory_.erase(first);
      driver_.end_mapped(at);
      return success;
    });
  }
  /// Other memory than allocate() makes NCCL calls not safe.
  result register_memory(communicator c, void* at, std::size_t size, registration& as) const {
    return make(call::register_memory, c, [&](auto&) {
      const auto* const first = static_cast<std::byte*>(at);
      const auto known = all_->memory_.find(first);
      if (known == all_->memory_.end() || known->second < size)
        return breach(c, call::register_memory, "of memory that allocate() has not made");
      as = ++all_->registrations_;
      c->registered[as] = {first, size};
      return success;
    });
  }
  result deregister(communicator c, registration as) const {
    return make(call::deregister, c, [&](auto&) {
      if (c->launched > 0) return breach(c, call::deregister, "with collectives on streams");
      if (c->registered.erase(as) == 0) return breach(c, call::deregister, "of what is not");
      return success;
    });
  }

  result group_start() const {
    return make(call::group_start, nullptr, [&](auto&) {
      ++depth();
      return success;
    });
  }
  result group_end() const {
    std::vector<launch> together;
    const result r = make(call::group_end, nullptr, [&](auto& hold) {
      for (const communicator c : std::exchange(ending(), {})) await_end(c, hold);
      return success;
    });
    if (--depth() > 0) return r;
    together = std::exchange(gathered(), {});
    if (r != success) return r;
    return together.empty() ? r : put(together);
  }

  result all_reduce(const void* in, void* out, std::size_t n, datatype type, reduction how,
                    communicator c, stream s) const {
    return collective(c, s, {call::all_reduce, in, out, n, type, how, 0});
  }
  result broadcast(const void* in, void* out, std::size_t n, datatype type, int root,
                   communicator c, stream s) const {
    return collective(c, s, {call::broadcast, in, out, n, type, sum, root});
  }
  result reduce(const void* in, void* out, std::size_t n, datatype type, reduction how, int root,
                communicator c, stream s) const {
    return collective(c, s, {call::reduce, in, out, n, type, how, root});
  }
  result all_gather(const void* in, void* out, std::size_t n, datatype type, communicator c,
                    stream s) const {
    return collective(c, s, {call::all_gather, in, out, n, type, sum, 0});
  }
  result reduce_scatter(const void* in, void* out, std::size_t n, datatype type, reduction how,
                        communicator c, stream s) const {
    return collective(c, s, {call::reduce_scatter, in, out, n, type, how, 0});
  }
  result send(const void* in, std::size_t n, datatype type, int to, communicator c,
              stream s) const {
    return collective(c, s, {call::send, in, nullptr, n, type, sum, to});
  }
  result receive(void* out, std::size_t n, datatype type, int from, communicator c,
                 stream s) const {
    return collective(c, s, {call::receive, nullptr, out, n, type, sum, from});
  }

 private:
  struct launch {
    communicator on;
    stream at;
    recording_nccl::operation what;
    std::size_t place;
    std::size_t kernel;
  };

  // Groups are a thread's own.
  static int& depth() {
    thread_local int groups = 0;
    return groups;
  }
  static std::vector<launch>& gathered() {
    thread_local std::vector<launch> all;
    return all;
  }
  static std::vector<communicator>& ending() {
    thread_local std::vector<communicator> all;
    return all;
  }

  template <class Act>
  result make(call what, communicator c, Act act) const {
    const std::pair<int, int> where(rank_, c == nullptr ? -1 : c->device);
    bool was_aborted = false;
    {
      const std::lock_guard hold(all_->lock_);
      was_aborted = c != nullptr && c->aborted;
      const auto there = all_->inside_.find(where);
      if (c != nullptr && there != all_->inside_.end())
        all_->breaches_.push_back(
            std::string(name_of(what))
                .append(": another thread is inside the library for this device"));
      all_->inside_[where] = std::this_thread::get_id();
    }
    std::this_thread::yield();
    std::unique_lock hold(all_->lock_);
    all_->inside_.erase(where);
    const std::size_t number = all_->calls_[rank_]++;
    network::fault& f = all_->fault_;
    if (f.planned && f.owner == rank_ && f.at == number) {
      f.planned = false;
      if (what == call::destroy) c->destroyed = true;
      return f.what;
    }
    if (all_->ends_calls_ && c != nullptr && c->aborted && !was_aborted)
      return result::remote_error;
    if (asks_communicator(what) && !alive(c, what)) return result::invalid_argument;
    return act(hold);
  }
  static bool asks_communicator(call c) {
    return c != call::unique_id && c != call::init && c != call::group_start &&
           c != call::group_end && c != call::allocate && c != call::release;
  }

  bool alive(communicator c, call what) const {
    if (c != nullptr && !c->aborted && !c->destroyed) return true;
    all_->breaches_.push_back(
        std::string(name_of(what)).append(": the communicator is no more, or not yet"));
    return false;
  }
  static bool is_registered(const communicator_object& c, const void* at, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(at);
    return size == 0 || std::any_of(c.registered.begin(), c.registered.end(), [&](const auto& r) {
             return r.second.first <= first && first + size <= r.second.first + r.second.second;
           });
  }
  static bool is_split(const communicator_object& c) {
    return c.split_into != nullptr && c.of->splits[c.splits - 1].is_complete;
  }
  static void give_split(communicator_object& c) {
    if (is_split(c)) *c.split_into = c.of->splits[c.splits - 1].by_rank.at(c.rank).made;
    c.split_into = nullptr;
  }
  result breach(communicator c, call what, const char* how) const {
    all_->breaches_.push_back(c->name() + ", " + name_of(what) + ": " + how);
    return result::invalid_usage;
  }
  result pending(communicator c) const {
    c->polls_left = c->blocking ? 0 : all_->polls_;
    return c->polls_left > 0 ? in_progress : success;
  }
  void await_end(communicator c, std::unique_lock<std::mutex>& hold) const {
    all_->changed_.wait(hold, [&] { return c->launched == 0; });
  }

  result collective(communicator c, stream s, const recording_nccl::operation& o) const {
    const bool grouped = depth() > 0;
    launch l{c, s, o, 0, 0};
    const result r = make(o.what, c, [&](auto&) {
      const bool is_between_calls = grouped && gathered_on(c);
      if (c->polls_left > 0 || !c->of->is_whole() || c->split_into != nullptr ||
          !(is_between_calls || all_->is_connected(*c)))
        return breach(c, o.what, "before the call before it has come to its end");
      if (c->finalized) return breach(c, o.what, "after it was finalized");
      l.what.registered = is_registered(*c, o.in, o.bytes_in(c->of->size)) &&
                          is_registered(*c, o.out, o.bytes_out(c->of->size));
      l.place = all_->submit(*c, l.what);
      return success;
    });
    if (r != success) return r;
    if (grouped) {
      gathered().push_back(l);
      return success;
    }
    return put({l});
  }

  static bool gathered_on(communicator c) {
    return std::any_of(gathered().begin(), gathered().end(),
                       [&](const launch& l) { return l.on == c; });
  }

  /// A kernel for each communicator, in the order in which they were first called.
  result put(std::vector<launch> together) const {
    std::unique_lock hold(all_->lock_);
    enlist(together);
    result r = success;
    for (const launch& l : together) {
      if (l.on->blocking)
        all_->changed_.wait(hold, [&] { return l.on->aborted || all_->is_connected(*l.on); });
      if (pending(l.on) == in_progress || !all_->is_connected(*l.on)) r = in_progress;
    }
    if (r == in_progress) {
      const auto later = std::make_shared<delayed>();
      later->put = [*this, together] { return start_each(together); };
      later->drop = [*this, together] {
        for (const launch& l : together) driver_.keep_promise(l.at);
      };
      for (const launch& l : together) {
        l.on->late = later;
        driver_.promise(l.at, label_of(l));
      }
      return r;
    }
    hold.unlock();
    return start_each(together) ? success : result::unhandled_cuda_error;
  }
  void enlist(std::vector<launch>& together) const {
    std::map<communicator, std::vector<network::meeting>> of;
    for (const launch& l : together)
      of[l.on].push_back(network::meeting_of(*l.on, l.what, l.place));
    std::map<communicator, std::size_t> known;
    for (launch& l : together) {
      if (known.count(l.on) == 0) known[l.on] = all_->enlist(*l.on, l.at, of[l.on]);
      l.kernel = known[l.on];
    }
  }
  /// What it has yet to put on streams, which is nobody's any more.
  static delayed taken(communicator c) {
    const std::shared_ptr<delayed> shared = std::exchange(c->late, nullptr);
    if (shared == nullptr) return {};
    if (shared->drop) std::exchange(shared->drop, {})();
    return {std::exchange(shared->put, {}), {}};
  }

  static std::string label_of(const launch& l) {
    return std::string(name_of(l.what.what)) + " " + std::to_string(l.on->of->number) + "." +
           std::to_string(l.place);
  }

  bool start_each(std::vector<launch> rest) const {
    bool could = true;
    while (!rest.empty()) {
      const communicator next = rest.front().on;
      const auto others = std::stable_partition(rest.begin(), rest.end(),
                                                [&](const launch& l) { return l.on == next; });
      could = start({rest.begin(), others}) && could;
      rest.erase(rest.begin(), others);
    }
    return could;
  }
  /// Those of one communicator: one kernel, on the stream of the first.
  bool start(const std::vector<launch>& together) const {
    std::vector<recording::access> uses;
    for (const launch& l : together) {
      const std::size_t ranks = l.on->of->size;
      if (const std::size_t n = l.what.bytes_in(ranks); n > 0)
        uses.push_back(recording::reads(l.what.in, n));
      if (const std::size_t n = l.what.bytes_out(ranks); n > 0)
        uses.push_back(recording::writes(l.what.out, n));
      const std::lock_guard hold(all_->lock_);
      ++l.on->launched;
    }
    const auto [number, turn] = count_launch(*together.front().on);
    const auto body = [all = all_, together, number = number, turn = turn] {
      enter_device(*all, *together.front().on, number, turn);
      for (const launch& l : together) give(*all, l);
      // All at once: what a rank sends to itself it receives, too.
      for (const bool sends : {false, true})
        for (const launch& l : together)
          if ((l.what.what == call::send) == sends) take(*all, l);
      const std::lock_guard hold(all->lock_);
      --device_of(*all, *together.front().on).residents;
      ++together.front().on->ended;
      all->kernels_[together.front().kernel].ended = true;
      all->done_[together.front().on->owner].push_back(label_of(together.front()));
      for (const launch& l : together) --l.on->launched;
      all->changed_.notify_all();
    };
    if (driver_.enqueue(together.front().at, body, label_of(together.front()), std::move(uses)) ==
        recording::status::success)
      return true;
    const std::lock_guard hold(all_->lock_);
    --together.front().on->kernels;
    for (const launch& l : together) --l.on->launched;
    return false;
  }

  static network::device_state& device_of(network& all, const communicator_object& c) {
    return all.devices_[{c.owner, c.device}];
  }
  /// Its number among all of the device, and among those of the communicator.
  std::pair<std::size_t, std::size_t> count_launch(communicator_object& c) const {
    const std::lock_guard hold(all_->lock_);
    return {device_of(*all_, c).launched++, c.kernels++};
  }
  /// The stream has come to a kernel, which begins when the communicator's one before it has ended,
  /// on whatever stream, and there is room for it.
  static void enter_device(network& all, const communicator_object& c, std::size_t number,
                           std::size_t turn) {
    std::unique_lock hold(all.lock_);
    network::device_state& here = device_of(all, c);
    all.changed_.wait(hold, [&] {
      return c.aborted || all.released_ ||
             (c.ended >= turn && here.residents < all.room_ &&
              (!all.in_order_ || here.begun >= number));
    });
    ++here.residents;
    here.begun = (std::max)(here.begun, number + 1);
    all.changed_.notify_all();
  }
  /// The stream has come to a collective: what this rank gives is there.
  static void give(network& all, const launch& l) {
    const clique& of = *l.on->of;
    bytes mine(l.what.bytes_in(of.size));
    if (!mine.empty()) std::memcpy(mine.data(), l.what.in, mine.size());
    const std::lock_guard hold(all.lock_);
    if (l.on->aborted) return;  // what it would give is made of what never came
    if (l.what.what == call::send)
      network::letter_of(*l.on, l.what, l.place).given = std::move(mine);
    else if (!l.what.is_of_pair())
      l.on->of->places[l.place].given[static_cast<std::size_t>(l.on->rank)] = std::move(mine);
    all.changed_.notify_all();
  }
  /// It goes on when all have given, and what it has sent was taken, or it was aborted.
  static void take(network& all, const launch& l) {
    std::unique_lock hold(all.lock_);
    const auto come = [&](auto complete) {
      all.changed_.wait(hold, [&] { return l.on->aborted || all.released_ || complete(); });
      return !l.on->aborted && !all.released_;
    };
    bytes got;
    if (l.what.is_of_pair()) {
      letter& post = network::letter_of(*l.on, l.what, l.place);
      const bool sends = l.what.what == call::send;
      if (!come([&] { return sends ? post.taken : post.given.has_value(); }) || sends) return;
      got = std::move(*post.given);
      post.taken = true;
      all.changed_.notify_all();
    } else {
      const meeting_place& at = l.on->of->places[l.place];
      if (!come([&] {
            return std::all_of(at.given.begin(), at.given.end(),
                               [](const auto& g) { return g.has_value(); });
          }))
        return;
      std::vector<bytes> given;
      for (const auto& g : at.given) given.push_back(*g);
      got = l.what.outcome(l.on->rank, given);
    }
    if (!got.empty()) std::memcpy(l.what.out, got.data(), got.size());
  }

  network* all_;
  recording::driver driver_;
  int rank_;
};

static_assert(nccl::library_like<library>);

}  // namespace stretto::testing::recording_nccl
