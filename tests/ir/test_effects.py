"""What operations do beside their results, and what passes make of it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from phi_torch import ir

from .test_passes import DATA, fetch, program_of, run


def effects_of(text: str) -> SimpleNamespace:
    program = ir.parse(f"phi.program 1\nprogram {{\n{DATA}{text}}}\n")
    return list(program.walk())[-1].effects


@pytest.mark.parametrize(
    ("text", "written", "shared", "is_random"),
    [
        ("  %0 = pd_op.relu(%x) : f32[2,3]\n", [], [], False),
        ("  %0 = pd_op.relu_(%x) : f32[2,3]\n", [0], [(0, 0)], False),
        ("  %0 = pd_op.reshape(%x, none) {shape = [6]} : f32[6]\n", [], [(0, 0)], False),
        ("  %0, %1 = pd_op.dropout(%x, none, none) {p = 0.5} : f32[2,3], ui8[2,3]\n", [], [], True),
        ("  %0, %1 = pd_op.dropout(%x, none, none) {p = 0.5, is_test = true} : f32[2,3], ui8[2,3]\n", [], [], False),
    ],
)
def test_effects(text, written, shared, is_random):
    effects = effects_of(text)
    assert effects.is_known and not effects.has_side_effect
    assert (effects.written, effects.shared, effects.is_random) == (written, shared, is_random)


def test_effects_of_what_nobody_knows_and_of_what_prints():
    assert not effects_of("  %0 = other.op(%x) : f32[2,3]\n").is_known
    assert effects_of('  builtin.set_parameter(%x) {parameter_name = "w"}\n').has_side_effect


def batch_norm(attributes: str) -> str:
    names = ("mean", "variance", "scale", "bias")
    weights = "".join(f'  %{name} = builtin.parameter {{name = "{name}"}} : f32[3]\n' for name in names)
    results = "f32[2,3], f32[3], f32[3], f32[3], f32[3], none"
    call = "pd_op.batch_norm_(%x, %mean, %variance, %scale, %bias)"
    return f"{weights}  %0, %1, %2, %3, %4, %5 = {call} {{{attributes}}} : {results}\n"


@pytest.mark.parametrize(
    ("attributes", "written"),
    [
        ("is_test = true, trainable_statistics = false", []),
        ("use_global_stats = true", []),
        ("is_test = true, trainable_statistics = true", [1, 2]),
        ("is_test = false", [1, 2]),
    ],
)
def test_statistics_are_written_in_training(attributes, written):
    assert effects_of(batch_norm(attributes)).written == written


def test_what_inference_does_not_do_is_merged_and_goes():
    drop = "  %{0}, %m{0} = pd_op.dropout(%x, none, none) {{p = 0.5, is_test = {1}}} : f32[2,3], ui8[2,3]\n"
    body = "  %y = pd_op.add(%a, %b) : f32[2,3]\n"
    for is_test, merged, erased in ((True, 1, 1), (False, 0, 0)):
        text = str(is_test).lower()
        program = program_of(DATA + drop.format("a", text) + drop.format("b", text) + body + fetch("%y"))
        assert run(program, "cse").get("operations merged", 0) == merged
        program = program_of(DATA + drop.format("a", text) + fetch("%x"))
        assert run(program, "dce").get("operations erased", 0) == erased
