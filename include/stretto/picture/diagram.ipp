// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/picture/diagram.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/text/shown.hpp>

namespace stretto::picture::detail {

/// Adds the arrows of edges, each pair of runs once.
class arrow_maker {
 public:
  [[gnu::cold]] explicit arrow_maker(diagram& into)
      : into_(into),
        // As many as there can be arrows, so that few share one.
        buckets_(into.plan.chained.size() + into.plan.run_ahead_waits.size() +
                     into.plan.minimal_stream_waits.size() + into.plan.edges.size() + 1,
                 planner::none) {}

  [[gnu::cold, gnu::noinline]] void add(const planner::edge& order, bool implied) {
    // By reason.
    static constexpr line kinds[] = {
        line::data,   line::dependency, line::dependency, line::dependency, line::memory,
        line::memory, line::chain,      line::collective, line::batch,      line::chain,
        line::order,  line::batch,      line::batch,      line::memory};
    const line kind = kinds[static_cast<std::size_t>(order.why)];
    into_.arrows.push_back({order, kind, implied});
    into_.uses[static_cast<std::size_t>(kind)] = true;
    into_.has_implied = into_.has_implied || implied;
  }
  [[gnu::cold, gnu::noinline]] void add(planner::view<planner::edge> edges, bool implied) {
    while (next_.size() < into_.arrows.size()) next_.push_back(planner::none);
    for (const planner::edge& e : edges) {
      std::size_t& bucket = buckets_[bucket_of(e) % buckets_.size()];
      std::size_t known = bucket;
      while (known != planner::none && !same(into_.arrows[known].order, e)) known = next_[known];
      if (known != planner::none) continue;
      next_.push_back(bucket);
      bucket = into_.arrows.size();
      add(e, implied);
    }
  }

 private:
  static std::size_t bucket_of(const planner::edge& e) {
    constexpr std::size_t prime = 1'000'003;
    return (e.producer * prime + e.consumer) * prime + static_cast<std::size_t>(e.delta);
  }
  static bool same(const planner::edge& a, const planner::edge& b) {
    return a.producer == b.producer && a.consumer == b.consumer && a.delta == b.delta;
  }

  diagram& into_;
  planner::list<std::size_t> buckets_;  // the last of the arrows in each,
  planner::list<std::size_t> next_;     // and by arrow: the one before it
};

[[gnu::cold]] STRETTO_INLINE diagram make_diagram(const planner::plan_view& p, const options& o) {
  diagram made{p};
  arrow_maker arrows(made);
  for (const planner::range chain : p.chains)
    for (std::size_t i = chain.first + 1; i < chain.last; ++i)
      arrows.add({p.chained[i - 1], p.chained[i], 0, planner::reason::thread, planner::none, 0},
                 false);
  arrows.add(p.run_ahead_waits, false);
  arrows.add(p.minimal_stream_waits, false);
  if (o.implied) arrows.add(p.edges, true);
  return made;
}

[[gnu::cold]] STRETTO_INLINE void add_escaped(planner::text_builder& to, std::string_view name,
                                              void (*escape)(planner::text_builder& to, char c)) {
  text::add_shown(to, name, escape);
}

/// Writes a diagram down.
class drawing : public planner::plan_writer {
 public:
  drawing(const diagram& of, const language& in)
      : plan_writer(of.plan, in.add_name), of_(of), in_(in) {}

  [[gnu::cold]] void draw(std::string_view title, bool legend) {
    name = title;
    write(in_.begin);
    for (thread = 0; thread < plan.threads.size(); ++thread) {
      write(in_.group);
      const planner::range chain = plan.chains[thread];
      for (std::size_t i = chain.first; i < chain.last; ++i) draw_box(plan.chained[i]);
      write(in_.group_end);
    }
    for (const arrow& a : of_.arrows) draw_arrow(a);
    if (legend) draw_legend();
    each_stream(in_.fill);
    number = 0;
    for (const arrow& a : of_.arrows) {
      look_at(a.kind);
      write(in_.style[a.implied ? 1 : 0]);
      ++number;
    }
    for (std::size_t k = 0; legend && k < line_looks.size(); ++k) {
      if (!of_.uses[k]) continue;
      look_at(static_cast<line>(k));
      write(in_.style[0]);
      ++number;
    }
    write(in_.end);
  }

 private:
  void look_at(line of_kind) {
    meaning = look_of(of_kind).meaning;
    colour = look_of(of_kind).colour;
  }
  static stroke stroke_of(line of_kind) {
    return look_of(of_kind).dotted  ? stroke::dotted
           : of_kind == line::chain ? stroke::chain
                                    : stroke::plain;
  }
  void write_look(stroke s) { write(in_.look[static_cast<std::size_t>(s)]); }

  void draw_box(std::size_t n) {
    const std::size_t which = n < plan.tasks() ? 0 : 1;
    at.producer = n;
    stream = plan.stream_of[n];
    colour = fill_of(stream);
    write(in_.box[which]);
    if (stream != planner::none) write(in_.box_on_stream);
    write(in_.box_end[which]);
  }

  void draw_arrow(const arrow& a) {
    at = a.order;
    look_at(a.kind);
    write(in_.arrow);
    write_look(a.implied ? stroke::implied : stroke_of(a.kind));
    const bool of_slot = at.slot != planner::none && !plan.slot_list[at.slot].text.empty();
    if (of_slot || at.delta > 0) {
      write(in_.label);
      if (of_slot) write("$l");
      if (at.delta > 0) write(in_.delta[of_slot ? 1 : 0]);
      write(in_.label_end);
    }
    if (at.delta > 0 || a.implied) write(in_.earlier);
    write(in_.arrow_end);
  }

  [[gnu::cold, gnu::noinline]] void each_stream(const char* pattern) {
    for (stream = 0; stream < plan.streams.size(); ++stream) {
      colour = fill_of(stream);
      write(pattern);
    }
  }

  void draw_legend() {
    write(in_.legend);
    each_stream(in_.stream);
    number = 0;
    for (std::size_t k = 0; k < line_looks.size(); ++k) {
      if (!of_.uses[k]) continue;
      look_at(static_cast<line>(k));
      write(in_.meaning);
      ++number;
    }
    meaning = "implied by others";
    if (of_.has_implied) write(in_.meaning);
    number = 0;
    for (std::size_t k = 0; k < line_looks.size(); ++k) {
      if (!of_.uses[k]) continue;
      look_at(static_cast<line>(k));
      kind = k;
      write(in_.key);
      write_look(stroke_of(static_cast<line>(k)));
      write(in_.key_end);
      ++number;
    }
    if (of_.has_implied) write(in_.implied);
    write(in_.group_end);
  }

  const diagram& of_;
  const language& in_;
};

[[gnu::cold]] STRETTO_INLINE std::string draw(const language& in, std::string_view title,
                                              const planner::plan_view& p, const options& o) {
  const diagram of = make_diagram(p, o);
  drawing made(of, in);
  made.draw(title, o.legend);
  return made.text.text();
}

}  // namespace stretto::picture::detail
