"""Mutants of Paddle 2's programs become a program or an error that we raise, and what becomes one runs, or ends in an error.

`PHI_MUTANTS=20000 python -m pytest tests/ir/test_from_legacy_hostile.py` tries more of them.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from forked import outcomes
from legacy.models import FOLDERS, feed_of
from legacy.mutants import MUTANTS, ON_BYTES, described, ran, small_ones_first

from phi_torch import ir, legacy
from phi_torch.legacy import ProgramError
from phi_torch.legacy._read import read_program

CHANGES = (None, None, None, *ON_BYTES)  # of a description that was read, or of bytes
MEMORY, ROUNDS = 1 << 28, 1000


def run(program: ir.Program, feed: dict[str, torch.Tensor]) -> str:
    def call() -> None:
        found = ir.compile(program, max_memory=MEMORY, max_iterations=ROUNDS)
        found(*(feed[name] for name, _ in found.inputs if name in feed))

    return ran(call)


def test_programs():
    models = []
    for folder in FOLDERS:
        file = folder / "model.pdmodel"
        if file.is_file():
            program, parameters = legacy.read_model(folder)
            models.append((file.read_bytes(), program, parameters, feed_of(np.load(folder / "io.npz"))))
    sizes = [len(data) for data, *_ in models]

    def attempt(number: int) -> str:
        rng = random.Random(f"translated {number}")
        data, program, parameters, feed = models[small_ones_first(sizes, rng)]
        change = rng.choice(CHANGES)
        mutant = described(program, rng) if change is None else change(data, rng)
        try:
            desc = read_program(mutant)
        except ProgramError:
            return "refused"
        try:
            translated = ir.from_legacy(desc, parameters)
        except (ProgramError, ir.VerifyError) as error:
            assert str(error)
            return "does not fit"
        assert str(ir.parse(str(translated))) == str(translated)
        return run(translated, feed)

    found = outcomes(attempt, MUTANTS)
    assert found.keys() >= {"refused", "does not fit", "ran"}, found
