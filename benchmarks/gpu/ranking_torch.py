#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The step of examples/ranking/gpu in PyTorch, with streams placed by hand: ranking_torch.py FIGURES.json

Random keys and numbers of the same sizes; the same network, loss, clipping and Adagrad. Prepares a batch on
the host, copies the next one on a stream of its own while this one computes, and reads each loss a batch late.
Says so and exits with 77 where PyTorch or a device is missing.
"""

import json
import sys
import time

SAMPLES, FEATURES, NUMBERS, WIDTH, ROWS = 2048, 12, 10, 8, 9000
BATCHES, WARM_UP, ROUNDS = 400, 50, 3
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


try:
    import torch
except ImportError:
    skip("PyTorch is not here")
if not torch.cuda.is_available():
    skip("PyTorch finds no CUDA device")


class Model:
    """The network and the table, and an Adagrad step of both."""

    def __init__(self):
        torch.manual_seed(7)
        device = "cuda"
        inputs = FEATURES * WIDTH + NUMBERS
        self.table = torch.randn(ROWS, WIDTH, device=device) * 0.05
        self.table_squares = torch.zeros_like(self.table)
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(inputs, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)
        ).to(device)
        self.squares = [torch.zeros_like(p) for p in self.layers.parameters()]

    def step(self, batch, rate=0.01, row_rate=0.02, decay=0.01, longest=1.0):
        keys, numbers, late = batch
        rows, index = torch.unique(keys, return_inverse=True)
        weights = self.table[rows].requires_grad_()
        inputs = torch.cat([weights[index].flatten(1), numbers], dim=1)
        logit = self.layers(inputs).squeeze(1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, late)
        parameters = list(self.layers.parameters())
        gradients = torch.autograd.grad(loss, [*parameters, weights])
        norm = torch.sqrt(sum((g * g).sum() for g in gradients))
        scale = torch.clamp(longest / norm, max=1.0)
        with torch.no_grad():
            for parameter, square, gradient in zip(parameters, self.squares, gradients):
                gradient = gradient * scale
                square.add_(gradient * gradient)
                parameter.sub_(rate * gradient / (square.sqrt() + 1e-8))
            gradient = gradients[-1] * scale + decay * weights
            squares = self.table_squares[rows] + gradient * gradient
            self.table_squares[rows] = squares
            self.table[rows] = weights - row_rate * gradient / (squares.sqrt() + 1e-8)
        return loss.detach()


def prepare(generator):
    """A batch in page-locked memory."""
    keys = torch.randint(0, ROWS, (SAMPLES, FEATURES), generator=generator).pin_memory()
    numbers = torch.randn(SAMPLES, NUMBERS, generator=generator).pin_memory()
    late = torch.randint(0, 2, (SAMPLES,), generator=generator).float().pin_memory()
    return keys, numbers, late


def train(pipelined):
    """Microseconds per batch."""
    model = Model()
    # Drawn before the clock starts: what a batch costs the host in Python is not the question here.
    host = [prepare(torch.Generator().manual_seed(b)) for b in range(16)]
    compute, copy = torch.cuda.current_stream(), torch.cuda.Stream()
    losses, pending, start = [], None, 0.0

    def upload(b):
        stream = copy if pipelined else compute
        with torch.cuda.stream(stream):
            batch = [t.cuda(non_blocking=True) for t in host[b % len(host)]]
            ready = torch.cuda.Event()
            ready.record(stream)
        return batch, ready

    following = upload(0)
    for b in range(BATCHES):
        if b == WARM_UP:
            torch.cuda.synchronize()
            start = time.perf_counter()
        batch, ready = following
        if pipelined:
            following = upload(b + 1)
        compute.wait_event(ready)
        for t in batch:
            t.record_stream(compute)
        loss = model.step(batch).to("cpu", non_blocking=True)
        done = torch.cuda.Event()
        done.record(compute)
        if not pipelined:
            done.synchronize()
            losses.append(float(loss))
            following = upload(b + 1)
        else:
            if pending is not None:
                pending[1].synchronize()
                losses.append(float(pending[0]))
            pending = (loss, done)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e6 / (BATCHES - WARM_UP)


def main():
    best = {"serial": float("inf"), "pipelined": float("inf")}
    for _ in range(ROUNDS):
        for name in best:
            best[name] = min(best[name], train(name == "pipelined"))
    figures = {
        "torch": torch.__version__,
        "torch_serial_batch_us": best["serial"],
        "torch_pipelined_batch_us": best["pipelined"],
        "torch_pipelined_over_serial": best["pipelined"] / best["serial"],
    }
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(figures, out, indent=2)
    print(json.dumps(figures, indent=2))


main()
