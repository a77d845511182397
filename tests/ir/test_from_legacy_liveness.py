"""Loops of Paddle 2 that give a variable another type, which is there or not as anything reads it later."""

import pytest

from phi_torch import ir
from phi_torch.legacy import BlockDesc

from .test_from_legacy import AGAIN, X, counts, described, fill, loop, same, scale, tensor


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
