"""Inductor: composites are fused, in-place twins are used, whatever the order of imports."""

import re
import subprocess
import sys
import textwrap

import pytest
import torch
from torch._inductor.utils import run_and_get_code

import phi_torch


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    with torch._inductor.config.patch(force_disable_caches=True):
        yield


def generated(function, *args):
    """The result, and the code that Inductor made for forward and backward."""
    result, code = run_and_get_code(lambda *a: function(*a), *args)
    return result, "\n".join(code)


def calls(code: str) -> list[str]:
    """The operators of phi that the code calls instead of fusing them."""
    return re.findall(r"torch\.ops\.phi\.\w+(?:\.\w+)?", code)


def test_training_graph_is_fused():
    def loss(x):
        return phi_torch.gelu(phi_torch.relu(x) * 2).sum()

    x = torch.randn(8, 16, requires_grad=True)
    compiled = torch.compile(loss, fullgraph=True)
    _, code = generated(lambda x: compiled(x).backward(), x)
    assert calls(code) == []
    assert "cpp_fused" in code
    torch.testing.assert_close(x.grad, torch.autograd.grad(loss(x), x)[0])


def test_in_place_form_is_fused_too():
    def function(x):
        y = x * 2
        phi_torch.relu_(y)
        return y + 1

    x = torch.randn(4, 5)
    result, code = generated(torch.compile(function, fullgraph=True), x)
    assert calls(code) == []
    torch.testing.assert_close(result, torch.relu(x * 2) + 1)


def test_attributes_reach_a_kernel_once():
    def function(x):
        return phi_torch.gaussian([x.shape[0], 3], mean=5.0, std=0.0) + phi_torch.uniform([x.shape[0], 3], min=0.0) + x

    for dynamic in (False, True):
        torch._dynamo.reset()
        result, code = generated(torch.compile(function, fullgraph=True, dynamic=dynamic), torch.zeros(4, 3))
        assert {name.split(".")[3] for name in calls(code)} == {"gaussian", "uniform"}
        assert result.shape == (4, 3) and result.min() >= 5 and result.max() < 6


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize("grad", [False, True])
def test_two_random_calls_stay_two(backend, grad):
    def function(x):
        mode = "upscale_in_train"
        dropped = phi_torch.dropout(x, None, 0.5, False, mode) - phi_torch.dropout(x, None, 0.5, False, mode)
        return dropped, phi_torch.gaussian([50]) - phi_torch.gaussian([50]) + 0 * x

    for result in torch.compile(function, backend=backend)(torch.ones(50, requires_grad=grad)):
        assert result.count_nonzero() > 0


def run(script: str) -> str:
    """The output of a fresh process."""
    answer = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


COMPILE = """
    torch._inductor.config.force_disable_caches = True
    from torch._inductor.utils import run_and_get_code
    _, code = run_and_get_code(torch.compile(lambda x: phi_torch.relu(x) + 1, fullgraph=True), torch.randn(4))
    print("torch.ops.phi" in "".join(code))
"""


def test_decompositions_are_there_before_the_first_compilation():
    assert run("import torch, phi_torch\n" + textwrap.dedent(COMPILE)).strip() == "False"


def test_decompositions_are_there_when_inductor_is_imported_first():
    warm = "import torch, torch._inductor\ntorch.compile(lambda x: x + 1)(torch.randn(4))\nimport phi_torch\n"
    assert run(warm + textwrap.dedent(COMPILE)).strip() == "False"


def test_compile_caches_know_the_build():
    tag = f"phi_torch:{phi_torch._op_table.SOURCE_HASH}:"
    assert tag in torch.compiler.config.cache_key_tag
    script = """
        import torch
        torch.compiler.config.cache_key_tag = "mine"
        import phi_torch
        print(torch.compiler.config.cache_key_tag)
    """
    assert re.fullmatch(rf"mine\+{tag}\w+", run(script).strip())
