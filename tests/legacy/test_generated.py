"""Random calls of each operator, and of its gradient, against live PaddlePaddle, which runs the same OpDesc.

Of each operator 20 calls at least agree with either version, 3.3.1 and 2.6.2, that has it.

`PHI_CALLS=200 python -m pytest tests/legacy/test_generated.py -k conv2d` tries more of them.
"""

from __future__ import annotations

import itertools
import os
import pickle
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from phi_torch import _oracle, legacy
from phi_torch.legacy import BlockDesc, LoDTensor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._definition import definition
from phi_torch.legacy._derived_gradients import DERIVED
from phi_torch.legacy._write import write_program
from phi_torch.legacy.description import EMPTY
from phi_torch.legacy.single import _typed, attribute_of

from . import (  # noqa: F401  # which add their recipes
    recipes_detection,
    recipes_fused,
    recipes_images,
    recipes_nn,
    recipes_programs,
    recipes_regions,
    recipes_sequences,
    recipes_vision,
)
from .draw import Call, Draw
from .models import assert_agrees
from .recipes import RECIPES
from .recipes_samples import ABSENT, ALL_DIFFER, MEANT, MEANT_BY, OTHER_NAMES, OWN_GRADIENTS, SAMPLED

CALLS = int(os.environ.get("PHI_CALLS", "32"))
LEAST = CALLS * 5 // 8  # of which Paddle has to run so many
BATCH = CALLS * 3 // 4  # calls at a time, until so many agree
MOST = BATCH * 24  # calls, where Paddle refuses many
# variables that are an input and an output, or whose values say nothing to a person
SHARED = {
    "MeanOut": "Mean",
    "VarianceOut": "Variance",
    **{f"{name}Out": name for name in ("Param", "Velocity", "Moment1", "Moment2")},
}
SHARED |= {"Beta1PowOut": "Beta1Pow", "Beta2PowOut": "Beta2Pow"}
HIDDEN = {"XShape", "ReserveSpace", "Mask"}


class Both:
    """A call as a program for Paddle, and what we give for its operators: `found` by variable, or an `error`."""

    def __init__(self, type: str, call: Call, draw: Draw) -> None:
        self.call, self.found, self.error = call, dict[str, Tensor](), None
        self.ops, self.feed = [OpDesc(type)], dict[str, Tensor]()
        op, given = self.ops[0], {slot: tensors(one) for slot, one in call.inputs.items()}
        for slot, some in given.items():
            op.inputs[slot] = [name_of(slot, i) for i in range(len(some))]
            self.feed |= zip(op.inputs[slot], some)
        op.outputs = {slot: [f"out_{name_of(slot, i)}" for i in range(count)] for slot, count in call.outputs.items()}
        op.outputs |= {slot: op.inputs[of] for slot, of in SHARED.items() if slot in op.outputs and of in op.inputs}
        known = definition(type)
        op.attrs = {name: _typed(known, name, attribute_of(type, name, value)) for name, value in call.attrs.items()}
        hidden = HIDDEN.union(call.unspecified)
        self.fetch = [name for slot, names in op.outputs.items() if slot not in hidden for name in names]
        try:
            found = legacy.run_op(type, {s: copied(one) for s, one in call.inputs.items()}, call.attrs, call.outputs)
            ours = {slot: tensors(one) for slot, one in found.items()}
            for slot, some in ours.items():
                self.found |= zip(op.outputs[slot], some) if slot not in hidden else ()
            if call.wanted:
                self._add_gradient(given, ours, draw)
        except Exception as error:
            self.error = error

    def _add_gradient(self, given: dict[str, list[Tensor]], ours: dict[str, list[Tensor]], draw: Draw) -> None:
        op, call = self.ops[0], self.call
        unwanted = {f"{name}@GRAD" for slot, names in op.inputs.items() if slot not in call.wanted for name in names}
        grad = legacy.grad_op(op, unwanted)
        values = {name: one for slot, some in given.items() for name, one in zip(op.inputs[slot], some)}
        values |= {name: one for slot, some in ours.items() for name, one in zip(op.outputs[slot], some)}
        for name in (name for names in grad.inputs.values() for name in names if name.endswith("@GRAD")):
            of = values[name.removesuffix("@GRAD")]
            made = draw.tensor(of.shape, of.dtype)
            self.feed[name] = values[name] = LoDTensor(made, of.lod) if isinstance(of, LoDTensor) else made
        self.ops.append(grad)
        self.fetch += [name for names in grad.outputs.values() for name in names if name != EMPTY]
        slots = {slot: [values[name] for name in names] for slot, names in grad.inputs.items() if names and names[0] in values}
        lists = {slot for slot, one in call.inputs.items() if isinstance(one, list)}
        lists |= {slot for slot, one in (definition(op.type).outputs | definition(grad.type).inputs).items() if one.is_list}
        lists |= {f"{slot}@GRAD" for slot in lists}
        inputs = {slot: some if slot in lists else some[0] for slot, some in slots.items()}
        wanted = {
            slot: len(names) for slot, names in grad.outputs.items() if set(names) > {EMPTY} or (names and EMPTY not in names)
        }
        found = legacy.run_op(grad.type, inputs, grad.attrs, wanted)
        for slot, one in found.items():
            self.found |= zip(grad.outputs[slot], tensors(one))

    @property
    def program(self) -> ProgramDesc:
        names = [name for op in self.ops for _, name in op.names() if name != EMPTY]
        dtype = next((tensor.dtype for tensor in self.feed.values()), torch.float32)
        made = {name: VarDesc(name, dtype=dtype, dims=()) for name in names}
        for name, one in self.feed.items():
            levels = len(one.lod) if isinstance(one, LoDTensor) else 0
            made[name] = VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), lod_level=levels)
        return ProgramDesc([BlockDesc(vars=made, ops=self.ops)])


def name_of(slot: str, index: int) -> str:
    return f"{slot.lower()}_{index}"


def tensors(given: Any) -> list[Tensor]:
    return [given] if isinstance(given, Tensor) else list(given)


def copied(given: Any) -> Any:
    if isinstance(given, LoDTensor):
        return LoDTensor(given.clone(), given.lod)
    return given.clone() if isinstance(given, Tensor) else [*map(copied, given)]


def all_of(type: str, numbers: Iterable[int] = range(CALLS)) -> Iterator[Both]:
    for number in numbers:
        draw = Draw(f"{type} {number}")
        yield Both(type.split()[0], (RECIPES | SAMPLED)[type](draw), draw)


class Paddle:
    """A process of Paddle's that runs programs."""

    def __init__(self, version: str, python: str) -> None:
        self.version = version
        script = Path(__file__).with_name("paddle_programs.py")
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen([python, "-I", str(script)], text=True, stdin=pipe, stdout=pipe, stderr=null)

    def run(self, calls: list[Both], folder: Path) -> list[Any]:
        """What each call gives, or an error."""
        places = [folder / f"{number:04}.pdmodel" for number in range(len(calls))]
        for place, both in zip(places, calls):
            program = both.program
            for op in program.blocks[0].ops:
                op.type = OTHER_NAMES[self.version].get(op.type, op.type)
            place.write_bytes(write_program(program))
            feed = {name: tensor.numpy() for name, tensor in both.feed.items()}
            lods = {name: tensor.lod for name, tensor in both.feed.items() if isinstance(tensor, LoDTensor)}
            place.with_suffix(".pkl").write_bytes(pickle.dumps({"feed": feed, "lods": lods, "fetch": both.fetch}))
        print(folder, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"
        return [pickle.loads(place.with_suffix(".out").read_bytes()) for place in places]


@pytest.fixture(scope="module")
def paddle(request: pytest.FixtureRequest) -> Iterator[Paddle]:
    python = _oracle.python(request.param)
    if python is None:
        pytest.skip(f"no PaddlePaddle {request.param}: `make oracle-env PADDLE={request.param}` installs it")
    worker = Paddle(request.param, python)
    yield worker
    worker.process.communicate()


def run_beside(type: str, paddle: Paddle, folder: Path, numbers: Iterable[int]) -> tuple[list[list[str]], set[str]]:
    """What differs in each call that Paddle ran, and why it refused others."""
    problems, refused = list[list[str]](), set[str]()
    calls = list(all_of(type, numbers))
    folder.mkdir()
    for number, both, expected in zip(numbers, calls, paddle.run(calls, folder)):
        if isinstance(expected, str):
            if expected.endswith("SIGILL"):  # its own kernels choose by the processor; some of its libraries' do not
                pytest.skip(f"{type}: PaddlePaddle's kernel has instructions that this processor lacks")
            refused.add(expected[-300:])
            continue
        what = [repr(both.error)] if both.error is not None else differences(both, expected)
        problems.append([f"{number}: {shown(both.call)}: {one}" for one in what])
    return problems, refused


def not_meant(type: str, paddle: Paddle, found: list[list[str]]) -> list[str]:
    reasons = [table[type][0] for table in (MEANT, MEANT_BY[paddle.version]) if type in table]
    return [one for one in itertools.chain(*found) if not any(re.search(why, one) for why in reasons)]


def assert_none(problems: list[str], refused: set[str]) -> None:
    assert not problems, "\n".join([f"{len(problems)} problems", *problems[:10], *map(repr, refused)])


@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"], indirect=True)
@pytest.mark.parametrize("type", sorted(RECIPES))
def test_calls(type: str, paddle: Paddle, tmp_path: Path):
    if type in ABSENT[paddle.version]:
        assert_absent(type, paddle, tmp_path)
        return
    found, refused = run_beside(type, paddle, tmp_path / "calls", range(CALLS))
    assert_none(not_meant(type, paddle, found), refused)
    assert len(found) >= LEAST, f"Paddle ran {len(found)} of {CALLS}: {refused}"


@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"], indirect=True)
@pytest.mark.parametrize("type", sorted(SAMPLED))
def test_samples(type: str, paddle: Paddle, tmp_path: Path):
    """As many calls as it takes: Paddle refuses more of these, as samples are of all data types, empty and numbers."""
    if type in ABSENT[paddle.version]:
        assert_absent(type, paddle, tmp_path)
        return
    run_samples(type, paddle, tmp_path, MOST)


def assert_absent(type: str, paddle: Paddle, folder: Path) -> None:
    found, refused = run_beside(type, paddle, folder / "calls", range(4))
    assert not found and all(
        re.search("has not been registered|no kernels which are registered|doesn't support|not find", one) for one in refused
    ), refused


def run_samples(type: str, paddle: Paddle, folder: Path, most: int) -> None:
    agreed, refused = 0, set[str]()
    for first in range(0, most, BATCH):
        found, more = run_beside(type, paddle, folder / f"{first}", range(first, first + BATCH))
        refused |= more
        assert_none(not_meant(type, paddle, found), refused)
        agreed += sum(not problems or type in ALL_DIFFER[paddle.version] for problems in found)
        if agreed >= LEAST:
            return
    raise AssertionError(f"Paddle gives the same for {agreed} of {most} calls: {refused}")


def shown(call: Call) -> str:
    def short(one: Any) -> Any:
        if not isinstance(one, Tensor):
            return [*map(short, one)]
        if isinstance(one, LoDTensor):
            return f"{str(one.dtype)[6:]}{[*one.shape]} lod {one.lod}"
        return f"{str(one.dtype)[6:]}{[*one.shape]}" if one.numel() > 4 else f"{str(one.dtype)[6:]} {one.tolist()}"

    return f"{ {slot: short(one) for slot, one in call.inputs.items()} } {dict(call.attrs)} for {call.wanted}"


def differences(both: Both, expected: dict[str, Any]) -> Iterator[str]:
    for name in both.fetch:
        value, one = both.found.get(name), expected[name]
        if one is None or value is None:
            if value is not None and value.numel():
                yield f"{name}: Paddle gives nothing"
            if one is not None:
                yield f"{name}: got nothing"
            continue
        data, dtype, shape, lod = one
        got = value.lod if isinstance(value, LoDTensor) else []
        if lod != got and not (name.endswith("@GRAD") and not lod):  # some of Paddle's gradients lose them
            yield f"{name}: got lod {got}, expected {lod}"
        try:
            assert_agrees(value, np.frombuffer(data, dtype).reshape(shape), name)
        except AssertionError as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            yield f"{name}: got {value.dtype} {[*value.shape]}, expected {dtype} {[*shape]}; {' '.join(lines[:6])[:300]}"


# operators whose gradients run the operator again, or are written for programs
OF_PROGRAMS = {
    *DERIVED,
    *("affine_grid", "bilinear_tensor_product", "channel_shuffle", "cholesky", "einsum", "erfinv", "fft_c2c", "fill_diagonal"),
    *("fill_diagonal_tensor", "imag", "inverse", "pixel_unshuffle", "real", "temporal_shift", "unstack"),
}


@pytest.mark.parametrize("type", sorted((RECIPES.keys() | (SAMPLED.keys() & OF_PROGRAMS)) - OWN_GRADIENTS.keys()))
def test_gradient_operators_are_what_autograd_gives(type: str):
    for number, both in itertools.islice(enumerate(all_of(type)), 8):
        assert both.error is None, f"{number}: {shown(both.call)}: {both.error!r}"
        if len(both.ops) == 1:
            continue
        forward, given = both.ops[0], {slot: copied(one) for slot, one in both.call.inputs.items()}
        leaves = {name: one for slot in both.call.wanted for name, one in zip(forward.inputs[slot], tensors(given[slot]))}
        leaves = {name: one for name, one in leaves.items() if f"{name}@GRAD" in both.found}
        for leaf in leaves.values():
            leaf.requires_grad_()
        found = legacy.run_op(forward.type, given, both.call.attrs, both.call.outputs)
        pairs = [(one, f"{name}@GRAD") for slot, many in found.items() for one, name in zip(tensors(many), forward.outputs[slot])]
        outs = [(one, both.feed[name]) for one, name in pairs if name in both.feed]
        expected = torch.autograd.grad([one for one, _ in outs], list(leaves.values()), [cotangent for _, cotangent in outs])
        for name, one in zip(leaves, expected):
            what = f"{number}, {name}: {shown(both.call)}: got {both.found[f'{name}@GRAD']}, expected {one}"
            torch.testing.assert_close(both.found[f"{name}@GRAD"], one, msg=what)
