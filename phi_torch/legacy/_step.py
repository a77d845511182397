"""One operator of a program, bound to a kernel and to the variables that it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .._paddle.faults import near
from ._callee import Callee, Parameter
from ._definition import FORMER
from ._native import DEVICE
from ._signature import Signature
from ._sizes import SIZES
from ._values import value_of
from .description import EMPTY, Attribute, OpDesc
from .kernels.table import gives_no_scale, meant, xshape

Values = dict[str, Any]  # the variables of a running program
Run = Callable[[Values], None]


class BindError(ValueError):
    """An operator does not fit its kernel: `where` is a slot or an attribute of it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")


def bind(
    op: OpDesc,
    signature: Signature,
    callee: Callee,
    key: Callable[[str], str],
    defaults: Mapping[str, Attribute],
    *,
    whole_lists: bool = False,
    float32: torch.dtype = torch.float32,
) -> Run:
    """A function of the variables that runs `op`; `key` gives a variable's place among them.

    With `whole_lists` an output that is a list of tensors goes, as a list, to the only variable of its slot. `float32` is the
    dtype to run in where an attribute says float32.

    Raises:
        BindError: a slot or an attribute is missing, or is not what the kernel takes.
    """
    reads = [_read(op, slot, parameter, key) for slot, parameter in _paired(signature.inputs, callee.tensors, "input")]
    attrs: list[Any] = []
    of_tensors = False
    for name, parameter in _paired(signature.attrs, callee.attrs, "attribute"):
        variables = _variables(op, name, key) if name is not None else []
        of_tensors |= bool(variables)
        attrs.append(_reader(variables, parameter) if variables else _constant(op, name, parameter, defaults, float32))
    return _Step(op, signature, callee, reads, attrs, of_tensors, key).build(whole_lists)


def _paired(names: Sequence[str], parameters: Sequence[Parameter], what: str) -> list[tuple[str | None, Parameter]]:
    """Each parameter with what stands for it: what has its name, or else the next of the others. Attributes at the end have
    defaults; tensors without a slot stay, since attributes follow them.
    """
    if len(names) > len(parameters):
        takes = ", ".join(p.name for p in parameters)
        raise BindError(f"{what} {names[len(parameters)]}", f"the kernel takes {len(parameters)} ({takes})")
    own = {p.name for p in parameters} & set(names)
    others = iter([name for name in names if name not in own])
    pairs = [(p.name if p.name in own else next(others, None), p) for p in parameters]
    missing = [p.name for name, p in pairs if name is None and not p.has_default and "Optional" not in p.type]
    if missing:
        raise BindError(f"{what} {missing[0]} of the kernel", "the operator's signature has none for it")
    while pairs and pairs[-1][0] is None and pairs[-1][1].has_default and not pairs[-1][1].is_tensor:
        pairs.pop()
    return pairs


def _read(op: OpDesc, slot: str | None, parameter: Parameter, key: Callable[[str], str]) -> Any:
    """None, the key of a variable, or a list of these."""
    given = [name for name in op.inputs.get(slot, [])] if slot is not None else []
    names = [name for name in given if name != EMPTY]
    if not names:
        if "Optional" in parameter.type or parameter.is_list:
            return [] if parameter.type == "List[Tensor]" else None
        raise BindError(f"slot {slot}", f"expected a variable, got none{near(str(slot), op.inputs)}")
    if parameter.is_list:
        return [key(name) for name in names]
    if len(names) > 1:
        raise BindError(f"slot {slot}", f"expected one variable, got {len(names)}")
    return key(names[0])


def _variables(op: OpDesc, name: str, key: Callable[[str], str]) -> list[str]:
    """The variables that give an attribute its value, if it is not a constant."""
    names = [one for one in op.inputs.get(name, []) if one != EMPTY]
    attribute = op.attrs.get(name)
    if not names and attribute is not None and attribute.type in ("VAR", "VARS"):
        names = [attribute.value] if attribute.type == "VAR" else attribute.value
    return [key(one) for one in names]


def _reader(variables: list[str], parameter: Parameter) -> Callable[[Values], Any]:
    """A function that takes an attribute from variables: integers that are known, one tensor, or a list of tensors with one
    element each.
    """

    def read(values: Values) -> Any:
        sizes = values.get(SIZES)
        known: list[Any] = [sizes.get(variable) for variable in variables] if sizes else [None]
        if None not in known:
            numbers = [number for one in known for number in one]
            return numbers if parameter.is_list else numbers[0]
        if len(variables) > 1:
            return [values[variable] for variable in variables]
        return values[variables[0]].reshape(-1 if parameter.is_list else ())

    return read


def _constant(op: OpDesc, name: str | None, parameter: Parameter, defaults: Mapping[str, Attribute], float32: torch.dtype) -> Any:
    if name is None:
        return parameter.default if parameter.has_default else None
    attribute = op.attrs.get(name) or _former(op, name) or defaults.get(name)
    if attribute is None:
        if parameter.has_default:
            return parameter.default
        raise BindError(f"attribute {name}", f"it is missing{near(name, op.attrs)}")
    try:
        return value_of(meant(op, name, attribute), parameter, float32)
    except ValueError as error:
        raise BindError(f"attribute {name}", str(error)) from None


def _former(op: OpDesc, name: str) -> Attribute | None:
    found = [op.attrs[former] for former in FORMER.get(name, ()) if former in op.attrs]
    return next((attribute for attribute in found if attribute.value), None)


class _Step:
    """The parts of a bound operator, until `build` makes one function of them."""

    def __init__(
        self,
        op: OpDesc,
        signature: Signature,
        callee: Callee,
        reads: list[Any],
        attrs: list[Any],
        of_tensors: bool,
        key: Callable[[str], str],
    ) -> None:
        self.callee, self.reads, self.attrs, self.key = callee, reads, attrs, key
        self.dynamic = of_tensors
        slots = [[EMPTY if name == EMPTY else key(name) for name in op.outputs.get(slot, [])] for slot in signature.outputs]
        count = len(callee.outputs)
        self.writes = [*slots[:count], *([[]] * (count - len(slots)))]
        self.shape_of_x = [names[0] for slot, names in zip(signature.outputs[count:], slots[count:]) if slot == "XShape" and names]
        if _keeps_statistics(op) and self.writes[1:3] == [[read] for read in reads[1:3]]:
            self.writes[1:3] = [[], []]
        if gives_no_scale(op):
            self.writes[1] = []
        used = [bool(names) and names != [EMPTY] for names in self.writes]
        self.options: dict[str, Any] = {"output_mask": used} if callee.mask else {}
        # an output beside the variable that the kernel writes to: that one keeps its value
        self.copied = {into for output, into in callee.inplace.items() if used[output] and self.writes[output] != self._names(into)}

    def _names(self, tensor: int) -> list[str]:
        read = self.reads[tensor]
        return read if isinstance(read, list) else [read]

    def build(self, whole_lists: bool) -> Run:
        run = self._simple() or self._general(whole_lists)
        if self.callee.is_binary:
            run = _of_one_dtype(run, *self.reads)
        return torch.no_grad()(run) if self.callee.inplace else run

    def _simple(self) -> Run | None:
        """The common case, without a list of arguments: one or two tensors, constants, one output."""
        single = len(self.writes) == 1 and len(self.writes[0]) == 1 and not self.callee.lists[0]
        reads = self.reads
        while reads and reads[-1] is None and not self.attrs:
            reads = reads[:-1]
        plain = 1 <= len(reads) <= 2 and all(isinstance(read, str) for read in reads)
        if self.dynamic or self.options or self.callee.device or self.callee.inplace or self.shape_of_x or not (single and plain):
            return None
        function, attrs, ((out,),) = self.callee.function, tuple(self.attrs), self.writes
        first = reads[0]
        if len(reads) == 1:

            def unary(values: Values) -> None:
                values[out] = function(values[first], *attrs)

            return unary
        second = reads[1]

        def binary(values: Values) -> None:
            values[out] = function(values[first], values[second], *attrs)

        return binary

    def _general(self, whole_lists: bool) -> Run:
        callee, reads, attrs, writes = self.callee, self.reads, self.attrs, self.writes
        options, shapes, copied = self.options, self.shape_of_x, self.copied

        def run(values: Values) -> None:
            tensors = [_value(values, read) for read in reads]
            for index in copied:
                tensors[index] = _copy(tensors[index])
            given = [a(values) if callable(a) else a for a in attrs]
            of_tensors = self.dynamic and any(_holds_tensor(value) for value in given)
            function, device = (callee.of_tensors, "device") if of_tensors else (callee.function, callee.device)
            kwargs = {**options, device: values[DEVICE]} if callee.device and device else options
            found = function(*tensors, *given, **kwargs)
            results = [found] if callee.returns == 1 else list(found) if callee.returns else []
            for output, into in callee.inplace.items():
                results.insert(output, tensors[into])
            for names, is_list, result in zip(writes, callee.lists, results):
                whole = not is_list or (whole_lists and len(names) == 1)
                _assign(values, names, [result] if whole else result or [])
            for name in shapes:
                values[name] = xshape(tensors[0])

        return run


def _of_one_dtype(run: Run, x: str, y: str) -> Run:
    """As kernels have it, and Paddle: real operands are not promoted. Autocast makes operands of two data types, and does."""

    def checked(values: Values) -> None:
        first, second = values[x], values[y]
        if first.dtype != second.dtype and not (first.is_complex() or second.is_complex() or _autocast(first.device.type)):
            raise TypeError(f"expected operands of one data type, got {first.dtype} and {second.dtype}; insert a cast operator")
        run(values)

    return checked


def _autocast(device: str) -> bool:
    return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)


def _keeps_statistics(op: OpDesc) -> bool:
    """Whether a batch_norm, whose running statistics are inputs and outputs, does not change them."""
    if op.type != "batch_norm":
        return False
    on = {name for name, attribute in op.attrs.items() if attribute.value is True}
    return "use_global_stats" in on or ("is_test" in on and "trainable_statistics" not in on)


def _value(values: Values, read: Any) -> Any:
    if read is None:
        return None
    return [values[one] for one in read] if isinstance(read, list) else values[read]


def _copy(value: Any) -> Any:
    """Of what an operator writes in place: a tensor, a list of them, or nothing."""
    return [one.clone() for one in value] if isinstance(value, list) else value if value is None else value.clone()


def _holds_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, list) and any(isinstance(one, Tensor) for one in value))


def _assign(values: Values, names: Sequence[str], results: Sequence[Any]) -> None:
    for name, result in zip(names, results):
        if name != EMPTY:
            values[name] = result
