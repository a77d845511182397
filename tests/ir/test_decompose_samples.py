"""Each operator with a composite, in a program of its own: decomposed it gives what its kernel gives."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from ops import cases
from torch.fx.experimental.proxy_tensor import make_fx

from phi_torch import ir, registry
from phi_torch.testing import Case

MOST = 6  # samples of an operator
NAMES = [name for name in cases.names() if (info := registry.info(name)).composite and info.category != "random"]
# some of those whose composites are made of other operators of a program
DECOMPOSED = "add_n bilinear fc kron label_smooth leaky_relu mish pixel_shuffle prelu square swiglu temporal_shift".split()


def program_of(case: Case, index: int) -> tuple[ir.Program, list[torch.Tensor]] | None:
    """A program of one call, and its inputs; None where the operator is none of a program's with these arguments."""
    arguments = case.samples[index].make(case.float_dtype, "cpu")
    tensors = [tensor.detach() for tensor in arguments.tensors()]

    def call(*given: torch.Tensor) -> Any:
        return case.overload(*case.positional(arguments.with_tensors(list(given))))

    try:
        with torch.no_grad():
            graph = make_fx(call, tracing_mode="fake", _allow_non_fake_inputs=True)(*tensors)
        program = ir.from_fx(graph, tensors)
    except (ir.GraphError, RuntimeError):
        return None
    found = f"pd_op.{case.info.name}" in [op.name for op in program.walk()]
    return (program, tensors) if found else None


@pytest.mark.parametrize("op", NAMES)
def test_decomposed(op: str):
    torch.manual_seed(0)
    case = cases.case(op)
    if case.overwrites:
        return
    rtol, atol = case.tolerance.get(case.float_dtype, (1e-4, 1e-4))
    count = 0
    for index in range(min(MOST, len(case.samples))):
        made = program_of(case, index)
        if made is None:
            continue
        program, tensors = made
        before = str(program)
        decomposed = program.clone()
        (run,) = ir.PassManager([ir.Decompose([op])], verify=True).run(decomposed).runs
        if not run.counts:
            assert str(decomposed).partition("program {")[2] == before.partition("program {")[2]
            continue
        count += 1
        assert f"pd_op.{op}" not in [one.name for one in decomposed.walk()]
        for ours, theirs in zip(ir.compile(decomposed)(*tensors), ir.compile(program, passes=[])(*tensors)):
            torch.testing.assert_close(ours, theirs, rtol=max(rtol, 1e-4), atol=max(atol, 1e-4), equal_nan=True)
    assert count or op not in DECOMPOSED
