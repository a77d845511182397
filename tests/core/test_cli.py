"""The commands of `python -m phi_torch`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import phi_torch
from phi_torch import _paths, registry
from phi_torch._op_table import OPS
from phi_torch.cli import COMMANDS, _table, config, main
from phi_torch.cli.explain import parse_argument


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def process(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_list(capsys):
    status, out, _ = run(capsys, "list", "hardswish")
    header, *rows = out.splitlines()
    assert status == 0
    assert header.split() == ["name", "category", "cpu", "gpu", "gradient", "composite", "torch"]
    assert [row.split()[:3] for row in rows] == [["hardswish", "unary", "floating"]]
    assert header.index("category") == rows[0].index("unary")
    assert "hardswish_grad" in run(capsys, "list", "hardswish", "--backward")[1]


def test_list_counts(capsys):
    forward = [op for op in OPS.values() if not op.is_backward]
    out = run(capsys, "list", "--count")[1]
    assert re.search(rf"with kernels +{sum(bool(op.kernels) for op in forward)}$", out, re.MULTILINE)
    assert re.search(rf"^backward +{len(OPS) - len(forward)}$", out, re.MULTILINE)
    kernels = sum(len(registry.kernels(name)) for name in ("hardswish", "hardswish_grad"))
    assert re.search(rf"CPU +2 +{kernels}$", run(capsys, "list", "hardswish", "--count")[1], re.MULTILINE)


def test_list_says_what_the_docs_say(capsys):
    """Dtypes that are no group are named; gradients by kernels, by a composite, or none."""
    rows = {line.split()[0]: line for line in run(capsys, "list")[1].splitlines()}
    assert "int32 int64" in rows["max"]
    assert "  any  " in rows["matmul"] and "  no  " in rows["adam_"] and "  composite  " in rows["argmax"]


def test_a_table_is_cut_to_the_terminal(monkeypatch):
    assert list(_table.lines(("a", "b"), [("long", "x" * 200)]))[1] == "long  " + "x" * 200
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert list(_table.lines(("a", "b"), [("long", "x" * 200)])) == ["a     b", "long  " + "x" * 13 + "…"]


def test_show(capsys):
    status, out, _ = run(capsys, "show", "gelu")
    assert status == 0
    assert "backward: gelu_grad" in out
    assert "gelu    CPU      ALL_LAYOUT  float32   csrc/kernels/activation/gelu.h:" in out
    assert "approximate: bool, default False" in out


def test_explain(capsys):
    status, out, _ = run(capsys, "explain", "gelu", "float64[2,3]", "True")
    assert status == 0
    assert "asks for  CPU" in out
    assert "float64" in out.splitlines()[-1]


def test_explain_makes_the_tensors_that_nobody_wrote(capsys):
    assert "CPU, ALL_LAYOUT, bfloat16" in run(capsys, "explain", "add", "--dtype", "bfloat16")[1].splitlines()[-1]
    assert "float64" in run(capsys, "explain", "softmax", "tensor[2,3]", "1", "--dtype", "float64")[1].splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "gelo"), "phi_torch has no op 'gelo'; did you mean gelu"),
        (("explain", "gelu", "nonsense"), "expected float32[2,3], torch.int64 or a Python literal"),
        (("explain", "gelu", "float33[2]"), "torch has no dtype 'float33'"),
        (("explain", "arange"), "phi_torch.arange needs 'Scalar start'; write its arguments: arange(Scalar start"),
        (("explain", "gelu", "--device", "nowhere"), "--device nowhere: this torch has no such device here"),
        (("explain", "gelu", "--device", "maia"), "--device maia: this torch has no such device here"),
        (("inspect", "model", "--extension", "nothere.ops"), "--extension nothere.ops: there is no module 'nothere' in "),
        (("inspect", "model", "--extension", "./ops.so"), "--extension ./ops.so: there is no module './ops.so' in "),
        (("list", "nothing_like_it"), "no operator's name contains 'nothing_like_it'"),
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
    assert run(capsys, "check") == (0, f"{len(phi_torch._op_table.OPS)} ops, no errors\n", "")
    status, out, err = run(capsys, "check", "--built")
    assert (status, err) == (0, "")
    assert "0 differences" in out


def test_check_finds_what_is_not_built(capsys, monkeypatch):
    changed = phi_torch._op_table.OPS["gelu"]._replace(autocast="lower", kernels=("gelu", "gelu_twice"))
    monkeypatch.setitem(phi_torch._op_table.OPS, "gelu", changed)
    monkeypatch.delitem(phi_torch._op_table.OPS, "relu")
    status, _, err = run(capsys, "check", "--built")
    assert status == 2
    assert "'relu' is not built" in err
    assert "autocast of 'gelu' is 'none', built with 'lower'" in err
    assert "no kernel 'gelu_twice' of 'gelu' is registered" in err


def test_check_reports_errors_of_a_file(capsys, tmp_path):
    file = tmp_path / "ops.yaml"
    file.write_text("- op : f\n  args : (Tenser x)\n  output : Tensor\n  composite : x\n")
    status, _, err = run(capsys, "check", str(file))
    assert status == 2
    assert "error[PHI007]" in err


def test_check_names_a_header_that_is_not_there(capsys, tmp_path):
    (tmp_path / "ops.yaml").write_text("- op : f\n  args : (Tensor x)\n  output : Tensor\n  composite : x\n")
    status, _, err = run(capsys, "check", str(tmp_path / "ops.yaml"), str(tmp_path / "f.h"))
    assert status == 2
    assert "f.h:1:1: error[PHI001]: there is no such file" in err


def test_collect_env(capsys):
    status, out, _ = run(capsys, "collect-env")
    assert status == 0
    assert torch.__version__ in out


def test_arguments():
    def parsed(text: str):
        return parse_argument(text, torch.device("meta"), torch.float16)

    assert parsed("float32[2, 3]").shape == (2, 3)
    assert parsed("torch.int64[]").dtype is torch.int64
    assert (parsed("tensor[0]").dtype, parsed("tensor[0]").device.type) == (torch.float16, "meta")
    assert parsed("torch.bfloat16") is torch.bfloat16
    assert parsed("[1, -1]") == [1, -1]
    assert parsed("'all'") == "all"


@pytest.mark.skipif(_paths.CHECKOUT is None, reason="an installed package")
@pytest.mark.parametrize("file", [[], ["f.yaml"]])
def test_the_check_of_the_checkout_needs_no_torch(file, tmp_path):
    (tmp_path / "f.yaml").write_text("- op : f\n  args : (Tensor x)\n  output : Tensor\n  composite : relu(x)\n")
    answer = process("-X", "importtime", "-m", "codegen", "check", *(str(tmp_path / name) for name in file), cwd=_paths.CHECKOUT)
    assert answer.returncode == 0, answer.stderr
    imported = {line.rpartition("|")[2].strip() for line in answer.stderr.splitlines()}
    assert "codegen" in imported and not imported & {"torch", "numpy", "jinja2"}


def test_a_closed_pipe_is_no_error(tmp_path):
    command = f"{sys.executable} -m phi_torch list | head -n 1"
    answer = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert answer.stdout.startswith("name") and answer.stderr == ""


def test_every_command_describes_its_arguments(capsys):
    for command in COMMANDS:
        with pytest.raises(SystemExit) as done:
            main([command, "--help"])
        assert done.value.code == 0
    assert "COMMAND" in process("-m", "phi_torch", "--help").stdout


KERNEL = """
#include "core/kernel_registry.h"
#include "primitive/elementwise.h"
namespace phi {
struct Twice { template <typename V> HOSTDEVICE V operator()(V x) const { return x + x; } };
template <typename T, typename Context>
void ConfigTwiceKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  primitive::Map<T>(dev_ctx, out, Twice(), x);
}
}  // namespace phi
PD_REGISTER_KERNEL(config_twice, CPU, ALL_LAYOUT, phi::ConfigTwiceKernel, float, double) {}
"""


def test_config_compiles_and_links_a_library_of_kernels(capsys, tmp_path):
    """As a makefile would: `g++ $(phi-torch config --cxxflags --includes) ... $(phi-torch config --libs)`."""
    (tmp_path / "twice.cc").write_text(KERNEL)
    flags, libraries = (run(capsys, "config", *options)[1].strip() for options in (("--cxxflags", "--includes"), ("--libs",)))
    command = f"g++ {flags} -shared twice.cc {libraries} -o libtwice.so"
    built = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert phi_torch._C.kernels("config_twice") == []
    torch.ops.load_library(tmp_path / "libtwice.so")
    assert {(backend, dtype) for backend, _, dtype, _, _ in phi_torch._C.kernels("config_twice")} == {
        ("CPU", "float32"),
        ("CPU", "float64"),
    }


def test_config_for_cmake(capsys):
    lines = run(capsys, "config", "--cmake")[1].splitlines()
    values = {line.split('"')[0]: line.split('"')[1].split(";") for line in lines}
    assert [Path(file).exists() for file in values["set(PHI_TORCH_LIBRARIES "]] == [True] * len(config.libraries())
    assert str(_paths.csrc_dir()) in values["set(PHI_TORCH_INCLUDE_DIRS "]
    assert "-std=c++20" in values["set(PHI_TORCH_COMPILE_OPTIONS "]
    assert not any(value.startswith("-D") for value in values["set(PHI_TORCH_DEFINITIONS "])
