#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has GraphViz draw a schedule of hostile names, and checks that each is on the picture as it should be."""

import argparse
import collections
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="draw_hostile")
    arguments = parser.parse_args()
    dot = shutil.which("dot")
    if dot is None:
        print("no dot: skipped")
        return 77
    said = subprocess.run([arguments.program], capture_output=True, check=True).stdout.decode()
    names, _, picture = said.partition("===\n")
    drawn = subprocess.run([dot, "-Tsvg"], input=picture.encode(), capture_output=True, check=False)
    if drawn.returncode != 0 or drawn.stderr:
        print(drawn.stderr.decode(errors="replace"))
        return 1
    svg = tree.fromstring(drawn.stdout)
    texts = collections.Counter(
        (e.text or "").replace("\xa0", " ").strip() for e in svg.iter("{http://www.w3.org/2000/svg}text")
    )
    wrong = 0
    for name in names.splitlines():
        # As task and as slot; as stream and as thread with a word before.
        for text, least in ((name, 2), (f"stream {name}", 1), (f"thread {name}", 1)):
            if texts[text] < least:
                wrong += 1
                print(f"{text!r} is there {texts[text]} times, expected {least}")
    if wrong:
        print(sorted(texts))
    print(f"{len(names.splitlines())} names, {wrong} wrong")
    return 1 if wrong or len(names.splitlines()) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
