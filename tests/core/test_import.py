"""What `import phi_torch` costs: nothing is imported that only a build, a compilation or a `setup.py` needs."""

import subprocess
import sys

SCRIPT = """
import sys, torch
before = set(sys.modules)
import phi_torch
print(*sorted({".".join(name.split(".")[:2]) for name in set(sys.modules) - before}))
"""
LATE = {"codegen", "jinja2", "phi_torch._build", "phi_torch.fuzz", "phi_torch.testing", "setuptools", "torch._inductor", "yaml"}


def test_import_imports_nothing_that_comes_late():
    answer = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    imported = set(answer.stdout.split())
    assert "phi_torch.extension" in imported
    assert not imported & LATE
