// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/path.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/table.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

/// A part of a document: where it is and what it is called.
struct part_of_file {
  std::size_t value = 0;
  std::string field{};
};

/// Where in a document a finding's culprit stands. The document has been read without a problem.
class culprit_finder {
 public:
  explicit culprit_finder(const document& doc) : doc_(doc) {}

  part_of_file find(const planner::declaration& d, const planner::finding& f) const {
    const path root;
    if (f.where == planner::field::order && f.position != planner::none)
      return order_entry(root, f);
    if (f.what == planner::kind::empty_schedule) return {member(0, "tasks"), "tasks"};
    if (f.task >= d.tasks.size()) {
      const std::size_t results = member(0, "results");
      const std::size_t entry =
          results == planner::none ? planner::none : entry_of(results, f.position);
      return entry == planner::none ? whole()
                                    : part_of_file{entry, root.in("results").at(f.position).text()};
    }
    const path tasks = root.in("tasks");
    const path at = tasks.at(f.task);
    const std::size_t task = entry_of(member(0, "tasks"), f.task);
    const std::string_view field = field_of(f);
    const std::size_t culprit = member(task, field);
    if (culprit == planner::none) return {task, at.text()};
    if (f.position == planner::none || is_about_the_task(f.what))
      return {culprit, at.in(field).text()};
    const std::size_t entry = entry_of(culprit, f.position);
    return entry == planner::none ? part_of_file{culprit, at.in(field).text()}
                                  : part_of_file{entry, at.in(field).at(f.position).text()};
  }

 private:
  part_of_file whole() const { return {}; }

  static bool is_about_the_task(planner::finding_kind what) {
    return !planner::row_of(what).culprit.empty();
  }
  static std::string_view field_of(const planner::finding& f) {
    if (is_about_the_task(f.what)) return planner::row_of(f.what).culprit;
    return f.position == planner::none ? std::string_view("name") : planner::field_name(f.where);
  }

  /// The value of an object's member, or none.
  std::size_t member(std::size_t object, std::string_view name) const {
    if (object == planner::none) return planner::none;
    for (std::size_t key = object + 1; key < doc_.values[object].after;
         key = doc_.values[key + 1].after)
      if (doc_.text_of(doc_.values[key]) == name) return key + 1;
    return planner::none;
  }
  /// An entry of a list, or none.
  std::size_t entry_of(std::size_t list, std::size_t position) const {
    if (list == planner::none) return planner::none;
    std::size_t e = list + 1;
    for (; e < doc_.values[list].after && position > 0; --position) e = doc_.values[e].after;
    return e < doc_.values[list].after ? e : planner::none;
  }

  /// A position that counts through all orders.
  part_of_file order_entry(const path& root, const planner::finding& f) const {
    const std::size_t orders = member(0, "orders");
    if (orders == planner::none) return whole();
    std::size_t position = f.position;
    std::size_t number = 0;
    for (std::size_t list = orders + 1; list < doc_.values[orders].after;
         list = doc_.values[list].after, ++number) {
      const path in = root.in("orders");
      std::size_t index = 0;
      for (std::size_t e = list + 1; e < doc_.values[list].after; e = doc_.values[e].after, ++index)
        if (position-- == 0) {
          const path order = in.at(number);
          return {e, order.at(index).text()};
        }
    }
    return whole();
  }

  const document& doc_;
};

}  // namespace stretto::dynamic::detail
