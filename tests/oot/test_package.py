"""A PhiExtension in `setup.py`: errors of the YAML; the whole way is that of `make wheel-check`."""

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
