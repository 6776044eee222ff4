// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <exception>
#include <functional>
#include <numeric>
#include <optional>
#include <stretto/collective/demand.hpp>
#include <stretto/collective/local.hpp>
#include <stretto/collective/peers.hpp>
#include <stretto/collective/row.hpp>
#include <stretto/local/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::local::detail {

/// A rank's part in what the ranks of a process do together.
class core {
 public:
  template <class... Given>
  core(const std::tuple<const Given&...>& settings, collective::demand all)
      : core(runner::setting_or_default<rank>(settings), std::move(all)) {}
  core(const rank& where, collective::demand all)
      : demand_(std::move(all)),
        all_(where.all()),
        rank_(taken(where)),
        channel_(all_.channels_, rank_),
        peers_(channel_, demand_.plan, collective::ticket_row(demand_.tickets), where.timeout()) {
    peers_.play(demand_.roles);
  }
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core() { all_.give_back(rank_, peers_.broken()); }

  template <class Stopping>
  bool begin_run(const Stopping& stopping) {
    if (!peers_.begin_run(stopping)) return false;
    everyone_.resize(size());
    std::iota(everyone_.begin(), everyone_.end(), std::size_t{0});
    of_role_ = peers_.players(demand_.roles.own);
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
    const bool all = peers_.agreed(batch_here, stopping_);
    peers_.leave();
    return all;
  }
  void failed(const run_report& report) noexcept { peers_.failed(report); }
  std::exception_ptr finished(std::size_t batches) noexcept { return peers_.finished(batches); }

  /// The ranks that make a collective; all, for another task.
  const std::vector<std::size_t>& group(std::size_t node) const {
    return demand_.is_of_role(node) ? of_role_ : everyone_;
  }
  /// The place of this rank among them.
  std::size_t number(std::size_t node) const {
    const std::vector<std::size_t>& all = group(node);
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), rank_) - all.begin());
  }

  /// Copies a value for each rank that receives it.
  void send(std::size_t node, const std::any& value) {
    for (const std::string_view to : transfer(node).to)
      all_.put(peers_.partner(to), {rank_, demand_.number[node], value});
  }
  /// Waits for the value of a transfer.
  std::any receive(std::size_t node) { return receive(node, peers_.partner(transfer(node).from)); }
  /// What each rank gives in a collective, in their order.
  std::vector<std::any> exchange(std::size_t node, const std::any& mine) {
    if (demand_.communicator[node].empty())
      throw usage_error(std::string("task `")
                            .append(demand_.task[node])
                            .append("` asks for other ranks and is no collective: declare `static "
                                    "constexpr bool collective = true;`"));
    for (const std::size_t r : group(node))
      if (r != rank_) all_.put(r, {rank_, demand_.number[node], mine});
    std::vector<std::any> all;
    for (const std::size_t r : group(node)) all.push_back(r == rank_ ? mine : receive(node, r));
    return all;
  }
  [[noreturn]] void refuse(std::size_t node) const {
    throw usage_error(std::string("the value of task `")
                          .append(demand_.task[node])
                          .append("` is of another type than on the rank that sent it: let all "
                                  "ranks run projections of one schedule"));
  }

 private:
  static std::size_t taken(const rank& where) {
    where.all().take(where.number());
    return where.number();
  }
  const collective::role_transfer& transfer(std::size_t node) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): only transfers ask
    return *demand_.transfers[node];
  }
  std::size_t size() const { return all_.size(); }
  std::any receive(std::size_t node, std::size_t from) {
    collective::peers::wait<> idle(peers_);
    while (true) {
      if (std::optional<std::any> value = all_.find(rank_, from, demand_.number[node]))
        return std::move(*value);
      idle(stopping_);
    }
  }

  collective::demand demand_;
  ranks& all_;
  std::size_t rank_;
  collective::local_channel channel_;
  collective::peers peers_;
  std::vector<std::size_t> everyone_;
  std::vector<std::size_t> of_role_;  ///< those that play the role of this one
  std::function<bool()> stopping_;
};

}  // namespace stretto::local::detail
