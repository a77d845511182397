"""Training programs with blocks that run on a condition: their gradients are blocks too."""

from __future__ import annotations

import pytest
import torch

from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program


def tensors(*names: str) -> dict[str, VarDesc]:
    return {name: VarDesc(name, dtype=torch.float32, dims=(2,)) for name in names}


def conditional(type: str, block: int, inputs: dict[str, list[str]], outputs: dict[str, list[str]]) -> OpDesc:
    attrs = {"sub_block": Attribute("BLOCK", block), "is_scalar_condition": Attribute("BOOLEAN", True)}
    return OpDesc(type, {"Cond": ["on"], "Input": ["x"], **inputs}, outputs, attrs)


def program() -> ProgramDesc:
    """y = relu(x) squared, if it is on; the block of its gradient reads what the block of y made."""
    axis = {"axis": Attribute("INT", -1)}
    outer = BlockDesc(vars={**tensors("x", "y", "y@GRAD", "x@GRAD", "given"), "on": VarDesc("on", dtype=torch.bool, dims=(1,))})
    outer.vars["scope"] = VarDesc("scope", "step_scopes")
    outer.ops = [
        conditional("conditional_block", 1, {}, {"Out": ["y"], "Scope": ["scope"]}),
        OpDesc("assign", {"X": ["given"]}, {"Out": ["y@GRAD"]}),
        conditional("conditional_block_grad", 2, {"Out": ["y"], "Out@GRAD": ["y@GRAD"]}, {"Input@GRAD": ["x@GRAD"]}),
    ]
    forward = BlockDesc(1, 0, tensors("r"))
    forward.ops = [
        OpDesc("relu", {"X": ["x"]}, {"Out": ["r"]}),
        OpDesc("elementwise_mul", {"X": ["r"], "Y": ["r"]}, {"Out": ["y"]}, axis),
    ]
    grad = BlockDesc(2, 0, tensors("r@GRAD", "twice", "x@GRAD"), forward_block_idx=1)
    grad.ops = [
        OpDesc("elementwise_mul", {"X": ["y@GRAD"], "Y": ["r"]}, {"Out": ["twice"]}, axis),
        OpDesc("elementwise_add", {"X": ["twice"], "Y": ["twice"]}, {"Out": ["r@GRAD"]}, axis),
        OpDesc("relu_grad", {"Out": ["r"], "Out@GRAD": ["r@GRAD"]}, {"X@GRAD": ["x@GRAD"]}),
    ]
    return ProgramDesc([outer, forward, grad])


@pytest.mark.parametrize("on", [True, False])
def test_the_gradient_of_a_block_that_may_not_run(on: bool):
    executor = Executor(read_program(write_program(program())), {})
    feed = {"x": torch.tensor([-1.0, 3.0]), "given": torch.tensor([5.0, 10.0]), "on": torch.tensor([on])}
    for _ in range(2):
        (found,) = executor.run(feed, ["x@GRAD"])
        assert found.tolist() == ([0, 60] if on else [0, 0])
