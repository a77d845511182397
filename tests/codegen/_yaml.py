"""Reads YAML text with the code generator of this checkout, which needs neither torch nor a build."""

import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # at the end: the folder yaml/ must not hide PyYAML

from codegen.check.entries import check  # noqa: E402
from codegen.model.diagnose import Diagnostics  # noqa: E402
from codegen.model.op import Op, OpSet  # noqa: E402
from codegen.read.parse import parse_text  # noqa: E402
from codegen.read.parse import resolve as resolve_forward  # noqa: E402
from codegen.read.sources import Sources  # noqa: E402


def read(text: str, csrc: Path | None = None, **options: Any) -> tuple[OpSet, Diagnostics]:
    """Parses and checks `text` as the file ops.yaml; `csrc` is the folder of the C++ sources."""
    diag = Diagnostics()
    opset = resolve_forward(parse_text(textwrap.dedent(text), "ops.yaml", diag))
    check(opset, diag, sources=None if csrc is None else Sources([csrc]), **options)
    return opset, diag


def ops(text: str, **options: Any) -> OpSet:
    """The ops of a text without errors."""
    opset, diag = read(text, **options)
    assert not diag, diag.render()
    return opset


def op(text: str) -> Op:
    """The one op of a text that the rules across entries need not accept."""
    diag = Diagnostics()
    (only,) = parse_text(textwrap.dedent(text), "ops.yaml", diag)
    assert not diag, diag.render()
    return only
