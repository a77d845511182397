"""Which levels of detail results have, against live PaddlePaddle 2.6.2: each input is given levels that tell it from the others.

`PHI_LOD=all` asks of every operator; else of those that the tables name, and of some others.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

from phi_torch.legacy import LoDTensor
from phi_torch.legacy._definition import definition
from phi_torch.legacy._lod_rules import BY_ROWS, COMPUTED, LOD_FORMS, SHARED
from phi_torch.legacy._operators import OPERATORS

from .draw import Call, Draw
from .recipes import RECIPES
from .recipes_samples import ABSENT, SAMPLED
from .test_generated import Both, Paddle, paddle, shown  # noqa: F401  # a fixture

CALLS = 8
OWN = {one for one in RECIPES if one in OPERATORS}
TYPES = sorted((RECIPES | SAMPLED).keys() - ABSENT["2.6.2"] - LOD_FORMS.keys() - OWN)
# without steps of optimizers, which write to parameters: these have no levels
TYPES = [one for one in TYPES if " " not in one and "Param" not in definition(one).inputs]
if os.environ.get("PHI_LOD") != "all":
    named = {*SHARED, *BY_ROWS, *COMPUTED}
    TYPES = [one for at, one in enumerate(TYPES) if one in named or at % 10 == 0]


def with_levels(call: Call) -> Call:
    """Of the inputs each has as many empty sequences as stand before it, and one of all its rows."""
    number = iter(range(1, 1000))

    def leveled(one: Tensor) -> Tensor:
        empty = next(number)
        return LoDTensor(one, [[0] * empty + [one.shape[0]]]) if one.dim() and one.layout is torch.strided else one

    inputs = {slot: leveled(one) if isinstance(one, Tensor) else [*map(leveled, one)] for slot, one in call.inputs.items()}
    return dataclasses.replace(call, inputs=inputs, wanted=())


def calls_of(type: str) -> Iterator[Both]:
    for number in range(CALLS):
        draw = Draw(f"{type} {number}")
        yield Both(type, with_levels((SAMPLED | RECIPES)[type](draw)), draw)


@pytest.mark.parametrize("paddle", ["2.6.2"], indirect=True)
@pytest.mark.parametrize("type", TYPES)
def test_results_have_the_levels_that_paddle_gives_them(type: str, paddle: Paddle, tmp_path: Path):  # noqa: F811
    calls = list(calls_of(type))
    for both, expected in zip(calls, paddle.run(calls, tmp_path)):
        if isinstance(expected, str):
            continue
        assert both.error is None, shown(both.call)
        slots = definition(type).outputs
        for name in [name for slot, names in both.ops[0].outputs.items() if not slots[slot].intermediate for name in names]:
            if expected.get(name) is not None and isinstance(value := both.found.get(name), Tensor):
                found = value.lod if isinstance(value, LoDTensor) else []
                assert found == expected[name][3], f"{name}: {shown(both.call)}"
