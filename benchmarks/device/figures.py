#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a host thread does per progress to submit the 14-task pipeline to a device, by calls of the
tasks' bodies and by graphs.

figures.py PROGRAM OUT.json: instructions over a runtime that does nothing, counted by callgrind, and
the calls that have to do with events.
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "instructions"))
from callgrind import per_progress  # noqa: E402


def main() -> None:
    program, out = sys.argv[1:]
    stretto = per_progress(program, "stretto")
    values = per_progress(program, "values")
    by_hand = per_progress(program, "by_hand")
    graphs = per_progress(program, "graphs")
    graphs_of_values = per_progress(program, "graphs_of_values")
    graphs_by_hand = per_progress(program, "graphs_by_hand")
    calls = subprocess.run([program, "calls"], capture_output=True, text=True, check=True).stdout
    figures = {
        "cuda_host_instruction_ratio": round(stretto / by_hand, 4),
        "cuda_host_instructions": stretto,
        "dynamic_cuda_host_instruction_ratio": round(values / by_hand, 4),
        "dynamic_cuda_host_instructions": values,
        "handwritten_cuda_host_instructions": by_hand,
        "cuda_graphs_host_instruction_ratio": round(graphs / graphs_by_hand, 4),
        "cuda_graphs_host_instructions": graphs,
        "dynamic_cuda_graphs_host_instruction_ratio": round(graphs_of_values / graphs_by_hand, 4),
        "dynamic_cuda_graphs_host_instructions": graphs_of_values,
        "handwritten_cuda_graphs_host_instructions": graphs_by_hand,
        "cuda_event_calls_per_progress": int(calls),
    }
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


main()
