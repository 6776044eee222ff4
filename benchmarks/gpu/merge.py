#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what run.sh measured into one file, named after the GPU: merge.py FOLDER RESULTS"""

import datetime
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import measured  # noqa: E402


def main():
    folder, results = (pathlib.Path(a) for a in sys.argv[1:3])
    merged = json.loads((folder / "pipeline.json").read_text(encoding="utf-8"))
    noted = json.loads((folder / "measured.json").read_text(encoding="utf-8"))["groups"]["gpu"]
    merged |= {"commit": noted["commit"], "clean": noted["clean"]}
    merged["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    for name in ("ranking", "torch"):
        path = folder / f"{name}.json"
        if path.exists():
            merged[name] = json.loads(path.read_text(encoding="utf-8"))
    # How many tests ran, of the summary that ctest prints.
    log = (folder / "tests.log").read_text(encoding="utf-8")
    found = re.search(r"(\d+)% tests passed, (\d+) tests? failed out of (\d+)", log)
    merged["tests"] = {"failed": int(found[2]), "run": int(found[3])} if found else None
    results.mkdir(exist_ok=True)
    path = results / (re.sub(r"[^a-z0-9]+", "_", merged["gpu"].lower()).strip("_") + ".json")
    path.write_text(json.dumps(merged, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    measured.keep(folder / "measured.json", ["gpu"])
    print(path)


main()
