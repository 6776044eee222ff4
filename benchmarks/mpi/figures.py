#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py OUT.json MPIEXEC... PROGRAM: an all-reduce per batch next to MPI_Allreduce in a loop.

PROGRAM is `benchmark_mpi`, which MPIEXEC... starts as two processes. A time is the median over its rounds, a ratio the
median of what neighbours have for a ratio.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

# Root, as in containers, and two processes on fewer cores have to be asked for.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    said = subprocess.run(sys.argv[2:], check=True, stdout=subprocess.PIPE, text=True, env=os.environ | ENVIRONMENT).stdout
    times = json.loads(said)
    figures = {f"mpi_allreduce_{name}": round(statistics.median(values), 1) for name, values in times.items()}
    for length in ("1mb", "64mb"):
        pairs = zip(times[f"{length}_us"], times[f"{length}_by_hand_us"])
        figures[f"mpi_allreduce_{length}_over_by_hand"] = round(statistics.median(a / b for a, b in pairs), 4)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
