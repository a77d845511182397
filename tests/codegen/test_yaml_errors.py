"""One wrong YAML text per diagnostic, with everything that is printed; diagnostics.txt holds the pairs.

EXPECTTEST_ACCEPT=1 rewrites the expected halves.
"""

import os
import re
from pathlib import Path

import pytest
from _yaml import read

from codegen.check_tree import check_tree
from codegen.diagnose import CODES

GOLDEN = Path(__file__).with_name("diagnostics.txt")
SOURCES = {
    "infermeta/unary.h": """
template <class Dim> void UnchangedInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out);
template <class Dim> void ElementwiseInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out);
template <class Dim> void SumInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, MetaTensor<Dim>* out);
""",
    "kernels/cpu/scale.cc": """
// PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, F, float) {}
template <typename T, typename Context>
void ScaleKernel(const Context& ctx, const DenseTensor& x, DenseTensor* out) {}
PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float) {}
template <typename T, typename Context>
void FadeKernel(const Context& dev_ctx, const phi::DenseTensor& x, float scale, bool late, DenseTensor* out) {}
PD_REGISTER_KERNEL(fade, CPU, ALL_LAYOUT, phi::FadeKernel, float) {}
""",
    "kernels/impl/swish.h": "template <typename T> struct SwishFunctor {};\nstruct SwishGradFuncto {};",
}
TWICE = {
    "kernels/relu.cc": "PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float, double) {}",
    "kernels/cpu/relu.cc": "PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, phi::dtype::float16, double) {}",
}
FUNCTIONS = {"sigmoid", "exp", "tanh"}


def cases() -> dict[str, tuple[str, str]]:
    parts = re.split(r"^==== (PHI\d+)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = {}
    for code, case in zip(parts[1::2], parts[2::2], strict=True):
        text, _, expected = case.partition("----\n")
        pairs[code] = (text, expected)
    return pairs


def rendered(code: str, text: str, folder: Path) -> str:
    """What is printed for `text`; the codes about other files see some."""
    csrc = folder / "csrc"
    files = TWICE if code == "PHI046" else SOURCES if code in ("PHI036", "PHI037", "PHI038", "PHI044", "PHI045") else {}
    for name, source in files.items():
        (csrc / name).parent.mkdir(parents=True, exist_ok=True)
        (csrc / name).write_text(source, encoding="utf-8")
    known = {"torch": FUNCTIONS, "aten": {"view"}}
    opset, diag = read(text, csrc=csrc if files else None, names_of=known.get)
    if code in ("PHI047", "PHI048"):
        samples = folder / "tests" / "ops" / "samples"
        samples.mkdir(parents=True)
        for name in ("__init__", "tanh", "sinn"):
            (samples / f"{name}.py").touch()
        check_tree(opset, samples, diag)
    return diag.render() + "\n"


def test_every_code_has_a_case():
    assert sorted(cases()) == sorted(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_diagnostic(code: str, tmp_path: Path):
    text, expected = cases()[code]
    got = rendered(code, text, tmp_path)
    assert f"error[{code}]" in got
    if os.environ.get("EXPECTTEST_ACCEPT"):
        whole = GOLDEN.read_text(encoding="utf-8")
        old = f"==== {code}\n{text}" + (f"----\n{expected}" if expected else "")
        GOLDEN.write_text(whole.replace(old, f"==== {code}\n{text}----\n{got}"), encoding="utf-8")
    else:
        assert got == expected
