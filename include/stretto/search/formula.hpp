// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/search/paths.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// A decision, or its opposite: twice the number of a variable, and 1 more if it is to be false.
using literal = number;

constexpr literal opposite(literal l) { return l ^ 1U; }
constexpr number variable_of(literal l) { return l >> 1U; }

/// What is asked of decisions. An arc that comes with a literal holds if the literal does. Arcs are
/// of one of two graphs: \c times, of when nodes start, and \c progresses, of whole numbers.
struct formula {
  enum graph : number { times, progresses };
  struct arc {
    number graph = times;
    paths::step step{};
  };
  /// Of its literals only so many may hold that their weights come to no more than the limit.
  struct at_most {
    struct term {
      literal holds = 0;
      long long weight = 0;
    };
    std::vector<term> terms{};
    long long constant = 0;  ///< in any case
    bool bytes = false;      ///< the limit is the one of bytes, else the period
  };
  struct variable {
    bool first = false;           ///< what is tried first
    literal only_if = no_number;  ///< of no interest unless this one holds: false then
  };

  number nodes = 0;
  std::vector<variable> variables{};
  std::vector<paths::step> fixed[2]{};  ///< by graph: arcs that hold in any case
  std::vector<arc> arcs{};
  std::vector<std::vector<literal>> clauses{};
  std::vector<at_most> sums{};

  /// A new variable; the literal that it holds.
  literal add(bool first = false, literal only_if = no_number) {
    variables.push_back({first, only_if});
    return static_cast<literal>(2 * (variables.size() - 1));
  }
  void fix(graph g, number from, number to, stretch length) {
    fixed[g].push_back({from, to, length, no_number, 0});
  }
  void imply(literal l, graph g, number from, number to, stretch length) {
    arcs.push_back({g, {from, to, length, l, 0}});
  }
  void clause(std::vector<literal> any_of) { clauses.push_back(std::move(any_of)); }
};

}  // namespace stretto::search::detail
