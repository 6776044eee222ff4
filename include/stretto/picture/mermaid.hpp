// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/picture/diagram.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>

namespace stretto::picture {

namespace detail {

/// A text for a label between quotes. Whatever may mean something to Mermaid, or to the browser
/// behind it, goes by its number.
inline std::string mermaid_text(std::string_view text) {
  return text::shown(text, [](std::string& to, char c) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:+-()/=!?";
    if (plain.find(c) != std::string_view::npos) {
      to += c;
    } else {
      to += std::string("#") + std::to_string(static_cast<int>(c)) + ";";
    }
  });
}

class mermaid_maker {
 public:
  explicit mermaid_maker(const diagram& of) : of_(of) {}

  std::string make(bool legend) {
    // A title between dashes would be YAML, with rules of its own for text.
    text_ = "flowchart LR\n";
    for (std::size_t t = 0; t < of_.threads.size(); ++t) {
      begin_group(std::string("thread") + std::to_string(t), of_.threads[t]);
      for (const std::size_t n : of_.boxes_of[t]) {
        const box& b = of_.boxes[n];
        const std::string label = std::string("\"") + mermaid_text(b.name) + "<br/>+" +
                                  std::to_string(b.lookahead) + "\"";
        line_of(
            std::string("  n") + std::to_string(n) +
            (b.is_task ? "[" + label + "]" : "([" + label + "])") +
            (b.stream == planner::none ? "" : std::string(":::stream") + std::to_string(b.stream)));
      }
      end_group();
    }
    for (const arrow& a : of_.arrows) draw(a);
    if (legend) add_legend();
    for (std::size_t s = 0; s < of_.streams.size(); ++s)
      line_of(std::string("classDef stream") + std::to_string(s) +
              " fill:" + std::string(fill_of(s)) + ",color:#000");
    text_ += styles_;
    return text_;
  }

 private:
  void line_of(const std::string& text) { text_ += "  " + text + "\n"; }
  void begin_group(const std::string& id, std::string_view label) {
    line_of("subgraph " + id + "[\"" + mermaid_text(label) + "\"]");
  }
  void end_group() { line_of("end"); }

  void connect(const std::string& from, const std::string& to, line kind, bool implied,
               const std::string& label) {
    const std::string arrow = implied || look_of(kind).dotted ? " -.->"
                              : kind == line::chain           ? " ---"
                                                              : " -->";
    line_of(from + arrow + (label.empty() ? "" : "|\"" + label + "\"|") + " " + to);
    styles_ += std::string("  linkStyle ") + std::to_string(links_++) +
               " stroke:" + std::string(look_of(kind).colour) + (implied ? ",opacity:0.5" : "") +
               "\n";
  }
  void draw(const arrow& a) {
    std::string label = mermaid_text(a.slot);
    if (a.delta > 0)
      label += (label.empty() ? "\xCE\x94 " : "<br/>\xCE\x94 ") + std::to_string(a.delta);
    connect(std::string("n") + std::to_string(a.from), std::string("n") + std::to_string(a.to),
            a.kind, a.implied, label);
  }

  void add_legend() {
    begin_group("legend", "+n: n batches ahead; \xCE\x94 n: n progresses earlier");
    for (std::size_t s = 0; s < of_.streams.size(); ++s)
      line_of(std::string("  key") + std::to_string(s) + "[\"stream " +
              mermaid_text(of_.streams[s]) + "\"]:::stream" + std::to_string(s));
    for (std::size_t k = 0; k < line_looks.size(); ++k)
      if (of_.uses(static_cast<line>(k))) {
        const std::string id = std::string("kind") + std::to_string(k);
        connect(id + "from[\" \"]", id + "to[\" \"]", static_cast<line>(k), false,
                mermaid_text(line_looks[k].meaning));
      }
    end_group();
  }

  const diagram& of_;
  std::string text_;
  std::string styles_;
  std::size_t links_ = 0;
};

}  // namespace detail

/// A plan as a flowchart in Mermaid's language, as web pages show it: the same picture as `to_dot`.
inline std::string to_mermaid(std::string_view title, const planner::declaration& d,
                              const planner::plan& p, const options& o = {}) {
  const detail::diagram of = detail::make_diagram(title, d, p, o);
  return detail::mermaid_maker(of).make(o.legend);
}

/// Draws a planned schedule that is a value, for Mermaid.
template <planned Planned>
std::string to_mermaid(const Planned& p, const options& o = {}) {
  return to_mermaid(p.input().name, p.declaration(), p.plan(), o);
}

/// Draws a schedule of types, which keeps the rules, for Mermaid.
template <class Schedule>
std::string to_mermaid(const options& o = {}) {
  const planner::declaration& d = typed::declared<Schedule>::value;
  static_cast<void>(plan_of<Schedule>);
  return to_mermaid(name_of<Schedule>.text, d, planner::make_plan(d), o);
}

}  // namespace stretto::picture
