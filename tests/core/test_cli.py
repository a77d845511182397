"""The commands of `python -m phi_torch`."""

import pytest
import torch

import phi_torch
from phi_torch.__main__ import main, parse_argument


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_list(capsys):
    status, out, _ = run(capsys, "list", "relu")
    assert status == 0
    assert "relu(Tensor x) -> Tensor  yaml/" in out
    assert "relu_grad" not in out
    assert "relu_grad" in run(capsys, "list", "relu", "--backward")[1]


def test_show(capsys):
    status, out, _ = run(capsys, "show", "gelu")
    assert status == 0
    assert "backward: gelu_grad" in out
    assert "kernel gelu (CPU, ALL_LAYOUT, float32)  csrc/kernels/" in out
    assert "approximate: bool, default False" in out


def test_explain(capsys):
    status, out, _ = run(capsys, "explain", "gelu", "float64[2,3]", "True")
    assert status == 0
    assert "asks for  CPU" in out
    assert "float64" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "gelo"), "phi_torch has no op 'gelo'; did you mean gelu"),
        (("explain", "gelu", "nonsense"), "expected float32[2,3], torch.int64 or a Python literal"),
        (("explain", "gelu", "float33[2]"), "torch has no dtype 'float33'"),
        (("explain", "matmul", "float32[2,3]", "float32[4,5]"), "phi::matmul"),
    ],
)
def test_errors_are_one_line(capsys, arguments, message):
    status, _, err = run(capsys, *arguments)
    assert status == 1
    assert err.startswith("error: ")
    assert message in err
    assert len(err.splitlines()) == 1


def test_check(capsys):
    status, out, err = run(capsys, "check")
    assert (status, err) == (0, "")
    assert "0 differences" in out


def test_check_finds_what_is_not_built(capsys, monkeypatch):
    changed = phi_torch._op_table.OPS["gelu"]._replace(autocast="lower")
    monkeypatch.setitem(phi_torch._op_table.OPS, "gelu", changed)
    monkeypatch.delitem(phi_torch._op_table.OPS, "relu")
    status, _, err = run(capsys, "check")
    assert status == 2
    assert "'relu' is not built" in err
    assert "autocast of 'gelu'" in err


def test_check_reports_errors_of_a_file(capsys, tmp_path):
    file = tmp_path / "ops.yaml"
    file.write_text("- op : f\n  args : (Tenser x)\n  output : Tensor\n  composite : x\n")
    status, _, err = run(capsys, "check", str(file))
    assert status == 2
    assert "error[PHI007]" in err


def test_collect_env(capsys):
    status, out, _ = run(capsys, "collect-env")
    assert status == 0
    assert torch.__version__ in out


def test_arguments():
    assert parse_argument("float32[2, 3]").shape == (2, 3)
    assert parse_argument("torch.int64[]").dtype is torch.int64
    assert parse_argument("torch.bfloat16") is torch.bfloat16
    assert parse_argument("[1, -1]") == [1, -1]
    assert parse_argument("'all'") == "all"
