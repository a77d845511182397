"""One wrong YAML text per diagnostic, with everything that is printed; diagnostics.txt holds the pairs.

EXPECTTEST_ACCEPT=1 rewrites the expected halves.
"""

import os
import re
from pathlib import Path

import pytest
from _yaml import read

from codegen.diagnose import CODES

GOLDEN = Path(__file__).with_name("diagnostics.txt")
SOURCES = {
    "infermeta/unary.h": "template <class Dim> void UnchangedInferMeta(const MetaTensor<Dim>& x);\nvoid ElementwiseInferMeta();",
    "kernels/cpu/scale.cc": "// PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, F, float) {}\n"
    "PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float) {}",
    "kernels/impl/swish.h": "template <typename T> struct SwishFunctor {};\nstruct SwishGradFuncto {};",
}
FUNCTIONS = {"sigmoid", "exp", "tanh"}


def cases() -> dict[str, tuple[str, str]]:
    parts = re.split(r"^==== (PHI\d+)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = {}
    for code, case in zip(parts[1::2], parts[2::2], strict=True):
        text, _, expected = case.partition("----\n")
        pairs[code] = (text, expected)
    return pairs


def rendered(code: str, text: str, csrc: Path) -> str:
    for name, source in SOURCES.items():
        (csrc / name).parent.mkdir(parents=True, exist_ok=True)
        (csrc / name).write_text(source, encoding="utf-8")
    with_sources = code in ("PHI036", "PHI037", "PHI038")
    diag = read(text, csrc=csrc if with_sources else None, known_functions=FUNCTIONS)[1]
    return diag.render() + "\n"


def test_every_code_has_a_case():
    assert sorted(cases()) == sorted(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_diagnostic(code: str, tmp_path: Path):
    text, expected = cases()[code]
    got = rendered(code, text, tmp_path / "csrc")
    assert f"error[{code}]" in got
    if os.environ.get("EXPECTTEST_ACCEPT"):
        whole = GOLDEN.read_text(encoding="utf-8")
        old = f"==== {code}\n{text}" + (f"----\n{expected}" if expected else "")
        GOLDEN.write_text(whole.replace(old, f"==== {code}\n{text}----\n{got}"), encoding="utf-8")
    else:
        assert got == expected
