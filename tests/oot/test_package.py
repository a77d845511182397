"""A PhiExtension in `setup.py`: errors of the YAML, torch's own build command; the whole way is that of `make wheel-check`."""

import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_ops"


def test_errors_of_the_yaml_come_at_once_without_a_traceback(tmp_path):
    copy = tmp_path / "my_ops"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("build", "ops", "*.egg-info", "__pycache__"))
    text = (copy / "ops.yaml").read_text()
    (copy / "ops.yaml").write_text(
        text.replace("category : unary\n", "category : unitary\n").replace("rms_scale_grad\n", "other\n", 1)
    )
    run = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=copy, capture_output=True, text=True)
    assert run.returncode == 2, run.stderr
    assert "Traceback" not in run.stderr
    assert "ops.yaml:5:14: error[PHI0" in run.stderr and "did you mean 'unary'?" in run.stderr
    assert "2 errors in the extension 'my_ops'" in run.stderr


SETUP = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension
from phi_torch.extension import PhiExtension

setup(
    name="plain_ops",
    packages=[],
    ext_modules=[PhiExtension("plain_ops", yaml="ops.yaml", sources=["ops.h"], cxx_flags=["-O0", "-g0"])],
    cmdclass={"build_ext": BuildExtension},
)
"""

YAML = """
- op : twice
  args : (Tensor x)
  output : Tensor(out)
  category : unary
  inplace : (x -> out)
  backward : twice_grad

- backward_op : twice_grad
  forward : twice (Tensor x) -> Tensor(out)
  args : (Tensor out_grad)
  output : Tensor(x_grad)
  composite : out_grad + out_grad
"""

FUNCTOR = """
#pragma once
#include "common/hostdevice.h"

namespace plain_ops {

template <typename T>
struct TwiceFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x + x;
  }
};

}  // namespace plain_ops
"""

PROGRAM = """
import torch
import phi_torch
import plain_ops

x = torch.tensor([1.0, -2.0], requires_grad=True)
assert plain_ops.__file__.endswith(".so") and plain_ops.__all__ == ["twice", "twice_"], plain_ops.__all__
assert plain_ops.twice(x).tolist() == torch.ops.plain_ops.twice(x).tolist() == [2, -4]
plain_ops.twice(x).sum().backward()
assert x.grad.tolist() == [2, 2]
assert torch.compile(plain_ops.twice, backend="aot_eager", fullgraph=True)(x).tolist() == [2, -4]
assert "plain_ops::twice" in str(phi_torch.explain("plain_ops::twice", x))
try:
    plain_ops.twice(1)
except TypeError as error:
    assert "twice" in str(error)
"""


def test_the_build_command_of_torch_makes_one_library(tmp_path):
    for name, text in (("setup.py", SETUP), ("ops.yaml", YAML), ("ops.h", FUNCTOR)):
        (tmp_path / name).write_text(text)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
