"""Operators as programs hold them: slots and attributes by name, and the kernels that they are mapped to."""

from __future__ import annotations

from dataclasses import dataclass, field

from .op import Loc

GRAD = "@GRAD"  # ends the name of a slot that holds gradients

# what a signature may ask of the variables in a slot
INPUT_KINDS = (
    *("given", "dense", "selected_rows", "sparse_coo", "sparse_csr", "tensor_array"),
    *("dense[]", "selected_rows[]"),
)
OUTPUT_KINDS = ("given", "dense", "selected_rows", "sparse_coo")

# YAML type -> AttrType, in the order of the numbers that programs write
ATTRIBUTE_TYPES = {
    **{"int": "INT", "float": "FLOAT", "str": "STRING", "int[]": "INTS", "float[]": "FLOATS", "str[]": "STRINGS"},
    **{"bool": "BOOLEAN", "bool[]": "BOOLEANS", "Block": "BLOCK", "int64_t": "LONG", "Block[]": "BLOCKS"},
    **{"int64_t[]": "LONGS", "double[]": "FLOAT64S", "Var": "VAR", "Var[]": "VARS", "double": "FLOAT64"},
    **{"Scalar": "SCALAR", "Scalar[]": "SCALARS"},
}


@dataclass(frozen=True)
class Slot:
    """A slot for variables."""

    name: str
    is_list: bool = False  # holds any number of variables
    optional: bool = False
    intermediate: bool = False
    extra: bool = False


@dataclass(frozen=True)
class Attribute:
    """An attribute; `default` is a C++ literal, None where programs must give a value."""

    name: str
    type: str  # one of ATTRIBUTE_TYPES
    default: str | None = None
    extra: bool = False  # says how to run, not what to compute
    support_tensor: bool = False  # may name a variable that holds the value
    check: str | None = None  # `[0, 1]`, `(0, inf)`, `{NCHW, NHWC}`: the values that are allowed


@dataclass(frozen=True)
class SlotUse:
    """A tensor of a signature; it stands for operators with a variable of this kind in the slot, if it has a kind."""

    name: str
    kind: str | None = None

    def __str__(self) -> str:
        return self.name if self.kind is None else f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Signature:
    """A kernel and its arguments. Of the names in one place of `attrs` the first counts that is an attribute, or a slot that
    holds a variable."""

    kernel: str
    inputs: tuple[SlotUse, ...]
    attrs: tuple[tuple[str, ...], ...]
    outputs: tuple[SlotUse, ...]
    loc: Loc = field(compare=False)


@dataclass(frozen=True)
class ProgramOp:
    """An operator of programs. The first of its signatures that fits what it is given is what runs it."""

    name: str
    kernel: str | None  # the name of its kernels in the plain case; None if it has none
    forward: str | None  # the operator whose gradient it is
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    attrs: tuple[Attribute, ...]
    signatures: tuple[Signature, ...]  # () if it is the default one
    by_function: bool  # a function in C++ decides which of the results of its signatures it is
    loc: Loc = field(compare=False)

    @property
    def is_defined(self) -> bool:
        """Whether its slots are known apart from its signatures."""
        return bool(self.inputs or self.outputs or self.attrs)

    @property
    def names(self) -> list[str]:
        """Of its slots and attributes."""
        return [*(slot.name for slot in (*self.inputs, *self.outputs)), *(attr.name for attr in self.attrs)]

    @property
    def default_signature(self) -> Signature:
        """What follows from the definition alone."""
        inputs = tuple(SlotUse(s.name) for s in self.inputs if not s.optional and not s.extra)
        attrs = tuple((a.name,) for a in self.attrs if not a.extra)
        outputs = tuple(SlotUse(s.name) for s in self.outputs if not s.extra)
        return Signature(self.kernel or self.name, inputs, attrs, outputs, self.loc)
