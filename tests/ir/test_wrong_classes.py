"""Objects of another class than the IR's functions and methods take, None among them: a TypeError, never the end of the process."""

import pytest

from phi_torch import ir
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
        (lambda: ir.Program("pd_op.relu"), "context: expected a Context, got a str"),
        (lambda: ir.parse("", program), "context: expected a Context, got a Program"),
        (lambda: ir.Builder(program.context), "program: expected a Program, got a Context"),
        (lambda: setattr(relu.results[0], "type", relu), "the type of a value: expected a Type, got a Operation"),
        (lambda: relu.set_operand(0, relu), "expected a Value, got a Operation"),
        (lambda: program.context.vector(["f32[2]"]), "an element of a vector: expected a Type, got a str"),
        (lambda: _core.run_pass(None, "dce"), "incompatible function arguments"),
        (lambda: ir.PassManager().run("lenet"), "PassManager.run: argument 'program': expected a Program, got str; ir.load"),
        (lambda: ir.to_module(None), "to_module: argument 'program': expected a Program, got NoneType"),
        (lambda: ir.append_backward(program, None), "append_backward: argument 'loss': expected a Value, got NoneType"),
        (lambda: ir.save(relu, "relu.phi"), "save: argument 'program': expected a Program, got Operation"),
    ):
        with pytest.raises(TypeError, match=message):
            use()
