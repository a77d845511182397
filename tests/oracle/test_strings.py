"""The operators of strings against PaddlePaddle's, which has them for UTF-8: without it its results are empty strings."""

import unicodedata
from pathlib import Path

import pytest

import phi_torch
from phi_torch import _oracle
from phi_torch._oracle.client import Worker

# every letter of the basic plane that all versions of Unicode since Paddle's table have
LETTERS = ("Lu", "Ll", "Lt", "Lo", "Nd", "So")
KNOWN = [chr(code) for code in range(1, 0x10000) if unicodedata.ucd_3_2_0.category(chr(code)) in LETTERS]


@pytest.mark.oracle
@pytest.mark.parametrize("op", ["strings_lower", "strings_upper"])
def test_letters(op):
    """All but the letters of a title, which Paddle leaves as they are, and the sharp s, whose capital is a later letter."""
    python = _oracle.python()
    assert python, "no PaddlePaddle: `make oracle-env` installs it"
    worker = Worker(python, Path(__file__).with_name("paddle_strings.py"), threads=1)
    theirs = worker.ask({"op": op, "strings": KNOWN}, 60)["strings"]
    worker.close()
    ours = getattr(phi_torch, op)(phi_torch.StringTensor(KNOWN), True).tolist()
    differ = {letter for letter, a, b in zip(KNOWN, ours, theirs) if a != b and unicodedata.ucd_3_2_0.category(a) != "Cn"}
    titles = {letter for letter in KNOWN if unicodedata.category(letter) == "Lt"}
    assert differ - titles == ({"ß"} if op == "strings_upper" else set())
    assert sum(letter != b for letter, b in zip(KNOWN, theirs)) > 700
