"""An extension whose operators are composites: nothing is compiled."""

import re

import pytest
import torch

import phi_torch
from phi_torch._build import ninja
from phi_torch.extension import BuildError
from phi_torch.testing import Sample, T, check_op

YAML = """
- op : soft_clip
  args : (Tensor x, Scalar limit = 3.0)
  output : Tensor(out)
  composite : limit * torch.tanh(x / limit)
  inplace : (x -> out)
  doc : Bounds x smoothly.
"""


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHI_TORCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        with patch.context() as without:
            without.setenv("PATH", "")  # no compiler
            loaded = phi_torch.load("no_compiler", yaml=YAML)
        yield loaded


def reference(x, limit=3.0):
    return limit * torch.tanh(x / limit)


def test_yaml_is_short():
    assert len(YAML.strip().splitlines()) < 10


def test_battery(extension):
    check_op("no_compiler::soft_clip", [Sample(T(3, 4)), Sample(T(5), 0.5), Sample(T(0))], reference)


def test_forms(extension):
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    assert torch.equal(extension.soft_clip(x), torch.ops.no_compiler.soft_clip(x))
    assert torch.autograd.gradgradcheck(extension.soft_clip, (x,))
    torch.testing.assert_close(torch.vmap(extension.soft_clip)(x), reference(x))
    torch.testing.assert_close(extension.soft_clip(x, limit=torch.tensor(2.0)), reference(x, 2.0))
    compiled = torch.compile(extension.soft_clip, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), reference(x))


def test_in_place(extension):
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    y = x * 1
    version = y._version
    assert extension.soft_clip_(y, 0.5) is y and y._version > version
    torch.testing.assert_close(y, reference(x, 0.5))
    torch.testing.assert_close(torch.autograd.grad(y.sum(), x), torch.autograd.grad(reference(x, 0.5).sum(), x))

    def step(t):
        t = t * 1
        extension.soft_clip_(t[1:], 0.5)
        return t

    expected = torch.cat([x[:1], reference(x[1:], 0.5)])
    torch.testing.assert_close(torch.compile(step, fullgraph=True, backend="aot_eager")(x), expected)
    torch.testing.assert_close(torch.vmap(step)(torch.stack([x, x])), torch.stack([expected, expected]))
    y = x.detach().clone()
    torch.compile(lambda t: extension.soft_clip_(t, 0.5), fullgraph=True, backend="aot_eager")(y)
    torch.testing.assert_close(y, reference(x.detach(), 0.5))
    with pytest.raises(RuntimeError, match="leaf"):
        extension.soft_clip_(x)
    with pytest.raises(TypeError, match="soft_clip.*'x' receives the result: expected the data type torch.float32"):
        extension.soft_clip_(torch.ones(3, dtype=torch.int32))
    with pytest.raises(RuntimeError, match="memory"):
        extension.soft_clip_(torch.ones(1).expand(3))


def test_an_unknown_keyword_shows_the_signature(extension):
    with pytest.raises(TypeError, match=r"soft_clip\(\) has no argument 'input'; did you mean 'x'\? .*soft_clip\(x, limit=3.0\)"):
        extension.soft_clip(input=torch.ones(3))


def test_export(extension):
    class Module(torch.nn.Module):
        def forward(self, x):
            return extension.soft_clip(x)

    x = torch.randn(4, 3)
    program = torch.export.export(Module(), (x,), dynamic_shapes=({0: torch.export.Dim("n", min=2)},))
    torch.testing.assert_close(program.module()(x[:2]), reference(x[:2]))


def test_a_second_load_gives_the_same_module(extension):
    assert phi_torch.load("no_compiler", yaml=YAML) is extension
    with pytest.raises(RuntimeError, match="'no_compiler' of other content is loaded"):
        phi_torch.load("no_compiler", yaml=YAML.replace("3.0", "4.0"))


def test_nothing_to_load(tmp_path):
    with pytest.raises(ValueError, match=r"load\('w'\): expected `yaml`, `sources` or both, got neither"):
        phi_torch.load("w")
    empty = tmp_path / "empty.cc"
    empty.write_text("\n")
    with pytest.raises(ValueError, match=f"expected C\\+\\+ or CUDA in {empty}, got an empty file"):
        phi_torch.load("w", sources=[empty])


def test_what_phi_torch_says_of_it(extension):
    info = phi_torch.registry.info("no_compiler::soft_clip")
    assert info.composite_only and info.loc == "no_compiler (YAML text):2"
    x = torch.ones(2)
    assert phi_torch.registry.info("soft_clip") is info
    assert phi_torch.explain("soft_clip", x).calls == phi_torch.explain("no_compiler::soft_clip", x).calls
    with pytest.raises(KeyError, match="has no op 'soft_clap'; did you mean soft_clip"):
        phi_torch.registry.info("no_compiler::soft_clap")
    with pytest.raises(KeyError, match="no extension 'other' is loaded"):
        phi_torch.registry.info("other::soft_clip")


@pytest.mark.parametrize(
    "name, yaml, message",
    [
        ("torch", YAML, "'torch' cannot be the namespace"),
        ("bad_yaml", "- op : f\n  args : (Tensor x\n", r"bad_yaml \(YAML text\):2:"),
        ("bad_name", YAML.replace("torch.tanh(x", "torch.tanh(y"), "names 'y', which is no argument"),
        ("a_view", YAML + "  category : view\n  view : (x -> out)\n", "category view is of C\\+\\+"),
        (
            "of_a_list",
            YAML.replace("Tensor x", "Tensor[] x").replace("x / limit", "x"),
            "gives 'x', which is a list of tensors, to",
        ),
        ("no_file", "missing.yaml", "missing.yaml: no such file"),
    ],
)
def test_errors(name, yaml, message, tmp_path, monkeypatch):
    monkeypatch.setenv("PHI_TORCH_CACHE", str(tmp_path))
    with pytest.raises(BuildError, match=message):
        phi_torch.load(name, yaml=yaml)
    with pytest.raises(AttributeError):
        getattr(torch.ops, name).soft_clip.default  # noqa: B018


FAILING = """
- op : ratio
  args : (Tensor x, int64_t n = 1)
  output : Tensor(out)
  composite : x * (1 // n)

- op : outer
  args : (Tensor x, int64_t n = 1)
  output : Tensor(out)
  composite : failing.ratio(x, n) + 1

- op : checked
  args : (Tensor x, int64_t n = 1)
  output : Tensor(out)
  composite : failing_formulas:checked

- op : added
  args : (Tensor x, Tensor y)
  output : Tensor(out)
  composite : x + y
"""
FORMULAS = """
def checked(x, n):
    if n < 0:
        raise ValueError(f"argument 'n': expected at least 0, got {n}")
    return x.shap if n else x
"""
ERRORS = [
    (
        RuntimeError,
        r"failing::ratio: its composite \(failing \(YAML text\):2\) does not .*zero; got x=float32\[3\], n=0",
        "ratio",
        0,
    ),
    (RuntimeError, r"failing::ratio: its composite \(failing \(YAML text\):2\) does not take", "outer", 0),
    (
        ValueError,
        r"failing::checked: argument 'n'.* got -1\s+\(in the composite of 'checked', failing \(YAML text\):12\)",
        "checked",
        -1,
    ),
    (RuntimeError, r"failing::checked: its composite \(failing .*:12\) does not take these arguments: .*'shap'; got", "checked", 1),
    (RuntimeError, r"failing::added: (.|\n)*\(in the composite of 'added', failing \(YAML text\):17\)", "added", torch.ones(4)),
]


@pytest.fixture(scope="module")
def failing(extension, tmp_path_factory):
    folder = tmp_path_factory.mktemp("formulas")
    (folder / "failing_formulas.py").write_text(FORMULAS)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield phi_torch.load("failing", yaml=FAILING)


@pytest.mark.parametrize(("exception", "message", "op", "argument"), ERRORS)
def test_an_error_of_a_composite_names_the_operator_and_its_entry(failing, exception, message, op, argument):
    function, x = getattr(failing, op), torch.ones(3)
    with pytest.raises(exception, match=message) as raised:
        function(x, argument)
    assert type(raised.value) is exception and not re.search("AttributeError|ZeroDivision", str(raised.value))
    with pytest.raises(exception, match=message):
        function(x.requires_grad_(), argument)
    compiled = torch.compile(lambda x: function(x, argument), backend="aot_eager", fullgraph=True)
    with pytest.raises(RuntimeError) as raised:
        compiled(x.detach())
    assert re.search(message, str(raised.value).replace("\\n", "\n"))


def test_nothing_was_compiled(extension, monkeypatch):
    monkeypatch.setattr(ninja, "run_ninja", None)
    phi_torch.load("no_compiler", yaml=YAML)
