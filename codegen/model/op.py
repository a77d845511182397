"""The operator model: what one YAML entry says, as frozen dataclasses.

Every entity carries the place in the YAML that it comes from (`Loc`), so that each later error can name it.
`parse.py` is the only producer; `emit/` modules are pure functions of these objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .aten_compat import AtenRow
    from .program_op import ProgramOp
    from .rewrite import Rewrite

from ..types.base import Type
from ..types.kinds import DENSE, TensorKind
from ..types.literals import Value
from ..types.table import TYPES

PHI = "phi"  # the namespace of the operators in yaml/
NONE = ("paddle::none", "none", "nullptr", "{}")  # defaults of optional arguments


def op_header(namespace: str, op: str) -> str:
    """The header of an op's C++ API."""
    return f"{'' if namespace == PHI else f'{namespace}/'}torch/ops/{op}.h"


@dataclass(frozen=True, order=True)
class Loc:
    """A place in a YAML file; `line` and `col` count from 1."""

    file: str
    line: int
    col: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


@dataclass(frozen=True)
class Arg:
    """An input tensor or an attribute. `type` is the YAML spelling, `form` what it means."""

    name: str
    type: str
    default: str | None  # the raw C++ text, e.g. "1.0e-8f", "{1, 1}", "DataType::UNDEFINED"
    optional: bool
    loc: Loc = field(compare=False)

    @property
    def form(self) -> Type:
        return TYPES[self.type].form(self.optional, self.default is not None)

    @property
    def is_tensor(self) -> bool:
        return TYPES[self.type].is_tensor

    @property
    def is_list(self) -> bool:
        return self.type.endswith("[]")

    @property
    def has_default(self) -> bool:
        return self.default is not None or self.optional

    @property
    def value(self) -> Value:
        """Of the default; None for an optional argument without one."""
        if self.default is None or (self.optional and self.default in NONE):
            return None
        return TYPES[self.type].literal(self.default)


@dataclass(frozen=True)
class Output:
    """An output; `size` is the C++ expression that gives the length of a `Tensor[]`."""

    name: str
    type: str  # "Tensor" or "Tensor[]"
    size: str | None
    optional: bool
    intermediate: bool
    loc: Loc = field(compare=False)


@dataclass(frozen=True)
class InferMeta:
    func: str
    param: tuple[str, ...] | None  # argument names or literals; None means all arguments in order
    spmd_rule: str | None
    local_shape: str | None
    global_shape: str | None
    loc: Loc = field(compare=False)


@dataclass(frozen=True)
class KernelBranch:
    """One kernel of a multi-kernel `func`. Tensors beyond `inputs` and `outputs` are dense."""

    name: str
    inputs: tuple[TensorKind, ...] = ()
    outputs: tuple[TensorKind, ...] = ()
    when: str | None = None  # the bool attribute that asks for it, of inputs that another kernel takes too

    @property
    def is_dense(self) -> bool:
        return all(kind.is_dense for kind in self.inputs + self.outputs)

    def input_kinds(self, op: Op) -> dict[str, TensorKind]:
        """The kind of each input of the op."""
        return {a.name: self.inputs[i] if i < len(self.inputs) else DENSE for i, a in enumerate(op.inputs)}

    def output_kind(self, index: int) -> TensorKind:
        return self.outputs[index] if index < len(self.outputs) else DENSE

    def __str__(self) -> str:
        kinds = (", ".join(kind.name for kind in side) for side in (self.inputs, self.outputs))
        return f"{self.name} {{{' -> '.join(kinds)}}}"


@dataclass(frozen=True)
class ArgDef:
    """Where a generated kernel's tensor differs from the kernel's key; None where it does not."""

    name: str  # an input or an output
    backend: str | None  # "CPU", "ALL_BACKEND"
    dtype: str | None  # a data type, or "any"


@dataclass(frozen=True)
class Kernel:
    branches: tuple[KernelBranch, ...]
    param: tuple[str, ...] | None
    args_def: tuple[ArgDef, ...]
    data_type: tuple[str, ...]  # in order of precedence, e.g. ("dtype", "x"); () means from the inputs
    data_type_to_complex: bool  # `complex(x)`
    backend: tuple[str, ...]
    layout: tuple[str, ...]
    force_backend: str | None
    only_rows: str | None  # `true`, or the bool attribute that says so: a step on SelectedRows leaves the other rows alone
    loc: Loc = field(compare=False)

    @property
    def dense(self) -> KernelBranch | None:
        """The branch for dense tensors alone."""
        return next((branch for branch in self.branches if branch.is_dense), None)


@dataclass(frozen=True)
class Functor:
    """What computes an output of a generated kernel. Without a name the output is the one tensor itself."""

    name: str | None
    args: tuple[str, ...]  # input tensors


@dataclass(frozen=True)
class Invoke:
    """`invoke: func(args)`: the op is a call of another op, or of a hand-written `*_impl`."""

    func: str
    args: tuple[str, ...]  # C++ text of each argument
    loc: Loc = field(compare=False)
    left_out: tuple[Arg, ...] = field(default=(), compare=False)  # of the op that is called: those with their defaults


@dataclass(frozen=True)
class Forward:
    """The forward signature that a backward op differentiates."""

    name: str
    args: tuple[Arg, ...]
    outputs: tuple[Output, ...]
    loc: Loc = field(compare=False)


@dataclass(frozen=True)
class Op:
    """A forward op (`forward is None`) or a backward op of any order."""

    name: str
    args: tuple[Arg, ...]
    outputs: tuple[Output, ...]
    infer_meta: InferMeta | None
    kernel: Kernel | None
    backward: str | None
    forward: Forward | None
    invoke: Invoke | None
    # input name -> output name
    inplace: tuple[tuple[str, str], ...]
    view: tuple[tuple[str, str], ...]
    no_need_buffer: frozenset[str]
    skip_transform: frozenset[str]
    support_trans_dtype: frozenset[str]
    # our own keys; `None` or empty where neither the entry nor its category says anything
    category: str  # "unary", "binary", "reduction", "creation", "random", "view", "optimizer", "general", "unary_grad", ...
    dtypes: tuple[str, ...]  # what the generated kernel is registered for, dtypes and groups; () if none is generated
    backend_dtypes: tuple[tuple[str, tuple[str, ...]], ...]  # the same for each backend, where they differ
    functors: tuple[Functor, ...]  # of the generated kernel, one for each output; () if it is a function
    composite: str | None  # an expression, or "module:function" under phi_torch/decompositions/
    jvp: str | None  # "auto_linear", "auto_elementwise"
    autocast: str  # "lower", "fp32", "promote", "none"
    vmap: str  # "elementwise", "composite", "loop"
    type_promotion: tuple[str, ...]
    strided: frozenset[str]  # the inputs that the kernel takes with any strides
    pass_through: tuple[tuple[str, str], ...]  # incoming gradient -> output that is that gradient, for equal shapes
    stands_for: tuple[tuple[str, str], ...]  # tensor of a backward op -> absent input of the forward op that is like it
    shape_from: tuple[str, ...]  # the tensors whose values decide on the shape of the result
    mutable_attributes: tuple[str, ...]  # attributes that programs may give as operands
    tile: str | None  # "true" or "false": whether fused operations of a program may compute it in tiles
    layout_tag: str | None  # Inductor's layout tag
    torch: str | None  # the function or method of torch that means the same, such as "nn.functional.gelu"
    doc: str | None
    since: str | None
    deprecated: str | None
    traits: tuple[str, ...]  # what other keys do not imply: names of model/trait.py, or Paddle's own
    # kept for whoever reads Paddle's files, unused by the emitters
    interfaces: tuple[str, ...]
    paddle_only: tuple[tuple[str, str], ...]  # other Paddle keys: name -> text
    source: str  # the YAML file, as it is printed
    loc: Loc = field(compare=False)
    namespace: str = PHI  # of torch.ops

    @property
    def is_data_dependent(self) -> bool:
        """Whether values decide on the shape of the result: InferMeta says -1 for the sizes that the kernel finds."""
        return "data_dependent_shape" in self.traits

    @property
    def place(self) -> str:
        """`yaml/ops/math.yaml:14`."""
        return f"{self.source}:{self.loc.line}"

    @property
    def entry(self) -> str:
        """The entry as generated C++ names it: without its line, which changes with every edit above it."""
        return f"{self.source}, {self.name}"

    @property
    def header(self) -> str:
        """The C++ API of this op."""
        return op_header(self.namespace, self.name)

    @property
    def is_backward(self) -> bool:
        return self.forward is not None

    @property
    def inputs(self) -> tuple[Arg, ...]:
        return tuple(a for a in self.args if a.is_tensor)

    @property
    def attrs(self) -> tuple[Arg, ...]:
        return tuple(a for a in self.args if not a.is_tensor)

    @property
    def cpp_api(self) -> str:
        """The C++ namespace of the typed handles."""
        return f"::{self.namespace}::ops"

    @property
    def is_inplace_only(self) -> bool:
        """PHI's trailing underscore: only the in-place form exists (`adam_`)."""
        return self.name.endswith("_")

    @property
    def family(self) -> str:
        """The file of the entry, and the folder of the kernels: `activation`."""
        return self.source.rpartition("/")[2].partition(".")[0]

    def arg(self, name: str) -> Arg:
        return next(a for a in self.args if a.name == name)

    def dtypes_on(self, backend: str) -> tuple[str, ...]:
        """What the generated kernel of a backend is registered for."""
        return dict(self.backend_dtypes).get(backend, ()) if self.backend_dtypes else self.dtypes


@dataclass(frozen=True)
class OpSet:
    """All ops of a set of YAML files, forward first, in file order."""

    ops: tuple[Op, ...]
    namespace: str = PHI
    headers: tuple[str, ...] = ()  # of an extension
    infer_meta_headers: tuple[str, ...] = ()  # those that define InferMeta functions or kinds of tensors
    program_ops: tuple[ProgramOp, ...] = ()  # the operators of programs, where they are the tree's
    pir_ops: tuple[Op, ...] = ()  # those of the IR that no kernel is called for by a person, where they are the tree's
    # the functors and function templates of generated kernels that stand in csrc/
    definitions: Mapping[str, Loc] = field(default_factory=dict, compare=False)
    rewrites: tuple[Rewrite, ...] = ()  # of programs, where they are the tree's
    aten_rows: tuple[AtenRow, ...] = ()  # overloads of ATen as operators, where they are the tree's

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {op.name: op for op in self.ops})

    def __getitem__(self, name: str) -> Op:
        by_name: dict[str, Op] = self._by_name  # type: ignore[attr-defined]
        return by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name  # type: ignore[attr-defined]

    @property
    def folder(self) -> str:
        """Where an extension's generated headers stand, apart from ours: `my/`."""
        return "" if self.namespace == PHI else f"{self.namespace}/"

    def shards(self, ops_per_file: int) -> int:
        """How many files a kind of output is split into."""
        return max(1, ceil(len(self.ops) / ops_per_file))

    def root(self, op: Op) -> Op:
        """The op that `op` is a gradient of, of any order; an op that is none is its own root."""
        while op.forward is not None and op.forward.name in self and self[op.forward.name] is not op:
            op = self[op.forward.name]
        return op

    @property
    def forward_ops(self) -> tuple[Op, ...]:
        return tuple(op for op in self.ops if not op.is_backward)

    @property
    def backward_ops(self) -> tuple[Op, ...]:
        return tuple(op for op in self.ops if op.is_backward)
