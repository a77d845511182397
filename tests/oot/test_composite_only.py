"""An extension whose operators are composites: nothing is compiled."""

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
  doc : Bounds x smoothly.
"""


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHI_TORCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("PATH", "")  # no compiler
        yield phi_torch.load("no_compiler", yaml=YAML)


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


def test_what_phi_torch_says_of_it(extension):
    info = phi_torch.registry.info("no_compiler::soft_clip")
    assert info.composite_only and info.loc == "no_compiler (YAML text):2"
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
        ("no_file", "missing.yaml", "missing.yaml: no such file"),
    ],
)
def test_errors(name, yaml, message, tmp_path, monkeypatch):
    monkeypatch.setenv("PHI_TORCH_CACHE", str(tmp_path))
    with pytest.raises(BuildError, match=message):
        phi_torch.load(name, yaml=yaml)
    with pytest.raises(AttributeError):
        getattr(torch.ops, name).soft_clip.default  # noqa: B018


def test_nothing_was_compiled(extension, monkeypatch):
    monkeypatch.setattr(ninja, "run_ninja", None)
    phi_torch.load("no_compiler", yaml=YAML)
