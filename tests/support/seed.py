# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds of what scripts draw at random: as in seed.hpp."""

import os
import shlex
import sys


def first(own):
    """The seed of a script: its own, or what the environment variable STRETTO_SEED says."""
    text = os.environ.get("STRETTO_SEED") or str(own)
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 32):
        sys.exit(f"STRETTO_SEED={text}: a seed is a number from 0 to 4294967295")
    return int(text)


def tell(seed, what):
    """Prints what a script draws, and how to run it again."""
    print(f"{what}; again: STRETTO_SEED={seed} {shlex.join(['python3', *sys.argv])}", flush=True)
