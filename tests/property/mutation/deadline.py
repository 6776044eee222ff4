# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program until it ends, hangs or has used more processor time than it may, on however crowded a machine."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
from typing import NamedTuple

ASLEEP_FOR = 10  # seconds without a single switch of a thread, after which nothing is going to wake the program


class Ending(NamedTuple):
    status: int  # negative: the signal that ended it
    hung: bool
    output: str
    processor: float  # seconds
    wall: float


def run(command, processor=3600, wall=None, env=None):
    """Ends the program after so many seconds of processor time of one process, or of wall time."""
    limited = ["sh", "-c", f'ulimit -S -t {int(processor) + 1} && exec "$@"', "sh", *map(str, command)]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            limited, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=env, start_new_session=True
        )
        try:
            return watch(process, output, wall)
        finally:
            if process.returncode is None:
                end(process)
                process.wait()


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def watch(process, output, wall):
    begun = time.monotonic()
    pause, hung = 0.002, False
    switches, since = None, begun
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        now = time.monotonic()
        if pid != 0:
            break
        if not hung and wall is not None:
            seen = switches_asleep(process.pid)
            if seen is None or seen != switches:
                switches, since = seen, now
            hung = now - begun > wall or (now - since > ASLEEP_FOR and not has_children(process.pid))
            if hung:
                end(process)
        time.sleep(pause)
        pause = min(1.3 * pause, 0.2)
    process.returncode = os.waitstatus_to_exitcode(status)
    output.seek(0)
    text = output.read().decode(errors="replace")
    hung = hung or process.returncode == -signal.SIGXCPU
    return Ending(process.returncode, hung, text, usage.ru_utime + usage.ru_stime, now - begun)


def switches_asleep(pid):
    """How often the threads of a process have been switched, if each of them is asleep and the system counts it. A
    program that waits for a processor is not asleep, and one that looks around once a second is switched each time."""
    total = 0
    try:
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            if (thread / "stat").read_text().rpartition(")")[2].split()[0] != "S":
                return None
            for line in (thread / "status").read_text().splitlines():
                if "voluntary_ctxt_switches:" in line:
                    total += int(line.split()[1])
    except OSError:
        return None
    return total or None


def has_children(pid):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if stat.read_text().rpartition(")")[2].split()[1] == str(pid):
                return True
        except OSError:
            pass
    return False
