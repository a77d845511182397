"""What fusing elementwise operators saves: `python benchmarks/fused_elementwise.py [--check]`, one thread.

Five operators by the executor, as one fused operation and apart, and by torch, on several sizes; medians of ratios of calls that
stand side by side. With --check the status is 1 where fused / apart is above its limit.
"""

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

import torch

from phi_torch import ir

MOST = {  # dtype and elements -> fused / separate, at most
    **{("float32", 16): 1.1, ("float32", 100_000): 0.75, ("float32", 4_000_000): 0.75, ("float32", 10_000_000): 0.6},
    ("bfloat16", 10_000_000): 1.05,
}


def program(size: int, dtype: str) -> ir.Program:
    """`abs(relu(x0 + x1) * x2 - x3)`."""
    builder = ir.Builder()

    def create(op: str, *operands: ir.Value, **attributes: object) -> ir.Value:
        return builder.create(op, operands, attributes).results[0]

    x0, x1, x2, x3 = (create("pd_op.data", name=f"x{i}", shape=[size], dtype=dtype) for i in range(4))
    product = create("pd_op.multiply", create("pd_op.relu", create("pd_op.add", x0, x1)), x2)
    create("pd_op.fetch", create("pd_op.abs", create("pd_op.subtract", product, x3)), name="y", col=0)
    return builder.program


def seconds(call: Callable[[], object], calls: int) -> float:
    begin = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - begin) / calls


def by_torch(x0: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, x3: torch.Tensor) -> torch.Tensor:
    return torch.abs(torch.relu(x0 + x1) * x2 - x3)


def compare(size: int, dtype: str) -> list[tuple[float, float]]:
    """Of fused, apart and torch: microseconds, and the ratio of fused to it."""
    inputs = [torch.randn(size).to(getattr(torch, dtype)) for _ in range(4)]
    fused, apart = (ir.compile(program(size, dtype), passes=passes, reuse_outputs=True) for passes in (["fuse_elementwise"], []))
    sides = (lambda: fused(*inputs), lambda: apart(*inputs), lambda: by_torch(*inputs))
    assert torch.equal(fused(*inputs)[0], apart(*inputs)[0]) and torch.equal(fused(*inputs)[0], by_torch(*inputs))
    calls, rounds = max(1, 1_000_000 // (size + 1000)), 31
    times = [[seconds(side, calls) for side in sides] for _ in range(rounds)]
    return [(median(one) * 1e6, median(row[0] / row[i] for row in times)) for i, one in enumerate(zip(*times))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    torch.set_num_threads(1)
    check, failed = parser.parse_args().check, False
    for (dtype, size), most in MOST.items():
        (fused, _), (apart, ratio), (torchs, of_torch) = compare(size, dtype)
        failed |= ratio > most
        text = (
            f"fused {fused:10.1f} us, apart {apart:10.1f} us, {ratio:.2f} (at most {most}), torch {torchs:10.1f} us, {of_torch:.2f}"
        )
        print(f"{dtype:10}{size:>12,} elements: {text}")
    return int(check and failed)


if __name__ == "__main__":
    sys.exit(main())
