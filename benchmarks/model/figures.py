#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""figures.py PROGRAM OUT.json: keeps what `benchmark_model` prints."""

import pathlib
import subprocess
import sys

pathlib.Path(sys.argv[2]).write_bytes(subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE).stdout)
