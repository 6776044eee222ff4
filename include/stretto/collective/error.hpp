// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <stretto/collective/notice.hpp>
#include <stretto/collective/wording.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// Another rank failed or left its run, so that the collectives of this one can never complete.
/// `what()` is "rank 2 failed at task `train` on batch 3: out of memory", or
/// "rank 2 left its run after 3 batches", or "rank 2 was stopped before all ranks had begun run 1".
/// Where ranks play roles it is "rank 2 of role `trainer`".
class peer_error : public std::runtime_error {
 public:
  explicit peer_error(collective::notice from)
      : std::runtime_error(sentence(from)), from_(std::move(from)) {}

  /// The rank that failed.
  std::size_t rank() const { return from_.rank; }
  /// The role that it plays; empty if all ranks run one schedule.
  std::string_view role() const { return from_.role; }
  /// The name of its task that failed; empty if it left.
  std::string_view task() const { return from_.task; }
  /// The batch that the task failed on; if the rank left, how many went through.
  std::size_t batch() const { return from_.batch; }
  /// What its error said; empty if it left.
  std::string_view message() const { return from_.text; }

 private:
  static std::string sentence(const collective::notice& n) {
    std::string text = collective::ranks_text({n.rank});
    if (!n.role.empty()) text.append(" of role `").append(n.role).append("`");
    if (n.what == collective::news::left)
      return text.append(" left its run after ").append(collective::batches_text(n.batch));
    if (n.what == collective::news::turned_back)
      return text.append(" was stopped before all ranks had begun run ")
          .append(std::to_string(n.run));
    text.append(" failed at ").append(collective::place_text(n.task, n.batch));
    return text.append(": ").append(n.text);
  }

  collective::notice from_;
};

/// A collective did not complete in the time given. `what()` is
/// "ticket 2, task `sum` on batch 7, did not complete within 600 s: a rank is stuck, or gone".
class timeout_error : public std::runtime_error {
 public:
  timeout_error(std::size_t ticket, std::string_view task, std::size_t batch,
                std::chrono::milliseconds limit)
      : std::runtime_error(sentence(ticket, task, batch, limit)),
        ticket_(ticket),
        task_(task),
        batch_(batch),
        limit_(limit) {}

  /// The collective's place in the order of submission within a progress, from 0.
  std::size_t ticket() const { return ticket_; }
  std::string_view task() const { return task_; }
  std::size_t batch() const { return batch_; }
  std::chrono::duration<double> seconds() const { return limit_; }

 private:
  static std::string sentence(std::size_t ticket, std::string_view task, std::size_t batch,
                              std::chrono::milliseconds limit) {
    std::string text("ticket ");
    text.append(std::to_string(ticket)).append(", ").append(collective::place_text(task, batch));
    text.append(", did not complete within ").append(collective::seconds_text(limit));
    return text.append(": a rank is stuck, or gone");
  }

  std::size_t ticket_;
  std::string task_;
  std::size_t batch_;
  std::chrono::milliseconds limit_;
};

/// Some ranks did not come to where all have to meet, in the time given. `what()` is
/// "rank 3 did not begin run 2 within 600 s", or, if not all ranks were to meet, "rank 1 of
/// communicator `node` did not make its pipeline within 600 s". Where ranks play roles it is "rank
/// 3 of role `trainer`", or, as long as that is not known, "rank 3 did not begin run 1 within 600
/// s, and no other rank plays role `trainer`".
class missing_rank_error : public std::runtime_error {
 public:
  missing_rank_error(std::vector<std::size_t> ranks, std::string_view from,
                     std::chrono::milliseconds limit, std::string_view communicator = {})
      : std::runtime_error(who(ranks, communicator)
                               .append(" did not ")
                               .append(from)
                               .append(" within ")
                               .append(collective::seconds_text(limit))),
        ranks_(std::move(ranks)),
        limit_(limit) {}

  /// \p roles of the ranks, by rank.
  missing_rank_error(std::vector<std::size_t> ranks, std::string_view from,
                     std::chrono::milliseconds limit, const std::vector<std::string>& roles)
      : std::runtime_error(collective::ranks_text(ranks, roles)
                               .append(" did not ")
                               .append(from)
                               .append(" within ")
                               .append(collective::seconds_text(limit))),
        ranks_(std::move(ranks)),
        limit_(limit) {}
  /// \p unplayed: the roles that none of the other ranks plays.
  missing_rank_error(const missing_rank_error& bare, const std::vector<std::string_view>& unplayed)
      : std::runtime_error(with_unplayed(bare.what(), unplayed)),
        ranks_(bare.ranks_),
        limit_(bare.limit_) {}

  const std::vector<std::size_t>& ranks() const { return ranks_; }
  std::chrono::duration<double> seconds() const { return limit_; }

 private:
  static std::string with_unplayed(std::string text,
                                   const std::vector<std::string_view>& unplayed) {
    for (std::size_t i = 0; i < unplayed.size(); ++i)
      text.append(i == 0 ? ", and no other rank plays role `" : " or role `")
          .append(unplayed[i])
          .append("`");
    return text;
  }
  static std::string who(const std::vector<std::size_t>& ranks, std::string_view communicator) {
    std::string text = collective::ranks_text(ranks);
    if (communicator.empty()) return text;
    return text.append(" of communicator `").append(communicator).append("`");
  }

  std::vector<std::size_t> ranks_;
  std::chrono::milliseconds limit_;
};

/// The ranks run different plans; found before the first collective. `what()` is
/// "ranks 0 and 2 and rank 1 run different plans: ..." and says at which task they part.
class plan_mismatch_error : public std::runtime_error {
 public:
  plan_mismatch_error(const std::string& sentence, std::vector<std::size_t> ranks, std::string task)
      : std::runtime_error(sentence), ranks_(std::move(ranks)), task_(std::move(task)) {}

  /// The ranks whose plan is not rank 0's.
  const std::vector<std::size_t>& ranks() const { return ranks_; }
  /// The first task at which the plans part, by its name on rank 0; empty if the tasks are the
  /// same.
  std::string_view task() const { return task_; }

 private:
  std::vector<std::size_t> ranks_;
  std::string task_;
};

/// The ranks have unequal numbers of batches. Each rank gets one. `what()` is
/// "rank 1 ended after 5 batches, but rank 0 has batch 5: give all ranks as many, or declare
/// stretto::agreed_end, with which all stop after the same batch".
class batch_count_error : public std::runtime_error {
 public:
  batch_count_error(std::size_t ended, std::size_t batches, std::size_t other, std::size_t batch)
      : std::runtime_error(sentence(ended, batches, other, batch)),
        ended_(ended),
        batches_(batches),
        other_(other),
        batch_(batch) {}

  /// The rank that ended,
  std::size_t ended() const { return ended_; }
  /// after how many batches,
  std::size_t batches() const { return batches_; }
  /// the rank that has more,
  std::size_t other() const { return other_; }
  /// and at which batch that one was.
  std::size_t batch() const { return batch_; }

 private:
  static std::string sentence(std::size_t ended, std::size_t batches, std::size_t other,
                              std::size_t batch) {
    std::string text = collective::ranks_text({ended});
    text.append(" ended after ").append(collective::batches_text(batches)).append(", but ");
    text.append(collective::ranks_text({other})).append(" has batch ");
    text.append(std::to_string(batch));
    return text.append(
        ": give all ranks as many, or declare stretto::agreed_end, with which all stop after the "
        "same batch");
  }

  std::size_t ended_;
  std::size_t batches_;
  std::size_t other_;
  std::size_t batch_;
};

}  // namespace stretto
