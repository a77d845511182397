"""Mutants of files end in a program or in an error that we raise, with memory in proportion to the file.

`PHI_MUTANTS=20000 python -m pytest tests/legacy/test_hostile.py` tries more of them.
"""

from __future__ import annotations

import contextlib
import random
from functools import partial
from pathlib import Path

import pytest
import torch

from phi_torch import legacy
from phi_torch._paddle.parameters import read_combined
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._prepare import Prepared
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program

from .models import FOLDERS
from .mutants import MUTANTS, ON_BYTES, described, outcome

SLACK = 1 << 17  # bytes: what a reader needs for an empty file


def test_programs():
    read = [(legacy.read_model(folder)[0], file.read_bytes()) for folder in FOLDERS for file in folder.glob("*.pdmodel")]
    rng, valid = random.Random(0), 0
    for _ in range(MUTANTS):
        program, data = rng.choice(read)
        mutate = rng.choice((None, *ON_BYTES))
        mutant = described(program, rng) if mutate is None else mutate(data, rng)
        if outcome(partial(read_program, mutant), len(mutant), SLACK):
            valid += 1
            with contextlib.suppress(ProgramError):
                Prepared(read_program(mutant), "mutant", print)
    assert MUTANTS / 20 < valid < MUTANTS, "the mutants are all alike"


@pytest.mark.parametrize("shared", [True, False], ids=["combined", "any names"])
def test_parameters(shared: bool, tmp_path: Path):
    files = [(legacy.read_model(folder)[0], file) for folder in FOLDERS for file in folder.glob("*.pdiparams")]
    rng, valid = random.Random(1), 0
    for number in range(MUTANTS // 2):
        program, file = rng.choice(files)
        mutant = rng.choice(ON_BYTES)(file.read_bytes(), rng)
        path = tmp_path / f"{number}"
        path.write_bytes(mutant)
        names = program.saved_names() if shared else rng.choice(files)[0].saved_names()
        valid += outcome(partial(read_combined, path, names), len(mutant), SLACK)
        path.unlink()
    assert valid < MUTANTS // 2


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
