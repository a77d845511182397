"""Handles keep their program alive. One of an object that was erased raises ReferenceError, which says who erased it."""

import os
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from types import SimpleNamespace
from typing import Any, TypeVar

import torch

_T = TypeVar("_T")

class Type:
    """The type of a value; equal if it is the same, within a context. `str` is its text."""

    @property
    def kind(self) -> str:
        """`scalar`, `vector`, `opaque`; `dense_tensor`, `dense_tensor_array`, `selected_rows`, `sparse_coo`, `sparse_csr`,
        `string_tensor`; or the name of a type in a dialect of a user's own."""
    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> list[int]:
        """Of a tensor; -1 for what is not a number."""
    @property
    def dims(self) -> list[int | str]:
        """The same, with expressions as text (`2*s0+1`), and `?` for what is not known."""
    @property
    def layout(self) -> str: ...
    @property
    def value_semantics(self) -> bool:
        """Whether it is a vtensor, which shares its memory with no other; the text of one that may be aliased starts with `!`."""
    @property
    def elements(self) -> list[Type | None]:
        """Of a vector."""
    @property
    def name(self) -> str:
        """Of an opaque type, as the file has it."""
    @property
    def data(self) -> str:
        """Of an opaque type: what is written back."""

class Attribute:
    """A constant; equal if it is the same, within a context. `str` is its text with its type."""

    @property
    def kind(self) -> str:
        """`bool`, `i32`, `i64`, `f32`, `f64`, `c64`, `c128`, `str`, `array`, `dict`, `type`, `dtype`, `place`, `layout`, `scalar`,
        `intarray`, `tensor`, `kernel_key`, `opaque`; or the name of an attribute in a dialect of a user's own."""
    @property
    def value(self) -> Any:
        """As a bool, number, text, list, dict or Type; (name, data) of an opaque one, (dtype, shape, bytes) of a tensor."""
    @property
    def dtype(self) -> str:
        """Of a scalar or a tensor."""
    @property
    def items(self) -> list[Attribute | None]:
        """Of an array."""
    @property
    def entries(self) -> dict[str, Attribute | None]:
        """Of a dict."""

class Context:
    """Where types and attributes live: a program's own, or shared by several on purpose."""

    def scalar(self, dtype: str) -> Type: ...
    def dense_tensor(self, dtype: str, dims: Sequence[int | str], layout: str = "NCHW", value_semantics: bool = True) -> Type:
        """A negative size, or `?`, is not known; other text is an expression of symbols."""
    def tensor_like(
        self, kind: str, dtype: str, dims: Sequence[int | str], layout: str = "NCHW", value_semantics: bool = True
    ) -> Type:
        """The same, of another kind: see Type.kind."""
    def vector(self, elements: Sequence[Type | None]) -> Type: ...
    def opaque_type(self, name: str, data: str) -> Type:
        """What a file has and nobody here knows."""
    def parse_type(self, text: str) -> Type | None:
        """ParseError for a text that is no type; None for `none`."""
    def attribute(self, kind: str, value: Any, dtype: str | None = None) -> Attribute:
        """`attribute("i32", 5)`, `("array<i32>", [1, 2])`, `("scalar", 1.5, "float32")`, `("opaque", (name, data))`.
        Items of an array or a dict may be Attributes. TypeError or ValueError for a value of another kind."""
    def parse_attribute(self, text: str) -> Attribute | None: ...

class OpInfo:
    """What the tables say of an operator."""

    @property
    def name(self) -> str:
        """With its dialect: `pd_op.conv2d`."""
    @property
    def place(self) -> str:
        """The entry of the YAML."""
    @property
    def inputs(self) -> list[SimpleNamespace]:
        """`name`, `optional`, `is_list`, `is_mutable_attribute`: where that operand is None, the attribute of the name holds."""
    @property
    def attributes(self) -> list[SimpleNamespace]:
        """`name`, `kind` (`array<i32>` for lists), `has_default`, `default`, `optional`, `is_mutable`."""
    @property
    def outputs(self) -> list[SimpleNamespace]:
        """`name`, `optional`, `is_list`, `intermediate`."""
    @property
    def shared(self) -> list[tuple[int, int]]:
        """Operands and results that share their memory: it is written with the trait `Inplace`, else viewed."""
    @property
    def traits(self) -> list[str]: ...
    @property
    def gradient(self) -> str | None:
        """The operator that `Builder.differentiate` makes, `pd_op.relu_grad`; None without a gradient."""
    @property
    def kernel(self) -> str | None:
        """The kernel that an executable calls for it; None where there is none that it could call."""
    @property
    def composite(self) -> str | None:
        """What the pass `decompose` puts in its place; None without a composite."""
    @property
    def composite_only(self) -> bool:
        """Whether there is no kernel beside the composite."""
    @property
    def autocast(self) -> str | None:
        """What its YAML says, "lower", "fp32", "promote" or "none"; None for an operator of programs only."""
    @property
    def has_tiles(self) -> bool:
        """Whether fused operations may compute it in tiles."""
    @property
    def is_registered(self) -> bool:
        """False for an operator that no dialect has."""

class Value:
    """The result of an operation, or an argument of a block."""

    name: str  # "" without one

    @property
    def type(self) -> Type | None:
        """None: a result that is absent."""
    @type.setter
    def type(self, type: Type | None) -> None: ...
    @property
    def index(self) -> int: ...
    @property
    def defining_op(self) -> Operation | None:
        """None for an argument."""
    @property
    def owner_block(self) -> Block: ...
    @property
    def uses(self) -> list[tuple[Operation, int]]:
        """Who uses it, and as which operand, in the order in which the uses were made."""
    def replace_all_uses_with(self, value: Value) -> None: ...

class Attributes:
    """The attributes of an operation that are not absent, as a mutable mapping of Python values. One that the operator declares
    is converted to the kind that it declares; another is by its class a bool, an i64, an f64, text, an array or a dict, unless
    it is an Attribute. ValueError for a new one that the operator does not declare, but with `undeclared`."""

    def __getitem__(self, name: str) -> Any: ...
    def __setitem__(self, name: str, value: Any) -> None: ...
    def __delitem__(self, name: str) -> None: ...
    def __contains__(self, name: str) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def get(self, name: str, default: Any = None) -> Any: ...
    def set(self, name: str, value: Any, *, undeclared: bool = False) -> None: ...
    def keys(self) -> list[str]: ...
    def values(self) -> ValuesView[Any]: ...
    def items(self) -> ItemsView[str, Any]: ...

class Operation:
    location: str  # "" without one

    @property
    def name(self) -> str: ...
    @property
    def info(self) -> OpInfo: ...
    @property
    def program(self) -> Program: ...
    @property
    def operands(self) -> list[Value | None]: ...
    @property
    def results(self) -> list[Value]: ...
    @property
    def regions(self) -> list[Region]: ...
    @property
    def attributes(self) -> Attributes: ...
    @property
    def parent_block(self) -> Block | None: ...
    @property
    def parent_op(self) -> Operation | None: ...
    @property
    def is_erased(self) -> bool: ...
    def attribute(self, name: str) -> Attribute | None:
        """An attribute with its kind; None without it."""
    def set_operand(self, index: int, value: Value | None) -> None: ...
    def has_trait(self, name: str) -> bool:
        """`Commutative`, `SideEffect`, ...; ValueError for an unknown one."""
    @property
    def effects(self) -> SimpleNamespace:
        """What it does beside results of its own: `is_known`, False for an operator that may do anything; `has_side_effect`;
        `is_random`; `written`, the operands whose memory it writes; `shared`, pairs of an operand and a result in one memory.
        By its attributes too: a dropout of inference draws no numbers. What stands in its regions is not in it."""
    def erase(self) -> None:
        """ValueError while a value of it is used elsewhere."""
    def move_before(self, op: Operation) -> None: ...
    def move_after(self, op: Operation) -> None: ...

class Block:
    @property
    def operations(self) -> list[Operation]: ...
    @property
    def arguments(self) -> list[Value]: ...
    @property
    def parent_op(self) -> Operation: ...
    def add_argument(self, type: Type | None, name: str = "") -> Value: ...
    def erase_argument(self, index: int) -> None:
        """ValueError while it is used."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Operation]: ...

class Region:
    @property
    def blocks(self) -> list[Block]: ...
    def add_block(self, arg_types: Sequence[Type | None] = ()) -> Block: ...

class Parameter:
    """A weight as it was when it was asked for."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def is_mutable(self) -> bool: ...
    @property
    def version(self) -> int:
        """How often it was replaced."""
    @property
    def data(self) -> torch.Tensor: ...

class Weights:
    """The weights of a program by name. A clone has a list of its own, of the same tensors."""

    def set(self, name: str, tensor: torch.Tensor, is_mutable: bool = False) -> Parameter:
        """Keeps the tensor itself. ValueError for one that is not dense, contiguous and on the CPU."""
    def hold(self, tensors: Mapping[str, torch.Tensor]) -> bool:
        """Whether those of these names are these tensors, in the memory that they had when they were set."""
    def __getitem__(self, name: str) -> Parameter: ...
    def __delitem__(self, name: str) -> None: ...
    def __contains__(self, name: str) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

class Symbols:
    """The symbols in the sizes of a program's types."""

    def add(self, source: str = "", lower: int = 0, upper: int | None = None, divisor: int = 1) -> str:
        """A new one, and its text: `s0`. `source` is the size that it stands for: `image.0`."""
    def __getitem__(self, name: str) -> tuple[str, int, int | None, int]:
        """(source, lower, upper, divisor)."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

class Program:
    """A graph of operations, its weights and its symbols. One thread at a time."""

    def __init__(self, context: Context | None = None) -> None: ...
    @property
    def context(self) -> Context: ...
    @property
    def module(self) -> Operation:
        """`builtin.module`, which holds all others."""
    @property
    def block(self) -> Block:
        """Of the module."""
    @property
    def weights(self) -> Weights: ...
    @property
    def symbols(self) -> Symbols: ...
    def walk(self) -> Iterator[Operation]:
        """All operations, one before those in its regions, as they are now."""
    def counts(self) -> dict[str, int]:
        """How often each operator is there, sorted by name."""
    def clone(self) -> Program:
        """Another one with the same context and tensors."""
    def refine_types(self) -> None:
        """Gives each size that is not known what follows from the operands, or a symbol of its own. An operation whose results
        follow from a guess, such as that two symbols are the same size, gets the attribute `unproven_types`."""
    def verify(self) -> None:
        """VerifyError with up to twenty messages where it breaks a rule."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `<name>.phi` and `<name>.safetensors`, or `<name>.json` and `<name>.pdiparams`, by the suffix of `path`.
        ValueError for another one, ProgramError for a parameter without a weight, or for what the format cannot say."""
    def to_text(self, full: bool = False) -> str:
        """What `parse` reads; weights are not in it. Attributes at their default are left out unless `full`."""

class Builder:
    """Makes operations at a place of a program: at first at the end of its block."""

    def __init__(self, program: Program | None = None) -> None: ...
    @property
    def program(self) -> Program: ...
    @property
    def block(self) -> Block: ...
    def at_end(self, block: Block) -> Builder:
        """A builder at another place of the program."""
    def at_start(self, block: Block) -> Builder: ...
    def before(self, op: Operation) -> Builder: ...
    def after(self, op: Operation) -> Builder: ...
    def create(
        self,
        name: str,
        operands: Sequence[Value | None] = (),
        attributes: Mapping[str, Any] | None = None,
        result_types: Sequence[Type | None] | None = None,
        regions: int = 0,
        location: str = "",
        undeclared: bool = False,
    ) -> Operation:
        """An operation; `Program.verify` says whether it is right. Attributes that are not given have their default. Without
        `result_types` the results are what the operator says, none for one that is not known or has regions. With `undeclared`
        the operator and its attributes may be such that nobody declares, as files hold them. ValueError for those otherwise, for
        a value of another program, for operands that do not fit, and where the operator does not tell its results; TypeError
        for an attribute of another kind."""
    def differentiate(
        self, op: Operation, gradients: Sequence[Value | None], wanted: Sequence[bool] | None = None
    ) -> list[Value | None]:
        """The gradient of each operand of `op`, by an operation `op.info.gradient` that is made here; None for an operand without
        one, or that is not `wanted`. `gradients` are those of its results: of a list the list of them, None where nothing flows.
        ValueError for an operator without a gradient, and for another number of gradients."""

class CompiledProgram:
    """What Executable is made of."""

    def __init__(self, program: Program, threads: int, max_memory: int, reuse_outputs: bool, max_iterations: int) -> None: ...
    def __call__(self, *inputs: torch.Tensor | int | float) -> tuple[torch.Tensor, ...]: ...
    def run_poisoned(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The same, and memory that nobody reads any more is overwritten: for tests."""
    def profile_rows(self, repeat: int, *inputs: torch.Tensor) -> list[tuple[str, str, str, int, float]]:
        """(operator, kernel, place, runs, seconds) of each instruction."""
    def explain(self, *inputs: torch.Tensor) -> str: ...
    def lowered(self, *inputs: torch.Tensor) -> Program:
        """What runs for inputs of these shapes, as a program of the dialect pd_kernel: `pd_kernel.call` for each kernel, with its
        key and its arguments; `transfer` for what is copied or cast; `alias` for a part of another tensor; `if` and `while`. The
        attribute `memory` says where results lie. To be printed and looked at: it is not compiled again."""
    def memory(self, *inputs: torch.Tensor) -> tuple[int, int, int, int]: ...
    @property
    def inputs(self) -> list[tuple[str, str]]: ...
    @property
    def outputs(self) -> list[tuple[str, str]]: ...

def takes_strides(op: Operation) -> bool:
    """Whether the target of `torch.call` reads tensors that are not contiguous."""

def op_info(name: str) -> OpInfo | None:
    """None for an operator that no dialect has."""

def op_names() -> list[str]: ...
def pass_table() -> list[tuple[str, int, str]]:
    """Name, level and purpose of each pass that is there, in the order of a pipeline."""

def run_pass(program: Program, name: str) -> dict[str, int]:
    """What it did, and how often. ValueError for a name that no pass has."""

def rewrite_table() -> list[tuple[str, int]]:
    """Name and level of each rewrite of the library."""

def apply_rewrites(
    program: Program, names: Sequence[str], own: Sequence[tuple[str, int, list[list[tuple[int, str, int, float, int]]]]]
) -> dict[str, int]:
    """How often each was done, of those of the library by name, and of others. RuntimeError where they chase each other."""

def count_matches(program: Program, own: tuple[str, int, list[list[tuple[int, str, int, float, int]]]]) -> int:
    """Where one would be done; the program stays as it is."""

def run_as(by: str, function: Callable[[], _T]) -> _T:
    """Calls it; what it erases is erased by that name."""

def parse(text: str, context: Context | None = None) -> Program:
    """A program from its text. ParseError with up to twenty faults, each with line and column."""
