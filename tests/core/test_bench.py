"""The benchmark's own logic; no time is asserted."""

import csv
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from phi_torch import _op_table, registry
from phi_torch.bench import BENCHMARKS, check, environment, report, rows, side
from phi_torch.bench.measure import Job
from phi_torch.bench.paddle_side import Paddle
from phi_torch.bench.rows import Row, summarise
from phi_torch.bench.shapes import Case, load
from phi_torch.bench.torch_side import Side, difference
from phi_torch.cli import main

SHAPES = load(BENCHMARKS / "shapes.yaml")
CASE = Case("add", "call", "middle", "float32", "forward", 1)
ADD = "inputs : [x, y], ours : 'phi.add(x, y)', aten : 'torch.add(x, y)', shapes : {tiny : [[4], [4]]}"


def row(case: Case = CASE, **values: object) -> Row:
    return Row(**{**vars(case), **values})


def shapes_file(folder: Path, **ops: str) -> Path:
    entries = "".join(f"\n  {op} : {{{entry}}}" for op, entry in ops.items())
    file = folder / "shapes.yaml"
    file.write_text(f"sizes : [tiny, small]\ndtypes : [float32]\nops :{entries}\n")
    return file


def measured(file: Path) -> list[Row]:
    cases = [case for case in load(file).cases("", ["tiny"], ["float32"], 1) if case.direction == "forward"]
    return list(environment.measured(Job(str(file), cases, seconds=0.01, rounds=3, compiled=False, paddle="")))


def test_every_op_has_an_entry():
    """But those made of torch's operators: what they cost beside these is the same for all; `det` and `angle` show it. And
    those of strings, which torch has no tensors of."""
    forward = {name for name, op in _op_table.OPS.items() if not op.is_backward and op.dense}
    assert {name for name in forward if not registry.is_composite(name)} | {"det", "angle"} <= set(SHAPES.ops)


@pytest.mark.parametrize("op", [op for op in SHAPES.ops if op in _op_table.OPS])
def test_sides_agree_and_run(op):
    for case in SHAPES.cases(op, ["tiny", "small"], SHAPES.dtypes, 1):
        if case.op == op:
            ours, aten = (Side(SHAPES, case, who) for who in ("ours", "aten"))
            if ours.result is not None:
                assert difference(ours.result, aten.result, getattr(torch, case.dtype)) == "", case
            ours.run(1)
            aten.run(1)


def test_a_compiled_call_knows_what_its_setup_assigns(tmp_path):
    entry = "inputs : [x], setup : {ours : factor = 3.0}, ours : 'phi.scale(x, factor)', aten : x * 3, shapes : {tiny : [[4]]}"
    shapes = load(shapes_file(tmp_path, scale=entry))
    case = next(shapes.cases("scale", ["tiny"], ["float32"], 1))
    ours = Side(shapes, case, "ours", compiled=True)
    ours.run(2)
    assert difference(ours.result, Side(shapes, case, "aten").result, torch.float32) == ""


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("inputs : [x], ours : phi.relu(x), shapes : {tiny : [[4]]}", "'aten' is missing"),
        (ADD + ", atem_op : x", "no key 'atem_op'"),
        (ADD.replace("[[4], [4]]", "[[4]]"), "tiny has 1 shapes for 2 inputs (x, y)"),
        (ADD.replace("tiny", "huge"), "no size 'huge'; expected one of tiny, small"),
        (ADD.replace("[x, y]", "{x : normal, y : index(z)}"), "input 'y' is 'index(z)'"),
        (ADD + ", directions : [sideways]", "no direction 'sideways'"),
    ],
)
def test_errors_in_shapes_name_the_entry(tmp_path, entry, message):
    file = shapes_file(tmp_path, add=entry)
    with pytest.raises(ValueError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}: op 'add': ")
    assert message in str(caught.value)


def test_cases():
    found = list(SHAPES.cases("softmax", ["tiny", "large"], ["float32"], 1))
    assert Case("softmax", "op", "tiny", "float32", "forward", 1) in found
    assert Case("softmax", "call", "large", "float32", "forward+backward", 1) in found
    assert {case.op for case in found} == {
        "softmax",
        "softmax axis 0",
        "softmax axis 0, 16 columns",
        "log_softmax",
        "log_softmax axis 0",
        "cross_entropy_with_softmax",
        "fused_softmax_mask",
        "fused_softmax_mask_upper_triangle",
        "gumbel_softmax",
    }
    assert {case.size for case in SHAPES.cases("softmax", ["tiny", "large"], ["float32"], 2)} == {"large"}


def test_inputs_and_calls():
    case = Case("embedding", "op", "middle", "float32", "forward", 1)
    index, weight = SHAPES.inputs(case)
    assert (index["kind"], index["below"], weight["kind"], weight["below"]) == ("index", 10000, "normal", None)
    assert side.arrays([index])["x"].max() < 10000
    assert SHAPES.call(case, "ours") == "phi.embedding.default(x, weight)"
    assert SHAPES.call(case, "aten") == "aten.embedding.default(weight, x)"
    assert SHAPES.call(CASE, "ours") == "phi.add(x, y)"


def test_backward_clears_or_accumulates():
    assert side.body("f(x)", "forward+backward", ["x"], True, False) == "out = f(x); out.backward(seed)"
    assert side.body("f(x)", "forward+backward", ["x"], False, True) == "x.grad = None; out = f(x); backward(out, seed)"


def test_summarise():
    rounds = [{"ours": a * 1e-6, "aten": 2e-6, "copy": 1e-6, "paddle": 4e-6} for a in (1.0, 1.2, 1.4)]
    found = summarise(CASE, rounds, moved=100, note="")
    assert (found.ours_us, found.aten_us, found.paddle_us) == pytest.approx((1.2, 2.0, 4.0))
    assert (found.ratio, found.low, found.high) == pytest.approx((0.6, 0.55, 0.65))
    assert (found.paddle_ratio, found.copy_fraction, found.compiled_ratio) == (pytest.approx(0.3), pytest.approx(1 / 1.2), None)


def test_csv(tmp_path):
    file = tmp_path / "rows.csv"
    written = [row(ratio=0.5, low=0.25, high=0.75, note="a, b"), row(note="missing")]
    rows.write(file, written, environment.about("3.3.1"))
    assert rows.read(file)[0] == written
    with file.open(newline="") as text:
        header = next(csv.reader(text))
    assert header[:6] == ["commit", "date", "machine", "torch", "phi_torch", "paddle"]
    assert {"op", "threads", "ours_us", "ratio", "copy_fraction", "compiled_ratio", "paddle_ratio", "note"} <= set(header)
    file.write_text(file.read_text().replace("ratio,", "rate,"))
    with pytest.raises(ValueError, match="column '.*ratio' is missing"):
        rows.read(file)


def test_check_needs_margin_and_spread():
    baseline = [row(ratio=1.0, low=0.9, high=1.3)]
    assert check.slower([row(ratio=1.24, low=1.31, high=1.4)], baseline) == []
    assert check.slower([row(ratio=1.5, low=1.29, high=2.0)], baseline) == []
    slow = row(ratio=1.5, low=1.31, high=2.0)
    assert check.slower([slow], baseline) == [(slow, baseline[0])]
    assert check.slower([slow], [row(Case("relu", *list(vars(CASE).values())[1:]), ratio=1.0, low=1.0, high=1.0)]) == []


def test_check_reports_what_is_not_measured_any_more():
    gone = row(note="the process died: SIGSEGV")
    assert check.lost([gone], [row(ratio=1.0, low=1.0, high=1.0)]) == [gone]
    assert check.lost([gone], [row()]) == []
    assert check.render([], [gone]) == [
        "not measured: phi_torch.add, middle, float32, forward, 1 thread: the process died: SIGSEGV"
    ]


def test_check_of_results_fails(tmp_path, capsys):
    before, now = tmp_path / "before.csv", tmp_path / "now.csv"
    rows.write(before, [row(ratio=1.0, low=0.99, high=1.01)], environment.about())
    rows.write(now, [row(ratio=2.0, low=1.99, high=2.01)], environment.about())
    assert main(["bench", "--results", str(now), "--check", str(before)]) == 1
    assert "slower: phi_torch.add, middle" in capsys.readouterr().out
    assert main(["bench", "--results", str(before), "--check", str(now)]) == 0
    assert "another machine" not in capsys.readouterr().out
    rows.write(now, [row(ratio=2.0, low=1.99, high=2.01)], {**environment.about(), "machine": "Z80, 1 cores"})
    main(["bench", "--results", str(before), "--check", str(now)])
    assert "was measured on another machine, Z80, 1 cores" in capsys.readouterr().out


def test_summary():
    found = [row(ratio=0.5), row(Case("relu", *list(vars(CASE).values())[1:]), ratio=2.0)]
    figures: list[dict[str, Any]] = [
        {"name": "all", "rows": {"size": "middle"}, "mean": 1.0, "worst": 1.5},
        {"name": "none", "rows": {"size": "tiny"}},
    ]
    text = "\n".join(report.summary(found, figures))
    assert "mean 1.00 [<= 1.00: reached]" in text
    assert "worst 2.00 relu float32 forward, 1 thread [<= 1.50: NOT reached]" in text
    assert "none" not in text
    fraction = {"name": "copy", "rows": {"size": "middle"}, "column": "copy_fraction", "worst": 0.85}
    text = "\n".join(report.summary([row(copy_fraction=0.9), row(copy_fraction=0.8)], [fraction]))
    assert "worst 0.80 add float32 forward, 1 thread [>= 0.85: NOT reached]" in text


def test_tables_show_every_row():
    cases = [case for case in SHAPES.cases("add", SHAPES.sizes, SHAPES.dtypes, 1) if case.op == "add"]
    found = [row(case, ratio=float(n), low=0.0, high=0.0) for n, case in enumerate(cases)]
    text = "\n".join(report.lines(cases, found, SHAPES))
    assert all(f" {n}.00 (" in text for n in range(len(cases)))
    assert "Call overhead" in text and "Throughput, 1 thread" in text


def test_a_row_is_measured(tmp_path):
    (found,) = measured(shapes_file(tmp_path, add=ADD))
    assert found.note == ""
    assert found.ratio and found.ours_us and found.aten_us
    assert found.low <= found.ratio <= found.high


def test_what_cannot_be_measured_is_said(tmp_path):
    file = shapes_file(
        tmp_path,
        no_such_op=ADD,
        multiply=ADD.replace("phi.add", "phi.multiply"),
        relu=ADD.replace("phi.add(x, y)", "__import__(\"os\").abort()"),
        scale=ADD.replace("phi.add(x, y)", "phi.scale()"),
        add=ADD,
    )  # fmt: skip
    missing, differs, crash, wrong, good = measured(file)
    assert missing.note == "phi_torch has no op 'no_such_op'"
    assert differs.note.startswith("ours and ATen disagree: ")
    assert crash.note == "the process died: SIGABRT"
    assert wrong.note.startswith("ours: TypeError")
    assert good.note == "" and good.ratio


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sizes", "huge"), "no size 'huge'; expected some of tiny, small, middle, large"),
        (("no_such_op",), "no op 'no_such_op'"),
        (("--check", "missing.csv"), "no file missing.csv; `bench --write-baseline` makes it"),
        (("--programs", "missing"), "--programs missing: there is no such folder"),
        (("--programs", str(Path(__file__).parent)), "expected folders of programs with inputs beside them (io.npz), found none"),
        (("--paddle", "/no/python", "add"), "--paddle /no/python: no PaddlePaddle there"),
    ],
)
def test_errors_are_one_line(capsys, arguments, message):
    assert main(["bench", *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_paddle_needs_an_interpreter_with_paddle():
    with pytest.raises(ValueError, match="make oracle-env"):
        Paddle(sys.executable, 1)


def test_plot_needs_matplotlib(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["bench", "--plot", "x.png", "add"]) == 1
    assert "pip install matplotlib" in capsys.readouterr().err


DUMP = """\
ob=(1) lib.so
fn=(1) phi::python::add
10 5
cob=(2) libc.so
cfn=(2) malloc
calls=1 20
10 30
cfn=(3) phi::AddKernel
calls=1 20
10 100
fn=(3)
20 90
cob=(2)
cfn=(2)
calls=1 1
+1 10

ob=(2)
fn=(2)
1 40
"""


@pytest.fixture
def anatomy(monkeypatch):
    spec = importlib.util.spec_from_file_location("anatomy", BENCHMARKS / "anatomy.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "anatomy", module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("label", "short", "stage"),
    [
        (
            "a.so:phi::torch_bridge::(anonymous namespace)::add(c10::DispatchKeySet, at::Tensor const&)",
            "a.so:phi::torch_bridge::anonymous::add(DispatchKeySet)",
            "autograd",
        ),
        (
            "a.so:phi::torch_bridge::(anonymous namespace)::add(at::Tensor const&)",
            "a.so:phi::torch_bridge::anonymous::add",
            "adapter",
        ),
        ("a.so:std::vector<c10::IValue, std::allocator<c10::IValue> >::reserve(unsigned long)", "a.so:std::vector::reserve", None),
        (
            "b.so:at::native::add_kernel(c10::Scalar)::{lambda()#1}::operator()() const",
            "b.so:at::native::add_kernel::{lambda#1}::operator_call const",
            "kernel",
        ),
    ],
)
def test_anatomy_knows_functions(anatomy, label, short, stage):
    assert (anatomy.short(label), anatomy.stage_of(label)) == (short, stage)


def test_anatomy_shares_helpers_among_their_callers(anatomy, tmp_path):
    file = tmp_path / "dump"
    file.write_text(DUMP)
    functions = anatomy.read_callgrind(file)
    assert {label: f.cost for label, f in functions.items()} == {
        "lib.so:phi::python::add": 5, "libc.so:malloc": 40, "lib.so:phi::AddKernel": 90,
    }  # fmt: skip
    assert anatomy.stages(functions) == {
        "binding": {"lib.so:phi::python::add": 5, "libc.so:malloc": 30},
        "kernel": {"lib.so:phi::AddKernel": 90, "libc.so:malloc": 10},
    }


@pytest.mark.usefixtures("set_threads")  # which a benchmark changes
def test_compiled_programs(capsys):
    data = Path(__file__).parents[1] / "ir" / "data"
    assert main(["bench", "--programs", str(data), "--paddle", "no", "--threads", "1,2"]) == 0
    printed = capsys.readouterr().out
    assert "an instruction beyond its kernel" in printed and printed.count("wide_deep") == 2
    assert "of 1 thread\n" in printed and "of 2 threads\n" in printed
