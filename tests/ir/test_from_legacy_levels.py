"""Operators of Paddle 2 whose results have levels of detail: the IR has the rows, and refuses whoever reads the levels."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc

from .test_from_legacy import CONDITION, PASSES, X, branch, described, positive, scale, tensor

RESET = {"target_lod": Attribute("INTS", [0, 1, 3])}


def reset(x: str, out: str) -> OpDesc:
    return OpDesc("lod_reset", {"X": [x]}, {"Out": [out]}, RESET)


def program(*ops: OpDesc) -> ProgramDesc:
    return described(list(ops), [], tensor("a", -1, 3), tensor("b", -1, 3))


def test_rows_without_their_levels():
    desc = program(reset("x", "a"), scale("a", "y", 2.0))
    x = torch.randn(3, 3)
    for passes in PASSES:
        assert torch.equal(ir.compile(ir.from_legacy(desc), passes=passes)(x)[0], 2 * x)
    assert legacy.Executor(desc, {}).run({"x": x})[0].lod == [[0, 1, 3]]


def test_boxes_that_are_chosen():
    """As many as a run finds, of images of any number."""
    inputs = {"BBoxes": ["boxes"], "Scores": ["scores"]}
    numbers = {"score_threshold": 0.1, "nms_threshold": 0.4, "nms_eta": 1.0}
    attrs = {name: Attribute("FLOAT", value) for name, value in numbers.items()}
    attrs |= {name: Attribute("INT", value) for name, value in {"background_label": -1, "nms_top_k": 9, "keep_top_k": 5}.items()}
    chosen = OpDesc("multiclass_nms", inputs, {"Out": ["y"]}, attrs | {"normalized": Attribute("BOOLEAN", True)})
    columns = [
        OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, {"col": Attribute("INT", at)})
        for at, name in ((1, "boxes"), (2, "scores"))
    ]
    desc = described([*columns, chosen, scale("y", "z", 2.0)], [], tensor("boxes", -1, 6, 4), tensor("scores", -1, 2, 6), fetch="z")
    desc.blocks[0].vars |= {"y": tensor("y", -1, 6), "z": tensor("z", -1, 6)}
    executor, run = legacy.Executor(desc, {}), ir.compile(ir.from_legacy(desc))
    for images in (1, 3):
        corners = torch.rand(images, 6, 2)
        feed = {"x": X, "boxes": torch.cat([corners, corners + 0.3], 2), "scores": torch.rand(images, 2, 6)}
        (expected,) = executor.run(feed)
        torch.testing.assert_close(run(*(feed[name] for name, _ in run.inputs))[0], torch.as_tensor(expected).clone())


@pytest.mark.parametrize(
    "between", [scale("a", "b", 2.0), OpDesc("concat", {"X": ["x", "a"]}, {"Out": ["b"]}, {"axis": Attribute("INT", 0)})]
)
def test_who_reads_levels_is_refused(between: OpDesc):
    pool = OpDesc("sequence_pool", {"X": ["b"]}, {"Out": ["y"]}, {"pooltype": Attribute("STRING", "LAST")})
    with pytest.raises(ir.ProgramError, match=r"\(sequence_pool\): it reads the levels of detail of 'b', which 'lod_reset' gives"):
        ir.from_legacy(program(reset("x", "a"), between, pool))


def test_a_variable_that_has_no_levels_any_more():
    attrs = {"trans_x": Attribute("BOOLEAN", False), "trans_y": Attribute("BOOLEAN", True)}
    product = OpDesc("matmul_v2", {"X": ["a"], "Y": ["a"]}, {"Out": ["a"]}, attrs)
    desc = program(reset("x", "a"), product, reset("a", "y"))
    x = torch.randn(3, 3)
    torch.testing.assert_close(ir.compile(ir.from_legacy(desc))(x)[0], x @ x.T)


def test_levels_of_a_block_are_refused():
    inner = BlockDesc(1, 0, {}, [reset("x", "y")])
    desc = described([scale("x", "y", 1.0), *positive("c"), branch("c", 1, "y")], [inner], *CONDITION)
    with pytest.raises(ir.ProgramError, match="the IR has no operator 'lod_reset'"):
        ir.from_legacy(desc)


@pytest.mark.parametrize("is_leveled", [False, True])
@pytest.mark.parametrize("has_lengths", [False, True])
def test_levels_that_are_fed(is_leveled: bool, has_lengths: bool):
    """Without them the rows would be sequences of their own."""
    names = ("h", "r", "n")
    ops = [OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, {"col": Attribute("INT", at)}) for at, name in enumerate(names, 1)]
    inputs = {"Hyps": ["h"], "Refs": ["r"], "HypsLength": ["n"] if has_lengths else [], "RefsLength": ["n"] if has_lengths else []}
    ops += [OpDesc("edit_distance", inputs, {"Out": ["y"], "SequenceNum": ["count"]})]
    variables = [tensor(name, -1, 1, dtype=torch.int64) for name in (*names, "count")]
    for var in variables[:2]:
        var.lod_level = int(is_leveled)
    desc = described(ops, [], *variables)
    if is_leveled and not has_lengths:
        with pytest.raises(ir.ProgramError, match="it reads the levels of detail of 'h', which 'feed' gives"):
            ir.from_legacy(desc)
    else:
        assert "pd_op.edit_distance" in ir.from_legacy(desc).counts()
