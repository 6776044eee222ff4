# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 14 tasks of generate.py by the plan that a search found for costs, as `search::as_replan` printed it: on two threads,
without a map that the compiler makes, and with what it has the compiler check, the certificate."""

import generate

COSTS = [1, 8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13, 7, 1]

FINGERPRINT = "10329571171513243772"

PLAN = """\
struct found
    : st::replan<pipelined,
                 st::frugal,
                 st::source<batch_cpu, st::lookahead<1>>,
                 st::place<h2d, st::lookahead<0>, st::thread<"a">>,
                 st::place<start_shuffle, st::lookahead<0>, st::thread<"b">>,
                 st::place<finish_shuffle, st::lookahead<0>, st::thread<"b">>,
                 st::place<start_input_dist, st::lookahead<0>, st::thread<"b">>,
                 st::place<wait_input_dist, st::lookahead<0>, st::thread<"a">>,
                 st::place<global_tokens_allreduce, st::thread<"a">>,
                 st::place<nccl_safety_barrier, st::thread<"b">>,
                 st::place<prefetch_embeddings, st::lookahead<0>, st::thread<"a">>,
                 st::order<start_input_dist, wait_input_dist>,
                 st::order<global_tokens_allreduce, zero_grad, nccl_safety_barrier, forward, backward, finalize_model_grads, optimizer_step, watchdog_step>,
                 st::order<h2d, start_shuffle, finish_shuffle>,
                 st::order<h2d, global_tokens_allreduce, wait_input_dist, prefetch_embeddings>,
                 st::order<start_shuffle, finish_shuffle, start_input_dist, nccl_safety_barrier>,
                 st::order<zero_grad, forward, backward, finalize_model_grads, optimizer_step, watchdog_step>> {};
"""


def checks(tasks: list[dict]) -> str:
    names = "".join(f', "{t["name"]}"' for t in tasks)
    costs = ", ".join(f'{{"{t["name"]}", {c}}}' for t, c in zip(tasks, COSTS, strict=True))
    return (
        f"static_assert(st::tasks_are<found{names}>);\n"
        f"static_assert(st::is_optimal_at<found>({{57, 1}}, {{{costs}}}));\n"
        f"static_assert(st::fingerprint<found> == {FINGERPRINT});\n"
    )


def unit(certificate: bool) -> str:
    includes = ("stretto/certificate.hpp",) if certificate else ()
    tasks = generate.tasks_of(14)
    text = generate.unit(14, includes).replace("st::threads<st::generated<2>>, ", "")
    added = PLAN + (checks(tasks) if certificate else "")
    return text.replace("void run() {", f"{added}\nvoid run() {{").replace("pipeline<pipelined>", "pipeline<found>")
