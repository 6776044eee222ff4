#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""waiting.py PROGRAM OUT.json: what wait strategies cost where cores are free and where they are not.

PROGRAM runs on all cores, on one, on all under a quota of one core's time, and with a thread per task. The
quota is the kernel's (a control group) if this user may make one; else the program is stopped, whenever it has
used its share of a period, until the next period.
"""

import contextlib
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

PERIOD = 0.1  # seconds; the kernel's own default


@contextlib.contextmanager
def control_group():
    """A control group with a quota of one core, or None."""
    name = f"stretto-benchmark-{os.getpid()}"
    for root, quota, text in (("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000"),
                              ("/sys/fs/cgroup", "cpu.max", "100000 100000")):
        group = pathlib.Path(root, name)
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / quota).write_text(text)
            made = True
        except OSError:
            made = False
        try:
            if made:
                yield group
                return
        finally:
            group.rmdir()
    yield None


def used(pid: int) -> float:
    """Processor seconds of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def throttle(child: subprocess.Popen) -> None:
    """A quota of one core by hand: until the child ends."""
    start, spent = time.monotonic(), 0.0
    while child.poll() is None:
        time.sleep(0.005)
        now = used(child.pid)
        if now - spent >= PERIOD:
            child.send_signal(signal.SIGSTOP)
            # What it used beyond its share counts in the next periods.
            periods = (now - spent) / PERIOD
            time.sleep(max(0.0, start + periods * PERIOD - time.monotonic()))
            child.send_signal(signal.SIGCONT)
        elif time.monotonic() - start < PERIOD:
            continue
        start, spent = time.monotonic(), now


def run(program: str, what: str, repeats: int, cores: set[int] | None = None,
        quota: bool = False) -> dict[str, list[float]]:
    with control_group() if quota else contextlib.nullcontext() as group:

        def prepare() -> None:
            if cores:
                os.sched_setaffinity(0, cores)
            if group:
                (group / "cgroup.procs").write_text(str(os.getpid()))

        child = subprocess.Popen([program, what, str(repeats)], stdout=subprocess.PIPE, text=True, preexec_fn=prepare)
        if quota and group is None:
            print("waiting: the quota is by hand")
            throttle(child)
        out, _ = child.communicate()
    if child.returncode != 0:
        sys.exit(f"{program} {what}: ended with {child.returncode}")
    return json.loads(out)


def worst(found: dict[str, list[float]], ours: str, theirs: str) -> float:
    """Of all kinds of pipelines the largest ratio, each the median over neighbours."""
    ratios = []
    for name, values in found.items():
        kind, _, strategy = name.rpartition("/")
        if strategy == ours:
            ratios.append(statistics.median(a / b for a, b in zip(values, found[f"{kind}/{theirs}"])))
    return round(max(ratios), 3)


def main() -> None:
    program, out = sys.argv[1:]
    one = {min(os.sched_getaffinity(0))}
    situations = {
        "free": run(program, "two", 30),
        "one_core": run(program, "two", 30, cores=one),
        "quota": run(program, "two", 60, quota=True),  # where times differ most
        "crowd": run(program, "crowd", 30),
    }
    figures: dict = {"default_over_spin_free_ratio": worst(situations["free"], "default", "spin")}
    for name in ("one_core", "quota", "crowd"):
        figures[f"default_over_block_{name}_ratio"] = worst(situations[name], "default", "block")
    for name, loads in run(program, "slow", 10).items():
        _, each, strategy = name.split("/")
        figures[f"slow_source_{each}_{strategy}_load"] = round(statistics.median(loads), 3)
    figures["waiting"] = {
        situation: {name: round(statistics.median(times) / 1000, 2) for name, times in found.items()}
        for situation, found in situations.items()
    }
    pathlib.Path(out).write_text(json.dumps(figures, indent=2) + "\n")


main()
