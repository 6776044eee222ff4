// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/task_fields.hpp>

namespace stretto::typed::detail {

/// The type of a slot by the place where it is mentioned first. `Declared`: the `declared` of a
/// schedule.
template <class Declared, std::size_t List, std::size_t Place>
struct mentioned_slot {
 private:
  static auto slot() {
    if constexpr (List == 0) {
      return pack<typename Declared::source_part::slot>{};
    } else if constexpr (List == result_list(Declared::tasks::size)) {
      return pack<declare::nth<Place, typename Declared::results>>{};
    } else {
      using fields = task_fields<declare::nth<(List - 1) / 2, typename Declared::tasks>>;
      if constexpr (List % 2 == 1) {
        return pack<declare::nth<Place, typename fields::reads>>{};
      } else {
        return pack<declare::nth<Place, typename fields::writes>>{};
      }
    }
  }

 public:
  using type = typename declare::front_or<decltype(slot()), void>::type;
};

/// Where a slot is mentioned first, by its number.
constexpr mention first_mention(const planner::declaration& d, std::size_t slot) {
  const planner::graph g = planner::planned_graph(d);
  const planner::list<mention> all = first_mentions(g);
  return all[slot];
}

}  // namespace stretto::typed::detail
