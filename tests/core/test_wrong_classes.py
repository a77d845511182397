"""Objects of another class than functions and methods take, None among them: a TypeError, never the end of the process."""

# mypy: disable-error-code="arg-type,list-item"
import pytest
import torch

import phi_torch
from phi_torch import ir, legacy, testing
from phi_torch.ir import _core


@pytest.mark.parametrize(
    "owner", [value for value in vars(_core).values() if isinstance(value, type)], ids=lambda value: value.__name__
)
def test_nothing_takes_none_for_itself(owner):
    for name, found in vars(owner).items():
        call = found.fget if isinstance(found, property) else getattr(owner, name)
        if callable(call) and name != "__eq__":  # which says False
            with pytest.raises(TypeError):
                call(None)


def test_another_class_is_named():
    program = ir.Program()
    build = ir.Builder(program)
    data = build.create("pd_op.data", [], {"name": "x", "shape": [2], "dtype": "float32", "place": "cpu"})
    relu = build.create("pd_op.relu", data.results)
    for use, message in (
        (lambda: ir.Program("pd_op.relu"), "context: expected a Context, got str"),
        (lambda: ir.parse("", program), "context: expected a Context, got Program"),
        (lambda: ir.Builder(program.context), "program: expected a Program, got Context"),
        (lambda: setattr(relu.results[0], "type", relu), "the type of a value: expected a Type, got Operation"),
        (lambda: relu.set_operand(0, relu), "expected a Value, got Operation"),
        (lambda: program.context.vector(["f32[2]"]), "an element of a vector: expected a Type, got str"),
        (lambda: _core.run_pass(None, "dce"), "incompatible function arguments"),
        (lambda: ir.PassManager().run("lenet"), "PassManager.run: argument 'program': expected a Program, got str; ir.load"),
        (lambda: ir.to_module(None), "to_module: argument 'program': expected a Program, got NoneType"),
        (lambda: ir.append_backward(program, None), "append_backward: argument 'loss': expected a Value, got NoneType"),
        (lambda: ir.save(relu, "relu.phi"), "save: argument 'program': expected a Program, got Operation"),
    ):
        with pytest.raises(TypeError, match=message):
            use()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: phi_torch.explain(phi_torch.relu), "argument 'op': expected a str, got .*; give the operator's name"),
        (lambda: phi_torch.kernels(None), "argument 'op': expected a str, got NoneType"),
        (lambda: phi_torch.supported(1), "argument 'op': expected a str, got int"),
        (lambda: testing.check_op(["relu"], [testing.Sample(testing.T(3))]), "argument 'op': expected a str, got list"),
        (lambda: legacy.run_op(None, {}), "run_op: argument 'type': expected a str, got NoneType"),
        (
            lambda: legacy.run_op("relu", torch.ones(2)),
            "'relu': argument 'inputs': expected a Mapping, got Tensor; give a tensor, or",
        ),
        (lambda: legacy.run_op("relu", {}, ["X"]), "'relu': argument 'attrs': expected a Mapping, got list"),
        (lambda: legacy.grad_op("relu"), "grad_op: argument 'op': expected an OpDesc, got str"),
        (
            lambda: legacy.infer_shapes("lenet"),
            "infer_shapes: argument 'program': expected a ProgramDesc, got str; read_program reads",
        ),
        (lambda: legacy.Executor("lenet", {}), "Executor: argument 'program': expected a ProgramDesc, got str; read_program reads"),
        (lambda: legacy.write_model("lenet", None, {}), "write_model: argument 'program': expected a ProgramDesc, got NoneType"),
    ],
)
def test_a_function_says_what_it_takes(use, message):
    with pytest.raises(TypeError, match=message):
        use()
