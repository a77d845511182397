"""Operators without a kernel: they move variables, run blocks, or talk to the person.

`operator` registers a function for one more, or for one whose kernel phi_torch does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .. import ops as phi
from .._expect import expect, expect_names
from .._paddle.faults import near
from ._definition import DECLARED, declaration, definition
from .description import DTYPES, EMPTY, BlockDesc, OpDesc, ProgramDesc, ProgramError

if TYPE_CHECKING:
    from ._step import Values

OperatorFunction = Callable[["Operands"], None]
OPERATORS: dict[str, OperatorFunction] = {}
# of types that have kernels: which operators of them a function runs nevertheless, and it
FORMS: dict[str, tuple[Callable[[OpDesc], bool], OperatorFunction]] = {}
GAP = 1 << 16  # tensors that an array may lack before the one that is written


def operator(
    type: str,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    attrs: Mapping[str, Any] | None = None,
    checks: Mapping[str, str] | None = None,
) -> Callable[[OperatorFunction], OperatorFunction]:
    """Registers a function as what runs the operators of `type`, instead of a kernel:

        @phi_torch.legacy.operator("my_scale", inputs=["X"], outputs=["Out"], attrs={"factor": 2.0}, checks={"factor": "(0, 10]"})
        def my_scale(op: phi_torch.legacy.Operands) -> None:
            op.set("Out", phi_torch.scale(op.input("X"), op.attr("factor")))

    Programs that are loaded afterwards use it. It replaces an earlier function for the same type. An operator that declares its
    slots is checked when a program is loaded, and `run_op` knows what it gives.

    Args:
        type: the operator, as programs name it.
        inputs: its slots: "X" for one variable, "X?" if it may be absent, "X[]" for any number of them.
        outputs: likewise.
        attrs: the defaults of its attributes, by which their types are known.
        checks: the values that an attribute may have: "[0, 1]", "(0, inf)", "{NCHW, NHWC}".

    Raises:
        ValueError: a check is of no such attribute.
    """
    expect("operator", "type", type, str)
    for argument, names in (("inputs", inputs), ("outputs", outputs)):
        expect_names("operator", argument, names)
    for argument, given in (("attrs", attrs), ("checks", checks)):
        expect("operator", argument, {} if given is None else given, Mapping)
    declared = declaration(type, inputs, outputs, attrs or {}, checks or {}) if inputs or outputs or attrs else None

    def add(function: OperatorFunction) -> OperatorFunction:
        expect("operator", "function", function, Callable)  # type: ignore[arg-type]
        OPERATORS[type] = function
        DECLARED.pop(type, None)
        if declared is not None:
            DECLARED[type] = declared
        return function

    return add


def function_of(op: OpDesc) -> OperatorFunction | None:
    """What runs an operator instead of a kernel, if it is a function."""
    if op.type in OPERATORS or op.type not in FORMS:
        return OPERATORS.get(op.type)
    holds, function = FORMS[op.type]
    return function if holds(op) else None


class Operands:
    """What an operator without a kernel is given: the values of its slots, its attributes, and the blocks of its program."""

    def __init__(
        self,
        op: OpDesc,
        values: Values,
        key: Callable[[str], str],
        run_block: Callable[[int, Values], None],
        key_in: Callable[[int, str], str] = lambda block, name: name,
        program: ProgramDesc | None = None,
    ) -> None:
        self.op = op
        self.values = values
        self.place, self.place_in = key, key_in
        self._run_block = run_block
        self._program = program

    def inputs(self, slot: str) -> list[Any]:
        """The values of a slot's variables; None for a variable that has none yet.

        Tensors are torch tensors, an array of tensors is a list.
        """
        return [self.values.get(self.place(name)) for name in self.op.inputs.get(slot, []) if name != EMPTY]

    def input(self, slot: str) -> Any:
        """The value of a slot's only variable.

        Raises:
            ValueError: the slot has none or several, or the variable has no value yet.
        """
        found = self.inputs(slot)
        if len(found) != 1 or found[0] is None:
            what = f"{len(found)} variables" if len(found) != 1 else f"'{self.op.inputs[slot][0]}', which has no value yet"
            raise ValueError(f"slot {slot}: expected one variable with a value, got {what}")
        return found[0]

    def array(self, slot: str) -> list[Any]:
        """The array of tensors of a slot's only variable, which is empty before something is written to it."""
        return [] if self.inputs(slot) == [None] else self.input(slot)

    def attr(self, name: str, default: Any = None) -> Any:
        """The value of an attribute; that of its definition, or else `default`, where the operator has none."""
        if name in self.op.attrs:
            return self.op.attrs[name].value
        defined = definition(self.op.type)
        declared = defined.attrs.get(name) if defined is not None else None
        return declared.default.value if declared is not None and declared.default is not None else default

    def set(self, slot: str, *results: Any) -> None:
        """Gives the variables of an output slot their values; a slot without variables drops them.

        Raises:
            ValueError: the operator's declaration has no such slot.
        """
        if self.op.type in DECLARED and slot not in (known := DECLARED[self.op.type].outputs):
            raise ValueError(f"slot {slot}: the operator has no such output{near(slot, known)}")
        for name, result in zip(self.op.outputs.get(slot, []), results):
            if name != EMPTY:
                self.values[self.place(name)] = result

    def has(self, slot: str) -> bool:
        return any(name != EMPTY for name in self.op.inputs.get(slot, []))

    def current(self, slot: str) -> Any:
        """The value that an output slot's first variable has so far, or None."""
        return self.values.get(self.place(self.op.outputs[slot][0]))

    def inner(self, variable: str, name: str = "sub_block") -> Any:
        """The value of a variable of the block that an attribute names, or None."""
        return self.values.get(self.place_in(self._number(name), variable))

    @property
    def program(self) -> ProgramDesc:
        """The program that the operator stands in.

        Raises:
            ValueError: it stands in none.
        """
        if self._program is None:
            raise ValueError("an operator by itself has no program, and no blocks")
        return self._program

    def block(self, name: str = "sub_block") -> BlockDesc:
        """The block that an attribute names."""
        return self.program.blocks[self._number(name)]

    def forget(self, places: Iterable[str]) -> None:
        """Variables at these places have no value any more."""
        if isinstance(self.values, dict):
            for place in places:
                self.values.pop(place, None)
        else:
            self.values.clear(list(places))

    def run_block(self, name: str = "sub_block") -> None:
        """Runs the block that an attribute names."""
        self._run_block(self._number(name), self.values)

    def _number(self, name: str) -> int:
        """That of a block; of several blocks the first one."""
        value = self.op.attrs[name].value
        return value[0] if isinstance(value, list) else value  # type: ignore[no-any-return]


def no_block(block: int, values: Any) -> None:
    """What runs the blocks of an operator by itself, which has none."""
    raise ProgramError(f"an operator by itself has no block {block}")


def truth(value: Tensor, slot: str) -> bool:
    """Of a condition of one element."""
    if value.numel() != 1:
        raise ValueError(f"slot {slot}: expected a condition of one element, got shape {[*value.shape]}")
    return bool(value)


@operator("feed")
def feed(op: Operands) -> None:
    op.set("Out", op.input("X")[op.attr("col")])


@operator("fetch")
@operator("fetch_v2")
def fetch(op: Operands) -> None:
    fetched(op.op, op.place)(op.values)


def fetched(op: OpDesc, key: Callable[[str], str]) -> Callable[[Values], None]:
    """A `fetch`, bound to its variables: they are those of every run.

    Raises:
        ValueError: there is no variable for what is fetched.
    """
    if not op.outputs.get("Out"):
        raise ValueError("slot Out: expected a variable, got none")
    x, out, column = key(op.inputs["X"][0]), key(op.outputs["Out"][0]), op.attrs["col"].value

    def run(values: Values) -> None:
        found = values.get(out)
        if found is None:
            values[out] = {column: values[x]}
        else:
            found[column] = values[x]

    return run


@operator("conditional_block")
@operator("conditional_block_infer")
def conditional_block(op: Operands) -> None:
    if _runs(op):
        op.run_block()


def _runs(op: Operands) -> bool:
    if op.attr("is_scalar_condition", False):
        return truth(op.input("Cond"), "Cond")
    # if there is something to run on: the condition is not read
    return all(isinstance(value, Tensor) and value.numel() > 0 for value in op.inputs("Input"))


@operator("conditional_block_grad")
def conditional_block_grad(op: Operands) -> None:
    """Gradients of what the block read; zeros if it did not run."""
    run = _runs(op)
    if run:
        op.run_block()
    found = []
    for name, value in zip(op.op.inputs["Input"], op.inputs("Input")):
        grad = op.inner(f"{name}@GRAD") if run else None
        found.append(grad if grad is not None or not isinstance(value, Tensor) else torch.zeros_like(value))
    op.set("Input@GRAD", *found)


@operator("pylayer")
def pylayer(op: Operands) -> None:
    """A function with a gradient of its own: the first block is what it computes."""
    op.run_block("blocks")


@operator("pylayer_grad")
def pylayer_grad(op: Operands) -> None:
    name = "backward_block"
    op.run_block(name)
    op.set("Input@GRAD", *[op.inner(f"{one}@GRAD", name) for one in op.op.inputs["Input"]])


@operator("select_input")
def select_input(op: Operands) -> None:
    index, given = int(op.input("Mask")), op.inputs("X")
    if not 0 <= index < len(given) or given[index] is None:
        raise ValueError(f"slot Mask: expected the number of one of {len(given)} variables that has a value, got {index}")
    op.set("Out", given[index])


@operator("select_output")
def select_output(op: Operands) -> None:
    index, names = int(op.input("Mask")), op.op.outputs["Out"]
    if not 0 <= index < len(names):
        raise ValueError(f"slot Mask: expected 0 to {len(names) - 1}, got {index}")
    op.set("Out", *[op.input("X") if at == index else op.values.get(name) for at, name in enumerate(names)])


@operator("print")
def print_(op: Operands) -> None:
    value = op.input("In")
    print(op.attr("message", ""), op.op.inputs["In"][0], value)
    op.set("Out", value)


@operator("assert")
def assert_(op: Operands) -> None:
    if not truth(op.input("Cond"), "Cond"):
        count = op.attr("summarize", -1)
        shown = (value.reshape(-1)[: count if count >= 0 else None].tolist() for value in op.inputs("Data"))
        raise ValueError(f"slot Cond: expected True, got False; its data: {', '.join(map(str, shown))}")


# ---- arrays of tensors


@operator("write_to_array")
def write_to_array(op: Operands) -> None:
    array, index = list(op.current("Out") or ()), int(op.input("I"))
    if not 0 <= index <= len(array) + GAP:
        raise ValueError(f"slot I: expected 0 to {len(array) + GAP} for an array of {len(array)}, got {index}")
    array += [None] * (index - len(array))  # gradients are written from the last one on
    array[index : index + 1] = [op.input("X")]
    op.set("Out", array)


@operator("read_from_array")
def read_from_array(op: Operands) -> None:
    """What is not there is zeros like `X_W`, whose gradient it is, where that is given."""
    array, index = op.array("X"), int(op.input("I"))
    found = array[index] if 0 <= index < len(array) else None
    if found is None and not op.has("X_W"):
        raise ValueError(f"slot I: expected the index of a tensor in an array of {len(array)}, got {index}")
    op.set("Out", torch.zeros_like(op.input("X_W")) if found is None else found)


@operator("lod_array_length")
def lod_array_length(op: Operands) -> None:
    op.set("Out", torch.tensor([len(op.array("X"))]))


@operator("tensor_array_to_tensor")
def tensor_array_to_tensor(op: Operands) -> None:
    array, axis = op.array("X"), op.attr("axis", 0)
    joined = phi.stack(array, axis) if op.attr("use_stack", False) else phi.concat(array, axis)
    sizes = [1] * len(array) if op.attr("use_stack", False) else [tensor.shape[axis] for tensor in array]
    op.set("Out", joined)
    op.set("OutIndex", torch.tensor(sizes, dtype=torch.int32))


@operator("tensor_array_to_tensor_grad")
def tensor_array_to_tensor_grad(op: Operands) -> None:
    array, grad, axis = op.array("X"), op.input("Out@GRAD"), op.attr("axis", 0)
    if op.attr("use_stack", False):
        op.set("X@GRAD", list(phi.unbind(grad, axis)))
    else:
        op.set("X@GRAD", list(phi.split(grad, [one.shape[axis] for one in array], axis)))


# ---- operators whose slots or attributes are not those of the kernel of their name


@operator("fill")
def fill(op: Operands) -> None:
    shape, values, dtype = op.attr("shape"), op.attr("value"), op.attr("dtype")
    if len(values) != math.prod(shape) or min(shape, default=0) < 0:
        raise ValueError(f"attribute value: expected one number for each element of {shape}, got {len(values)}")
    if dtype not in DTYPES:
        raise ValueError(f"attribute dtype: expected the number of a data type, got {dtype!r}")
    op.set("Out", torch.tensor(values, dtype=torch.float64).to(DTYPES[dtype]).reshape(shape))


@operator("multiplex_grad")
def multiplex_grad(op: Operands) -> None:
    """A program does not give the inputs: as many as have a gradient, of its shape."""
    grad = op.input("Out@GRAD")
    op.set("X@GRAD", *torch.ops.phi.multiplex_grad([grad] * len(op.op.outputs["X@GRAD"]), op.input("Ids"), grad))
