"""Mutants of Paddle 3's files end in a program or in an error that we raise, with memory in proportion to the file.

`PHI_MUTANTS=20000 python -m pytest tests/ir/test_paddle_hostile.py` tries more of them.
"""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from legacy.mutants import ON_BYTES

from phi_torch._paddle.faults import ProgramError
from phi_torch.ir.paddle import read_document, read_parameters, write_document
from phi_torch.ir.paddle.json_text import SLACK

from .paddle_models import FOLDERS
from .paddle_mutants import mutant

MUTANTS = int(os.environ.get("PHI_MUTANTS", "300"))


def outcome(read: Callable[[], object], size: int) -> bool:
    """Whether `read` gives a value; an error of ours otherwise."""
    tracemalloc.start()
    try:
        read()
        return True
    except ProgramError as error:
        assert str(error)
        return False
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 8 * size + SLACK


def test_programs():
    files = [(folder / "model.json").read_bytes() for folder in FOLDERS]
    rng, valid = random.Random(0), 0
    for _ in range(MUTANTS):
        mutate = rng.choice((*ON_BYTES, *[mutant] * 6))
        data = mutate(rng.choice(files), rng)
        if outcome(partial(read_document, data), len(data)):
            valid += 1
            document = read_document(data)
            assert read_document(write_document(document)) == document
    assert MUTANTS / 20 < valid < MUTANTS, "the mutants are all alike"


def test_parameters(tmp_path: Path):
    read = [(read_document((folder / "model.json").read_bytes()), folder / "model.pdiparams") for folder in FOLDERS]
    rng, valid = random.Random(1), 0
    for number in range(MUTANTS // 4):
        document, file = rng.choice(read)
        data = rng.choice(ON_BYTES)(file.read_bytes(), rng)
        path = tmp_path / f"{number}"
        path.write_bytes(data)
        valid += outcome(partial(read_parameters, document, path), len(data))
        path.unlink()
    assert valid < MUTANTS // 4


LEAVES = {
    **{
        "lists": "[]",
        "objects": '{"a":1}',
        "texts": '"ab"',
        "numbers": "1234",
        "floats": "1.5",
        "attributes": '{"#":"0.a_f32","D":1.5}',
    },
    **{"types": '{"#":"0.t_f32"}', "names": '{"abcdefghijklm":""}'},
}


@pytest.mark.parametrize("leaf", LEAVES)
def test_memory_of_long_lists(leaf: str):
    value = f'{{"N":"x","AT":{{"#":"0.a_array","D":[{",".join([LEAVES[leaf]] * 60_000)}]}}}}'
    op = f'{{"#":"1.x","A":[{value}],"I":[],"O":[]}}'
    base = json.dumps({"magic": "pir", "version": 4})
    data = f'{{"base_code":{base},"program":{{"regions":[{{"#":"","blocks":[{{"#":"","args":[],"ops":[{op}]}}]}}]}}}}'.encode()
    assert outcome(partial(read_document, data), len(data)) == (leaf in ("attributes", "types"))
