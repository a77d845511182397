"""Training programs of Paddle 2 with gradients that are rows of a table."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.single import attribute_of

from .test_from_legacy import PASSES, described, scale, tensor

TABLE = {name: (5, 3) for name in ("Param", "Velocity", "Moment", "Moment1", "Moment2", "MeanSquare")}
# slots that a step reads and writes, and its attributes
STEPS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "sgd": (("Param",), {}),
    "momentum": (("Param", "Velocity"), {"mu": 0.9, "regularization_method": "l2_decay", "regularization_coeff": 0.1}),
    "adagrad": (("Param", "Moment"), {"epsilon": 1e-6}),
    "rmsprop": (("Param", "MeanSquare", "Moment"), {"decay": 0.9, "momentum": 0.5, "epsilon": 1e-6}),
    "adam": (("Param", "Moment1", "Moment2", "Beta1Pow", "Beta2Pow"), {"beta1": 0.8, "beta2": 0.99, "epsilon": 1e-8}),
    "lamb": (("Param", "Moment1", "Moment2", "Beta1Pow", "Beta2Pow"), {"weight_decay": 0.1, "epsilon": 1e-6}),
}


def rows(*names: str) -> list[VarDesc]:
    return [VarDesc(name, "selected_rows", dtype=torch.float32, dims=(5, 3)) for name in names]


def gradient(out: str) -> OpDesc:
    attrs = {"is_sparse": Attribute("BOOLEAN", True), "padding_idx": Attribute("LONG", -1)}
    return OpDesc("lookup_table_v2_grad", {"Ids": ["ids"], "W": ["Param"], "Out@GRAD": ["x"]}, {"W@GRAD": [out]}, attrs)


def program(type: str, **more: Any) -> tuple[ProgramDesc, dict[str, torch.Tensor]]:
    """A step by the sum of two gradients, clipped by its norm, and what its variables begin with."""
    slots, attrs = STEPS[type]
    begin = {"LearningRate": torch.tensor([0.1]), "ids": torch.tensor([1, 4, 1, 2])}
    begin |= {slot: torch.linspace(0.1, 1, 15).reshape(5, 3) if slot in TABLE else torch.tensor([0.9]) for slot in slots}
    said = {name: attribute_of(type, name, value) for name, value in {**attrs, **more}.items()}
    ops = [
        gradient("first"),
        gradient("second"),
        OpDesc("sum", {"X": ["first", "second"]}, {"Out": ["both"]}),
        OpDesc("merge_selected_rows", {"X": ["both"]}, {"Out": ["merged"]}),
        OpDesc("get_tensor_from_selected_rows", {"X": ["merged"]}, {"Out": ["values"]}),
        OpDesc("squared_l2_norm", {"X": ["values"]}, {"Out": ["norm"]}),
        OpDesc("elementwise_mul", {"X": ["both"], "Y": ["norm"]}, {"Out": ["rows"]}, {"axis": Attribute("INT", -1)}),
        OpDesc(
            type,
            {"Grad": ["rows"], **{slot: [slot] for slot in ("LearningRate", *slots)}},
            {f"{slot}Out": [slot] for slot in slots},
            said,
        ),
        scale("Param", "y", 2.0),
    ]
    variables = [tensor(name, *one.shape, dtype=one.dtype, persistable=True) for name, one in begin.items()]
    variables += [*rows("first", "second", "both", "merged", "rows"), tensor("values", -1, 3), tensor("norm", 1)]
    return described(ops, [], *variables), begin


@pytest.mark.parametrize("passes", PASSES, ids=["no passes", "default"])
@pytest.mark.parametrize("type", STEPS)
def test_steps(type: str, passes: Any):
    assert_same(*program(type), passes)


@pytest.mark.parametrize("passes", PASSES, ids=["no passes", "default"])
def test_steps_of_the_rows_alone(passes: Any):
    """Which leave the moments of the others as they are."""
    desc, begin = program("adam", lazy_mode=True)
    begin |= {"Moment1": torch.ones(5, 3), "Moment2": torch.ones(5, 3)}
    assert_same(desc, begin, passes)


def assert_same(desc: ProgramDesc, begin: dict[str, torch.Tensor], passes: Any) -> None:
    program_of = ir.from_legacy(desc, {name: one.clone() for name, one in begin.items()})
    run = ir.compile(program_of, passes=passes)
    executor = legacy.Executor(desc, {name: one.clone() for name, one in begin.items()})
    for seed in range(3):
        x = torch.randn(4, 3, generator=torch.Generator().manual_seed(seed)) / 4
        torch.testing.assert_close(run(x)[0], executor.run({"x": x})[0])
    for name in begin:
        torch.testing.assert_close(program_of.weights[name].data, executor.parameters[name])


def test_rows_are_not_fetched():
    variables = [tensor("ids", 4, dtype=torch.int64, persistable=True), tensor("Param", 5, 3, persistable=True), *rows("rows")]
    begin = {"ids": torch.tensor([1, 4, 1, 2]), "Param": torch.zeros(5, 3)}
    desc = described([gradient("rows")], [], *variables, fetch="rows")
    with pytest.raises(ir.ProgramError, match="variable 'rows': expected a tensor to fetch, got rows of one"):
        ir.from_legacy(desc, begin)
    (found,) = legacy.Executor(desc, begin).run({"x": torch.ones(4, 3)})
    assert found.layout == torch.sparse_coo


def test_rows_that_may_be_there_twice():
    desc, begin = program("sgd")
    desc.blocks[0].ops = [op for op in desc.blocks[0].ops if op.type != "merge_selected_rows"]
    next(op for op in desc.blocks[0].ops if op.type == "get_tensor_from_selected_rows").inputs["X"] = ["both"]
    with pytest.raises(ir.ProgramError, match="rows that may be there more than once"):
        ir.from_legacy(desc, begin)
