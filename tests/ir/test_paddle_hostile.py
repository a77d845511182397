"""Mutants of Paddle 3's files end in a program or in an error that we raise, with memory in proportion to the file.

`PHI_MUTANTS=20000 python -m pytest tests/ir/test_paddle_hostile.py` tries more of them.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path

import pytest
from legacy.mutants import MUTANTS, ON_BYTES, outcome

from phi_torch import ir
from phi_torch.ir import ProgramError
from phi_torch.ir.json_text import SLACK
from phi_torch.ir.paddle import Document, read_document, read_parameters, to_document, to_program, write_document

from .paddle_models import FOLDERS
from .paddle_mutants import mutant


def program_of(document: Document) -> ir.Program | None:
    """None for a document whose operators are not what they declare."""
    try:
        return to_program(document, {})
    except (ProgramError, ir.VerifyError) as error:
        assert str(error)
        return None


def test_programs():
    files = [(folder / "model.json").read_bytes() for folder in FOLDERS]
    rng, valid, programs = random.Random(0), 0, 0
    for _ in range(MUTANTS):
        mutate = rng.choice((*ON_BYTES, *[mutant] * 6))
        data = mutate(rng.choice(files), rng)
        if outcome(partial(read_document, data), len(data), SLACK):
            valid += 1
            document = read_document(data)
            assert read_document(write_document(document)) == document
            if (program := program_of(document)) is not None:
                programs += 1
                text = str(program)
                assert str(ir.parse(text)) == text
                assert str(to_program(read_document(write_document(to_document(program))), {})) == text
    assert MUTANTS / 40 < programs < valid, "the mutants are all alike"
    assert MUTANTS / 20 < valid < MUTANTS, "the mutants are all alike"


def test_texts(tmp_path: Path):
    """A `.phi` file with the weights of another text."""
    rng, valid = random.Random(2), 0
    for folder in FOLDERS:
        ir.load(folder).save(tmp_path / f"{folder.name}.phi")
    read = [(path, path.read_bytes()) for path in sorted(tmp_path.glob("*.phi"))]
    for _ in range(MUTANTS):
        path, data = rng.choice(read)
        path.write_bytes(rng.choice(ON_BYTES)(data, rng))
        try:
            program = ir.load(path)
            valid += 1
            assert str(ir.parse(str(program))) == str(program)
        except (ProgramError, ir.ParseError, ir.VerifyError) as error:
            assert str(error)
        path.write_bytes(data)
    assert MUTANTS / 200 < valid < MUTANTS, "the mutants are all alike"


def test_parameters(tmp_path: Path):
    read = [(read_document((folder / "model.json").read_bytes()), folder / "model.pdiparams") for folder in FOLDERS]
    rng, valid = random.Random(1), 0
    for number in range(MUTANTS // 4):
        document, file = rng.choice(read)
        data = rng.choice(ON_BYTES)(file.read_bytes(), rng)
        path = tmp_path / f"{number}"
        path.write_bytes(data)
        valid += outcome(partial(read_parameters, document, path), len(data), SLACK)
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
    assert outcome(partial(read_document, data), len(data), SLACK) == (leaf in ("attributes", "types"))
