// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stretto/collective/demand.hpp>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include <stretto/collective/peers.hpp>
#include <stretto/collective/roles.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/nccl/group.hpp>
#include <stretto/nccl/memory.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/nccl/watchdog.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::nccl::detail {

/// What a pipeline holds of the library: its communicators, this rank's part in what ranks agree
/// on, and who watches over collectives that are on streams.
template <class Library, class Driver>
class core {
 public:
  using group = detail::group<Library>;

  core(const Library& library, const communicators_of<Library>& given, const timeouts& timeout,
       const registered_memory<Library, Driver>& memory, collective::demand all)
      : library_(library),
        given_(given),
        timeouts_(timeout),
        memory_(memory.memory),
        demand_(std::move(all)) {
    if (memory_ != nullptr) collective::distinguish(demand_, "registered memory");
  }
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core() {
    watchdog_.reset();
    // After a failure other ranks may not be there to end a communicator together.
    if (peers_ && peers_->broken()) abort_all(library_, groups_);
    const collective::deadline until(timeouts_.stop);
    // What was split from another goes before it.
    for (auto g = groups_.rbegin(); g != groups_.rend(); ++g) (*g)->close(until);
  }

  /// Makes the communicators. \p streams, by node: those that collective tasks are on.
  void attach(const Driver& driver, std::vector<typename Driver::stream> streams) {
    streams_ = std::move(streams);
    if (given_.all().empty())
      throw usage_error(
          "pass nccl::communicators to the pipeline: NCCL has no default communicator");
    driver_.emplace(driver);
    groups_of_.assign(demand_.task.size(), {});
    device_of_.assign(demand_.task.size(), 0);
    const auto& all = given_.all();
    for (std::size_t n = 0; n < demand_.task.size(); ++n)
      if (demand_.transfers[n]) demand_.communicator[n] = all.front().name;
    for (std::size_t n = 0; n < demand_.task.size(); ++n)
      for (const std::string_view name : communicators_of_task(n))
        if (std::none_of(all.begin(), all.end(), [&](const auto& c) { return c.name == name; }))
          refuse_unknown_communicator(n, name);
    const collective::deadline until(timeout());
    device::shared::on_device<Driver> current(driver);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::optional<std::size_t> user = first_user_of_any(i);
      const bool is_needed = user || is_used_by_roles(i);
      if (i > 0 && !is_needed) continue;
      try {
        groups_.push_back(come_together(i));
        if (is_needed) make(driver, *groups_.back(), all[i], user, current, until);
      } catch (const peer_error&) {
        throw;
      } catch (const std::exception& e) {
        if (!groups_.empty()) notify(demand_.task[user.value_or(0)], e.what());
        throw;
      }
    }
    peers_ =
        std::make_unique<collective::peers>(groups_.front()->channel(), demand_.plan,
                                            collective::ticket_row(demand_.tickets), timeout());
    peers_->listen_elsewhere();
    peers_->play(demand_.roles);
    watchdog_ = std::make_unique<watchdog<Library, Driver>>(library_, driver, groups_, *peers_,
                                                            demand_, timeouts_, lock_, talk_,
                                                            groups_.front()->device());
    // In the order in which each task names its own.
    for (std::size_t n = 0; n < demand_.task.size(); ++n)
      for (const std::string_view name : communicators_of_task(n))
        for (const std::unique_ptr<group>& g : groups_)
          if (g->name() == name) groups_of_[n].push_back(g.get());
    find_shared_devices();
  }

  // What the executor asks for: see run/backend.hpp.

  template <class Stopping>
  bool begin_run(const Stopping& stopping) {
    if (watchdog_->aborted()) {
      peers_->give_up();
      throw usage_error(
          "the collectives of an earlier run were aborted, and the communicators with them: no "
          "other run can use them; make new communicators and a new pipeline on all ranks, or "
          "report the error and end the program (docs/collectives.md)");
    }
    if (!peers_->begin_run(stopping)) return false;
    // By now all ranks have one list of communicators to split.
    if (!std::exchange(is_split_, true)) peers_->guarded([&] { split_by_role(); });
    all_values_are_there_ = !values_are_there_;
    watchdog_->begin();
    return true;
  }
  runner::missing_ranks missing() const { return peers_->missing(); }
  void come_after(std::function<bool()> values_are_there) {
    values_are_there_ = std::move(values_are_there);
  }

  void tell_end(std::size_t batches) {
    const std::lock_guard talking(talk_);
    peers_->tell_end(batches);
  }
  template <class Stopping>
  void before(std::size_t node, std::size_t batch, std::size_t progress, const Stopping& stopping) {
    watchdog_->go_on();
    poll(stopping);
    await_values();
    {
      const std::lock_guard talking(talk_);
      const auto stops = [&] { return failed_or_stopping(); };
      peers_->enter(demand_.place[node], batch, progress, stops);
      meet_behind_values(stops);
    }
    for (collective::pause idle; !lock_.try_lock(node); idle()) go_on_unless_stopping();
    grouped_ = 0;
    if (!shared_devices_.empty() && shared_devices_.count(device_of_[node]) > 0)
      watchdog_->follow(device_of_[node], streams_[node]);
  }
  void after(std::size_t node, std::size_t batch) {
    synchronize(node);
    watchdog_->add(demand_.place[node], batch, device_of_[node], streams_[node]);
    lock_.unlock(node);
    const std::lock_guard talking(talk_);
    peers_->leave();
  }
  /// A node's body, or what was to be done before or after it, threw.
  void threw(std::size_t node) noexcept {
    if (lock_.unlock(node)) watchdog_->lose_sight();
  }
  /// Throws what is wrong, if collectives were aborted: nobody is to use their results.
  void go_on() const { watchdog_->go_on(); }

  template <class Stopping>
  bool agree(bool batch_here, std::size_t pull, std::size_t progress, const Stopping& stopping) {
    watchdog_->go_on();
    poll(stopping);
    await_values();
    const std::lock_guard talking(talk_);
    const auto stops = [&] { return failed_or_stopping(); };
    peers_->enter(demand_.place[pull], progress, progress, stops);
    meet_behind_values(stops);
    const bool all = peers_->agreed(batch_here, stops);
    peers_->leave();
    return all;
  }

  /// When all threads have left the run and streams are done: why their results are none; null if
  /// all is well.
  std::exception_ptr lost() noexcept {
    watchdog_->end();
    return watchdog_->failure();
  }
  void failed(const run_report& report) noexcept {
    watchdog_->end();
    // That collectives were aborted because the run stopped is no failure of a task.
    const bool stopped_only =
        std::all_of(report.failures.begin(), report.failures.end(),
                    [](const auto& f) { return runner::only_stopped(f.error); });
    run_report left;
    left.finished = report.finished;
    peers_->failed(stopped_only ? left : report);
    // A collective that was given up before it was on its stream is nobody's but the library's.
    if (peers_->broken()) abort_all(library_, groups_);
  }
  std::exception_ptr finished(std::size_t batches) noexcept {
    watchdog_->end();
    return peers_->finished(batches);
  }

  // What contexts of bodies ask for.

  const Library& library() const { return library_; }
  /// \p number: of those that the task names.
  const group& group_of(std::size_t node, std::size_t number = 0) const {
    if (!groups_of_[node].empty()) {
      watchdog_->go_on();  // a communicator that was aborted is no more
      return *groups_of_[node][number];
    }
    throw usage_error(std::string("task `")
                          .append(demand_.task[node])
                          .append("` asks for its communicator and is no collective: declare "
                                  "`static constexpr bool collective = true;`"));
  }
  /// The communicator for a call, with which all memory is registered that there is by now.
  typename Library::communicator communicator_of(std::size_t node, std::size_t number) {
    static_cast<void>(group_of(node, number));
    group& g = *groups_of_[node][number];
    if (memory_ != nullptr) g.register_blocks(*memory_);
    return g.communicator();
  }
  /// The number of a communicator among those that the task names.
  std::size_t number_of(std::size_t node, std::string_view communicator) const {
    static_cast<void>(group_of(node));
    const std::vector<group*>& all = groups_of_[node];
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]->name() == communicator) return i;
    throw usage_error(std::string("task `")
                          .append(demand_.task[node])
                          .append("` asks for the communicator `")
                          .append(communicator)
                          .append("`, which it does not name: add it to `using communicator = "
                                  "stretto::communicator<\"")
                          .append(all.front()->name())
                          .append("\", ...>;`"));
  }
  typename Driver::stream stream_of(std::size_t node) const { return streams_[node]; }
  const collective::role_transfer& transfer_of(std::size_t node) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): only transfers ask
    return *demand_.transfers[node];
  }
  /// The rank of the first communicator that has this rank's place in another role.
  std::size_t partner(std::string_view role) const { return peers_->partner(role); }

  /// Within a group calls are not waited for before it ends.
  void group_start() {
    checked(library_, call::group_start, library_.group_start());
    ++grouped_;
  }
  void group_end(std::size_t node, bool is_complete) {
    --grouped_;
    const typename Library::result r = library_.group_end();
    if (!is_complete) return;
    check_result(group_of(node), call::group_end, r);
    if (grouped_ == 0) synchronize(node);
  }
  /// A call for a node has been made, on one of its communicators.
  void done(std::size_t node, const group& on, call what, typename Library::result r) {
    check_result(on, what, r);
    if (grouped_ == 0) synchronize(node, on);
  }

 private:
  std::chrono::milliseconds timeout() const {
    constexpr std::chrono::hours for_ever(24 * 365 * 100);
    return timeouts_.peers.count() == 0 ? for_ever : timeouts_.peers;
  }

  /// Tells the other ranks why they wait for this one in vain.
  void notify(std::string_view task, std::string_view why) const noexcept {
    try {
      collective::notice n;
      n.task = task;
      n.text = why;
      groups_.front()->channel().notify(n);
    } catch (...) {
      return;  // they run into their deadline
    }
  }

  std::vector<std::string_view> communicators_of_task(std::size_t node) const {
    std::vector<std::string_view> all = demand_.further[node];
    if (!demand_.communicator[node].empty()) all.insert(all.begin(), demand_.communicator[node]);
    return all;
  }
  bool uses(std::size_t node, std::string_view communicator) const {
    const std::vector<std::string_view> all = communicators_of_task(node);
    return std::find(all.begin(), all.end(), communicator) != all.end();
  }
  std::optional<std::size_t> first_user(std::string_view communicator) const {
    for (std::size_t n = 0; n < demand_.task.size(); ++n)
      if (uses(n, communicator)) return n;
    return std::nullopt;
  }

  /// The first task that uses a communicator, or one that is split from it.
  std::optional<std::size_t> first_user_of_any(std::size_t i) const {
    const auto& all = given_.all();
    if (const std::optional<std::size_t> own = first_user(all[i].name)) return own;
    for (std::size_t other = i + 1; other < all.size(); ++other)
      if (const auto* const part = std::get_if<split>(&all[other].ranks))
        if (part->of == all[i].name)
          if (const std::optional<std::size_t> user = first_user_of_any(other)) return user;
    return std::nullopt;
  }

  /// Whether tasks of some role use a communicator, or one that is split from it: then all ranks
  /// make it.
  bool is_used_by_roles(std::size_t i) const {
    const collective::casting& roles = demand_.roles;
    const auto& all = given_.all();
    if (i == 0 && !roles.transfers.empty()) return true;
    if (std::find(roles.communicators.begin(), roles.communicators.end(), all[i].name) !=
        roles.communicators.end())
      return true;
    for (std::size_t other = i + 1; other < all.size(); ++other)
      if (const auto* const part = std::get_if<split>(&all[other].ranks))
        if (part->of == all[i].name && is_used_by_roles(other)) return true;
    return false;
  }

  /// Collectives of a role are over that part of a communicator that plays it.
  void split_by_role() {
    const collective::casting& roles = demand_.roles;
    const auto color = std::find(roles.all.begin(), roles.all.end(), roles.own) - roles.all.begin();
    const collective::deadline until(timeout());
    device::shared::on_device<Driver> current(*driver_);
    for (const std::string_view name : roles.communicators) {
      group* const whole = made(name);
      if (whole == nullptr) continue;  // it was not passed, and this rank has no use for it
      current.use(whole->device());
      try {
        groups_.push_back(std::make_unique<group>(library_, whole->name()));
        groups_.back()->make(*whole, static_cast<int>(color), 0, config_of(name),
                             groups_.front()->channel(), until);
      } catch (const peer_error&) {
        throw;
      } catch (const std::exception& e) {
        notify(demand_.task[first_user(name).value_or(0)], e.what());
        throw;
      }
      for (std::size_t n = 0; n < groups_of_.size(); ++n)
        if (demand_.is_of_role(n))
          std::replace(groups_of_[n].begin(), groups_of_[n].end(), whole, groups_.back().get());
    }
    find_shared_devices();
  }
  const typename Library::config& config_of(std::string_view communicator) const {
    const auto& all = given_.all();
    return std::find_if(all.begin(), all.end(),
                        [&](const auto& c) { return c.name == communicator; })
        ->config;
  }

  void find_shared_devices() {
    if (library_.keeps_launch_order()) return;
    std::map<int, const group*> one;
    for (const std::vector<group*>& used : groups_of_)
      for (const group* const g : used)
        if (one.try_emplace(g->device(), g).first->second != g) shared_devices_.insert(g->device());
  }

  std::unique_ptr<group> come_together(std::size_t i) {
    const auto& asked = given_.all()[i];
    if (const auto* const met = std::get_if<meeting>(&asked.ranks))
      return std::make_unique<group>(library_, asked.name, (*met)(timeout()));
    const auto& part = std::get<split>(asked.ranks);
    if (i == 0)
      throw usage_error(std::string("communicator `")
                            .append(asked.name)
                            .append("` is the first one, over which the ranks meet, and cannot be "
                                    "split from another: pass one with a meeting before it"));
    if (made(part.of) == nullptr)
      throw usage_error(std::string("communicator `")
                            .append(asked.name)
                            .append("` is split from `")
                            .append(part.of)
                            .append("`, and no communicator of that name is passed before it"));
    if (part.color < 0)
      throw usage_error(std::string("communicator `")
                            .append(asked.name)
                            .append("` is split from another by a negative color: a rank that has "
                                    "no part in it takes a color that no other has"));
    return std::make_unique<group>(library_, asked.name);
  }
  /// The one of that name; null: there is none yet.
  group* made(std::string_view name) const {
    for (const std::unique_ptr<group>& g : groups_)
      if (g->name() == name) return g.get();
    return nullptr;
  }

  void make(const Driver& driver, group& g, const typename communicators_of<Library>::named& asked,
            std::optional<std::size_t> first_user, device::shared::on_device<Driver>& current,
            const collective::deadline& until) {
    const int device = first_user ? device_of(driver, *first_user) : own_device(driver);
    for (std::size_t n = first_user.value_or(demand_.task.size()); n < demand_.task.size(); ++n) {
      if (!uses(n, g.name())) continue;
      device_of_[n] = device_of(driver, n);
      if (device_of_[n] != device) refuse_devices(g, *first_user, n);
    }
    current.use(device);
    if (const auto* const part = std::get_if<split>(&asked.ranks)) {
      g.make(*made(part->of), part->color, part->key, asked.config, groups_.front()->channel(),
             until);
      if (first_user && g.device() != device) refuse_device(g, *first_user, device);
    } else if (asked.adopted == typename Library::communicator{}) {
      g.make(device, asked.config, groups_.front()->channel(), until);
    } else {
      g.adopt(asked.adopted);
      if (first_user && g.device() != device) refuse_device(g, *first_user, device);
    }
  }
  /// Of a node's stream.
  int device_of(const Driver& driver, std::size_t node) const {
    int device = 0;
    device::shared::checked<Driver>(device::call::device_of,
                                    driver.device_of(streams_[node], device));
    return device;
  }
  /// Where this rank is in a communicator that only other roles use: where it has a collective, if
  /// it has one.
  int own_device(const Driver& driver) const {
    for (std::size_t n = 0; n < demand_.communicator.size(); ++n)
      if (!demand_.communicator[n].empty()) return device_of(driver, n);
    int device = 0;
    device::shared::checked<Driver>(device::call::current_device, driver.current_device(device));
    return device;
  }

  /// Before the first collective of a run: waits for the slots' values of this rank, then of all.
  /// To make them may take until the device is idle, and of ranks in one process until all their
  /// devices are: a collective that waited for a rank in there would never end.
  void await_values() const {
    if (all_values_are_there_) return;
    for (collective::pause idle; !values_are_there_(); idle()) go_on_unless_stopping();
  }
  template <class Stopping>
  void meet_behind_values(const Stopping& stops) {
    if (all_values_are_there_) return;
    peers_->agreed(true, stops);
    all_values_are_there_ = true;
  }

  void check_result(const group& on, call what, typename Library::result r) {
    watchdog_->go_on();
    unless_by_a_peer([&] { checked(library_, what, r, on.communicator()); });
  }

  /// Waits until the library is through with the last calls for a node: what is put on its stream
  /// then comes after the collectives.
  void synchronize(std::size_t node) {
    for (const group* g : groups_of_[node]) synchronize(node, *g);
  }
  void synchronize(std::size_t node, const group& g) {
    const collective::deadline until(timeout());
    const auto ready = [&] {
      watchdog_->go_on();  // a communicator that was aborted is not to be asked
      bool is = false;
      unless_by_a_peer([&] { is = g.is_ready(); });
      return is;
    };
    for (collective::pause idle; !ready(); idle()) {
      go_on_unless_stopping();
      if (until.passed()) {
        const std::size_t ticket = demand_.place[node];
        const std::lock_guard talking(talk_);
        throw timeout_error(ticket, demand_.task[node], peers_->batch(), until.length());
      }
    }
  }

  /// An error of the library may be how another rank's failure shows: then that one says which.
  template <class Body>
  void unless_by_a_peer(Body&& body) {
    try {
      body();
    } catch (const error&) {
      const collective::deadline until(timeouts_.stop);
      for (collective::pause idle; !until.passed(); idle()) {
        watchdog_->go_on();
        const std::lock_guard talking(talk_);
        peers_->watch(pending_collectives<Driver>::none());
      }
      throw;
    }
  }

  template <class Stopping>
  void poll(const Stopping& stopping) {
    // It is the same in all runs. One thread after the other comes here.
    if (stopping_) return;
    stopping_ = stopping;
    watchdog_->poll(stopping_);
  }
  bool failed_or_stopping() const {
    watchdog_->go_on();
    return stopping_();
  }
  void go_on_unless_stopping() const {
    if (failed_or_stopping()) throw wait_stopped();
  }

  [[noreturn]] void refuse_unknown_communicator(std::size_t node,
                                                std::string_view communicator) const {
    throw usage_error(std::string("task `")
                          .append(demand_.task[node])
                          .append("` is a collective among the ranks of `")
                          .append(communicator)
                          .append("`, and no communicator of that name was passed: add it to "
                                  "nccl::communicators{{\"")
                          .append(communicator)
                          .append("\", ...}}"));
  }
  [[noreturn]] void refuse_devices(const group& g, std::size_t one, std::size_t other) const {
    throw usage_error(std::string("tasks `")
                          .append(demand_.task[one])
                          .append("` and `")
                          .append(demand_.task[other])
                          .append("` use communicator `")
                          .append(g.name())
                          .append("` on streams of different devices: a communicator is on one"));
  }
  [[noreturn]] void refuse_device(const group& g, std::size_t user, int device) const {
    throw usage_error(std::string("communicator `")
                          .append(g.name())
                          .append("` was made on device ")
                          .append(std::to_string(g.device()))
                          .append(", and the stream of task `")
                          .append(demand_.task[user])
                          .append("` is on device ")
                          .append(std::to_string(device)));
  }

  [[no_unique_address]] Library library_;
  std::optional<Driver> driver_;
  communicators_of<Library> given_;
  timeouts timeouts_;
  const memory_of<Library, Driver>* memory_;  ///< null: none is registered
  collective::demand demand_;
  std::vector<typename Driver::stream> streams_;  ///< by node
  std::vector<int> device_of_;                    ///< by node
  /// Where collectives of several communicators are kept in one order by events.
  std::set<int> shared_devices_;
  std::vector<std::unique_ptr<group>> groups_;
  std::vector<std::vector<group*>> groups_of_;  ///< by node; none: no collective
  std::mutex talk_;                             ///< for whoever uses the channel
  std::unique_ptr<collective::peers> peers_;
  detail::owner_lock lock_;
  int grouped_ = 0;
  bool is_split_ = false;  ///< what collectives of roles are over
  std::function<bool()> stopping_;
  std::function<bool()> values_are_there_;  ///< of this rank
  bool all_values_are_there_ = false;       ///< of all ranks
  std::unique_ptr<watchdog<Library, Driver>> watchdog_;
};

}  // namespace stretto::nccl::detail
