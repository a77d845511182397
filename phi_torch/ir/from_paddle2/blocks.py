"""The variables of a program of Paddle 2 and the values that they have, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from ... import ir
from ...legacy.description import EMPTY, ProgramDesc, VarDesc

Key = tuple[int, str]  # the block that declares a variable, and its name
FIRST, AFTER = "@FIRST@", "@AFTER@"  # in the place of a name: where the steps of a loop's last run are noted
UNDEFINED = 1.77113e27  # what PaddlePaddle assigns to a variable of Python that has no value before a branch or a loop


class Unknown(Exception):
    """An operator has no equivalent: `what` says why; "" where it depends on one that has none."""

    def __init__(self, what: str = "") -> None:
        super().__init__(what)
        self.what = what


class Variables:
    """What names mean in the blocks of a program."""

    def __init__(self, desc: ProgramDesc) -> None:
        self.desc = desc
        self.undefined: set[ir.Value] = set()  # what stands for no value yet, of any type
        self.fetched: set[Key] = set()  # what is read after the last operator

    def defined(self, builder: ir.Builder, value: ir.Value | None, type: ir.Type | None) -> ir.Value:
        """A value, or what stands in its place where there is none, and one of this type is joined with it."""
        assert type is not None
        if value is not None and (value not in self.undefined or is_like(value.type, type)):
            return value
        return stand_in(builder, 0, type)

    def may_be_undefined(self, value: ir.Value) -> bool:
        """Whether a loop may start with it and go on with another type: such a number is what PaddlePaddle writes, too."""
        return value in self.undefined or number_of(value) is not None

    def find(self, block: int, name: str) -> tuple[Key, VarDesc | None]:
        found = self.desc.find_var(block, name)
        return ((block, name), None) if found is None else ((found[1], name), found[0])

    def fed(self) -> list[str]:
        """The inputs of a program without operators that feed them, in the order in which they are read first."""
        (block, *_), names, written = self.desc.blocks, dict[str, None](), set[str]()
        for op in block.ops:
            read = [*(name for slot in op.inputs.values() for name in slot), *(name for _, name in op.attribute_names())]
            for name in read:
                if name not in written and name in block.vars and block.vars[name].need_check_feed:
                    names[name] = None
            written |= {name for slot in op.outputs.values() for name in slot}
        return list(names)

    def is_assigned(self, name: str) -> bool:
        """Whether an operator assigns to a variable of the first block, other than the one that feeds it."""
        ops = ((block, op) for block in self.within(0) for op in self.desc.blocks[block].ops if op.type != "feed")
        return any(name in slot and self.find(block, name)[0] == (0, name) for block, op in ops for slot in op.outputs.values())

    def within(self, block: int) -> Iterator[int]:
        """A block, and those that its operators run."""
        yield block
        for op in self.desc.blocks[block].ops:
            for inner in op.blocks:
                yield from self.within(inner)

    def gradients(self, block: int) -> list[int]:
        """The blocks that compute the gradients of a block, of which the program runs any."""
        ran = set(self.within(0))
        return [one.idx for one in self.desc.blocks if one.forward_block_idx == block and one.idx in ran]

    def read_by_gradients(self, block: int) -> Iterator[tuple[str, Key, VarDesc | None]]:
        """What the blocks of a block's gradients read, as often as they do."""
        for one in (one for gradient in self.gradients(block) for one in self.within(gradient)):
            for name in (name for op in self.desc.blocks[one].ops for slot in op.inputs.values() for name in slot):
                yield name, *self.find(one, name)

    def kept(self, block: int) -> list[Key]:
        """The tensors that a block declares, or its branches, and the blocks of its gradients read.

        What its loops declare has a value for each of their steps; of those it keeps where they are noted.
        """
        inside, loops, queue = {block}, list[int](), [block]
        for op in (op for one in queue for op in self.desc.blocks[one].ops):
            if op.type == "while":
                loops += [body for body in op.blocks if self.gradients(body)]
            else:
                inside |= set(op.blocks)
                queue += op.blocks
        names = dict.fromkeys((body, mark) for body in loops for mark in (FIRST, AFTER))
        for _, key, var in self.read_by_gradients(block):
            if key[0] in inside and var is not None and var.kind == "dense_tensor":
                names[key] = None
        return list(names)

    def times_assigned(self, key: Key) -> int:
        """How many operators assign to a variable."""
        ops = [(block.idx, op) for block in self.desc.blocks for op in block.ops]
        return sum(any(key[1] in slot for slot in op.outputs.values()) and self.find(at, key[1])[0] == key for at, op in ops)

    def assigned(self, block: int) -> list[str]:
        """The tensors of blocks around this one that it assigns to, in the order of the first assignment."""
        inside = set(self.within(block))
        names: dict[str, None] = {}
        for one in self.within(block):
            for op in self.desc.blocks[one].ops:
                for name in (name for slot in op.outputs.values() for name in slot if name != EMPTY):
                    (declares, _), var = self.find(one, name)
                    if declares not in inside and var is not None and var.kind == "dense_tensor":
                        names[name] = None
        return list(names)


class Region:
    """One block while it is translated; it sees the values of the blocks around it, and keeps those that it assigns."""

    def __init__(self, variables: Variables, builder: ir.Builder, block: int, outer: Region | None) -> None:
        self.variables, self.builder, self.block, self.outer = variables, builder, block, outer
        self.values: dict[Key, ir.Value] = {}
        self.failed: set[Key] = set()

    def key(self, name: str) -> Key:
        return self.variables.find(self.block, name)[0]

    def variable(self, name: str) -> VarDesc | None:
        return self.variables.find(self.block, name)[1]

    def kind(self, name: str) -> str:
        var = self.variable(name)
        return "absent" if var is None else var.kind

    def current(self, name: str) -> ir.Value | None:
        """The value that a variable has so far."""
        return self.at(self.key(name))

    def at(self, key: Key) -> ir.Value | None:
        region: Region | None = self
        while region is not None:
            if key in region.failed:
                raise Unknown
            if key in region.values:
                return region.values[key]
            region = region.outer
        return None

    def find(self, name: str) -> ir.Value:
        value = self.current(name)
        if value is None:
            raise ValueError(f"variable '{name}' has no value yet")
        return value

    def set(self, name: str, value: ir.Value) -> None:
        if name != EMPTY:
            self.values[self.key(name)] = value

    def forget(self, names: Iterable[str]) -> None:
        self.failed |= {self.key(name) for name in names}

    def of(self, name: str) -> Region:
        """The one whose block declares a variable."""
        declares, region = self.key(name)[0], self
        while region.block != declares and region.outer is not None:
            region = region.outer
        return region


def type_of(context: ir.Context, name: str, var: VarDesc | None) -> ir.Type:
    """What a variable is declared as.

    Raises:
        ValueError: it is declared as no dense tensor.
    """
    if var is None or var.kind != "dense_tensor" or var.dtype is None or var.dims is None:
        got = "nothing" if var is None else var.kind
        raise ValueError(f"variable '{name}': expected a dense tensor of a known data type and rank, got {got}")
    return context.dense_tensor(str(var.dtype).removeprefix("torch."), list(var.dims))


def joined(context: ir.Context, name: str, a: ir.Type | None, b: ir.Type | None) -> ir.Type:
    """The type of what is one or the other.

    Raises:
        ValueError: they differ in more than sizes.
    """
    if a is not None and a == b:
        return a
    if a is None or b is None or not is_like(a, b):
        raise ValueError(f"variable '{name}' is {a} on one way, and {b} on another")
    return context.dense_tensor(a.dtype, [x if x == y else "?" for x, y in zip(a.dims, b.dims)])


def as_single(builder: ir.Builder, value: ir.Value, type: ir.Type | None) -> ir.Value:
    """One element in the rank of a type that has one too: programs mix shapes [] and [1]."""
    own = value.type
    if own is None or type is None or own == type or own.dtype != type.dtype or {*own.dims, *type.dims} - {1}:
        return value
    return builder.create("pd_op.reshape", [value, None], {"shape": list(type.dims)}).results[0]


def is_like(a: ir.Type | None, b: ir.Type | None) -> bool:
    """Whether two types differ in sizes alone."""
    return a is not None and b is not None and (a.dtype, len(a.dims)) == (b.dtype, len(b.dims))


def stand_in(builder: ir.Builder, number: object, type: ir.Type) -> ir.Value:
    """A value of a type, where a program has a number or nothing."""
    shape = [max(size, 1) for size in type.shape]
    return builder.create("pd_op.full", [], {"shape": shape, "value": number, "dtype": type.dtype, "place": "cpu"}).results[0]


def number_of(value: ir.Value) -> object:
    """The number that a value is, of whatever rank; None for another value."""
    op = value.defining_op
    is_full = op is not None and op.name == "pd_op.full" and value.type is not None and prod(value.type.shape) == 1
    return op.attributes["value"] if op is not None and is_full else None


def shares(value: ir.Value, memory: ir.Value) -> bool:
    """Whether a value is what in-place operations made of another one."""
    while value != memory:
        op = value.defining_op
        if op is None or not op.has_trait("Inplace"):
            return False
        found = next((op.operands[operand] for operand, result in op.info.shared if result == value.index), None)
        if found is None:
            return False
        value = found
    return True
