"""Gradient operators of lists of which a program wants some gradients alone: those of variables that train."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc, grad_op
from phi_torch.legacy.description import EMPTY

from .draw import Draw
from .recipes import RECIPES
from .recipes_samples import SAMPLED
from .test_generated import all_of

NUMBERS = range(8)


def has_list(type: str) -> bool:
    calls = ((RECIPES | SAMPLED)[type](Draw(f"{type} {number}")) for number in NUMBERS)
    return any(isinstance(call.inputs.get(slot), list) and len(call.inputs[slot]) > 1 for call in calls for slot in call.wanted)


OF_LISTS = sorted(filter(has_list, RECIPES | SAMPLED))


def test_there_are_some():
    assert {"concat", "stack", "meshgrid", "multiplex"} <= {*OF_LISTS}


@pytest.mark.parametrize("type", OF_LISTS)
def test_one_gradient_of_a_list(type: str):
    tried = 0
    for both in all_of(type, NUMBERS):
        if both.error is not None or len(both.ops) == 1:
            continue
        whole = both.ops[1]
        for slot, names in whole.outputs.items():
            for kept in names if len(names) > 1 else ():
                outputs = {**{one: [] for one in whole.outputs}, slot: [one if one == kept else EMPTY for one in names]}
                both.ops[1] = dataclasses.replace(whole, outputs=outputs)
                (found,) = Executor(both.program, {}).run(both.feed, [kept])
                torch.testing.assert_close(found, both.found[kept], equal_nan=True)
                tried += 1
    assert tried


@pytest.mark.parametrize("unwanted", [("h@GRAD", "c@GRAD"), ("x@GRAD", "h@GRAD"), ("w0@GRAD", "b1@GRAD", "c@GRAD")])
def test_some_gradients_of_a_recurrent_network(unwanted: tuple[str, ...]):
    sizes = {"x": (3, 2, 4), "h": (1, 2, 5), "c": (1, 2, 5), "w0": (20, 4), "w1": (20, 5), "b0": (20,), "b1": (20,)}
    generator = torch.Generator().manual_seed(0)
    feed = {name: torch.randn(shape, generator=generator) for name, shape in sizes.items()}
    inputs = {"Input": ["x"], "PreState": ["h", "c"], "WeightList": ["w0", "w1", "b0", "b1"]}
    outputs = {"Out": ["out"], "State": ["last_h", "last_c"], "Reserve": ["reserve"], "DropoutState": ["masks"]}
    attrs = {"mode": Attribute("STRING", "LSTM"), "hidden_size": Attribute("INT", 5), "input_size": Attribute("INT", 4)}
    forward = OpDesc("rnn", inputs, outputs, {**attrs, "num_layers": Attribute("INT", 1), "is_test": Attribute("BOOLEAN", False)})
    feed |= {"out@GRAD": torch.ones(3, 2, 5), "last_h@GRAD": torch.zeros(1, 2, 5), "last_c@GRAD": torch.ones(1, 2, 5)}

    def run(no_grad: set[str]) -> dict[str, torch.Tensor]:
        gradient = grad_op(forward, no_grad)
        names = {name for op in (forward, gradient) for _, name in op.names()} - {EMPTY}
        made = {name: VarDesc(name, dtype=torch.float32, dims=tuple(feed[name].shape) if name in feed else ()) for name in names}
        wanted = [name for some in gradient.outputs.values() for name in some if name != EMPTY]
        program = ProgramDesc([BlockDesc(vars=made, ops=[forward, gradient])])
        return dict(zip(wanted, Executor(program, {}).run(feed, wanted)))

    whole, some = run(set()), run({*unwanted})
    assert whole.keys() - some.keys() == {*unwanted}
    torch.testing.assert_close(some, {name: whole[name] for name in some})
