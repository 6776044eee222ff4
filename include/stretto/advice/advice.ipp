// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <stretto/advice/advice.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <string>

namespace stretto {

namespace advising::detail {

inline planner::text_builder& add(planner::text_builder& out, planner::ratio r) {
  return out.quotient(r.time, r.progresses);
}
/// A share, in per cent.
inline planner::text_builder& percent(planner::text_builder& out, double share) {
  const long long tenths = std::llround(share * 1000);
  out.number(tenths / 10);
  if (tenths % 10 != 0) out.add(".").number(tenths % 10);
  return out.add(" %");
}

inline void add_fidelity(planner::text_builder& out, const fidelity& f) {
  if (f.measured == 0) return;
  add(out.add("modelled "), f.modelled).add(", measured ").number(f.measured).add(": ");
  percent(out, f.apart()).add(" apart\n");
  if (f.holds()) return;
  out.add("no advice: the model does not tell what this plan takes");
  if (f.task.empty()) {
    out.add("; given a `measured_run`, this says where it is wrong");
  } else {
    out.add(f.waiting ? "; most of it: before " : "; most of it: ").quoted(f.task);
    out.add(f.waiting ? " a thread waits " : " takes ");
    out.number(f.residual < 0 ? -f.residual : f.residual);
    out.add(f.residual < 0 ? " less than modelled" : " longer than modelled");
  }
  out.add("\n");
}

/// How much more or less, of two numbers.
inline void add_difference(planner::text_builder& out, std::size_t before, std::size_t after,
                           const char* one, const char* many) {
  if (before == after) return;
  const bool more = after > before;
  out.add("; ").count(more ? after - before : before - after, one, many);
  out.add(more ? " more" : " less");
}

inline void add_edit(planner::text_builder& out, std::size_t number, const priced_edit& e) {
  const plan_price& a = e.before;
  const plan_price& b = e.after;
  out.number(static_cast<long long>(number)).add(". ").add(e.what()).add(": ");
  percent(out, e.gain()).add(" less");
  if (a.bytes != b.bytes) {
    add_difference(out, a.bytes, b.bytes, " byte", " bytes");
  } else {
    add_difference(out, a.copies, b.copies, " copy", " copies");
  }
  add_difference(out, a.threads, b.threads, " thread", " threads");
  add(out.add("; a batch takes "), b.latency);
  if (!(a.latency == b.latency)) add(out.add(", not "), a.latency);
  out.add("\n   ").add(e.limit);
  out.add("\n   ").add(e.replan.empty() ? e.patch : e.replan).add("\n");
}

}  // namespace advising::detail

STRETTO_INLINE double priced_edit::gain() const {
  return 1 - after.period.value() / before.period.value();
}

STRETTO_INLINE std::string advice::text() const {
  constexpr std::size_t most_shown = 5;
  planner::text_builder out;
  advising::detail::add_fidelity(out, checked_);
  if (!checked_.holds()) return out.text();
  out.add(limit_).add("\n");
  for (std::size_t i = 0; i < edits_.size() && i < most_shown; ++i)
    advising::detail::add_edit(out, i + 1, edits_[i]);
  if (!why_none_.empty()) out.add(why_none_).add("\n");
  for (const split_what_if& s : splits_) {
    out.add("what if ").quoted(s.task).add(" were two tasks");
    out.add(s.side_by_side ? " side by side, each half as long: " : ", each half as long: ");
    out.add("a progress took ");
    advising::detail::add(out, s.period).add("\n");
  }
  return out.text();
}

}  // namespace stretto
