#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the recipe for a field of a task in docs/architecture.md: a number called `urgency`.

recipe_field.py --compiler CXX -- FLAGS...: copies the headers, adds the field to those that the page
lists, and to no others, then compiles recipe_field.cpp with them and runs it.
"""

import pathlib
import subprocess

import recipe

RECIPE = "**A field of a task**"
PROGRAM = pathlib.Path(__file__).with_suffix(".cpp")

PART = """template <int Level>
struct urgency {
  using stretto_tag = tag::urgency;
  static constexpr int value = Level;
};
"""

SCALAR = """struct urgency {
  static constexpr auto kept = &planner::task::urgency;
  using placement = tag::urgency;
  template <class Type>
  using address = decltype(&Type::urgency);
  template <class Type>
  using type = decltype(Type::urgency);
  template <class Type>
  using constant = std::integral_constant<int, Type::urgency>;
};
"""

ROW = 'scalar_field{"urgency", &task::urgency, &from::urgency, range_of::batches},\n'


def main():
    copy = recipe.Copy(recipe.options_of(__doc__))
    copy.add("declare/tag.hpp", "struct urgency {};\n", behind="struct weight {};\n")
    copy.add("declare/schedule.hpp", PART, before="/// Where batches enter: ")
    copy.add("plan/model/declaration.hpp", "  int urgency = 0;\n", behind="struct task {\n")
    copy.add("plan/model/graph.hpp", "  int urgency = 0;\n", behind="struct node {\n")
    copy.add("plan/model/graph.hpp", "    n.urgency = t.urgency;\n", behind="    n.weight = t.weight;\n")
    copy.add("static/values/task_fields.hpp", SCALAR, behind="namespace scalar {\n")
    copy.add("static/values/task_fields.hpp", "scalar::urgency, ", behind="using scalars =\n    pack<")
    copy.add("static/values/task_fields.hpp", "scalar::urgency, ", behind="using placed_scalars = pack<")
    copy.add("dynamic/values/fields.hpp", "  int urgency = 0;\n", before="  bool collective = false;\n")
    copy.add("dynamic/values/fields.hpp", ROW, before='scalar_field{"collective"')
    copy.expect_touched(RECIPE)

    program = copy.folder / "recipe_field"
    tests = f"-I{recipe.ROOT / 'tests'}"
    compiled, said = copy.compile(PROGRAM.read_text(), "-O0", "-pthread", tests, "-o", str(program))
    recipe.expect(compiled, f"{PROGRAM.name} compiles", said)
    subprocess.run([str(program)], check=True)


if __name__ == "__main__":
    main()
