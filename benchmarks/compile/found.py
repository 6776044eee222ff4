# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 14 tasks of generate.py by the plan that a search found for costs, as `search::as_replan` printed it: on two host
threads, as many as the map has that the compiler makes, and without that map; and with what it has the compiler check, the
certificate. (Tasks of the default stream were told to stay on the calling thread, the others were offered a worker.)"""

import generate

COSTS = [1, 8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13, 7, 1]

FINGERPRINT = "0x5ae9047f03f203ac"

PLAN = """\
struct found
    : st::replan<pipelined,
                 st::frugal,
                 st::source<batch_cpu, st::lookahead<1>>,
                 st::place<h2d, st::lookahead<0>, st::thread<"worker">>,
                 st::place<start_shuffle, st::lookahead<0>, st::thread<"worker">>,
                 st::place<finish_shuffle, st::lookahead<0>, st::thread<"worker">>,
                 st::place<start_input_dist, st::lookahead<0>, st::thread<"worker">>,
                 st::place<wait_input_dist, st::lookahead<0>, st::thread<"worker">>,
                 st::place<zero_grad, st::thread<"caller">>,
                 st::place<global_tokens_allreduce, st::thread<"caller">>,
                 st::place<nccl_safety_barrier, st::thread<"caller">>,
                 st::place<forward, st::thread<"caller">>,
                 st::place<prefetch_embeddings, st::lookahead<0>, st::thread<"worker">>,
                 st::place<backward, st::thread<"caller">>,
                 st::place<finalize_model_grads, st::thread<"caller">>,
                 st::place<optimizer_step, st::thread<"caller">>,
                 st::place<watchdog_step, st::thread<"caller">>> {};
"""


def checks(tasks: list[dict]) -> str:
    names = "".join(f', "{t["name"]}"' for t in tasks)
    costs = ", ".join(f'{{"{t["name"]}", {c}}}' for t, c in zip(tasks, COSTS, strict=True))
    return f"""\
static_assert(st::tasks_are<found{names}>);
static_assert(
    st::is_optimal_at<found>({{57, 1}}, {{{costs}}}),
    "found takes another time per progress than was found, or another plan may be faster: look for a plan again");
static_assert(st::fingerprint<found> == {FINGERPRINT},
              "found is another plan than was found: look for a plan again");
"""


def unit(certificate: bool) -> str:
    includes = ("stretto/certificate.hpp",) if certificate else ()
    tasks = generate.tasks_of(14)
    text = generate.unit(14, includes).replace("st::threads<st::generated<2>>, ", "")
    added = PLAN + (checks(tasks) if certificate else "")
    return text.replace("void run() {", f"{added}\nvoid run() {{").replace("pipeline<pipelined>", "pipeline<found>")
