"""Passes: what each changes, what it must leave alone, and the manager that runs them."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable

import numpy as np
import pytest
import torch

from phi_torch import ir
from phi_torch._paths import CHECKOUT
from phi_torch.cli import main

from .paddle_models import FOLDERS
from .test_executor import io_of


def program_of(body: str, symbols: str = "") -> ir.Program:
    program = ir.parse(f"phi.program 1\n{symbols}program {{\n{body}}}\n")
    program.verify()
    return program


def names(program: ir.Program) -> list[str]:
    return [op.name.removeprefix("pd_op.") for op in program.walk()]


def run(program: ir.Program, *passes: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in ir.PassManager(passes, verify=True).run(program).runs:
        counts |= one.counts
    return counts


DEFAULT = [
    "decompose",
    "functionalize",
    "maximize_value_semantics",
    "canonicalize",
    "rewrite",
    "merge_parallel_matmul",
    "constant_fold",
    "cse",
    "dce",
    "fuse_elementwise",
]
DATA = '  %x = pd_op.data {name = "x", shape = [2,3], dtype = float32} : f32[2,3]\n'


def fetch(*values: str) -> str:
    return "".join(f'  pd_op.fetch({value}) {{name = "out{i}", col = {i}}} : f32[2,3]\n' for i, value in enumerate(values))


# ---- dce ----


def test_dce_erases_chains_of_what_nobody_uses():
    program = program_of(DATA + "  %0 = pd_op.relu(%x) : f32[2,3]\n  %1 = pd_op.tanh(%0) : f32[2,3]\n" + fetch("%x"))
    assert run(program, "dce") == {"operations erased": 2}
    assert names(program) == ["data", "fetch"]
    assert run(program, "dce") == {}


@pytest.mark.parametrize(
    "kept",
    [
        '  %0 = pd_op.data {name = "y", shape = [2], dtype = float32} : f32[2]\n',  # an input of the program
        "  %0 = pd_op.uniform(none, none, none) {shape = [2], dtype = float32} : f32[2]\n",  # draws numbers
        "  %0 = pd_op.relu_(%x) : f32[2,3]\n",  # writes
        "  %0 = other.op(%x) : f32[2,3]\n",  # may do anything
        '  builtin.set_parameter(%x) {parameter_name = "w"}\n',
    ],
)
def test_dce_keeps_what_does_more_than_its_results(kept):
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{kept}{fetch('%x')}}}\n")
    before = names(program)
    assert not ir.PassManager(["dce"]).run(program).runs[0].counts
    assert names(program) == before


def branches(inner: str) -> str:
    return f"""  %c = pd_op.full {{shape = [1], value = 1.0, dtype = bool}} : bool[1]
  %r = pd_op.if(%c) {{
{inner}    %a = pd_op.relu(%x) : f32[2,3]
    cf.yield(%a)
  }} else {{
    cf.yield(%x)
  }} : f32[2,3]
"""


def test_dce_in_branches():
    unused = "    %u = pd_op.tanh(%x) : f32[2,3]\n"
    program = program_of(DATA + branches(unused) + fetch("%r"))
    assert run(program, "dce") == {"operations erased": 1}
    program = program_of(DATA + branches(unused) + fetch("%x"))
    run(program, "dce")
    assert names(program) == ["data", "fetch"]
    program = program_of(DATA + branches("    %u = pd_op.tanh_(%x) : f32[2,3]\n") + fetch("%x"))
    assert run(program, "dce") == {}  # the branch writes


# ---- cse ----


def test_cse_merges_what_computes_the_same():
    body = "".join(f"  %{i} = pd_op.relu(%x) : f32[2,3]\n" for i in range(3)) + "  %s = pd_op.tanh(%x) : f32[2,3]\n"
    body += "  %a = pd_op.add(%0, %1) : f32[2,3]\n  %b = pd_op.add(%2, %0) : f32[2,3]\n"
    program = program_of(DATA + body + fetch("%a", "%b", "%s"))
    assert run(program, "cse") == {"operations merged": 3}
    assert names(program) == ["data", "relu", "tanh", "add", "fetch", "fetch", "fetch"]


def test_cse_compares_attributes_and_the_order_of_operands():
    body = "  %0 = pd_op.softmax(%x) {axis = 0} : f32[2,3]\n  %1 = pd_op.softmax(%x) {axis = 1} : f32[2,3]\n"
    body += "  %2 = pd_op.subtract(%0, %1) : f32[2,3]\n  %3 = pd_op.subtract(%1, %0) : f32[2,3]\n"
    program = program_of(DATA + body + fetch("%2", "%3"))
    assert run(program, "cse") == {}


def test_cse_sees_from_branches_what_stands_before_them():
    program = program_of(DATA + "  %0 = pd_op.relu(%x) : f32[2,3]\n" + branches("") + fetch("%0", "%r"))
    assert run(program, "cse") == {"operations merged": 1}
    program = program_of(DATA + branches("") + "  %0 = pd_op.relu(%x) : f32[2,3]\n" + fetch("%0", "%r"))
    assert run(program, "cse") == {}  # the branch may not run


@pytest.mark.parametrize(
    "body",
    [
        # what is read was written in between
        "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %w = pd_op.relu_(%x) : f32[2,3]\n  %1 = pd_op.tanh(%x) : f32[2,3]\n",
        # one of the results is written
        "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %1 = pd_op.tanh(%x) : f32[2,3]\n  %w = pd_op.relu_(%1) : f32[2,3]\n",
        # by way of a view
        "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %v = pd_op.reshape(%x, none) {shape = [6]} : f32[6]\n"
        "  %w = pd_op.relu_(%v) : f32[6]\n  %1 = pd_op.tanh(%x) : f32[2,3]\n",
        # other numbers each time
        "  %0 = pd_op.uniform(none, none, none) {shape = [2,3], dtype = float32, min = 0.0, max = 1.0, seed = 0} : f32[2,3]\n"
        "  %1 = pd_op.uniform(none, none, none) {shape = [2,3], dtype = float32, min = 0.0, max = 1.0, seed = 0} : f32[2,3]\n",
    ],
)
def test_cse_leaves_alone(body):
    program = program_of(DATA + body + fetch("%0", "%1"))
    assert run(program, "cse") == {}


def test_arrays_are_two_although_they_are_made_alike():
    array = "  %{0} = pd_op.create_array {{dtype = float32}} : dense_tensor_array<f32[]>\n"
    program = ir.parse("phi.program 1\nprogram {\n" + array.format("a") + array.format("b") + "}\n")
    assert run(program, "cse") == {}


# ---- canonicalize ----


@pytest.mark.parametrize(
    "body",
    [
        '  %0, %m = pd_op.dropout(%x, none, none) {is_test = true, mode = "upscale_in_train"} : f32[2,3], ui8[2,3]\n',
        "  %0, %m = pd_op.dropout(%x, none, none) {is_test = true, p = 0.0} : f32[2,3], ui8[2,3]\n",
        "  %0 = pd_op.scale(%x, none) {scale = 1.0, bias = 0.0} : f32[2,3]\n",
        "  %0 = pd_op.assign(%x) : f32[2,3]\n",
        "  %0 = pd_op.cast(%x) {dtype = float32} : f32[2,3]\n",
        "  %0 = pd_op.reshape(%x, none) {shape = [2,-1]} : f32[2,3]\n",
        "  %0 = pd_op.transpose(%x) {perm = [0,-1]} : f32[2,3]\n",
        "  %l = builtin.combine(%x) : vec<f32[2,3]>\n  %0 = pd_op.concat(%l, none) {axis = 1} : f32[2,3]\n",
        "  %0 = pd_op.expand(%x, none) {shape = [-1,3]} : f32[2,3]\n",
        "  %0 = pd_op.flatten(%x) {start_axis = 1, stop_axis = 1} : f32[2,3]\n",
        "  %0 = pd_op.squeeze(%x, none) {axis = [1]} : f32[2,3]\n",
        "  %c = pd_op.less_than(%x, %x) : bool[2,3]\n  %0 = pd_op.where(%c, %x, %x) : f32[2,3]\n",
        "  %t = pd_op.transpose(%x) {perm = [1,0]} : f32[3,2]\n  %0 = pd_op.transpose(%t) {perm = [1,0]} : f32[2,3]\n",
        "  %t = pd_op.reshape(%x, none) {shape = [6]} : f32[6]\n  %0 = pd_op.reshape(%t, none) {shape = [2,3]} : f32[2,3]\n",
    ],
)
def test_what_gives_what_it_takes_goes(body):
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{body}{fetch('%0')}}}\n")
    run(program, "canonicalize", "dce")
    assert names(program) == ["data", "fetch"]


@pytest.mark.parametrize(
    "body",
    [
        '  %0, %m = pd_op.dropout(%x, none, none) {is_test = false, mode = "upscale_in_train"} : f32[2,3], ui8[2,3]\n',
        "  %0, %m = pd_op.dropout(%x, none, none) {is_test = true, p = 0.5} : f32[2,3], ui8[2,3]\n",  # it scales
        "  %0 = pd_op.scale(%x, none) {scale = 1.0, bias = 0.5} : f32[2,3]\n",
        "  %0 = pd_op.assign(%x) : f32[2,3]\n  %w = pd_op.relu_(%x) : f32[2,3]\n",
        "  %w = pd_op.assign(%x) : f32[2,3]\n  %0 = pd_op.relu_(%w) : f32[2,3]\n",
        '  %c = pd_op.data {name = "c", shape = [1,2,3], dtype = bool} : bool[1,2,3]\n'
        "  %0 = pd_op.where(%c, %x, %x) : f32[1,2,3]\n",
        "  %t = pd_op.reshape(%x, none) {shape = [3,2]} : f32[3,2]\n"
        "  %0 = pd_op.reshape(%t, none) {shape = [0,1,2]} : f32[3,1,2]\n",
    ],
)
def test_what_looks_alike_stays(body):
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{body}{fetch('%0')}}}\n")
    before = names(program)
    run(program, "canonicalize")
    assert names(program) == before


def test_a_reshape_to_unknown_sizes_stays():
    body = '  %0 = pd_op.data {name = "y", shape = [-1,3], dtype = float32} : f32[?,3]\n'
    body += "  %1 = pd_op.reshape(%0, none) {shape = [-1,3]} : f32[?,3]\n"
    program = ir.parse(f"phi.program 1\nprogram {{\n{body}{fetch('%1')}}}\n")
    assert run(program, "canonicalize") == {}


def test_permutations_are_joined():
    body = """  %0 = pd_op.data {name = "y", shape = [2,3,4], dtype = float32} : f32[2,3,4]
  %1 = pd_op.transpose(%0) {perm = [1,2,0]} : f32[3,4,2]
  %2 = pd_op.transpose(%1) {perm = [-1,0,1]} : f32[2,3,4]
  %3 = pd_op.transpose(%1) {perm = [1,0,2]} : f32[4,3,2]
"""
    program = program_of(body + fetch("%2", "%3"))
    assert run(program, "canonicalize", "dce") == {"chains joined": 2, "operations erased": 1}
    (left,) = [op for op in program.walk() if op.name == "pd_op.transpose"]
    assert list(left.attributes["perm"]) == [2, 1, 0]


# ---- all together ----


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_programs_of_paddle_stay_valid(folder):
    program = ir.load(folder)
    inputs = [op.attributes["name"] for op in program.walk() if op.name == "pd_op.data"]
    report = ir.PassManager("default", verify=True).run(program)
    assert [one.name for one in report.runs] == DEFAULT
    assert inputs == [op.attributes["name"] for op in program.walk() if op.name == "pd_op.data"]
    assert str(ir.parse(str(program))) == str(program)
    again = ir.PassManager("default").run(program)
    assert not any(one.counts for one in again.runs)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_passes_in_any_order_keep_what_a_program_gives(folder):
    program = ir.load(folder)
    try:
        run = ir.compile(program, passes=[])
    except NotImplementedError:
        return
    inputs, _ = io_of(folder, "io.npz")
    names = np.load(folder / "io.npz")["feed_names"].tolist()
    feed = [inputs[names.index(name)] for name, _ in run.inputs]
    expected = run(*feed)
    rng = random.Random(folder.name)
    every = [*DEFAULT, "layout", "pack"]
    for passes in (*([name] for name in every), *(rng.choices(every, k=9) for _ in range(3))):
        changed = program.clone()
        ir.PassManager(passes, verify=True).run(changed)
        for ours, theirs in zip(ir.compile(changed, passes=[])(*feed), expected, strict=True):
            atol = 1e-4 * max(theirs.abs().max().item(), 1.0) if theirs.is_floating_point() else 0
            torch.testing.assert_close(ours, theirs, rtol=0, atol=atol, msg=lambda text, passes=passes: f"{passes}: {text}")


class EraseTanh(ir.Pass):
    name = "erase_tanh"

    def run(self, program: ir.Program) -> dict[str, int]:
        found = [op for op in program.walk() if op.name == "pd_op.tanh"]
        for op in found:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()
        return {"tanhs erased": len(found)} if found else {}


def two_functions() -> ir.Program:
    return program_of(DATA + "  %0 = pd_op.relu(%x) : f32[2,3]\n  %1 = pd_op.tanh(%0) : f32[2,3]\n" + fetch("%1"))


def test_a_pass_in_python():
    program = two_functions()
    tanh = next(op for op in program.walk() if op.name == "pd_op.tanh")
    out = io.StringIO()
    report = ir.PassManager(["cse", EraseTanh, EraseTanh()], print_before=True, print_after="changed", file=out).run(program)
    assert [one.counts for one in report.runs] == [{}, {"tanhs erased": 1}, {}]
    assert str(report).splitlines()[1].endswith("ms  1 tanhs erased")
    assert names(program) == ["data", "relu", "fetch"]
    titles = [line for line in out.getvalue().splitlines() if line.startswith("#")]
    assert titles[0] == "# before all passes"
    assert len(titles) == 2 and titles[1].startswith("# after erase_tanh")
    with pytest.raises(ReferenceError, match="erased by .*the pass 'erase_tanh'"):
        tanh.name  # noqa: B018
    program = program_of(DATA + "  %0 = pd_op.relu(%x) : f32[2,3]\n" + fetch("%x"))
    relu = next(op for op in program.walk() if op.name == "pd_op.relu")
    run(program, "dce")
    with pytest.raises(ReferenceError, match="erased by the pass 'dce'"):
        relu.name  # noqa: B018


def test_bisect_names_the_first_pass_that_changes_a_result():
    program = two_functions()
    text = str(program)
    manager = ir.PassManager(["canonicalize", EraseTanh, "dce"])
    assert manager.bisect(program, lambda p: "tanh" in names(p)) == "erase_tanh"
    assert manager.bisect(program, lambda p: "relu" in names(p)) is None
    assert str(program) == text
    with pytest.raises(ValueError, match="differs before any pass"):
        manager.bisect(program, lambda p: False)


def test_a_program_that_is_not_valid_is_left_as_it_is():
    program = program_of(DATA + "  %y = pd_op.relu(%x) : f32[2,3]\n  %z = pd_op.relu(%y) : f32[2,3]\n" + fetch("%z"))
    [*program.walk()][1].set_operand(0, [*program.walk()][2].results[0])
    before = str(program)
    for manager in (ir.PassManager(), ir.PassManager(["fuse_elementwise"])):
        with pytest.raises(ir.VerifyError, match="operand 0 'x' is used before it is defined"):
            manager.run(program)
    assert str(program) == before


def test_the_pass_that_broke_a_program_is_named():
    class Twice(ir.Pass):
        name = "twice"

        def run(self, program: ir.Program) -> dict[str, int]:
            ir.Builder(program).create("pd_op.relu", [], {}, [])
            return {"relus": 1}

    with pytest.raises(ir.VerifyError, match="after the pass 'twice': "):
        ir.PassManager([Twice], verify=True).run(two_functions())


@pytest.mark.parametrize(
    ("passes", "error", "message"),
    [
        (["csee"], ValueError, "no pass has the name 'csee'; near: cse"),
        (["nothing"], ValueError, "no pass has the name 'nothing'; there are " + ", ".join(DEFAULT[:-1])),
        ("cse", ValueError, r"expected 'default', a level or a list, got 'cse'; write \['cse'\]"),
        ([3.0], TypeError, "expected names, levels and objects of phi_torch.ir.Pass, got 3.0"),
    ],
)
def test_what_is_no_pass(passes: Iterable[str], error, message):
    with pytest.raises(error, match=message):
        ir.PassManager(passes)


def test_levels():
    assert [one.name for one in ir.PassManager(0).passes] == ["decompose"]
    assert [one.name for one in ir.PassManager(1).passes] == [
        name for name in DEFAULT if name not in ("rewrite", "merge_parallel_matmul", "fuse_elementwise")
    ]
    assert [one.name for one in ir.PassManager(["default", "dce"]).passes] == [*DEFAULT, "dce"]
    assert [one.name for one in ir.PassManager(3).passes] == [*DEFAULT[:-1], "layout", "pack", DEFAULT[-1]]


def test_the_command(tmp_path, capsys):
    out = tmp_path / "out" / "model.phi"
    assert main(["opt", str(FOLDERS[0]), "--passes", "cse,dce", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].startswith("cse ")
    assert " operations, " in printed
    program = ir.load(FOLDERS[0])
    ir.PassManager(["cse", "dce"]).run(program)
    assert str(ir.load(out)) == str(program)
    assert main(["opt", str(FOLDERS[0]), "--passes", "csee"]) == 1
    assert "no pass has the name 'csee'; near: cse" in capsys.readouterr().err


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package has no docs/")
def test_the_page_lists_all_passes():
    page = (CHECKOUT / "docs" / "ir.md").read_text()
    for name, level, _ in ir._core.pass_table():
        assert f"| `{name}` | {level} |" in page


# ---- functionalize ----


def test_what_is_written_is_what_comes_later():
    body = "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %1 = pd_op.exp(%0) : f32[2,3]\n  %2 = pd_op.relu_(%0) : f32[2,3]\n"
    program = program_of(DATA + body + "  %3 = pd_op.sigmoid(%0) : f32[2,3]\n" + fetch("%1", "%2", "%3"))
    x = torch.randn(2, 3)
    before = ir.compile(program, passes=[])(x)
    assert run(program, "functionalize") == {"operations that write no more": 1}
    assert names(program)[1:5] == ["tanh", "exp", "relu", "sigmoid"]
    relu, sigmoid = (next(op for op in program.walk() if op.name == f"pd_op.{name}") for name in ("relu", "sigmoid"))
    assert sigmoid.operands[0] == relu.results[0]
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(ir.compile(program, passes=[])(x), before))


def test_chains_of_writes():
    body = "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %1 = pd_op.relu_(%0) : f32[2,3]\n  %2 = pd_op.exp_(%1) : f32[2,3]\n"
    program = program_of(DATA + body + "  %3 = pd_op.add(%2, %0) : f32[2,3]\n" + fetch("%3"))
    x = torch.randn(2, 3)
    before = ir.compile(program, passes=[])(x)
    assert run(program, "functionalize") == {"operations that write no more": 2}
    assert torch.equal(ir.compile(program, passes=[])(x)[0], before[0])


@pytest.mark.parametrize(
    "body",
    [
        # a view sees it
        "  %0 = pd_op.tanh(%x) : f32[2,3]\n  %v = pd_op.reshape(%0, none) {shape = [6]} : f32[6]\n"
        "  %w = pd_op.relu_(%v) : f32[6]\n",
        # it is a view
        "  %v = pd_op.reshape(%x, none) {shape = [6]} : f32[6]\n  %0 = pd_op.relu_(%v) : f32[6]\n",
        # another operation writes it, too
        "  %t = pd_op.tanh(%x) : f32[2,3]\n  %0 = pd_op.relu_(%t) : f32[2,3]\n  %w = pd_op.tanh_(%t) : f32[2,3]\n",
    ],
)
def test_what_others_see_is_written(body):
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{body}{fetch('%0')}}}\n")
    assert run(program, "functionalize") == {}


# ---- constant_fold ----


def weighted(body: str, *, is_mutable: bool = False) -> ir.Program:
    text = '  %w = builtin.parameter {name = "w"} : f32[2,3]\n' + body
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{text}}}\n")
    program.weights.set("w", torch.tensor([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]]), is_mutable=is_mutable)
    return program


def test_what_follows_from_weights_is_a_weight():
    body = "  %0 = pd_op.relu(%w) : f32[2,3]\n  %1 = pd_op.exp(%0) : f32[2,3]\n  %2 = pd_op.add(%1, %x) : f32[2,3]\n"
    program = weighted(body + fetch("%2", "%0"))
    x = torch.randn(2, 3)
    before = ir.compile(program, passes=[])(x)
    folded = program.clone()
    assert run(folded, "constant_fold", "dce") == {"weights made": 2, "operations erased": 3}
    assert names(folded) == ["data", "builtin.parameter", "builtin.parameter", "add", "fetch", "fetch"]
    assert sorted(folded.weights) == ["w", "w.folded", "w.folded.1"] and list(program.weights) == ["w"]
    assert torch.equal(folded.weights["w.folded"].data, torch.relu(program.weights["w"].data))
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(ir.compile(folded, passes=[])(x), before))
    assert run(folded, "constant_fold") == {}


@pytest.mark.parametrize(
    ("body", "is_mutable"),
    [
        ("  %0 = pd_op.relu(%w) : f32[2,3]\n", True),
        ('  %0 = pd_op.relu(%w) : f32[2,3]\n  builtin.set_parameter(%x) {parameter_name = "w"}\n', False),
        ("  %0 = pd_op.relu(%w) : f32[2,3]\n  %1 = pd_op.tanh_(%0) : f32[2,3]\n", False),
        ("  %0 = pd_op.expand(%w, none) {shape = [20000,2,3]} : f32[20000,2,3]\n", False),  # too large
        ("  %0, %m = pd_op.dropout(%w, none, none) {p = 0.5} : f32[2,3], ui8[2,3]\n", False),  # other numbers each time
        ("  %0 = pd_op.add(%w, %x) : f32[2,3]\n", False),
    ],
)
def test_what_is_computed_each_time(body, is_mutable):
    program = weighted(body + fetch("%0"), is_mutable=is_mutable)
    assert run(program, "constant_fold") == {}
