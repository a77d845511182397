"""One wrong YAML text per diagnostic, with everything that is printed; diagnostics.txt holds the pairs.

EXPECTTEST_ACCEPT=1 rewrites the expected halves.
"""

import os
import re
from pathlib import Path

import pytest
from _yaml import read

from codegen.check.against_tree import check_tree
from codegen.check.aten_compat import check_aten_compat
from codegen.check.program_ops import check_program_ops
from codegen.check.rewrites import check_rewrites
from codegen.model.diagnose import CODES, Diagnostics
from codegen.model.op import OpSet
from codegen.read.aten_compat import read_aten_compat
from codegen.read.op_compat import read_op_compat
from codegen.read.program_ops import read_program_ops
from codegen.read.rewrites import read_rewrites

GOLDEN = Path(__file__).with_name("diagnostics.txt")
SOURCES = {
    "infermeta/unary.h": """
template <class Dim> void UnchangedInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out);
template <class Dim> void GeneralUnaryGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out);
template <class Dim> void ElementwiseInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out);
void FixedInferMeta(const MetaTensor& x, MetaTensor* out);
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
    "kernels/ops/swish.h": "template <typename T> struct SwishFunctor {};\nstruct SwishGradFuncto {};",
}
TWICE = {
    "kernels/relu.cc": "PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float, double) {}",
    "kernels/cpu/relu.cc": "PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, phi::dtype::float16, double) {}",
}
FUNCTORS = {
    "infermeta/unary.h": SOURCES["infermeta/unary.h"],
    "kernels/ops/leaky.h": """
struct LeakyFunctor {
  template <typename V> HOSTDEVICE V operator()(V x) const { return Leak(x); }
};
template <typename T> struct LeakyGradFunctor {
  T slope;
  template <typename V> HOSTDEVICE V operator()(V x, V dout) const { if (x > V(0)) { return dout; } return dout * V(slope); }
};
""",
    "kernels/ops/leaky_made.h": """
template <typename T> struct LeakyMadeFunctor {
  explicit LeakyMadeFunctor(const Scalar& slope) : slope(slope.to<T>()) {}
  HOSTDEVICE T operator()(T x) const { return x * slope; }
 private:
  T slope;
};
""",
    "kernels/ops/leaky_like.h": "struct LeakyLikeFunctor : LeakyMadeFunctor<float> {\n  HOSTDEVICE float operator()() const;\n};",
    "kernels/ops/leaky_right.h": "template <typename T> struct LeakyRightFunctor {\n  T slope, more = T(1);\n"
    "  T operator()(T x) const; T operator()(T x, T y) const;\n};",
}
FUNCTIONS = {"sigmoid", "exp", "tanh", "sum", "cat"}


def cases() -> dict[str, tuple[str, str]]:
    parts = re.split(r"^==== (PHI\d+)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = {}
    for code, case in zip(parts[1::2], parts[2::2], strict=True):
        text, _, expected = case.partition("----\n")
        pairs[code] = (text, expected)
    return pairs


PROGRAM_OPS = ("PHI054", "PHI055", "PHI056", "PHI057", "PHI058")
REWRITES = ("PHI060", "PHI061", "PHI062")
MAPPING = "PD_REGISTER_ARG_MAPPING_FN(scale_by, ScaleBy);\nPD_REGISTER_ARG_MAPPING_FN(dim, Dim);\n"


def read_programs(text: str, folder: Path) -> Diagnostics:
    """The faults of a text of three files; the later ones begin with their names."""
    ops, _, rest = text.partition("# op_compat.yaml\n")
    compat, _, program = rest.partition("# program_ops.yaml\n")
    opset, diag = read(ops) if ops else (OpSet(()), Diagnostics())
    (folder / "dim_sig.cc").write_text(MAPPING)
    (folder / "op_compat.yaml").write_text(compat)
    (folder / "program_ops.yaml").write_text(program)
    compats = read_op_compat(folder / "op_compat.yaml", "op_compat.yaml", diag)
    written = read_program_ops(folder / "program_ops.yaml", "program_ops.yaml", diag)
    check_program_ops(opset, compats, written, folder, diag)
    return diag


def faults_of_rewrites(text: str, folder: Path) -> Diagnostics:
    """The faults of a text of two files: operators, and rewrites of them."""
    ops, _, rewrites = text.partition("# rewrites.yaml\n")
    opset, diag = read(ops)
    (folder / "rewrites.yaml").write_text(rewrites)
    check_rewrites(opset, read_rewrites(folder / "rewrites.yaml", "rewrites.yaml", diag), diag)
    return diag


ATEN_ROWS = ("PHI070", "PHI071", "PHI072")
RELU = """
- op : relu
  args : (Tensor x)
  output : Tensor(out)
  infer_meta : {func : UnchangedInferMeta}
  kernel : {func : relu}
"""


def read_rows(text: str, folder: Path) -> Diagnostics:
    opset, diag = read(RELU)
    (folder / "aten_compat.yaml").write_text(text)
    check_aten_compat(opset, read_aten_compat(folder / "aten_compat.yaml", "aten_compat.yaml", diag), diag)
    return diag


def rendered(code: str, text: str, folder: Path) -> str:
    """What is printed for `text`; the codes about other files see some."""
    if code in REWRITES:
        return faults_of_rewrites(text, folder).render() + "\n"
    if code in PROGRAM_OPS:
        return read_programs(text, folder).render() + "\n"
    if code in ATEN_ROWS:
        return read_rows(text, folder).render() + "\n"
    csrc = folder / "csrc"
    files = SOURCES if code in ("PHI036", "PHI037", "PHI038", "PHI044", "PHI045", "PHI059") else {}
    files = {"PHI046": TWICE, "PHI052": FUNCTORS}.get(code, files)
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


@pytest.mark.parametrize("key", ["inplace : (z -> out)", "view : (x -> z)", "traits : elementwize"])
def test_an_op_with_errors_is_an_operator_of_rewrites(key: str, tmp_path: Path):
    rewrite = "- rewrite : twice\n  match : relu(relu(x))\n  to : relu(x)\n  sample :\n    x : f32[2,3]\n  doc : Once is enough.\n"
    (error,) = faults_of_rewrites(f"{RELU}  {key}\n# rewrites.yaml\n{rewrite}", tmp_path).errors
    assert error.loc.file == "ops.yaml"
