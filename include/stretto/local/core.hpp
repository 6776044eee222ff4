// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stretto/collective/demand.hpp>
#include <stretto/collective/local.hpp>
#include <stretto/collective/peers.hpp>
#include <stretto/collective/row.hpp>
#include <stretto/local/settings.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto::local::detail {

/// A rank's part in what the ranks of a process do together.
class core {
 public:
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

  void begin_run() { peers_.begin_run(); }
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

  std::size_t number() const { return rank_; }
  std::size_t size() const { return all_.size(); }

  /// Copies a value for each rank that receives it.
  void send(std::size_t node, const std::any& value) {
    const collective::transfer_end& end = of(node);
    for (const std::string_view to : end.to)
      all_.put(peers_.player(to), {rank_, end.number, value});
  }
  /// Waits for the value of a transfer.
  std::any receive(std::size_t node) {
    const collective::transfer_end& end = of(node);
    const std::size_t from = peers_.player(end.from);
    collective::peers::wait<> idle(peers_);
    while (true) {
      if (std::optional<std::any> value = all_.find(rank_, from, end.number))
        return std::move(*value);
      // What it sent before it left is there by the time that this is known.
      if (peers_.has_left(from)) {
        if (std::optional<std::any> value = all_.find(rank_, from, end.number))
          return std::move(*value);
        peers_.miss(from);
      }
      idle(stopping_);
    }
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
  const collective::transfer_end& of(std::size_t node) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): only transfers ask
    return *demand_.transfers[node];
  }

  collective::demand demand_;
  ranks& all_;
  std::size_t rank_;
  collective::local_channel channel_;
  collective::peers peers_;
  std::function<bool()> stopping_;
};

}  // namespace stretto::local::detail
