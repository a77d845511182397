"""Gradient operators that only programs have, by themselves, in the executor and in the IR; the numbers are PaddlePaddle's."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from phi_torch import ir
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc


def ways(op: OpDesc, feed: Mapping[str, Tensor], made: Mapping[str, Tensor]) -> None:
    """The operator gives what is `made` in the executor and in the IR.

    Raises:
        AssertionError: it does not.
    """
    variables = {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), need_check_feed=True) for name, one in feed.items()}
    variables |= {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape)) for name, one in made.items()}
    program = ProgramDesc([BlockDesc(vars=variables, ops=[op])])
    run = ir.compile(ir.from_legacy(program, fetch=[*made]))
    by_executor = Executor(program, {}).run(dict(feed), [*made])
    by_ir = run(*(feed[name] for name, _ in run.inputs))
    for found in (by_executor, by_ir):
        torch.testing.assert_close(dict(zip(made, found)), dict(made))


def test_gradients_of_a_quotient_of_integers():
    x, y = torch.tensor([[7, -9], [20, 5]], dtype=torch.int32), torch.tensor([2, -4], dtype=torch.int32)
    feed = {"x": x, "y": y, "out": torch.div(x, y, rounding_mode="trunc"), "d": torch.tensor([[5, 5], [-3, 7]], dtype=torch.int32)}
    op = OpDesc("elementwise_div_grad", {"X": ["x"], "Y": ["y"], "Out": ["out"], "Out@GRAD": ["d"]})
    op.outputs, op.attrs = {"X@GRAD": ["dx"], "Y@GRAD": ["dy"]}, {"axis": Attribute("INT", -1)}
    # 5 / 2, 5 / -4 and so on, cut off; -5 * 3 / 2 + 3 * 10 / 2 and -5 * 2 / -4 + -7 * -1 / -4
    x_grad = torch.tensor([[2, -1], [-1, -1]], dtype=torch.int32)
    ways(op, feed, {"dx": x_grad, "dy": torch.tensor([8, 1], dtype=torch.int32)})
