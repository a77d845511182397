"""`make wheel-check`: installs the newest wheel of a folder into a fresh environment, outside the checkout, runs an operator,
and builds, installs and tests the example of an out-of-tree package with what the wheel brings."""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

PROGRAM = """
import sys
import torch
import phi_torch
from phi_torch import _paths
from phi_torch import _build
from codegen.read.parse import parse_files

assert _paths.CHECKOUT is None and phi_torch.__file__.startswith(sys.prefix), phi_torch.__file__
assert (_paths.yaml_dir() / "ops" / "math.yaml").exists()
assert (_paths.csrc_dir() / "core" / "kernel_registry.h").exists()
assert any(_paths.codegen_dir().glob("templates/**/*.j2"))
x = torch.randn(8, 8, requires_grad=True)
y = phi_torch.gelu(x)
torch.testing.assert_close(y, torch.nn.functional.gelu(x))
y.sum().backward()
assert x.grad is not None
print("wheel-check: phi_torch", phi_torch.__version__, "works from", phi_torch.__file__)
"""


EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "my_ops"


def main(folder: str) -> int:
    wheel = max(Path(folder).resolve().glob("phi_torch-*.whl"), key=lambda file: file.stat().st_mtime)
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place) / "bin" / "python"
        # torch and its dependencies come from this interpreter's environment; its .pth files, so an editable
        # install of the checkout too, are not read through a .pth file.
        target = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
        (Path(target.strip()) / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "--no-index", str(wheel)]
        for command in (pip, [str(python), "-c", PROGRAM]):
            subprocess.run(command, cwd=place, check=True)
        check_example(python, Path(place) / "my_ops")
    return 0


def check_example(python: Path, copy: Path) -> None:
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("build", "ops", "*.egg-info", "__pycache__"))
    build = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "."]
    subprocess.run(build, cwd=copy, check=True)
    shutil.rmtree(copy / "my_ops")  # the tests run what was installed
    subprocess.run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], cwd=copy, check=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
