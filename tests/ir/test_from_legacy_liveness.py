"""Loops and branches of Paddle 2 that give a variable another type, which is there or not as anything reads it later."""

import pytest

from phi_torch import ir
from phi_torch.legacy import Attribute, BlockDesc, OpDesc

from .test_from_legacy import AGAIN, CONDITION, X, branch, counts, described, fill, loop, positive, same, scale, tensor


@pytest.mark.parametrize("nested", [False, True])
def test_a_variable_of_another_type_that_nothing_reads_after_the_loop(nested: bool):
    rounds = [fill("t", 2.0, 2), scale("t", "u", 3.0), *counts()]
    inner = (
        [BlockDesc(1, 0, {}, [loop(2, "i", "t", "u")]), BlockDesc(2, 1, {}, rounds)] if nested else [BlockDesc(1, 0, {}, rounds)]
    )
    start = [
        scale("x", "t", 2.0),
        scale("x", "u", 0.0),
        fill("i", 0.0, 1),
        fill("three", 3.0, 1),
        counts()[1],
        loop(1, "i", "t", "u"),
    ]
    variables = (tensor("t", 2), tensor("u", 2), *AGAIN)
    same(described([*start, scale("i", "y", 1.0)], inner, *variables), X)
    same(described([*start, fill("t", 5.0, 2), scale("t", "y", 1.0)], inner, *variables), X)
    with pytest.raises(ir.ProgramError, match=r"\(while\): variable 'u' is f32\[s0,3\] on one way, and f32\[2\] on another"):
        ir.from_legacy(described([*start, scale("u", "y", 1.0)], inner, *variables))
    with pytest.raises(ir.ProgramError, match="variable 'u' is"):
        ir.from_legacy(described([*start, scale("i", "y", 1.0)], inner, *variables), fetch=["u"])


def test_a_variable_of_another_type_that_the_next_round_around_the_loop_reads():
    rounds = [fill("t", 2.0, 2), *counts()]
    inner = [BlockDesc(1, 0, {}, [scale("t", "u", 1.0), loop(2, "i", "t")]), BlockDesc(2, 1, {}, rounds)]
    start = [
        scale("x", "t", 2.0),
        scale("x", "u", 0.0),
        fill("i", 0.0, 1),
        fill("three", 3.0, 1),
        counts()[1],
        loop(1, "i", "t", "u"),
    ]
    desc = described([*start, scale("i", "y", 1.0)], inner, tensor("t", 2), tensor("u", 2), *AGAIN)
    with pytest.raises(ir.ProgramError, match="variable 't' is"):
        ir.from_legacy(desc)


def test_a_variable_of_another_rank_that_only_the_gradient_of_its_branch_lists():
    """What a branch alone assigns is a number before it, in programs of `to_static`."""
    given = {"Cond": ["c"], "Input": ["x"], "Out": ["t", "u"], "Out@GRAD": ["@EMPTY@", "u@GRAD"], "Scope": ["scope"]}
    said = {"sub_block": Attribute("BLOCK", 2), "is_scalar_condition": Attribute("BOOLEAN", True)}
    start = [*positive("c"), fill("t", 0.0), scale("x", "u", 1.0), branch("c", 1, "t", "u")]
    gradient = OpDesc("conditional_block_grad", given, {"Input@GRAD": ["x@GRAD"]}, said)
    inner = [
        BlockDesc(1, 0, {}, [scale("x", "t", 2.0), scale("t", "u", 3.0)]),
        BlockDesc(2, 0, {}, [scale("u@GRAD", "x@GRAD", 6.0)], forward_block_idx=1),
    ]
    floats = (tensor(name, -1, 3) for name in ("t", "u", "u@GRAD", "x@GRAD"))
    variables = (*floats, *CONDITION)
    desc = described([*start, scale("u", "u@GRAD", 1.0), gradient, scale("x@GRAD", "y", 1.0)], inner, *variables)
    same(desc, X, -X)
    with pytest.raises(ir.ProgramError, match=r"variable 't' is f32\[s0,3\] on one way, and f32\[\] on another"):
        ir.from_legacy(desc, fetch=["t"])
