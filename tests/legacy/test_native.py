"""Operators that run in C++, and the gradients of operators."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import _C, legacy
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy.description import EMPTY
from phi_torch.legacy.single import attribute_of

from .models import DATA, TRAINING, assert_agrees, feed_of


@pytest.mark.parametrize("name", ["wide_deep", "ctl_while"])
def test_kernels_and_functions_give_the_same(name: str):
    program, parameters = legacy.read_model(DATA / name)
    executor, feed = Executor(program, parameters), feed_of(np.load(DATA / name / "io.npz"))
    kernels = [step.op.type for steps in executor.prepared.blocks for step in steps if step.kernel is not None]
    assert {"relu", "elementwise_add"} & set(kernels)
    assert _C.runs_plainly([*parameters.values(), *feed.values()])
    by_kernels = executor.run(feed)
    for parameter in parameters.values():
        parameter.requires_grad_(parameter.is_floating_point())
    first = next(value for value in feed.values() if value.is_floating_point()).requires_grad_()
    by_functions = executor.run(feed)
    assert first.requires_grad and any(value.requires_grad for value in by_functions)
    for one, other in zip(by_kernels, by_functions):
        assert not one.requires_grad
        torch.testing.assert_close(one, other.detach(), rtol=1e-5, atol=1e-6)


def test_what_a_kernel_wrote_is_known_to_autograd():
    program, parameters = legacy.read_model(DATA / "train_mlp_sgd")
    io = np.load(DATA / "train_mlp_sgd" / "io.npz")
    name = next(one for one in io["persistables"].tolist() if ".w_" in one)
    version = parameters[name]._version
    Executor(program, parameters).run(feed_of(io), [str(io["loss_name"])])
    assert parameters[name]._version > version


def test_results_outlive_the_next_run():
    program, parameters = legacy.read_model(DATA / "wide_deep")
    executor, io = Executor(program, parameters), np.load(DATA / "wide_deep" / "io.npz")
    (first,) = executor.run(feed_of(io))
    kept = first.clone()
    executor.run({name: torch.zeros_like(value) for name, value in feed_of(io).items()})
    assert torch.equal(first, kept)


def test_a_step_lets_go_of_variables_in_any_scope():
    op, own, other = _C.Operator("relu", {"X": ["x"]}, {"Out": ["y"]}, {}), _C.Scope(), _C.Scope()
    step = op.step(own, ["x", "never"])
    for scope in (own, own, other, own, own):
        scope["x"] = torch.tensor([-1.0, 2.0])
        scope["beside"] = 1
        step(scope)
        assert scope["y"].tolist() == [0, 2] and "x" not in scope and "beside" in scope
        scope[f"new {len(str(scope))}"] = 1  # so that variables are looked up anew
    with pytest.raises(RuntimeError, match="slot X: variable 'x' has no value"):
        step(own)
    with pytest.raises((TypeError, RuntimeError), match="Scope|cast"):
        step({})  # type: ignore[arg-type]


def test_outputs_that_nothing_reads_are_looked_at_all_the_same():
    program, parameters = legacy.read_model(DATA / "ctl_while")
    feed = feed_of(np.load(DATA / "ctl_while" / "io.npz"))
    executor = Executor(program, parameters)
    plain = executor.run(feed)
    executor.trace = []
    for one, other in zip(plain, executor.run(feed)):
        assert torch.equal(one, other)
    assert len(executor.trace) > len(program.blocks[0].ops)
    executor.trace = None
    program.blocks[0].ops.insert(2, OpDesc("log", {"X": ["x"]}, {"Out": ["unread"]}))
    program.blocks[0].vars["unread"] = VarDesc("unread", dtype=torch.float32, dims=(-1, 4))
    assert len(Executor(program, parameters).run(feed)) == len(plain)
    with pytest.raises(ProgramError, match=r"block 0, op 2 \(log\), slot Out: variable 'unread': \d+ of"):
        Executor(program, parameters, check_nan_inf=True).run(feed)


def test_threads_share_an_executor():
    program, parameters = legacy.read_model(DATA / "wide_deep")
    executor, io = Executor(program, parameters), np.load(DATA / "wide_deep" / "io.npz")
    relu = legacy.create_op("relu", {"X": torch.ones(2)})
    failed: list[BaseException] = []

    def work(number: float) -> None:
        try:
            for _ in range(50):
                assert_agrees(executor.run(feed_of(io))[0], io["out0"], "out")
                assert relu({"X": torch.full((3,), number)})["Out"].tolist() == [number] * 3
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in (1.0, 2.0, 3.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_a_prepared_operator_with_and_without_gradients():
    x = torch.randn(3, 4)
    softmax = legacy.create_op("softmax", {"X": x}, {"axis": -1})
    assert softmax._kernel({"X": x}) is not None, "the kernel does not run"
    plain = softmax({"X": x})["Out"]
    recorded = softmax({"X": x.clone().requires_grad_()})["Out"]
    assert not plain.requires_grad and recorded.requires_grad
    assert torch.equal(plain, recorded.detach())
    doubles = torch.func.vmap(lambda one: softmax({"X": one})["Out"])(x.double())
    torch.testing.assert_close(doubles.float(), plain)
    assert softmax({"X": x.double()})["Out"].dtype == torch.float64
    assert softmax({"X": x.t()})["Out"].shape == (4, 3)
    with pytest.raises(TypeError, match="operator 'softmax': expected tensors for the slots"):
        softmax({})


X, NOTE = torch.linspace(-2, 2, 24).reshape(2, 3, 4), torch.empty(0, 2, 3, 4)
NORM = {"X": X, "Mean": torch.zeros(3), "Variance": torch.ones(3), "Scale": torch.ones(3), "Bias": torch.ones(3)}
CALLED_OTHERWISE = [
    *(("elementwise_add", {"X": X, "Y": torch.arange(size).float()}, {"axis": axis}, ["Out"]) for size, axis in ((3, 1), (2, 0))),
    ("elementwise_sub", {"X": torch.arange(3.0), "Y": X}, {"axis": 1}, ["Out"]),
    ("elementwise_mul", {"X": X, "Y": torch.arange(3.0).reshape(3, 1)}, {"axis": 1}, ["Out"]),
    ("elementwise_mul", {"X": X.transpose(0, 2), "Y": X[0].t()}, {"axis": 0}, ["Out"]),
    *(("reduce_max", {"X": X}, {"dim": [1], "reduce_all": on, "keep_dim": True}, ["Out"]) for on in (True, False)),
    *(("reduce_sum", {"X": X}, {"dim": [1], "reduce_all": on, "out_dtype": 6}, ["Out"]) for on in (True, False)),
    ("mean", {"X": X}, {}, ["Out"]),
    ("mean_grad", {"X": X, "Out@GRAD": torch.tensor(6.0)}, {}, ["X@GRAD"]),
    ("reshape2", {"X": X}, {"shape": [6, -1]}, ["Out", "XShape"]),
    ("transpose2", {"X": X}, {"axis": [2, 0, 1]}, ["Out", "XShape"]),
    ("squeeze2", {"X": X[:1]}, {"axes": [0]}, ["Out", "XShape"]),
    ("unsqueeze2", {"X": X}, {"axes": [1]}, ["Out", "XShape"]),
    ("flatten_contiguous_range", {"X": X}, {"start_axis": 1, "stop_axis": 2}, ["Out", "XShape"]),
    ("reshape2_grad", {"XShape": NOTE, "Out@GRAD": X.reshape(6, 4)}, {}, ["X@GRAD"]),
    ("squeeze2_grad", {"XShape": NOTE[:, :1], "Out@GRAD": X[0]}, {"axes": [0]}, ["X@GRAD"]),
    ("unsqueeze2_grad", {"XShape": NOTE, "Out@GRAD": X[:, None]}, {"axes": [1]}, ["X@GRAD"]),
    ("flatten_contiguous_range_grad", {"XShape": NOTE, "Out@GRAD": X.reshape(2, 12)}, {}, ["X@GRAD"]),
    ("batch_norm", NORM, {"is_test": True, "epsilon": 1e-5}, ["Y", "MeanOut", "VarianceOut"]),
]


@pytest.mark.parametrize(("type", "inputs", "attrs", "outputs"), CALLED_OTHERWISE, ids=lambda value: str(value)[:20])
def test_a_kernel_that_is_another_one(type: str, inputs: dict, attrs: dict, outputs: list[str]):
    op = legacy.create_op(type, inputs, attrs, outputs)
    by_function = op._by_function(inputs)
    for _ in range(2):
        by_kernel = op._kernel(inputs)
        assert by_kernel is not None and by_kernel.keys() == by_function.keys()
        for slot, expected in by_function.items():
            torch.testing.assert_close(by_kernel[slot], expected, msg=f"{slot}: {by_kernel[slot]}, {expected}")


def test_a_result_that_does_not_fit_into_its_operand():
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 3)) for name in ("x", "y")}
    op = OpDesc("elementwise_add", {"X": ["x"], "Y": ["y"]}, {"Out": ["x"]}, {"axis": Attribute("INT", -1)})
    executor = Executor(ProgramDesc([BlockDesc(vars=variables, ops=[op])]), {})
    (found,) = executor.run({"x": torch.ones(1, 3), "y": torch.ones(64, 3)}, ["x"])
    assert torch.equal(found, torch.full((64, 3), 2.0))


def test_a_result_where_another_kind_of_value_stood():
    """A variable that got a value of another kind since the last run has no tensor at the address that a kernel knew."""
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 3)) for name in ("x", "y", "z")}
    ops = [OpDesc("relu", {"X": ["x"]}, {"Out": ["y"]}), OpDesc("relu", {"X": ["y"]}, {"Out": ["z"]})]
    executor = Executor(ProgramDesc([BlockDesc(vars=variables, ops=ops)]), {})
    x, rows = torch.linspace(-1, 1, 6).reshape(2, 3), torch.eye(2, 3).to_sparse(1)
    for feed in ({"x": x}, {"x": x, "y": rows, "z": rows}, {"x": x}):
        (found,) = executor.run(feed, ["z"])
        assert torch.equal(found, x.relu())


def test_a_gradient_of_another_shape_is_an_error():
    out = torch.ones(2, 3)
    with pytest.raises(ValueError, match="out_grad"):
        legacy.run_op("relu_grad", {"Out": out, "Out@GRAD": torch.ones(5)})


def test_a_scope_holds_values_of_every_kind():
    scope, x = _C.Scope(), torch.ones(2)
    scope.update({"x": x, "list": [x, x], "object": {"a": 1}, "empty": []})
    assert scope["x"] is x and all(one is x for one in scope["list"]) and scope["object"] == {"a": 1}
    rows = torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 3), (4, 3))
    scope["rows"] = rows
    assert torch.equal(scope["rows"].to_dense(), rows.to_dense())
    scope.clear(["x"])
    assert "x" not in scope and "list" in scope and scope.get("x", 5) == 5
    with pytest.raises(KeyError, match="x"):
        scope["x"]


# ---- gradients


# the kernel takes one pair of statistics, Paddle's programs hold the other
MORE = {"batch_norm_grad": {"Mean", "Variance", "MeanOut", "VarianceOut"}}


def ends(names: list[str]) -> list[str]:
    """Without what tells the parts of a sum apart; what is not there counts as nothing."""
    return [name.partition("@RENAME@")[0] for name in names if name != EMPTY]


@pytest.mark.parametrize("folder", TRAINING, ids=lambda folder: folder.name)
def test_gradient_operators_are_those_of_the_programs(folder: Path):
    """For each gradient operator that Paddle put into a program: it is that of one of the program's forward operators."""
    block = legacy.read_program(folder).blocks[0]
    forward = {}
    for op in block.ops:
        if not op.type.endswith("_grad") and not op.blocks:
            for name in (name for names in op.outputs.values() for name in names):
                forward[name] = op
    seen = 0
    for op in block.ops:
        if not op.type.endswith("_grad") or op.blocks:  # the gradient of a loop is a block
            continue
        seen += 1
        read = [name.partition("@GRAD")[0] for slot, names in op.inputs.items() if slot.endswith("@GRAD") for name in names]
        unwanted = {f"{name}@GRAD" for names in forward[read[0]].inputs.values() for name in names}
        unwanted -= {one for names in op.outputs.values() for one in ends(names)}
        made = legacy.grad_op(forward[read[0]], unwanted)
        assert made.type == op.type
        for found, said in ((made.inputs, op.inputs), (made.outputs, op.outputs)):
            slots = {slot for slot, names in {**found, **said}.items() if ends(names)}
            for slot in slots - MORE.get(op.type, set()):
                assert ends(found.get(slot, [])) == ends(said.get(slot, [])), (op.type, slot)
        assert {name: one for name, one in made.attrs.items() if name in op.attrs and not name.startswith("op_")} == {
            name: one for name, one in op.attrs.items() if name in made.attrs and not name.startswith("op_")
        }
    assert seen


LINEAR: dict[str, dict[str, Any]] = {
    "as_complex": {},
    "as_real": {},
    "assign": {},
    "cast": {"in_dtype": 5, "out_dtype": 6},
    "conj": {},
    "flip": {"axis": [0]},
    "reverse": {"axis": [1]},
    "scale": {"scale": 3.0, "bias": 1.0, "bias_after_scale": False},
    "sign": {},
    "split": {"axis": 1, "sections": [1, 2], "num": 0},
    "unbind": {"axis": 0},
}


@pytest.mark.parametrize("type", LINEAR)
def test_gradients_that_are_other_operators(type: str):
    """As in Paddle, no operator `split_grad` is there, but `concat` is the gradient of `split`."""
    x = torch.rand(2, 2 if type == "as_complex" else 3).to(torch.complex64 if type in ("as_real", "conj") else torch.float32)
    leaf, several = x.clone().requires_grad_(), type in ("split", "unbind")
    op = OpDesc(type, {"X": ["x"]}, {"Out": ["y", "z"] if several else ["y"]})
    op.attrs = {name: attribute_of(type, name, value) for name, value in LINEAR[type].items()}
    (found,) = legacy.run_op(type, {"X": leaf}, op.attrs, {"Out": len(op.outputs["Out"])}).values()
    outs = found if several else [found]
    grads = [torch.rand_like(one) for one in outs]
    gradient = legacy.grad_op(op)
    assert gradient.inputs["X"] == [f"{name}@GRAD" for name in op.outputs["Out"]]
    ((slot, names),) = gradient.outputs.items()
    assert names == ["x@GRAD"]
    found = legacy.run_op(gradient.type, {"X": grads if several else grads[0]}, gradient.attrs, [slot])[slot]
    expected = torch.zeros_like(x) if type == "sign" else torch.autograd.grad(outs, leaf, grads)[0]
    torch.testing.assert_close(found, expected)
    assert not legacy.grad_op(op, {"x@GRAD"}).outputs


def test_gradients_of_the_terms_of_a_sum():
    for op, name, factor in (
        (OpDesc("sum", {"X": ["a", "b"]}, {"Out": ["y"]}), "b", 1.0),
        (OpDesc("minus", {"X": ["a"], "Y": ["b"]}, {"Out": ["y"]}), "b", -1.0),
    ):
        gradient = legacy.grad_op(op, {"a@GRAD"})
        assert (gradient.type, gradient.inputs, gradient.outputs) == ("scale", {"X": ["y@GRAD"]}, {"Out": [f"{name}@GRAD"]})
        grad = torch.rand(3)
        assert torch.equal(legacy.run_op("scale", {"X": grad}, gradient.attrs)["Out"], factor * grad)
        assert not legacy.grad_op(op, {"a@GRAD", "b@GRAD"}).outputs
        with pytest.raises(ProgramError, match=f"'{op.type}': expected one gradient to be wanted, .* got a@GRAD, b@GRAD"):
            legacy.grad_op(op)


@pytest.mark.parametrize(
    ("op", "slot", "names"),
    [
        (OpDesc("stack", {"X": ["a", "b"]}, {"Y": ["y"]}), "X", ["a", "b"]),
        (OpDesc("multiplex", {"Ids": ["i"], "X": ["a", "b"]}, {"Out": ["y"]}), "X", ["a", "b"]),
        (OpDesc("transpose2", {"X": ["a"]}, {"Out": ["y"], "XShape": ["s"]}), "XShape", ["s"]),
        (OpDesc("fused_softmax_mask", {"X": ["a"], "Mask": ["m"]}, {"Out": ["y"]}), "Softmax", ["y"]),
    ],
    ids=lambda one: one.type if isinstance(one, OpDesc) else None,
)
def test_what_gradient_operators_of_paddle_read_beside(op: OpDesc, slot: str, names: list[str]):
    assert legacy.grad_op(op).inputs[slot] == names


def test_operators_without_a_gradient():
    with pytest.raises(ProgramError, match="'shape' has no gradient"):
        legacy.grad_op(OpDesc("shape", {"Input": ["x"]}, {"Out": ["y"]}))
    with pytest.raises(ProgramError, match="no operator of programs has the name 'qqq'"):
        legacy.grad_op(OpDesc("qqq"))
