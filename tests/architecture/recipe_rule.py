#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the recipe for a rule in docs/architecture.md: rule 10, no task is named `dummy`.

recipe_rule.py --compiler CXX -- FLAGS...: copies the headers, adds the rule to those that the page
lists, and to no others, and asks both versions for it.
"""

import recipe

RECIPE = "**A rule**"

RULE = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/rules/rule.hpp>
#include <string>

namespace stretto::planner::kind {
inline constexpr finding_kind dummy_task = kind_of_rule(10, 1);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// Rule 10: no task is named `dummy`.
constexpr void check_dummies(const subject& s, findings& found) {
  for (std::size_t t = 0; t < s.declared.tasks.size(); ++t)
    if (s.declared.tasks[t].id.text == "dummy") found.push_back({kind::dummy_task, t});
}

constexpr repair repair_of_dummies(const declaration&, const finding& f) {
  return {remedy::rename, f.task};
}

constexpr void sentence_on_dummies(const statement& s, text_builder& to) {
  s.say(to, "$w has a name that says nothing; give it another");
}

inline constexpr rule rule_10{
    .number = 10,
    .kinds = {{kind::dummy_task, "dummy_task", "name"}},
    .check = check_dummies,
    .fix = repair_of_dummies,
    .sentence = sentence_on_dummies,
};

}  // namespace stretto::planner::rules
"""

NAME = """template <class Task, class... More>
struct rule_10_the_name_of_a_task_says_nothing;
template <class At, class Task, class Other, class Entry, class... More>
auto name(is<planner::kind::dummy_task>, At, culprits<Task, Other, Entry, More...>)
    -> pack<rule_10_the_name_of_a_task_says_nothing<Task, More...>>;

"""

TYPES = """#include <stretto/stretto.hpp>
namespace st = stretto;
struct number : st::slot<int> {};
struct NAME {
  using reads = st::reads<number>;
  void operator()(int) const {}
};
struct training : st::schedule<st::source<number>, NAME> {};
void run(const int (&numbers)[3]) {
  st::pipeline<training> pipeline;
  pipeline.run(numbers);
}
"""

VALUES = """#include <cstdio>
#include <stretto/dynamic.hpp>
namespace planner = stretto::planner;
int main() {
  for (const char* name : {"dummy", "sensible"}) {
    const stretto::dynamic::schedule s{
        .name = "training",
        .source = {.slot = "number"},
        .tasks = {{.name = name, .reads = {"number"}, .body = [](int) {}}}};
    const stretto::dynamic::diagnosis found = diagnose(s);
    for (const std::string& sentence : found.sentences(s)) std::puts(sentence.c_str());
    const stretto::dynamic::declared values(s);
    for (const planner::finding& f : found.found.findings)
      std::printf("%d %s %d\\n", planner::rule_of(f), planner::kind_name(f.what).data(),
                  planner::repair_of(values.value(), f).how == planner::remedy::rename);
  }
}
"""
SENTENCE = "rule 10: task `dummy` has a name that says nothing; give it another"


def main():
    copy = recipe.Copy(recipe.options_of(__doc__))
    copy.create("plan/rules/rule_10_dummies.hpp", RULE)
    copy.add(
        "plan/rules/table.hpp",
        "#include <stretto/plan/rules/rule_10_dummies.hpp>\n",
        behind="#include <stretto/plan/rules/rule_9_items.hpp>\n",
    )
    copy.add("plan/rules/table.hpp", "rules::rule_10, ", before="rules::no_races")
    copy.add("errors/names.hpp", NAME, before="/// How a task spells a member")
    copy.expect_touched(RECIPE)

    compiled, said = copy.compile(TYPES.replace("NAME", "dummy"), "-fsyntax-only")
    recipe.expect(not compiled, "a schedule of types that breaks the rule does not compile")
    recipe.expect("rule_10_the_name_of_a_task_says_nothing<dummy>" in said or SENTENCE in said, "its name", said)
    recipe.expect(said.count("error: ") == 1, "one error", said)
    compiled, said = copy.compile(TYPES.replace("NAME", "sensible"), "-fsyntax-only")
    recipe.expect(compiled, "a schedule of types that keeps the rule compiles", said)
    printed = copy.run(VALUES)
    recipe.expect(printed == f"{SENTENCE}\n10 dummy_task 1\n", "the sentence, rule, kind and repair, once", printed)


if __name__ == "__main__":
    main()
