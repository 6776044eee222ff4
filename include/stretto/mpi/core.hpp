// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stretto/collective/demand.hpp>
#include <stretto/collective/patience.hpp>
#include <stretto/collective/peers.hpp>
#include <stretto/mpi/all_reduce.hpp>
#include <stretto/mpi/channel.hpp>
#include <stretto/mpi/datatype.hpp>
#include <stretto/mpi/duplicate.hpp>
#include <stretto/mpi/error.hpp>
#include <stretto/mpi/leak_on_throw.hpp>
#include <stretto/mpi/parts.hpp>
#include <stretto/mpi/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::mpi::detail {

using collective::demand;

/// What a pipeline holds of MPI: its communicators, and this rank's part in what ranks agree on.
class core {
 public:
  template <class... Given>
  core(const std::tuple<const Given&...>& settings, demand all)
      : core(runner::setting_or_default<communicators>(settings),
             runner::setting_or_default<mpi::timeout>(settings), std::move(all)) {}
  core(const communicators& given, timeout timeout, demand all)
      : demand_(std::move(all)),
        timeout_(timeout),
        level_(admitted(demand_)),
        control_(first(given).name, first(given).communicator, timeout.length()),
        own_(duplicates(given, timeout)),
        of_node_(chosen(given)),
        split_(named(given)),
        channel_(control_.get()),
        peers_(channel_, demand_.plan, collective::ticket_row(demand_.tickets), timeout.length()) {
    peers_.play(demand_.roles);
    if (!demand_.roles.empty())
      transfers_.emplace(first(given).name, first(given).communicator, timeout.length());
  }
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core() {
    if (!peers_.broken()) return;
    control_.abandon();
    for (duplicate& d : own_) d.abandon();
    for (duplicate& d : of_role_) d.abandon();
    if (transfers_) transfers_->abandon();
  }

  template <class Stopping>
  bool begin_run(const Stopping& stopping) {
    int main_thread = 0;
    checked(MPI_Is_thread_main(&main_thread), "MPI_Is_thread_main");
    if (level_ < MPI_THREAD_SERIALIZED && main_thread == 0)
      throw usage_error(
          "only the thread that initialised MPI may call it: make runs on that thread, or call "
          "MPI_Init_thread with MPI_THREAD_SERIALIZED");
    if (!peers_.begin_run(stopping)) return false;
    // By now all ranks have one list of communicators to split.
    if (of_role_.empty() && !split_.empty()) peers_.guarded([&] { split_by_role(); });
    return true;
  }
  runner::missing_ranks missing() const { return peers_.missing(); }

  void before(std::size_t node, std::size_t batch, std::size_t progress,
              std::function<bool()> stopping) {
    stopping_ = std::move(stopping);
    peers_.enter(demand_.place[node], batch, progress, stopping_);
  }
  void after() { peers_.leave(); }
  void tell_end(std::size_t batches) { peers_.tell_end(batches); }

  bool agree(bool batch_here, std::size_t progress, std::function<bool()> stopping) {
    stopping_ = std::move(stopping);
    peers_.enter(demand_.place[demand_.pull], progress, progress, stopping_);
    auto all = std::make_unique<int>(batch_here ? 1 : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Iallreduce(MPI_IN_PLACE, all.get(), 1, MPI_INT, MPI_MIN, control_.get(), &request),
            "MPI_Iallreduce");
    keep_while(all, [&] { wait(request); });
    peers_.leave();
    return *all != 0;
  }

  /// Waits for a request of the collective task that is running, which moves about \p bytes.
  void wait(MPI_Request request, std::size_t bytes = 0) {
    waiting idle(peers_, pausing(collective::patience::moving(bytes)));
    wait_by(idle, request);
  }

  /// An all-reduce by the collective task \p node, which is running.
  void all_reduce(std::size_t node, const reduction& what) {
    const duplicate& among = of(node);
    const int count = count_of(what.elements);
    if (among.on_one_host() && is_of_numbers(what) &&
        parts::pay(what.elements, what.bytes, among.size()))
      return all_reduce_by_parts(among, what);
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Iallreduce(what.in, what.out, count, what.type, what.op, among.get(), &request),
            "MPI_Iallreduce");
    wait(request, what.elements * what.bytes);
  }

  /// Sends a copy of bytes to the ranks that receive them, and waits until it has gone.
  void send(std::size_t node, std::span<const std::byte> bytes) {
    const std::vector<std::string_view>& to = transfer(node).to;
    auto sent = std::make_unique<outgoing>();
    sent->bytes.assign(bytes.begin(), bytes.end());
    sent->requests.assign(to.size(), MPI_REQUEST_NULL);
    keep_while(sent, [&] {
      for (std::size_t i = 0; i < to.size(); ++i)
        checked(MPI_Isend(sent->bytes.data(), count_of(sent->bytes.size()), MPI_BYTE,
                          static_cast<int>(peers_.partner(to[i])), tag_of(node), transfers(),
                          &sent->requests[i]),
                "MPI_Isend");
      for (MPI_Request& request : sent->requests) wait(request, bytes.size());
    });
  }
  /// Waits for what the rank that sends has sent.
  std::vector<std::byte> receive(std::size_t node) {
    const int from = static_cast<int>(peers_.partner(transfer(node).from));
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Status status;
    waiting idle(peers_, pausing(collective::patience::moving(0)));
    for (int there = 0;; idle(stopping_)) {
      checked(MPI_Improbe(from, tag_of(node), transfers(), &there, &found, &status), "MPI_Improbe");
      if (there != 0) break;
    }
    int count = 0;
    checked(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    auto bytes = std::make_unique<std::vector<std::byte>>(static_cast<std::size_t>(count));
    MPI_Request request = MPI_REQUEST_NULL;
    checked(MPI_Imrecv(bytes->data(), count, MPI_BYTE, &found, &request), "MPI_Imrecv");
    keep_while(bytes, [&] { wait(request, bytes->size()); });
    return std::move(*bytes);
  }
  [[noreturn]] void refuse(std::size_t node, std::size_t bytes) const {
    throw usage_error(
        std::string("the ")
            .append(std::to_string(bytes))
            .append(" bytes that came for task `")
            .append(demand_.task[node])
            .append("` are no value of its slot here: let all ranks run one program"));
  }

  void failed(const run_report& report) noexcept { peers_.failed(report); }
  std::exception_ptr finished(std::size_t batches) noexcept { return peers_.finished(batches); }

  MPI_Comm communicator(std::size_t node) const { return of(node).get(); }

 private:
  using pausing = collective::patient_pause;
  using waiting = collective::peers::wait<pausing>;
  struct named_duplicate {
    std::string_view name;
    const duplicate* whole;
  };
  struct outgoing {
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };

  const collective::role_transfer& transfer(std::size_t node) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): only transfers ask
    return *demand_.transfers[node];
  }
  int tag_of(std::size_t node) const { return static_cast<int>(demand_.number[node]); }
  MPI_Comm transfers() const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): there are roles where there are transfers
    return transfers_->get();
  }
  static bool is_done(MPI_Request& request) {
    int done = 0;
    checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

  void wait_by(waiting& idle, MPI_Request& request) {
    for (; !is_done(request); idle(stopping_)) continue;
  }

  void all_reduce_by_parts(const duplicate& among, const reduction& what) {
    if (!part_buffers_) part_buffers_ = std::make_unique<part_buffers>();
    keep_while(part_buffers_, [&] {
      const parts cut(what.elements, what.bytes, among.size());
      waiting idle(peers_, pausing(collective::patience::moving(cut.longest() * what.bytes)));
      all_reduce_in_parts(what, cut, among.get(), *part_buffers_)([&](MPI_Request& request) {
        wait_by(idle, request);
        idle.moved();
      });
    });
  }

  const duplicate& of(std::size_t node) const {
    if (of_node_[node] != nullptr) return *of_node_[node];
    throw usage_error(std::string("task `")
                          .append(demand_.task[node])
                          .append("` asks for its communicator and is no collective: declare "
                                  "`static constexpr bool collective = true;`"));
  }

  static const communicators::named& first(const communicators& given) {
    if (given.all().empty()) throw usage_error("mpi::communicators is empty: name at least one");
    return given.all().front();
  }

  /// The level of thread support that MPI gives, if it is enough.
  static int admitted(const demand& d) {
    if (!is_up())
      throw usage_error(
          "MPI is not initialised, or no longer: make the pipeline after "
          "MPI_Init_thread and before MPI_Finalize");
    int level = MPI_THREAD_SINGLE;
    checked(MPI_Query_thread(&level), "MPI_Query_thread");
    if (d.called_by_others && level < MPI_THREAD_SERIALIZED)
      throw usage_error(
          "collectives of this schedule run on threads of the pipeline's own, which this MPI does "
          "not allow: initialise it by MPI_Init_thread with MPI_THREAD_SERIALIZED");
    if (d.other_threads && level < MPI_THREAD_FUNNELED)
      throw usage_error(
          "the pipeline has threads of its own, which this MPI does not allow: initialise it by "
          "MPI_Init_thread with MPI_THREAD_FUNNELED");
    return level;
  }

  std::vector<duplicate> duplicates(const communicators& given, timeout timeout) const {
    std::vector<duplicate> all;
    all.reserve(given.all().size());
    for (const communicators::named& c : given.all())
      all.emplace_back(c.name, c.communicator, timeout.length());
    return all;
  }

  /// Which of them collectives of roles are over. All ranks of one name it.
  std::vector<named_duplicate> named(const communicators& given) const {
    std::vector<named_duplicate> all;
    for (const std::string_view name : demand_.roles.communicators)
      for (std::size_t i = 0; i < given.all().size(); ++i)
        if (given.all()[i].name == name) all.push_back({name, &own_[i]});
    return all;
  }
  void split_by_role() {
    const auto& roles = demand_.roles.all;
    const auto color = std::find(roles.begin(), roles.end(), demand_.roles.own) - roles.begin();
    of_role_.reserve(split_.size());
    for (const named_duplicate& d : split_) {
      of_role_.emplace_back(d.name, *d.whole, static_cast<int>(color), timeout_.length());
      for (std::size_t node = 0; node < of_node_.size(); ++node)
        if (of_node_[node] == d.whole && demand_.is_of_role(node))
          of_node_[node] = &of_role_.back();
    }
  }

  std::vector<const duplicate*> chosen(const communicators& given) const {
    std::vector<const duplicate*> all(demand_.communicator.size(), nullptr);
    for (std::size_t node = 0; node < all.size(); ++node) {
      const std::string_view name = demand_.communicator[node];
      if (name.empty()) continue;
      const auto found = std::find_if(given.all().begin(), given.all().end(),
                                      [&](const auto& c) { return c.name == name; });
      if (found == given.all().end())
        throw usage_error(std::string("task `")
                              .append(demand_.task[node])
                              .append("` is a collective among the ranks of `")
                              .append(name)
                              .append("`, and no communicator of that name was passed: add it to "
                                      "mpi::communicators{{\"")
                              .append(name)
                              .append("\", ...}}"));
      all[node] = &own_[static_cast<std::size_t>(found - given.all().begin())];
    }
    return all;
  }

  demand demand_;
  timeout timeout_;
  int level_;
  duplicate control_;
  std::vector<duplicate> own_;
  std::vector<const duplicate*> of_node_;
  std::vector<named_duplicate> split_;
  std::vector<duplicate> of_role_;      ///< their parts of this rank's role, from the first run on
  std::optional<duplicate> transfers_;  ///< if the schedule differs by rank
  channel channel_;
  collective::peers peers_;
  std::unique_ptr<part_buffers> part_buffers_;
  std::function<bool()> stopping_;
};

}  // namespace stretto::mpi::detail
