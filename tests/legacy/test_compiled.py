"""A module of a program runs compiled where no gradient is asked for, and gives what the executor gives, whatever was written."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, ProgramModule, VarDesc

from .models import DATA, INFERENCE, assert_agrees, feed_of


class Counted:
    """Which way the calls of a module went."""

    def __init__(self, model: ProgramModule, monkeypatch: pytest.MonkeyPatch) -> None:
        self.operator_by_operator = 0
        execute = model.executor.execute

        def counted(*args: Any) -> list[Any]:
            self.operator_by_operator += 1
            return execute(*args)

        monkeypatch.setattr(model.executor, "execute", counted)

    def took(self) -> int:
        found, self.operator_by_operator = self.operator_by_operator, 0
        return found


def loaded(name: str) -> tuple[ProgramModule, dict[str, torch.Tensor]]:
    return legacy.load(DATA / name), feed_of(np.load(DATA / name / "io.npz"))


def reference(model: ProgramModule, feed: dict[str, torch.Tensor]) -> torch.Tensor:
    """What the executor gives for the parameters as they are."""
    parameters = {name: getattr(node, last).detach().clone() for name, node, last, _ in model._places}
    return model.executor.execute(parameters, feed)[0]


def in_the_ir(folder: Path) -> bool:
    try:
        ir.compile(ir.from_legacy(folder))
    except (ProgramError, NotImplementedError):
        return False
    return True


@pytest.mark.parametrize("folder", INFERENCE, ids=lambda folder: folder.name)
def test_outputs(folder: Path, monkeypatch: pytest.MonkeyPatch):
    try:
        model = legacy.load(folder)
    except ProgramError as error:
        assert "cannot run" in str(error) and not folder.is_relative_to(DATA)
        pytest.skip(str(error))
    counted, is_known = Counted(model, monkeypatch), in_the_ir(folder)
    assert is_known or not folder.is_relative_to(DATA)
    for io in (np.load(file) for file in sorted(folder.glob("io*.npz"))):
        for _ in range(2):
            with torch.inference_mode():
                found = model(**feed_of(io))
            assert counted.took() == (not is_known)
            for index, value in enumerate(found if isinstance(found, tuple) else [found]):
                assert_agrees(value, io[f"out{index}"], model.outputs[index])


def parent(model: ProgramModule, name: str) -> tuple[nn.Module, str]:
    return next((node, last) for of, node, last, _ in model._places if of == name)


class Given(nn.Module):
    """A tensor, whatever its parameter is."""

    def __init__(self, tensor: torch.Tensor) -> None:
        super().__init__()
        self.tensor = tensor

    def forward(self, parameter: torch.Tensor) -> torch.Tensor:
        return self.tensor


WAYS: dict[str, Callable[[ProgramModule, str, torch.Tensor], Any]] = {
    "in place": lambda model, name, new: model.get_parameter(name).copy_(new),
    "past the version": lambda model, name, new: model.get_parameter(name).data.copy_(new),
    "by numpy": lambda model, name, new: np.copyto(model.get_parameter(name).detach().numpy(), new.numpy()),
    "other data": lambda model, name, new: setattr(model.get_parameter(name), "data", new),
    "another parameter": lambda model, name, new: setattr(*parent(model, name), nn.Parameter(new)),
    "a state": lambda model, name, new: model.load_state_dict({**model.state_dict(), name: new}),
    "an assigned state": lambda model, name, new: model.load_state_dict({**model.state_dict(), name: new}, assign=True),
    "another layout": lambda model, name, new: setattr(model.get_parameter(name), "data", new.t().contiguous().t()),
    "a parametrization": lambda model, name, new: parametrize.register_parametrization(*parent(model, name), Given(new)),
    "all of them": lambda model, name, new: model._apply(lambda t: t * 0.5 if t.is_floating_point() else t),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_to_parameters_is_seen(way: str):
    model, feed = loaded("wide_deep")
    name = "linear_1.w_0"
    with torch.no_grad():
        before = model(**feed)
        for factor in (0.5, 2.0):
            WAYS[way](model, name, getattr(*parent(model, name)).detach() * factor)
            expected = reference(model, feed)
            assert not torch.allclose(before, expected)
            for _ in range(3):
                torch.testing.assert_close(model(**feed), expected)
            before = expected


def test_parameters_that_stay_are_compiled_again(monkeypatch: pytest.MonkeyPatch):
    model, feed = loaded("wide_deep")
    counted = Counted(model, monkeypatch)
    with torch.no_grad():
        model(**feed)
        WAYS["an assigned state"](model, *next((name, p.detach() * 2) for name, p in model.named_parameters()))
        assert counted.took() == 0
        model(**feed)
        assert counted.took() == 1
        model(**feed)
        assert counted.took() == 0


def test_gradients_after_a_call_without():
    model, feed = loaded("dcgan")
    with torch.no_grad():
        without = model(**feed)
    found = model(**feed)
    torch.testing.assert_close(found.detach(), without)
    found.sum().backward()
    fresh = legacy.load(DATA / "dcgan")
    fresh(**feed).sum().backward()
    for (name, ours), theirs in zip(model.named_parameters(), fresh.parameters()):
        torch.testing.assert_close(ours.grad, theirs.grad, msg=lambda text, name=name: f"{name}: {text}")
    x = feed["z"].clone().requires_grad_()
    model.requires_grad_(False)(x).sum().backward()
    assert x.grad is not None and not model(x.detach()).requires_grad


def test_no_gradient_of_frozen_parameters(monkeypatch: pytest.MonkeyPatch):
    model, feed = loaded("dcgan")
    counted = Counted(model.requires_grad_(False), monkeypatch)
    expected = model(**feed)
    assert counted.took() == 0
    with torch.autocast("cpu"):
        model(**feed)
    assert counted.took() == 1
    torch.testing.assert_close(torch.func.vmap(lambda z: model(z[None])[0])(feed["z"]), expected)
    assert counted.took() == 1


def test_other_dtypes():
    model, feed = loaded("dcgan")
    with torch.no_grad():
        expected = model(**feed)
        for dtype in (torch.bfloat16, torch.float64, torch.float32):
            (x,) = feed.values()
            found = model.to(dtype)(x.to(dtype))
            assert found.dtype == dtype
            torch.testing.assert_close(found.float(), expected, rtol=0.05, atol=0.05)


def test_threads():
    model, feed = loaded("wide_deep")
    model.requires_grad_(False)
    feeds = [{name: value[:rows] for name, value in feed.items()} for rows in range(1, len(feed["ids"]) + 1)] * 8
    expected = [reference(model, one) for one in feeds]
    with ThreadPoolExecutor(4) as pool:
        for found, theirs in zip(pool.map(lambda one: model(**one), feeds), expected):
            torch.testing.assert_close(found, theirs)


def test_a_model_of_inference_mode():
    with torch.inference_mode():
        model, feed = loaded("wide_deep")
        model(**feed)
        next(model.parameters()).mul_(2)
        torch.testing.assert_close(model(**feed), reference(model, feed))


# ---- what is left to the executor


def test_watched_operators(monkeypatch: pytest.MonkeyPatch):
    model, feed = loaded("wide_deep")
    with torch.no_grad():
        model(**feed)
        model.executor.trace = []
        model(**feed)
        assert [ran.type for ran in model.executor.trace] == [op.type for op in model.program.blocks[0].ops]
        model.executor.trace, model.executor.check_nan_inf = None, True
        with pytest.raises(ProgramError, match="elements are NaN or infinite"):
            model(**{**feed, "dense": torch.full_like(feed["dense"], torch.nan)})


def described(op: OpDesc, **variables: tuple[int, ...]) -> ProgramDesc:
    """An operator between an input x and an output y."""
    column = {"col": Attribute("INT", 0)}
    ops = [OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]}, column), op, OpDesc("fetch", {"X": ["y"]}, {"Out": ["fetch"]}, column)]
    names = [VarDesc("feed", "feed_list"), VarDesc("fetch", "fetch_list")]
    names += [VarDesc(name, dtype=torch.float32, dims=dims) for name, dims in variables.items()]
    return ProgramDesc([BlockDesc(vars={var.name: var for var in names}, ops=ops)])


def test_sizes_that_are_not_declared(monkeypatch: pytest.MonkeyPatch):
    model = ProgramModule(described(OpDesc("relu", {"X": ["x"]}, {"Out": ["y"]}), x=(2, 3), y=(2, 3)), {})
    counted = Counted(model, monkeypatch)
    for dims, dtype, by_operator in (
        ((2, 3), torch.float32, 0),
        ((4, 3), torch.float32, 1),
        ((0, 3), torch.float32, 1),
        ((2, 3), torch.float64, 1),
        ((2, 3), torch.float32, 0),
    ):
        x = torch.randn(dims, dtype=dtype)
        assert torch.equal(model(x), x.relu()) and counted.took() == by_operator


def test_errors_say_where():
    softmax = OpDesc("softmax", {"X": ["x"]}, {"Out": ["y"]}, {"axis": Attribute("INT", 5)})
    model = ProgramModule(described(softmax, x=(2,), y=(2,)), {})
    for _ in range(2):
        with pytest.raises(IndexError, match=r"block 0, op 1 \(softmax\): phi::softmax"):
            model(torch.ones(2))
        with pytest.raises(ProgramError, match=r"expected the inputs \['x'\], got \['z'\]"):
            model(z=torch.ones(2))


def test_an_operator_from_python(monkeypatch: pytest.MonkeyPatch):
    @legacy.operator("thrice")
    def thrice(op: legacy.Operands) -> None:
        op.set("Out", op.input("X") * 3)

    model = ProgramModule(described(OpDesc("thrice", {"X": ["x"]}, {"Out": ["y"]}), x=(2,), y=(2,)), {})
    counted = Counted(model, monkeypatch)
    for calls in (1, 2):
        assert model(torch.ones(2)).tolist() == [3, 3] and counted.took() == 1, calls


def test_a_program_that_writes_its_parameters(monkeypatch: pytest.MonkeyPatch):
    program = described(OpDesc("sum", {"X": ["x", "total"]}, {"Out": ["y"]}), x=(2,), y=(2,), total=(2,))
    total = program.blocks[0].vars["total"]
    total.persistable = True
    keep = OpDesc("assign", {"X": ["y"]}, {"Out": ["total"]})
    program.blocks[0].ops.insert(2, keep)
    model = ProgramModule(program, {"total": torch.zeros(2)})
    counted = Counted(model, monkeypatch)
    for calls in (1.0, 2.0, 3.0):
        assert model(torch.ones(2)).tolist() == [calls, calls] and counted.took() == 1
    assert model.state_dict()["total"].tolist() == [3, 3]


@pytest.mark.parametrize("size", [4, 8])
def test_boxes_and_polygons_compile(size: int):
    column = Attribute("INT", 0)
    attrs = {"score_threshold": Attribute("FLOAT", 0.1), **{name: Attribute("INT", -1) for name in ("nms_top_k", "keep_top_k")}}
    ops = [
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["boxes"]}, {"col": column}),
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["scores"]}, {"col": Attribute("INT", 1)}),
        OpDesc("multiclass_nms3", {"BBoxes": ["boxes"], "Scores": ["scores"]}, {"Out": ["out"], "Index": ["index"]}, attrs),
        OpDesc("fetch", {"X": ["out"]}, {"Out": ["fetch"]}, {"col": column}),
    ]
    shapes = {"boxes": (1, 3, size), "scores": (1, 2, 3), "out": (-1, size + 2), "index": (-1, 1)}
    made = [VarDesc(name, dtype=torch.int32 if name == "index" else torch.float32, dims=dims) for name, dims in shapes.items()]
    made += [VarDesc("feed", "feed_list"), VarDesc("fetch", "fetch_list")]
    program = ProgramDesc([BlockDesc(vars={var.name: var for var in made}, ops=ops)])
    corner = torch.tensor([[0.0, 0], [5, 5], [9, 9]])
    corners = torch.cat([corner, corner + torch.tensor([1, 0]), corner + 1, corner + torch.tensor([0, 1])], 1)
    feed = {"boxes": corners[None] if size == 8 else torch.cat([corner, corner + 1], 1)[None], "scores": torch.rand(1, 2, 3)}
    (expected,) = legacy.Executor(program, {}).run(feed)
    assert expected.shape[1] == size + 2
    torch.testing.assert_close(ir.compile(ir.from_legacy(program, {}))(*feed.values())[0], expected)
