"""The operators of programs that follow from the entries of yaml/ops/ and yaml/backward/, with the names of op_compat.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..model.category import step_rows
from ..model.op import Arg, KernelBranch, Op, OpSet
from ..model.op_compat import OpCompat
from ..model.program_op import GRAD, Attribute, ProgramOp, Signature, Slot, SlotUse
from ..types.literals import Value, quote

# the number that programs write for a data type
_DATA_TYPE_NUMBERS = {
    **{"BOOL": 0, "INT16": 1, "INT32": 2, "INT64": 3, "FLOAT16": 4, "FLOAT32": 5, "FLOAT64": 6, "UINT8": 20, "INT8": 21},
    **{"BFLOAT16": 22, "COMPLEX64": 23, "COMPLEX128": 24, "UNDEFINED": -1},
}
_ALIASES = {"long": "int64_t", "int32_t": "int", "size_t": "int64_t", "DataLayout": "str", "DataType": "int"}


def program_ops(opset: OpSet, compats: Iterable[OpCompat], written: Iterable[ProgramOp]) -> tuple[ProgramOp, ...]:
    """All operators of programs, by name: those that are written down, and those that follow from the ops."""
    found = {op.name: op for op in derived(opset, compats)}
    found.update((op.name, op) for op in written)
    return tuple(_with_slots(found[name], found) for name in sorted(found))


def _with_slots(op: ProgramOp, by_name: Mapping[str, ProgramOp]) -> ProgramOp:
    """A gradient with slots for all that programs may give it: what its operator has, and the gradients of that."""
    forward = by_name.get(op.forward or "")
    if op.is_defined or forward is None or not forward.is_defined:
        return op
    lists = {slot.name: slot.is_list for slot in (*forward.inputs, *forward.outputs)}
    inputs = [*lists, *(slot.name + GRAD for slot in forward.outputs)]
    outputs = [slot.name + GRAD for slot in forward.inputs]
    for signature in op.signatures:
        inputs += [use.name for use in signature.inputs if use.name not in inputs]
        outputs += [use.name for use in signature.outputs if use.name not in outputs]

    def slots(names: Iterable[str]) -> tuple[Slot, ...]:
        return tuple(Slot(name, lists.get(name.removesuffix(GRAD), False), optional=True) for name in names)

    return replace(op, inputs=slots(inputs), outputs=slots(outputs))


def derived(opset: OpSet, compats: Iterable[OpCompat]) -> Iterator[ProgramOp]:
    """What follows from the ops that op_compat.yaml names."""
    for compat in compats:
        for name, program_op in compat.names.items():
            op = opset[name] if name in opset else None
            if op is not None and op.kernel is not None:
                yield _Derivation(op, program_op, compat).program_op()


class _Derivation:
    """One operator of programs, from its op."""

    def __init__(self, op: Op, name: str, compat: OpCompat) -> None:
        self.op = op
        self.name = name
        self.compat = compat
        self.grads = _gradient_slots(op, compat)

    def program_op(self) -> ProgramOp:
        op, compat = self.op, self.compat
        names: Mapping[str, str] = {program: name for name, program in compat.names.items()}
        forward = None if op.forward is None else compat.names.get(op.forward.name, op.forward.name)
        # a gradient is described by its signature, and by the forward operator's definition
        defined = op.forward is None
        inputs = tuple(self._inputs()) if defined else ()
        outputs = tuple(self._outputs()) if defined else ()
        attrs = tuple(self._attrs()) if defined else ()
        kernel = names[self.name].rstrip("_") or self.name
        branches = (
            [b for b in op.kernel.branches if not _is_of_sparse_tensors(b) and step_rows(op, b) is None]
            if op.kernel is not None
            else []
        )
        signatures = tuple(self._signature(branch, asks_kinds=len(branches) > 1) for branch in branches)
        result = ProgramOp(self.name, kernel, forward, inputs, outputs, attrs, signatures, False, compat.loc)
        if signatures == (result.default_signature,):
            return ProgramOp(self.name, kernel, forward, inputs, outputs, attrs, (), False, compat.loc)
        return result

    def slot(self, name: str) -> str:
        return self.grads.get(name) or self.compat.slot(name)

    def _inputs(self) -> Iterator[Slot]:
        extra = self.compat.extra_inputs
        for arg in self.op.inputs:
            yield Slot(self.slot(arg.name), arg.is_list, optional=arg.optional, extra=arg.name in extra)
        for arg in self.op.attrs:
            tensor = self.compat.tensor_attr(arg.name)
            if tensor is not None and tensor.tensor_name is not None:
                yield Slot(tensor.tensor_name, optional=True)
            if tensor is not None and tensor.tensors_name is not None:
                yield Slot(tensor.tensors_name, is_list=True, optional=True)

    def _outputs(self) -> Iterator[Slot]:
        extra = self.compat.extra_outputs
        for out in self.op.outputs:
            marks = {"optional": out.optional, "intermediate": out.intermediate, "extra": out.name in extra}
            yield Slot(self.slot(out.name), out.type == "Tensor[]", **marks)

    def _attrs(self) -> Iterator[Attribute]:
        extra = {attr.name: attr for attr in self.compat.extra_attrs}
        for arg in self.op.attrs:
            if arg.type == "Place":
                continue  # programs say where they run, not operators
            name, tensor = self.compat.attr(arg.name), self.compat.tensor_attr(arg.name)
            support = tensor is not None and not tensor.slots and tensor.support_tensor
            type = self._type(arg)
            yield extra.get(name) or Attribute(name, type, _default(arg, type), support_tensor=support)
        own = {self.compat.attr(arg.name) for arg in self.op.attrs}
        yield from (attr for name, attr in extra.items() if name not in own)

    def _type(self, arg: Arg) -> str:
        tensor = self.compat.tensor_attr(arg.name)
        if tensor is not None:
            return tensor.data_type + ("[]" if arg.name in self.compat.int_array else "")
        if arg.type == "IntArray":
            return "int64_t[]"
        if arg.type.startswith("Scalar("):
            return arg.type[7:-1]
        base = arg.type.removesuffix("[]")
        return _ALIASES.get(base, base) + arg.type[len(base) :]

    def _signature(self, branch: KernelBranch, asks_kinds: bool) -> Signature:
        op = self.op
        taken = op.kernel.param if op.kernel is not None and op.kernel.param is not None else tuple(a.name for a in op.args)
        tensors = [arg for arg in op.inputs if arg.name in taken]
        kinds = {a.name: f"{kind.name}{'[]' * a.is_list}" for a, kind in zip(op.inputs, branch.inputs)}
        asked = kinds if asks_kinds and len(branch.inputs) == len(tensors) else {}
        inputs = tuple(SlotUse(self.slot(a.name), asked.get(a.name)) for a in tensors)
        attrs = tuple(self._names(op.arg(n)) for n in taken if any(a.name == n and a.type != "Place" for a in op.attrs))
        outputs = tuple(SlotUse(self.slot(out.name)) for out in op.outputs)
        return Signature(branch.name, inputs, attrs, outputs, self.compat.loc)

    def _names(self, arg: Arg) -> tuple[str, ...]:
        tensor = self.compat.tensor_attr(arg.name)
        return (*(tensor.slots if tensor is not None else ()), self.compat.attr(arg.name))


def _gradient_slots(op: Op, compat: OpCompat) -> dict[str, str]:
    """`out_grad` -> `Out@GRAD`, for the tensors of a backward op that are gradients of what its forward op has."""
    if op.forward is None:
        return {}
    forward = [*(arg.name for arg in op.forward.args), *(out.name for out in op.forward.outputs)]
    tensors = [*(arg.name for arg in op.inputs), *(out.name for out in op.outputs)]
    gradients = {f"{name}_grad": compat.slot(name) + GRAD for name in forward}
    return {name: gradients[name] for name in tensors if name in gradients and name not in forward}


def _is_of_sparse_tensors(branch: KernelBranch) -> bool:
    """Programs have operators of their own for these, `sparse_relu`."""
    return any(kind.name in ("sparse_coo", "sparse_csr") for kind in branch.inputs + branch.outputs)


def _default(arg: Arg, type: str) -> str | None:
    """The default as a literal of a program's attribute, of that type there."""
    if arg.default is None:
        return None
    if type == "str" and not isinstance(arg.value, str):
        return quote(arg.default)  # a number that programs spell
    if arg.type in ("DataType", "DataLayout"):
        name = arg.default.rpartition("::")[2]
        return str(_DATA_TYPE_NUMBERS.get(name, -1)) if arg.type == "DataType" else quote(name)
    return _literal(arg.value)


def _literal(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(map(_literal, value)) + "}"
    if isinstance(value, str):
        return quote(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)
