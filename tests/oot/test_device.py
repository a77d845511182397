"""A device of somebody else, out of this tree: phi_torch's operators and an extension's run on it, by kernels of CUSTOM."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "device"

# A process has one device of this kind, so each test is a process of its own.
START = f"""
import types
import torch
import phi_torch
from phi_torch import flags, registry

tiny = phi_torch.load("tiny", yaml={str(HERE / "ops.yaml")!r}, sources=[{str(HERE / "device.cc")!r}, {str(HERE / "kernels.cc")!r}])
torch.utils.rename_privateuse1_backend("tiny")
module = types.ModuleType("torch.tiny")
module._lazy_init = lambda: None
torch._register_device_module("tiny", module)
host = torch.linspace(-2, 2, 12).reshape(3, 4)
x = host.to("tiny")
assert x.device.type == "tiny"
"""

USES = {
    "an operator of phi_torch": """
out = phi_torch.relu(x)
assert out.device == x.device
torch.testing.assert_close(out.cpu(), host.relu(), rtol=0, atol=0)
torch.testing.assert_close(torch.ops.phi.relu(x.double()).cpu(), host.double().relu(), rtol=0, atol=0)
explained = phi_torch.explain("relu", x)
assert "CUSTOM" in str(explained), explained
assert registry.supported("relu", "tiny") and not registry.supported("tanh", "tiny")
""",
    "a tensor that is not contiguous": """
torch.testing.assert_close(phi_torch.relu(x.t()).cpu(), host.t().relu(), rtol=0, atol=0)
""",
    "an operator of the extension": """
torch.testing.assert_close(tiny.doubled(x).cpu(), host + host, rtol=0, atol=0)
try:
    tiny.doubled(host)
except NotImplementedError as error:
    assert "CUSTOM" in str(error) and "kernels.cc" in str(error), error
else:
    raise AssertionError("there is no kernel for the CPU")
""",
    "an operator without a kernel for the device": """
with flags(cpu_fallback="silent"):
    out = phi_torch.softmax(x)
assert out.device == x.device
torch.testing.assert_close(out.cpu(), host.softmax(-1))
with flags(cpu_fallback="error"):
    try:
        phi_torch.tanh(x)
    except NotImplementedError as error:
        assert "CUSTOM" in str(error), error
    else:
        raise AssertionError("data must not go to the CPU")
""",
    "another device": """
try:
    phi_torch.full([2], 1.0, place="xpu")
except Exception as error:
    assert "xpu" in str(error).lower(), error
else:
    raise AssertionError("there is no such device")
assert phi_torch.full([2], 1.0, place="meta").is_meta
""",
}


@pytest.mark.parametrize("use", USES)
def test_a_device_of_somebody_else(cache, use):
    result = subprocess.run([sys.executable, "-c", START + USES[use]], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
