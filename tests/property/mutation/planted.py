# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts here share: options, whether the pieces to be broken are still there, the sample of a day."""

import argparse
import sys


def options_of(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="those whose description has this text")
    parser.add_argument("--sample", type=int, help="that many of them")
    parser.add_argument("--rotate", type=int, default=0, help="where a sample begins")
    parser.add_argument("--check", action="store_true", help="break nothing: whether each piece is still there")
    return parser


def stale(pieces):
    """A line for each (what, file, piece) that the file does not hold exactly once."""
    return [
        f"{file} does not hold exactly one {piece!r} ({what})"
        for what, file, piece in pieces
        if not file.exists() or file.read_text().count(piece) != 1
    ]


def stop_if_out_of_date(lines):
    if lines:
        sys.exit("\n".join(["this script is out of date:", *lines]))


def sampled(chosen, options):
    if not options.sample or not chosen:
        return chosen
    first = options.rotate * options.sample % len(chosen)
    return (chosen + chosen)[first : first + min(options.sample, len(chosen))]
