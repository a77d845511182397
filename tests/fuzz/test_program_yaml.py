"""Definitions and names of programs' operators that are wrong in random ways: every error is a diagnostic at its place."""

import random
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # at the end: the folder yaml/ must not hide PyYAML

from codegen.check.program_ops import check_program_ops  # noqa: E402
from codegen.emit.program import op_info  # noqa: E402
from codegen.load import own_ops  # noqa: E402
from codegen.model.diagnose import CODES, Diagnostics  # noqa: E402
from codegen.model.op import OpSet  # noqa: E402
from codegen.read.op_compat import read_op_compat  # noqa: E402
from codegen.read.program_ops import read_program_ops  # noqa: E402
from codegen.view.program_ops import program_ops  # noqa: E402

from .mutate import damaged, mutated  # noqa: E402
from .test_yaml import limited  # noqa: E402

CASES, PARTS = 4_000, 4


def entries(name: str) -> list[str]:
    return re.split(r"(?m)^(?=- )", (ROOT / "yaml" / name).read_text(encoding="utf-8"))[1:]


def diagnose(folder: Path, texts: dict[str, bytes], opset: OpSet) -> Diagnostics:
    """The errors of the files; what has none is emitted."""
    diag = Diagnostics()
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    compats = read_op_compat(folder / "op_compat.yaml", "op_compat.yaml", diag)
    written = read_program_ops(folder / "program_ops.yaml", "program_ops.yaml", diag)
    check_program_ops(opset, compats, written, folder, diag)
    if not diag:
        op_info.emit(OpSet((), program_ops=program_ops(opset, compats, written)), "")
    heads = re.findall(r"(?m)^(.*?):(\d+):(\d+): error\[(PHI\d+)\]: .", diag.render())
    assert len(heads) >= len(diag.errors) and all(error.help for error in diag.errors)
    for name, line, _, code in heads:
        assert 0 < int(line) <= texts[name].decode("utf-8", "replace").count("\n") + 2 and code in CODES
    return diag


@pytest.mark.parametrize("part", range(PARTS))
def test_every_error_is_a_diagnostic(part: int, tmp_path: Path):
    opset, names = own_ops(), ("op_compat.yaml", "program_ops.yaml")
    sources = {name: entries(name) for name in names}
    codes: set[str] = set()
    for number in range(part * CASES // PARTS, (part + 1) * CASES // PARTS):
        rng = random.Random(f"program {number}")
        whole = {name: "".join(rng.sample(sources[name], 2)) for name in names}
        hurt = rng.choice(names)
        texts = {name: damaged(mutated(text, rng), rng) if name == hurt else text.encode() for name, text in whole.items()}
        with limited(f"case {number}"):
            try:
                diag = diagnose(tmp_path, texts, opset)
            except Exception as error:
                shown = texts[hurt].decode("utf-8", "backslashreplace")[:3000]
                raise AssertionError(f"case {number}: {error!r}\n{shown}") from error
        codes.update(error.code for error in diag.errors)
    assert len(codes) > 8  # the edits reach many rules
