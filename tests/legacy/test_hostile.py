"""Mutants of files end in a program or in an error that we raise, with memory in proportion to the file. A program that is
valid then runs, or ends in an error.

`PHI_MUTANTS=20000 python -m pytest tests/legacy/test_hostile.py` tries more of them; a mutant follows from its number alone.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from forked import outcomes

from phi_torch import legacy
from phi_torch._paddle.parameters import read_combined
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._prepare import Prepared
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program
from phi_torch.legacy.single import attribute_of

from .models import FOLDERS, feed_of
from .mutants import MUTANTS, ON_BYTES, described, outcome, ran, small_ones_first

SLACK = 1 << 17  # bytes: what a reader needs for an empty file
RUN = 1 << 16  # bytes of a program that is run
CHANGES = (None, None, *ON_BYTES)  # of a description that was read, or of bytes


def run(program: ProgramDesc, parameters: dict[str, torch.Tensor], feed: dict[str, torch.Tensor]) -> str:
    """What becomes of a program that may do anything that operators do: it may loop for ever, and ask for any memory."""
    return ran(lambda: Executor(program, {name: value.clone() for name, value in parameters.items()}).run(feed))


def test_programs():
    models = []
    for folder in FOLDERS:
        for file in folder.glob("*.pdmodel"):
            program = legacy.read_program(file)
            parameters = legacy.read_model(file)[1] if file.stem == "model" else {}
            feed = feed_of(np.load(folder / "io.npz")) if file.stem == "model" else {}
            models.append((file.read_bytes(), program, parameters, feed))
    sizes = [len(data) for data, *_ in models]

    def attempt(number: int) -> str:
        rng = random.Random(f"program {number}")
        data, program, parameters, feed = models[small_ones_first(sizes, rng)]
        change = rng.choice(CHANGES)
        mutant = described(program, rng) if change is None else change(data, rng)
        if not outcome(partial(read_program, mutant), len(mutant), SLACK):
            return "refused"
        try:
            prepared = Prepared(read_program(mutant), "mutant", print)
        except ProgramError as error:
            assert str(error)
            return "does not fit"
        return run(prepared.desc, parameters, feed) if len(data) < RUN and not prepared.missing else "prepared"

    found = outcomes(attempt, MUTANTS)
    assert found.keys() >= {"refused", "does not fit", "ran", "failed"}, found


@pytest.mark.parametrize("shared", [True, False], ids=["combined", "any names"])
def test_parameters(shared: bool, tmp_path: Path):
    files = [(legacy.read_model(folder)[0].saved_names(), file) for folder in FOLDERS for file in folder.glob("*.pdiparams")]
    sizes = [file.stat().st_size for _, file in files]

    def attempt(number: int) -> str:
        rng = random.Random(f"parameters {number}")
        names, file = files[small_ones_first(sizes, rng)]
        mutant = rng.choice(ON_BYTES)(file.read_bytes(), rng)
        path = tmp_path / f"{number}"
        path.write_bytes(mutant)
        names = names if shared else rng.choice(files)[0]
        valid = outcome(partial(read_combined, path, names), len(mutant), SLACK)
        path.unlink()
        return "valid" if valid else "refused"

    assert outcomes(attempt, MUTANTS // 2)["refused"]


def nested(depth: int, twice: bool) -> ProgramDesc:
    """Blocks of which each runs the next one, or runs it twice."""
    run = OpDesc("while", {"X": ["x"]}, {}, {})
    program = ProgramDesc([BlockDesc(vars={"x": VarDesc("x", dtype=torch.float32, dims=(2,))})])
    for idx in range(1, depth + 1):
        op = OpDesc(run.type, {"X": ["x"], "Condition": ["x"]}, {}, {"sub_block": Attribute("BLOCK", idx)})
        program.blocks[-1].ops = [op] * (1 + twice)
        program.blocks.append(BlockDesc(idx, idx - 1))
    return program


def test_many_blocks():
    with pytest.raises(ProgramError, match="block 101: it stands 101 blocks deep; expected at most 100"):
        read_program(write_program(nested(3000, False)))
    program = read_program(write_program(nested(60, True)))  # 2**60 ways through it
    prepared = Prepared(program, "program", print)
    assert prepared.last_uses(["x"])[0] == [[], []]


def test_many_unknown_names():
    names = [f"name{number}" for number in range(3000)]
    program = ProgramDesc([BlockDesc(vars={f"{name}x": VarDesc(f"{name}x") for name in names})])
    program.blocks[0].ops = [OpDesc("relu", {"X": names})]
    with pytest.raises(ProgramError, match="3000 faults"):
        read_program(write_program(program))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("type", "slot", "out", "attrs"),
    [
        ("unbind", "X", "Out", {"axis": 0}),
        ("unstack", "X", "Y", {"axis": 0, "num": 2}),
        ("split", "X", "Out", {"axis": 0, "num": 2}),
        ("split", "X", "Out", {"axis": 0, "sections": [1, 1]}),
        ("broadcast_tensors", "X", "Out", {}),
        ("meshgrid", "X", "Out", {}),
    ],
)
def test_another_number_of_results_than_an_operator_gives(type: str, slot: str, out: str, attrs: dict[str, Any], count: int):
    names, results = (["a", "b"] if type in ("broadcast_tensors", "meshgrid") else ["a"]), [f"y{at}" for at in range(count)]
    given = {name: torch.ones(2) if type == "meshgrid" else torch.ones(2, 3) for name in names}
    variables = {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), need_check_feed=True) for name, one in given.items()}
    variables |= {name: VarDesc(name, dtype=torch.float32, dims=(-1, -1)) for name in results}
    op = OpDesc(type, {slot: names}, {out: results}, {name: attribute_of(type, name, one) for name, one in attrs.items()})
    executor = Executor(ProgramDesc([BlockDesc(vars=variables, ops=[op])]), {})
    with pytest.raises(ValueError, match=f"result 'out': expected 2 tensors, got {count}"):
        executor.run(given, results)
