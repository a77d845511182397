"""Each rewrite of yaml/rewrites.yaml: it matches its sample, keeps types and values, and refuses what it must; and rewrites of
one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from phi_torch import ir
from phi_torch._paths import codegen_dir
from phi_torch.ir._core import apply_rewrites, count_matches, rewrite_table
from phi_torch.ir.rewrite import rows_of

from .paddle_models import FOLDERS
from .rewrite_samples import choices, constants, trial

from codegen.model.diagnose import Diagnostics  # isort: skip
from codegen.model.rewrite import Rewrite  # isort: skip
from codegen.read.rewrites import read_rewrites  # isort: skip

FILE = codegen_dir().parent / "yaml" / "rewrites.yaml"
REWRITES = read_rewrites(FILE, FILE.name, Diagnostics())
IDS = [rewrite.name for rewrite in REWRITES]
# of the largest result; products and sums of a few numbers, whose order changes
TOLERANCE = {"f32": 2e-6, "bf16": 3e-2}


def count(rewrite: Rewrite, program: ir.Program) -> int:
    """How often it is done in a program, which stays valid."""
    counts = apply_rewrites(program, [], [rows_of(rewrite)])
    program.verify()
    return counts.get(rewrite.name, 0)


def without(rewrite: Rewrite, condition: int) -> Rewrite:
    return replace(rewrite, where=tuple(term for i, term in enumerate(rewrite.where) if i != condition))


def test_the_library_has_all_of_the_file():
    assert rewrite_table() == [(rewrite.name, rewrite.level) for rewrite in REWRITES]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("rewrite", REWRITES, ids=IDS)
def test_types_and_values_stay(rewrite: Rewrite, dtype: str):
    for choice in choices(rewrite):
        found = trial(rewrite, dtype, choice=choice)
        before = ir.compile(found.program, passes=[])(*found.inputs)
        program = found.program.clone()
        out = [op.operands[0].type for op in program.walk() if op.name == "pd_op.fetch"]
        assert apply_rewrites(program, [rewrite.name], []) == {rewrite.name: 1}
        program.verify()
        assert [str(op.operands[0].type) for op in program.walk() if op.name == "pd_op.fetch"] == [str(type) for type in out]
        after = ir.compile(program, passes=[])(*found.inputs)
        folded = ir.compile(program, passes=["constant_fold", "canonicalize", "dce"])(*found.inputs)
        for results in (after, folded):
            for ours, expected in zip(results, before, strict=True):
                atol = TOLERANCE[dtype] * max(expected.abs().max().item(), 1.0)
                torch.testing.assert_close(ours, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("rewrite", REWRITES, ids=IDS)
def test_what_has_another_use_stays(rewrite: Rewrite):
    inner = len(trial(rewrite).results) - 1
    for i in range(inner):
        assert count(rewrite, trial(rewrite, used_twice=i).program) == 0


@pytest.mark.parametrize("rewrite", REWRITES, ids=IDS)
def test_what_may_change_is_no_constant(rewrite: Rewrite):
    for name in constants(rewrite):
        assert count(rewrite, trial(rewrite, inputs=[name]).program) == 0
        assert count(rewrite, trial(rewrite, mutable=[name]).program) == 0


@pytest.mark.parametrize("rewrite", REWRITES, ids=IDS)
def test_each_condition_is_needed(rewrite: Rewrite):
    """Of each condition there is a change of the sample that it alone refuses."""
    trials: list[dict] = [{"changes": dict(change)} for change in rewrite.refuse]
    trials += [{"inputs": [name]} for name in constants(rewrite)]
    for options in trials:
        assert count(rewrite, trial(rewrite, **options).program) == 0, options
    for i, condition in enumerate(rewrite.where):
        looser = without(rewrite, i)
        matching = [options for options in trials if count_matches(trial(rewrite, **options).program, rows_of(looser))]
        assert matching, f"{condition.loc}: no change of the sample needs this condition"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("lenet", {"conv_bias": 2, "conv_act": 2, "fc": 3}),
        ("resnet50", {"conv_bn": 53, "conv_bias": 53, "conv_act": 49, "conv_residual": 16, "fc": 1}),
    ],
)
def test_what_becomes_of_programs(name, counts):
    """Each batch norm is in a convolution, and so is each activation and residual."""
    folder = next((folder for folder in FOLDERS if folder.name == name), None)
    if folder is None:
        pytest.skip("PHI_PADDLE3_MODELS is not set")
    report = ir.PassManager().run(ir.load(folder))
    (run,) = (run for run in report.runs if run.name == "rewrite")
    assert dict(run.counts) == counts


# ---- of one's own ----


class ReluOfScale(ir.Rewrite):
    match = "relu(scale(x, scale = s, bias = 0.0))"
    where = "s > 0"
    to = "scale(relu(x), scale = s)"


DATA = '  %x = pd_op.data {name = "x", shape = [-1,4], dtype = float32} : f32[s0,4]\n'


def program_of(body: str, result: str) -> ir.Program:
    fetch = f'  pd_op.fetch({result}) {{name = "out", col = 0}} : f32[s0,4]\n'
    program = ir.parse(f'phi.program 1\nsymbols {{ s0 "x.0" >= 1 }}\nprogram {{\n{DATA}{body}{fetch}}}\n')
    program.verify()
    return program


def names(program: ir.Program) -> list[str]:
    return [op.name.removeprefix("pd_op.") for op in program.walk()]


@pytest.mark.parametrize(("scale", "matches"), [(2.0, True), (-2.0, False)])
def test_a_rewrite_in_python(scale, matches):
    body = f"  %0 = pd_op.scale(%x, none) {{scale = {scale}}} : f32[s0,4]\n  %1 = pd_op.relu(%0) : f32[s0,4]\n"
    program = program_of(body, "%1")
    x = torch.randn(3, 4)
    (before,) = ir.compile(program, passes=[])(x)
    (run,) = ir.PassManager([ReluOfScale], verify=True).run(program).runs
    assert dict(run.counts) == ({"relu_of_scale": 1} if matches else {}) and run.name == "relu_of_scale"
    assert names(program) == ["data", *(["relu", "scale"] if matches else ["scale", "relu"]), "fetch"]
    assert torch.equal(ir.compile(program, passes=["default", ReluOfScale])(x)[0], before)


def test_a_value_that_is_written_stays():
    body = "  %0 = pd_op.scale(%x, none) {scale = 2.0} : f32[s0,4]\n  %1 = pd_op.relu(%0) : f32[s0,4]\n"
    body += "  %2 = pd_op.tanh_(%x) : f32[s0,4]\n  %3 = pd_op.add(%1, %2) : f32[s0,4]\n"
    assert ReluOfScale().run(program_of(body, "%3")) == {}


def test_rewrites_that_chase_each_other():
    class Twice(ir.Rewrite):
        match = "scale(relu(x), scale = s, bias = 0.0)"
        to = "relu(scale(x, scale = s))"

    body = "  %0 = pd_op.scale(%x, none) {scale = 2.0} : f32[s0,4]\n  %1 = pd_op.relu(%0) : f32[s0,4]\n"
    program = program_of(body, "%1")
    with pytest.raises(RuntimeError, match="'relu_of_scale', 'twice' chase each other: more than 10 of them at 'pd_op"):
        apply_rewrites(program, [], [ReluOfScale()._rows, Twice()._rows])
    program.verify()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"match": "rellu(x)"}, "R.match:1:1.*there is no operator 'rellu'.*did you mean 'relu'"),
        ({"match": "relu(x"}, "R.match:1:.*malformed expression"),
        ({"match": "scale(x, scal = s)"}, "R.match:1:10.*no argument 'scal'.*did you mean 'scale'"),
        ({"match": "relu(x, y)"}, "more tensors than the 1"),
        ({"match": "multiply(relu(x), y)"}, "R.match:1:19.*nothing uses 'y'"),
        ({"to": "relu(y)"}, "R.to:1:6.*there is no variable 'y'"),
        ({"to": "relu(1.5)"}, "R.to:1:6.*'x' takes a tensor"),
        ({"to": "rank(x)"}, "`to` is no tensor"),
        ({"where": "rnk(x) == 2"}, "R.where:1:1.*there is no operator 'rnk'"),
        ({"where": "rank(x, x) == 2"}, "'rank' takes 1 argument"),
        ({"where": "x"}, "a condition is true or false"),
        ({"where": "x < 2"}, "'<' of tensors"),
        ({"where": "x.groups == 2"}, "'x' has no attributes"),
        ({"match": "[x for x in y]"}, "nothing that a rewrite may have"),
        ({"match": None}, "R.match: expected an expression, got None"),
        ({"wher": "rank(x) == 2"}, "R.wher: a rewrite has no such key; near: where"),
    ],
)
def test_what_is_wrong_with_a_rewrite(texts, said):
    R = type("R", (ir.Rewrite,), {"match": "relu(x)", "to": "x", **texts})
    with pytest.raises(ValueError, match=f"(?s){said}"):
        R()


def test_the_page_has_each():
    page = Path(codegen_dir().parent / "docs" / "rewrites.md")
    if page.parent.is_dir():
        assert all(f"\n## {name}\n" in page.read_text() for name in IDS)
