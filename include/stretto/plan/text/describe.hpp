// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

namespace detail {

inline std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

inline std::string count(std::size_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

inline std::string ago(int delta) {
  if (delta == 0) return "in the same progress";
  return count(static_cast<std::size_t>(delta), "progress", "progresses") + " earlier";
}

/// With two decimals where it is not whole.
inline std::string decimal(ratio r) {
  std::string text = std::to_string(r.time / r.progresses);
  if (r.time % r.progresses == 0) return text;
  const std::string hundredths = std::to_string(100 + 100 * (r.time % r.progresses) / r.progresses);
  return text + "." + hundredths.substr(1);
}

inline std::string why(const plan& p, const edge& e) {
  const auto slot = [&] { return quoted(p.resolved.slot_list[e.slot].text); };
  switch (e.why) {
    case reason::data: return "reads " + slot();
    case reason::depends_on: return "depends_on, same batch";
    case reason::cross_iter: return "cross_iter_depends_on, an earlier batch";
    case reason::same_progress_sync: return "same_progress_sync";
    case reason::update: return "updates " + slot() + " after it";
    case reason::reuse: return "refills the copy of " + slot() + " that it used";
    case reason::stream: return "same stream, in order";
    case reason::ticket: return "collectives, one submission order";
    case reason::batch: return "tells whether there is a batch";
    case reason::through: return "hands out the batch when all is done";
    case reason::room: return "pulls the next batch when one has left";
    case reason::thread: return "same thread, in order";
    case reason::order: return "the schedule's `order`";
  }
  return {};
}

inline std::string node_line(const declaration& d, const plan& p, std::size_t n,
                             std::size_t width) {
  const int ahead = p.resolved.nodes[n].lookahead;
  std::string line = "  " + padded(text::visible_name(node_name(d, n)), width) + "  +" +
                     std::to_string(ahead) + "  thread " +
                     padded(text::visible_name(p.threads.names[p.threads.thread_of[n]]), 10);
  if (p.resolved.nodes[n].stream != none)
    line += "  stream " + text::visible_name(p.resolved.streams[p.resolved.nodes[n].stream]);
  const auto enumerate = [&](std::string_view title, view<use> uses, range r) {
    for (std::size_t i = r.first; i < r.last; ++i)
      line += std::string(i == r.first ? title : ", ") +
              text::visible_name(p.resolved.slot_list[uses[i].slot].text);
  };
  enumerate("  reads ", p.resolved.reads, p.resolved.nodes[n].reads);
  enumerate("  writes ", p.resolved.writes, p.resolved.nodes[n].writes);
  return line + "\n";
}

inline std::string wait_lines(const declaration& d, const plan& p, view<edge> waits) {
  std::string text;
  for (const edge& e : waits)
    text += "  " + quoted(node_name(d, e.consumer)) + " waits for " +
            quoted(node_name(d, e.producer)) + " " + ago(e.delta) + ": " + why(p, e) + "\n";
  return waits.empty() ? std::string("  none\n") : text;
}

/// The orders that the user gives, one to a line.
inline std::string order_lines(const declaration& d, const graph& g) {
  std::string text;
  for (std::size_t i = 0; i < g.turns.size(); ++i) {  // the turns of a list stand together
    text += g.turns[i].before != none ? " > " : i == 0 ? "  " : "\n  ";
    text::add_visible_name(text, node_name(d, g.turns[i].node));
  }
  return text + "\n";
}

}  // namespace detail

/// What the schedule says of thread groups.
class group_notes {
 public:
  explicit group_notes(const declaration& d) : d_(d), groups_(d) {}

  std::string of(std::string_view thread) const {
    const std::size_t group = groups_.find(thread);
    if (group == none) return {};
    std::string text;
    if (const int queue = d_.groups[group].queue; queue > 0)
      text +=
          ", with a queue of " + detail::count(static_cast<std::size_t>(queue), "batch", "batches");
    if (const int workers = groups_.workers_on(thread); workers > 1)
      text += ", on " + std::to_string(workers) + " workers";
    return text;
  }

 private:
  const declaration& d_;
  group_index groups_;
};

/// A plan as text for a person. \p slot_bytes by slot; empty where sizes are not known.
inline std::string describe(std::string_view title, const declaration& d, const plan& p,
                            view<std::size_t> slot_bytes = {}) {
  using namespace detail;
  std::size_t width = 8;
  constexpr std::size_t widest = 40;  // or one long name would pad all lines
  for (const task& t : d.tasks)
    width = (std::max)(width, (std::min)(widest, text::visible_name(t.id.text).size()));
  std::string text = "schedule " + text::visible_name(title) + ": " +
                     count(d.tasks.size(), "task", "tasks") + ", " +
                     count(p.in_flight(), "batch", "batches") + " in flight\n";

  text += "\norder of one progress (+n: n batches ahead)\n";
  for (const std::size_t n : p.order) text += node_line(d, p, n, width);

  if (!p.resolved.turns.empty())
    text += "\norder given by the schedule\n" + order_lines(d, p.resolved);

  text += "\nthreads\n";
  const group_notes notes(d);
  for (std::size_t t = 0; t < p.threads.names.size(); ++t) {
    text += "  " + padded(text::visible_name(p.threads.names[t]), width) + "  ";
    const range chain = p.threads.chains[t];
    for (std::size_t i = chain.first; i < chain.last; ++i)
      text +=
          (i == chain.first ? "" : " > ") + text::visible_name(node_name(d, p.threads.chained[i]));
    text += notes.of(p.threads.names[t]) + "\n";
  }

  if (has_weights(d) || d.generated > 0) {
    const modelled m = make_modelled(d, p);
    text += "\nmodelled time per progress, when threads run ahead of each other\n  " +
            decimal(m.period) + "; no map on as many threads has less than " + decimal(m.least) +
            "\n";
  }

  const list<edge> waits = run_ahead_waits(p);
  text += "\nwaits between threads that run ahead of each other\n";
  text += wait_lines(d, p, waits);
  text += "  (with a barrier after each progress instead: " +
          count(p.host_waits.size(), "wait", "waits") + " inside it)\n";
  text += "\nwaits between streams (all that the declarations and the reuse of copies ask for)\n";
  text += wait_lines(d, p, p.stream_waits);

  if (!p.tickets.empty()) {
    text += "\ncollectives, in submission order\n ";
    for (const std::size_t n : p.tickets) text += " " + text::visible_name(node_name(d, n));
    text += "\n";
  }

  text += "\nmemory\n";
  std::size_t total = 0;
  for (std::size_t s = 0; s < p.copies.size(); ++s) {
    text += "  " + padded(text::visible_name(p.resolved.slot_list[s].text), width) + "  " +
            count(p.copies[s], "copy", "copies");
    if (!slot_bytes.empty()) {
      text += " of " + count(slot_bytes[s], "byte", "bytes");
      total += p.copies[s] * slot_bytes[s];
    }
    text += "\n";
  }
  if (!slot_bytes.empty())
    text += "  " + count(total, "byte", "bytes") + " in all, without what slots own elsewhere\n";
  return text;
}

}  // namespace stretto::planner
