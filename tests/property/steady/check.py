#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that a steady progress of threads that spin has no allocation, lock, system call or indirect call.

    check.py PROGRAM [--planted]

PROGRAM (main.cpp here) is run with either pace, three times: alone, where it counts its allocations; under
strace, which must see no system call of any thread between the two that mark the steady progresses; and under
valgrind, which counts how often each instruction is executed. Those executed in every progress, wherever the
compiler has put them, are looked up in the disassembly: no indirect call or jump (so none through a virtual
table, a function object or into another library), no lock prefix, no fence, no system call; the tasks must
be among them, and not where the compiler puts what hardly ever runs. With --planted something of that has been put in, and must be found.

What a machine lacks is left out, with a line that says so.
"""

import argparse
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

# Few: on a core that others want, each progress lasts as long as the system lets a thread spin.
PROGRESSES = {"alone": 500, "strace": 100, "valgrind": 100}
MARKS = {f"$0x57e0000{task}" for task in (1, 2, 3)}
NOT_STEADY = [
    (re.compile(r"^lock\b"), "a locked instruction"),
    (re.compile(r"^xchg\w*\s.*\("), "an exchange with memory, which locks"),
    (re.compile(r"^[ml]fence\b"), "a fence"),
    (re.compile(r"^(bnd |notrack )*(call|jmp)q?\s+\*"), "an indirect call or jump"),
    (re.compile(r"^(bnd |notrack )*(call|jmp)q?\s.*@plt"), "a call into another library"),
    (re.compile(r"^(syscall|sysenter|int)\b"), "a system call"),
]


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def allocations(program, pace):
    done = run([program, pace, str(PROGRESSES["alone"])])
    return [] if done.returncode == 0 else [f"{done.stdout.strip()}{done.stderr.strip()}"]


def system_calls(program, pace, scratch):
    if shutil.which("strace") is None:
        print("left out: there is no strace here")
        return None
    trace = pathlib.Path(scratch, "trace")
    done = run(["strace", "-f", "-o", str(trace), program, pace, str(PROGRESSES["strace"])])
    if "ptrace" in done.stderr or not trace.exists():
        print("left out: strace may not trace here")
        return None
    lines = trace.read_text().splitlines()
    marks = [i for i, line in enumerate(lines) if "getppid(" in line]
    if len(marks) != 2:
        sys.exit(f"the trace has {len(marks)} marks, not 2")
    return [f"a system call: {line}" for line in lines[marks[0] + 1 : marks[1]]]


def executed(program, pace, scratch):
    """How often each instruction of the program is executed, by address."""
    out = pathlib.Path(scratch, "callgrind.out")
    done = run(
        ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--dump-instr=yes", "--compress-pos=no",
         "--compress-strings=no", f"--callgrind-out-file={out}", program, pace, str(PROGRESSES["valgrind"])]
    )  # fmt: skip
    if not out.exists():
        sys.exit(f"valgrind: {done.stderr}")
    counts = {}
    mine = False
    inclusive = False
    for line in out.read_text().splitlines():
        if line.startswith("ob="):
            mine = line[3:] == program
        elif line.startswith("calls="):
            inclusive = True  # the line that follows counts what is called
        elif found := re.match(r"0x([0-9a-f]+) \S+ (\d+)$", line):
            address = int(found[1], 16)
            if mine and not inclusive:
                counts[address] = counts.get(address, 0) + int(found[2])
            inclusive = False
    return counts


def disassembly(program):
    """Instructions by address, and the function each is in."""
    text = run(["objdump", "-d", "-C", "--no-show-raw-insn", program]).stdout
    code = {}
    function = ""
    for line in text.splitlines():
        if found := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = found[1]
        elif found := re.match(r"\s+([0-9a-f]+):\s+(.*)$", line):
            code[int(found[1], 16)] = (found[2].strip(), function)
    return code


def marked(instruction):
    return any(mark in instruction for mark in MARKS)


def instructions(program, pace, scratch):
    if platform.machine() != "x86_64" or shutil.which("valgrind") is None or shutil.which("objdump") is None:
        print("left out: instructions are looked at on x86-64, with valgrind and objdump")
        return None
    code = disassembly(program)
    steady = [a for a, n in executed(program, pace, scratch).items() if n >= PROGRESSES["valgrind"]]
    texts = [code[a][0] for a in steady if a in code]
    for mark in MARKS:
        if not any(mark in text for text in texts):
            sys.exit(f"the task marked {mark} is not among the {len(texts)} steady instructions")
    print(f"{pace}: {len(texts)} instructions of every progress")
    cold = {code[a][1][:100] for a in steady if a in code and ".cold" in code[a][1] and marked(code[a][0])}
    return [f"GCC takes the loop for one that hardly ever runs: {function}" for function in cold] + [
        f"{what}: {code[a][0]} in {code[a][1][:100]}"
        for a in steady
        if a in code
        for pattern, what in NOT_STEADY
        if pattern.match(code[a][0])
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--planted", action="store_true", help="there is something to find")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    found = []
    looked = 0
    with tempfile.TemporaryDirectory() as scratch:
        for pace in ("run_ahead",) if arguments.planted else ("run_ahead", "barrier"):
            for check in (
                allocations(program, pace),
                system_calls(program, pace, scratch),
                instructions(program, pace, scratch),
            ):
                if check is None:
                    continue
                looked += 1
                found += [f"{pace}: {what}" for what in check]
    for what in found[:10]:
        print(what)
    if arguments.planted and not found:
        sys.exit("nothing was found, but something is there" if looked == 3 else 0)
    if not arguments.planted and found:
        sys.exit(f"a steady progress does {len(found)} things that it should not")


main()
