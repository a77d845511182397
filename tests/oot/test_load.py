"""`phi_torch.load` with kernels in C++: everything that an operator of phi_torch has."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import BuiltinFunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

import phi_torch
from phi_torch import ir
from phi_torch._build import extension
from phi_torch.extension import BuildError, loading
from phi_torch.testing import Error, Sample, T, check_op

HERE = Path(__file__).parent / "extension"
SOURCES = [HERE / "ops.h", HERE / "kernels.cc"]


@pytest.fixture(scope="module")
def tested(cache):
    return phi_torch.load("tested", yaml=HERE / "ops.yaml", sources=SOURCES)


def softswish(x, beta=1.0):
    return x * torch.sigmoid(beta * x)


def test_generated_kernel(tested):
    check_op("tested::softswish", [Sample(T(3, 5)), Sample(T(4), beta=0.5), Sample(T(0)), Sample(T())], softswish)


def test_own_kernel(tested):
    samples = [Sample(T(3, 5), T(3, 5)), Sample(T(2, 3), T(2, 3), axis=0)]
    errors = [Error(ValueError, r"tested::sum: .*argument 'weight'", T(3, 5), T(4))]
    check_op("tested::sum", samples, lambda x, weight, axis=-1: (x * weight).sum(axis), errors=errors)


def test_kernel_of_phi_torch(tested):
    check_op("tested::rectify", [Sample(T(3, 5))], torch.relu, checks=["values", "errors", "opcheck", "compile", "vmap"])


def two_sums(x, weight, axis, factor=1.0):
    total = (x * weight).sum(axis)
    return total, total * factor


def test_kernel_without_composite(tested):
    samples = [Sample(T(3, 5), T(3, 5), [1], 2.0), Sample(T(3, 5), T(3, 5), [0])]
    check_op("tested::two_sums", samples, two_sums, checks=["values", "opcheck", "out", "compile", "export"])
    check_op("tested::jitter", [Sample(T(3, 5), width=0.5)], lambda x, width: x, checks=["compile"])


def test_a_shape_that_values_decide_on(tested):
    check_op("tested::positives", [Sample(T(3, 4)), Sample(T(0))], lambda x: x[x > 0])


def test_operators_of_the_ir(tested):
    """An operator out of the tree is one of the IR, in a dialect of its namespace."""
    info = ir.op_info("tested.softswish")
    assert [(a.name, a.kind, a.default) for a in info.attributes] == [("beta", "f32", 1.0)]
    assert {"Elementwise", "Inplace"} <= {*ir.op_info("tested.softswish_").traits}
    text = """phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [2], dtype = float32} : f32[2]
  tested.softswish(%x) {beta = 0.5} : f32[2]
}
"""
    program = ir.parse(text)
    program.verify()
    assert str(program) == text
    builder = ir.Builder()
    x = builder.create("pd_op.data", [], {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results[0]
    op = builder.create("tested.softswish", [x], {"beta": 0.5})
    assert str(op.results[0].type) == "f32[s0,3]" and op.info.gradient is not None
    (gradient,) = builder.differentiate(op, op.results)
    assert gradient.defining_op.name == "tested.softswish_grad" and gradient.type == x.type


@pytest.mark.parametrize("compiled", [False, True])
def test_vmap_of_a_random_operator(tested, compiled):
    x = torch.zeros(3, 4)

    def same(function, randomness, batch=x):
        call = lambda t: torch.func.vmap(function, randomness=randomness)(t)  # noqa: E731
        result = (torch.compile(call, backend="aot_eager") if compiled else call)(batch)
        return bool((result == result[0]).all())

    for function in (tested.jitter, lambda t: tested.jitter_(t * 1)):
        assert not same(function, "different")
        for randomness in ("same", "error"):
            with pytest.raises(RuntimeError, match="random"):
                same(function, randomness)
    for function in (lambda t: tested.jitter(torch.zeros(4)) + t, lambda t: tested.noise(torch.zeros(4)) + t[:3]):
        assert same(function, "same") and not same(function, "different")
        with pytest.raises(RuntimeError, match="random"):
            same(function, "error")


def test_composite(tested):
    check_op("tested::twice_softswish", [Sample(T(3, 5))], lambda x: softswish(softswish(x)))


def test_an_operator_is_called_without_what_has_a_default(tested):
    check_op("tested::halve", [Sample(T(3, 5))], lambda x: x / 2)


def test_names_do_not_meet(tested):
    x = torch.randn(3, 4)
    torch.testing.assert_close(phi_torch.sum(x, axis=[1]), x.sum(1))
    torch.testing.assert_close(tested.sum(x, x, axis=1), (x * x).sum(1))
    explained = str(phi_torch.explain("tested::sum", x, x))
    assert "tested::sum" in explained and "kernels.cc" in explained


def test_fast_functions(tested):
    assert isinstance(tested.softswish, BuiltinFunctionType)
    with pytest.raises(TypeError, match=r"tested\.softswish\(\): argument 'beta' \(position 2\): expected float, got str"):
        tested.softswish(torch.ones(2), "a")


def test_a_generated_kernel_is_named_at_its_functor(tested):
    line = 1 + (HERE / "ops.h").read_text().splitlines().index("struct SoftswishFunctor {")
    assert f"/extension/ops.h:{line}" in str(phi_torch.explain("tested::softswish", torch.ones(2)))
    with pytest.raises(NotImplementedError, match=rf"at \S*/extension/ops\.h:{line}: float32"):
        tested.softswish(torch.ones(2, dtype=torch.int32))


def test_typed_stub(tested):
    stub = Path(tested.__file__).with_name("ops.pyi").read_text()
    assert "def softswish(x: Tensor, beta: float = 1.0, *, out: Tensor | None = None) -> Tensor: ..." in stub


def test_not_compiled_again(tested, monkeypatch):
    monkeypatch.setattr(extension, "build", None)
    assert phi_torch.load("tested", yaml=HERE / "ops.yaml", sources=SOURCES) is tested


PROGRAM = """
import sys, phi_torch, torch
x = torch.tensor([0, 1, 2])
assert not phi_torch.supported("swish", "cpu", torch.int64)
try:
    phi_torch.swish(x)
except NotImplementedError as error:
    assert "no kernel 'swish'" in str(error)
phi_torch.load("more", sources=[sys.argv[1]])
assert phi_torch.swish(x).tolist() == [0, 10, 20]
assert phi_torch.supported("swish", "cpu", torch.int64)
print(phi_torch.explain("swish", x))
"""


def test_another_kernel_for_an_operator(cache):
    """In a process of its own: a kernel in C++ stays."""
    run = subprocess.run([sys.executable, "-c", PROGRAM, HERE / "more.cc"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "more.cc:17" in run.stdout


def test_the_same_key_twice(cache, tmp_path):
    source = shutil.copy(HERE / "more.cc", tmp_path / "again.cc")
    text = (
        Path(source)
        .read_text()
        .replace("int64_t)", "float)")
        .replace("more::", "again::")
        .replace("namespace more", "namespace again")
    )
    Path(source).write_text(text)
    with pytest.raises(
        ImportError, match=r"kernel 'swish' \(CPU, ALL_LAYOUT, float32\) is registered twice: at .*swish.* and at .*again.cc"
    ):
        phi_torch.load("again", sources=[source])
    x = torch.randn(3)
    torch.testing.assert_close(phi_torch.swish(x), x * x.sigmoid())


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


WRONG = """
#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
namespace wrong {
template <typename T, typename Context>
void FKernel(const Context& dev_ctx, const phi::DenseTensor& x, %s phi::DenseTensor* out) { %s }
}
PD_REGISTER_KERNEL(f, CPU, ALL_LAYOUT, wrong::FKernel, float) {}
"""
YAML = """
- op : f
  args : (Tensor x)
  output : Tensor(out)
  infer_meta : {func : UnchangedInferMeta}
  kernel : {func : f}
"""


def test_wrong_signature(cache, tmp_path):
    write(tmp_path, f__cc=WRONG % ("float a,", ""), f__yaml=YAML)
    with pytest.raises(BuildError, match=r"f\.yaml:6:(.|\n)*FKernel, the kernel of 'f', .*f\.cc:6"):
        phi_torch.load("wrong", yaml=tmp_path / "f.yaml", sources=[tmp_path / "f.cc"])


@pytest.mark.parametrize(
    "text, message",
    [
        ("no library", r"cannot load the library \S*f\.so: file too short"),
        (None, r"f\.so: cannot open shared object file: No such file or directory"),
    ],
)
def test_a_library_that_cannot_be_loaded(tmp_path, text, message):
    if text:
        write(tmp_path, f__so=text)
    with pytest.raises(OSError, match=message):
        phi_torch.load_library(tmp_path / "f.so")


def test_a_function_that_no_source_defines(cache, tmp_path):
    write(tmp_path, f__cc='#include "core/dense_tensor.h"\nint on_a_gpu(const phi::DenseTensor&);\n'
          "int f(const phi::DenseTensor& x) { return on_a_gpu(x); }\n")  # fmt: skip
    with pytest.raises(OSError, match=r"on_a_gpu\(phi::DenseTensor const&\) is not defined: .*#ifdef PADDLE_WITH_CUDA"):
        phi_torch.load("lacking", sources=[tmp_path / "f.cc"])


def test_source_that_does_not_compile(cache, tmp_path, capfd):
    write(tmp_path, f__cc=WRONG % ("", "undeclared();"), f__yaml=YAML)
    with pytest.raises(BuildError, match="the build failed"):
        phi_torch.load("wrong", yaml=tmp_path / "f.yaml", sources=[tmp_path / "f.cc"])
    assert "f.cc:6" in capfd.readouterr().out


def test_a_size_taken_for_a_number_names_the_form_that_stays_symbolic(tmp_path):
    no_ops: Any = SimpleNamespace(ops=())
    show = extension._places(no_ops, tmp_path)
    line = "../f.h:3:30: error: cannot convert 'const c10::SymInt' to 'int64_t' {aka 'long int'} in initialization"
    assert show(line).startswith(line + "\nnote: sizes of an InferMeta function are of type Dim")
    assert show(line.replace("SymInt", "Scalar")) == line.replace("SymInt", "Scalar")


def test_generated_code_that_does_not_compile_names_the_yaml(cache, tmp_path, capfd):
    header = "namespace wrong { template <typename T> struct FFunctor { T operator()(T x) const { return undeclared(x); } }; }"
    yaml = YAML.replace("  kernel : {func : f}", "  category : unary")
    write(tmp_path, f__h=header, f__yaml=yaml)
    with pytest.raises(BuildError):
        phi_torch.load("wrong", yaml=tmp_path / "f.yaml", sources=[tmp_path / "f.h"])
    assert "f.yaml:2: note: this code is generated from the entry of 'f'" in capfd.readouterr().out


@pytest.mark.parametrize(
    "yaml, sources, message",
    [
        (YAML, {}, r"no source registers kernel 'f' of 'f'"),
        (YAML.replace("Unchanged", "Missing"), {"f__cc": WRONG}, "no header defines MissingInferMeta"),
        (YAML.replace("  kernel : {func : f}", "  category : unary"), {}, "'f' needs FFunctor, which no header defines"),
        (YAML.replace("  kernel : {func : f}", "  category : unary"), {"f__cc": WRONG}, "is generated, but .*f.cc:8 registers 'f'"),
        (YAML + "  backward : relu_grad\n", {"f__cc": WRONG}, "differentiates an operator of phi_torch"),
    ],
)
def test_errors_before_compiling(cache, tmp_path, yaml, sources, message):
    write(tmp_path, f__yaml=yaml, **sources)
    files = [tmp_path / name.replace("__", ".") for name in sources]
    with pytest.raises(BuildError, match=message):
        phi_torch.load("wrong", yaml=tmp_path / "f.yaml", sources=files)


@pytest.mark.parametrize("name", ["", "ops.yml.txt"])  # a folder, and a file that is not there
def test_a_path_is_no_yaml(name, tmp_path):
    with pytest.raises(BuildError, match=f"{tmp_path / name}: no such file, for the extension 'wrong'"):
        phi_torch.load("wrong", yaml=str(tmp_path / name))


def test_built_for_another_phi_torch(tested):
    info = ModuleType("info")
    info.__dict__.update(torch_version=torch.__version__, phi_torch_version="0.0.1", abi="feed")
    with pytest.raises(ImportError, match=r"compiled against phi_torch 0.0.1 \(feed\)"):
        loading.check_build("tested", info)
    info.__dict__["torch_version"] = "1.2.3"
    with pytest.raises(ImportError, match="compiled against torch 1.2.3, but torch"):
        loading.check_build("tested", info)
