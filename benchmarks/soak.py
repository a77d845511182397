"""Resident memory over many calls. Exits with 1 when a block of calls leaves more than a megabyte behind."""

import argparse
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import torch

import phi_torch
from phi_torch import ir

LIMIT_KB = 1024


def resident_kb() -> int:
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0])


def growth(name: str, call: Callable[[], object], calls: int) -> int:
    """The kilobytes that `calls` calls leave behind, after as many as a hundredth of them have warmed up."""
    for _ in range(calls // 100 + 10):
        call()
    gc.collect()
    before = resident_kb()
    for _ in range(calls):
        call()
    gc.collect()
    grown = resident_kb() - before
    print(f"{name:28}{calls:12,} calls  {grown:+8} kB", flush=True)
    return grown


def program() -> ir.Program:
    """`relu(x @ w)`."""
    builder = ir.Builder()
    builder.program.weights.set("w", torch.ones(4, 4))
    x = builder.create("pd_op.data", [], {"name": "x", "shape": [4, 4], "dtype": "float32"})
    w = builder.create("builtin.parameter", [], {"name": "w"}, [builder.program.context.dense_tensor("float32", [4, 4])])
    y = builder.create("pd_op.relu", builder.create("pd_op.matmul", [x.results[0], w.results[0]]).results)
    builder.create("pd_op.fetch", y.results, {"name": "y", "col": 0})
    return builder.program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", type=int, nargs="?", default=10_000_000, help="of add; a tenth of the others; default %(default)s")
    calls = parser.parse_args().calls
    torch.set_num_threads(1)
    x, y = torch.randn(4, 4), torch.randn(4, 4)
    a, b = torch.randn(4, 4, requires_grad=True), torch.randn(4, 4, requires_grad=True)
    ones = torch.ones(4, 4)

    def wrong() -> None:
        try:
            phi_torch.softmax(x, "axis")  # type: ignore[arg-type]
        except TypeError:
            pass

    run = ir.compile(program())

    def compiled_and_dropped() -> None:
        ir.parse(str(program()))
        ir.compile(program())(x)

    grown = [
        growth("add", lambda: phi_torch.add(x, y), calls),
        growth("concat", lambda: phi_torch.concat([x, y], axis=0), calls // 10),
        growth("softmax, wrong axis", wrong, calls // 10),
        growth("a compiled program", lambda: run(x), calls // 10),
        growth("programs made and dropped", compiled_and_dropped, calls // 10_000),
        growth("multiply and backward", lambda: phi_torch.multiply(a, b).backward(ones), calls // 10),
    ]
    return int(max(grown) > LIMIT_KB)


if __name__ == "__main__":
    sys.exit(main())
