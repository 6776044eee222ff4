#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether each kind of unit whose compilation is measured compiles, with few tasks and without code generation.

units_compile.py --compiler g++ -- FLAGS...
"""

import argparse
import dataclasses
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/compile"))
import measure  # noqa: E402
import units  # noqa: E402


def distinct(found: list[units.Unit]) -> list[units.Unit]:
    """One of each kind: not those that differ in their number of tasks, or in how they are compiled, only."""
    kinds = (units.REFERENCE, "14", "1_describe", "14_texts", "14_compiled", "tbb_14", "dynamic_14",
             "dynamic_1_compiled", "dynamic_1_file", "dynamic_1_file_compiled", "stage_standard",
             "stage_14_declarations", "stage_14_planning", "stage_14_waits")
    return [u for u in found if u.name in kinds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    command = [options.compiler, *options.flags]
    onetbb = subprocess.run([*command, "-E", "-x", "c++", "-"], input="#include <oneapi/tbb/flow_graph.h>\n", text=True,
                            capture_output=True)
    wanted = [dataclasses.replace(u, flags=(*u.flags, "-fsyntax-only")) for u in distinct(units.all_units())
              if u.name != "tbb_14" or onetbb.returncode == 0]
    with tempfile.TemporaryDirectory() as folder:
        runs = measure.measure("", command, wanted, pathlib.Path(folder), 1)
    failed = [u.name for u in wanted if u.name not in runs]
    print(", ".join(runs))
    sys.exit(f"do not compile: {', '.join(failed)}" if failed else None)


if __name__ == "__main__":
    main()
