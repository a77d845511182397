"""Where the compiler says that a generated kernel is wrong: at the functor or the function in the operator's header."""

import re
import subprocess
from pathlib import Path

import pytest

from codegen.emit.kernels import kernels
from codegen.load import ROOT, load, with_definitions
from codegen.model.diagnose import Diagnostics
from codegen.read.parse import parse_text, resolve
from codegen.read.sources import Sources
from phi_torch import _build
from phi_torch._build.flags import CPU_FLAGS

FUNCTOR = "category : unary"
FUNCTION = "category : general\n  infer_meta : {func : UnchangedInferMeta}\n  kernel : {func : halve}\n  dtypes : floating"
OPERATOR = "template <typename V>\n  HOSTDEVICE V operator()(V x) const { return x; }"
TEMPLATE = "template <typename T, typename Context>\nvoid HalveKernel(const Context& dev_ctx, const DenseTensor& x, "


def messages(folder: Path, entry: str, header: str) -> list[str]:
    """What g++ says of the generated kernel of `halve`, whose header is compiled as it is."""
    file = folder / "csrc" / "kernels" / "ops" / "halve.h"
    file.parent.mkdir(parents=True)
    file.write_text(
        '// halves\n#pragma once\n#include "primitive/math.h"\n\nnamespace phi {\n' + header + "\n}  // namespace phi\n"
    )
    diag = Diagnostics()
    text = f"- op : halve\n  args : (Tensor x)\n  output : Tensor(out)\n  {entry}\n"
    opset = with_definitions(resolve(parse_text(text, "ops.yaml", diag)), Sources([folder / "csrc"]))
    assert not diag, diag.render()
    for name, code in kernels.emit(opset, "").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)
    include = [f"-I{folder}", f"-I{folder / 'csrc'}", *_build.cxx_flags(), *CPU_FLAGS["avx2"]]
    command = ["g++", "-fsyntax-only", "-fno-diagnostics-show-caret", *include, str(folder / "kernels" / "cpu" / "halve_kernel.cc")]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()


@pytest.mark.parametrize(
    ("entry", "header", "error"),
    [
        (FUNCTOR, f"struct HalveFunctor {{\n  {OPERATOR.replace('return x', 'return x.half()')}\n}};", ":8:"),
        (FUNCTOR, f"struct HalveFunctor {{\n  HalveFunctor() = delete;\n  {OPERATOR}\n}};", None),
        (FUNCTION, f"{TEMPLATE}DenseTensor* out) {{\n  T::none(out);\n}}", ":8:"),
        (FUNCTION, f"{TEMPLATE}int n, DenseTensor* out) {{}}", None),
    ],
    ids=["what a functor does", "how a functor is made", "what a kernel does", "what a kernel takes"],
)
def test_an_error_is_in_the_header_of_the_operator(tmp_path: Path, entry: str, header: str, error: str | None):
    said = messages(tmp_path, entry, header)
    errors = [line for line in said if ": error: " in line]
    assert errors and not [line for line in said if re.search(r"halve_kernel\.cc:\d+:\d+:.*(error|required from)", line)]
    if error is not None:
        assert f"csrc/kernels/ops/halve.h{error}" in errors[0]
    place = f"csrc/kernels/ops/halve.h:{7 if entry is FUNCTION else 6}:"
    causes = [line for line in said if re.search(r"required from here$|in expansion of macro .PD_REGISTER_KERNEL.$", line)]
    assert causes and all(place in cause for cause in causes)


def test_every_generated_kernel_knows_its_header():
    opset, _ = load()
    lines = {
        place for code in kernels.emit(opset, "").values() for place in re.findall(r'^#line (\d+) "(.*)"$', code, re.MULTILINE)
    }
    defined = {(str(place.line), place.file): name for name, place in opset.definitions.items()}
    assert len(lines) > 100 and lines <= defined.keys()
    for (line, file), name in defined.items():
        assert re.search(rf"\b{name.rpartition('::')[2]}\b", (ROOT / file).read_text().splitlines()[int(line) - 1]), name
    registered = [name for name, code in kernels.emit(opset, "").items() if "PD_REGISTER" in code and "#line" not in code]
    assert registered == []
