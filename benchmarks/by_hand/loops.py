# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/performance.md shows of Stretto next to loops by hand: a table, and what it means for longer tasks. Used by
publish.py."""

from summary import LIMITS

# What is shown of each shape, and how many tasks its fuller thread has; none where tasks are not all that counts.
SHAPES = {
    "one_thread": ("one thread, 3 tasks two batches ahead", 14),
    "one_thread_13_1": ("one thread, 13 tasks two batches ahead", 14),
    "barrier": ("a barrier per progress, 3 + 11 tasks, 3 in flight", 11),
    "run_ahead_2": ("running ahead, 3 + 11 tasks, 2 in flight", 11),
    "run_ahead": ("running ahead, 3 + 11 tasks, 3 in flight", 11),
    "run_ahead_5": ("running ahead, 3 + 11 tasks, 5 in flight", 11),
    "run_ahead_8": ("running ahead, 3 + 11 tasks, 8 in flight", 11),
    "run_ahead_1_13": ("running ahead, 1 + 13 tasks, 3 in flight", 13),
    "run_ahead_7_7": ("running ahead, 7 + 7 tasks, 3 in flight", 7),
    "no_result": ("running ahead, 3 + 11 tasks, no results", 11),
    "slow_source": ("running ahead, a source that takes 1 µs", None),
    "blocking": ("four threads on two cores, `st::block`", None),
}
# Other ways to say it, next to the loops by hand of a shape.
TOLD = {
    "one_thread_loop": ("one thread, 3 tasks two batches ahead, `for_each`", "one_thread"),
    "13_1_loop": ("one thread, 13 tasks two batches ahead, `for_each`", "one_thread_13_1"),
    "one_thread_results": ("one thread, 3 tasks two batches ahead, `results`", "one_thread"),
    "13_1_results": ("one thread, 13 tasks two batches ahead, `results`", "one_thread_13_1"),
    "run_ahead_5_io_pulls": ("running ahead, 3 + 11 tasks, 5 in flight, the source on `io`", "run_ahead_5"),
    "run_ahead_8_io_pulls": ("running ahead, 3 + 11 tasks, 8 in flight, the source on `io`", "run_ahead_8"),
    "blocking_copies": ("four threads on two cores, `st::block`, a copy per batch in flight", "blocking"),
    "blocking_default_wait": ("four threads on two cores, the default wait strategy", "blocking"),
}
OVER_OURS = {
    "default_wait": ("running ahead, the default wait strategy", "run_ahead", "`spin`"),
    "dynamic_one_thread": ("one thread, the runtime version", "one_thread", "types"),
    "dynamic_run_ahead": ("running ahead, the runtime version", "run_ahead", "types"),
}
LENGTHS = (1, 10, 100)  # of tasks, in microseconds


def time(nanoseconds: float) -> str:
    if nanoseconds < 10:
        return f"{nanoseconds:.1f} ns"
    return f"{nanoseconds:.0f} ns" if nanoseconds < 2000 else f"{nanoseconds / 1000:.2f} µs"


def row(figures: dict, what: str, ours: str, theirs: str, ratio: str) -> str:
    found, limit = figures.get(ratio), LIMITS[ratio]
    if found is None:  # not published yet
        return f"| {what} | – | {time(figures[theirs])} | – | {limit:.2f} | – |"
    digits = 3 if round(found, 2) == limit else 2  # so that one sees why it is missed
    return (f"| {what} | {time(figures[ours])} | {time(figures[theirs])} | {found:.{digits}f} | {limit:.2f} "
            f"| {'held' if found <= limit else 'missed'} |")


def table(figures: dict) -> str:
    if "by_hand_sides" not in figures:
        return "Not measured yet.\n"
    lines = ["| per batch | Stretto | by hand | ratio | at most | |", "| --- | ---: | ---: | ---: | ---: | --- |"]
    for shape, (what, _) in SHAPES.items():
        lines.append(row(figures, what, f"by_hand_{shape}_stretto_ns", f"by_hand_{shape}_ns", f"by_hand_{shape}_ratio"))
        lines += [row(figures, told, f"by_hand_{name}_ns", f"by_hand_{shape}_ns", f"by_hand_{name}_ratio")
                  for name, (told, of) in TOLD.items() if of == shape]
    lines += ["", "| per batch, 3 + 11 tasks, 3 in flight | | over | ratio | at most | |",
              "| --- | ---: | ---: | ---: | ---: | --- |"]
    for name, (what, shape, over) in OVER_OURS.items():
        lines.append(row(figures, f"{what}, over {over}", f"by_hand_{name}_ns", f"by_hand_{shape}_stretto_ns",
                         f"by_hand_{name}_ratio"))
    return "\n".join(lines) + "\n"


def share(of_time: float) -> str:
    return f"{of_time:.2g} %" if of_time >= 0.001 else "less than 0.001 %"


def conclusion(figures: dict) -> str:
    """What the largest loss is of the time that longer tasks take."""
    if "by_hand_sides" not in figures:
        return "Not measured yet.\n"
    lost = {shape: figures[f"by_hand_{shape}_stretto_ns"] - figures[f"by_hand_{shape}_ns"]
            for shape, (_, tasks) in SHAPES.items() if tasks is not None}
    worst = max(lost, key=lambda shape: lost[shape] / SHAPES[shape][1])
    what, tasks = SHAPES[worst]
    if lost[worst] <= 0:
        return "No loop by hand that keeps its threads awake is faster, whatever the tasks take.\n"
    shares = [share(lost[worst] / (10 * length * tasks)) for length in LENGTHS]  # per cent of that time
    return (f"At worst, Stretto takes {time(lost[worst])} per batch longer than the fastest loop by hand ({what}). With "
            f"tasks of {LENGTHS[0]} µs the fuller thread has {tasks * LENGTHS[0]} µs to do per batch, of which that is "
            f"{shares[0]}; with tasks of {LENGTHS[1]} µs it is {shares[1]}, with {LENGTHS[2]} µs {shares[2]}.\n")
