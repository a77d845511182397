"""A program made ready to run: each operator bound to what runs it, each variable to its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

import torch

from .. import _C
from .._namespaces import left_out
from .._paddle.faults import Faults, near, op_place
from . import _callee, _derived_gradients, operators  # noqa: F401  # they register their operators
from ._adjusted import adjusted, mixes
from ._check import check
from ._definition import definition, unknown_attributes
from ._definition import faults as faults_of
from ._native import Native
from ._operators import OPERATORS, Operands, fetch, fetched, function_of
from ._signature import UNREGISTERED, Signature, signature, signatures
from ._sizes import followed
from ._step import Run, Values, bind
from .description import OpDesc, ProgramDesc, VarDesc


@dataclass
class Step:
    """An operator of a block and what runs it; `signature` is None for an operator without a kernel.

    `run` calls the function of an operator, as a person does; `traced` also follows sizes through it, for graphs; `kernel`,
    that of `native`, runs in a scope, past torch, and is None where only functions do.
    """

    place: str
    block: int
    op: OpDesc
    signature: Signature | None
    run: Run
    traced: Run
    kernel: Run | None = None
    native: Native | None = None  # whose `kernel` it is
    is_missing: bool = False


@dataclass(frozen=True)
class Missing:
    """An operator that nothing runs: the kernel that its mapping asks for, None if nothing maps it."""

    op: str
    kernel: str | None

    def __str__(self) -> str:
        if self.kernel is None:
            return f"operator '{self.op}'{near(self.op, [*OPERATORS, *_C.program_op_types()])}"
        if self.kernel == UNREGISTERED:
            return f"operator '{self.op}', which has no kernel for the kinds of its variables"
        of = self.kernel.removesuffix("_raw").removesuffix("_with_xshape")
        why = left_out(of) or left_out(of.removesuffix("_grad"))
        return f"operator '{self.op}', kernel '{self.kernel}'{f'; {why}' if why else near(self.kernel, _callee.known())}"


class Prepared:
    """The blocks of a program as lists of steps; `missing` counts the operators that nothing runs, `unknown` names the attributes
    that operators do not have. `float32` is the dtype to run in where the program says float32.

    Raises:
        ProgramError: the parts of the program do not fit together, or an operator does not fit its kernel; all of them are
            named.
    """

    def __init__(
        self,
        desc: ProgramDesc,
        source: str,
        run_block: Callable[[int, Values], None],
        float32: torch.dtype = torch.float32,
    ) -> None:
        self.desc = desc
        self._float32 = float32
        self.source = source
        self.missing: Counter[Missing] = Counter()
        self._run_block = run_block
        self._shadowed = _shadowed(desc)
        self._blocks_use: dict[int, set[str]] = {}
        branches = [op for block in desc.blocks for op in block.ops if op.type == "conditional_block"]
        self._of_branches = {name for op in branches for name in op.outputs.get("Out", [])}
        self._follows_sizes = any(op.type == "shape" for block in desc.blocks for op in block.ops)
        faults, self.unknown = Faults(source), Faults(source)
        check(desc, faults)
        faults.check()
        self.blocks = [list(self._steps(block, faults)) for block in range(len(desc.blocks))]
        faults.check()

    def key(self, block: int, name: str) -> str:
        """The place of a variable among the values of a running program: its name, unless several blocks declare it."""
        if name not in self._shadowed:
            return name
        found = self.desc.find_var(block, name)
        return f"{name}@block{found[1]}" if found is not None and found[1] else name

    def _steps(self, block: int, faults: Faults) -> Iterator[Step]:
        for index, op in enumerate(self.desc.blocks[block].ops):
            place, before = op_place(block, index, op.type), faults.count
            for where, what in faults_of(op):
                faults.add(f"{place}, {where}", what)
            for where, what in unknown_attributes(op):
                self.unknown.add(f"{place}, {where}", what)
            if faults.count == before:
                try:
                    step = self._step(block, place, op)
                except ValueError as error:
                    faults.add(place, str(error))
                    continue
                if self._follows_sizes:
                    step.traced = followed(op, step.run, partial(self.key, block))
                yield step

    def _step(self, block: int, place: str, op: OpDesc) -> Step:
        def key(name: str) -> str:
            return self.key(block, name)

        if (function := function_of(op)) is not None:
            if function is fetch:
                collect = fetched(op, key)
                return Step(place, block, op, None, collect, collect)

            def run(values: Values) -> None:
                function(Operands(op, values, key, self._run_block, self.key, self.desc))

            return Step(place, block, op, None, run, run)
        native = Native(op, key, self._run_block, self._float32)
        if native.is_registered:
            return Step(place, block, op, None, native.run_apart, native.run_apart, native.run, native)
        found = signature(op, lambda name: self.kind(block, name))
        callee = _callee.find(found.kernel) if found is not None else None
        dtype = partial(self._dtype, block)
        fits = found is not None and native.fits(found) and not mixes(op, dtype)
        if found is None or (callee is None and not fits):
            self.missing[Missing(op.type, found.kernel if found is not None else None)] += 1
            return Step(place, block, op, found, _cannot_run, _cannot_run, is_missing=True)
        if callee is None:
            return Step(place, block, op, found, native.run_apart, native.run_apart, native.run, native)
        defined = definition(op.type)
        defaults = defined.defaults if defined is not None else {}
        bound = bind(op, found, callee, key, defaults, float32=self._float32)
        made = adjusted(bound, op, key, dtype, self._of_branches)
        fits = fits and made is bound
        return Step(place, block, op, found, made, made, native.run if fits else None, native if fits else None)

    def _dtype(self, block: int, name: str) -> torch.dtype | None:
        found = self.desc.find_var(block, name)
        return None if found is None else found[0].dtype

    def kind(self, block: int, name: str) -> str:
        found = self.desc.find_var(block, name)
        return "absent" if found is None else found[0].kind

    def last_uses(self, kept: Collection[str]) -> list[list[list[str]]]:
        """For each step of each block the variables that nothing reads afterwards, without those of `kept`.

        A block erases the variables that it declares.
        """
        return [self._last_uses(block, kept) for block in range(len(self.blocks))]

    def _last_uses(self, block: int, kept: Collection[str]) -> list[list[str]]:
        declared = self.desc.blocks[block].vars
        own = {self.key(block, name) for name, var in declared.items() if not _is_kept(var) and name not in kept}
        own -= self._used_by_gradients(block) | self._used_by_steps(block)
        if self.desc.blocks[block].forward_block_idx >= 0:  # the operator that runs it reads them
            own -= {self.key(block, name) for name in declared if name.endswith("@GRAD")}
        erased: list[list[str]] = []
        for step in reversed(self.blocks[block]):
            last = own & self._used(block, step.op)
            own -= last
            erased.append(sorted(last))
        return erased[::-1]

    def _used_by_gradients(self, block: int) -> set[str]:
        of = [inner.idx for inner in self.desc.blocks if inner.forward_block_idx == block and inner.idx not in (0, block)]
        return set().union(*map(self._used_in, of))

    def _used_by_steps(self, block: int) -> set[str]:
        """What `recurrent` takes from each step of the block."""
        runs = (op for one in self.desc.blocks for op in one.ops if op.type == "recurrent" and block in op.blocks)
        names = (name for op in runs for name in (*op.attrs["states"].value, *op.outputs.get("outputs", [])))
        return {self.key(block, name) for name in names}

    def _used(self, block: int, op: OpDesc) -> set[str]:
        """The variables that an operator, or a block that it runs, reads or writes."""
        return {self.key(block, name) for _, name in op.names()}.union(*(self._used_in(inner) for inner in op.blocks))

    def _used_in(self, block: int) -> set[str]:
        if block not in self._blocks_use:
            self._blocks_use[block] = set().union(*(self._used(block, op) for op in self.desc.blocks[block].ops))
        return self._blocks_use[block]


def _is_kept(var: VarDesc) -> bool:
    return var.persistable or var.kind in ("feed_list", "fetch_list")


def _cannot_run(values: Values) -> None:
    raise AssertionError("a program with missing operators does not run")


def supported_ops() -> Iterator[tuple[str, list[str], list[str]]]:
    """For each operator of which something runs: its type, the kernels that run, and those that its mapping may ask for but
    nothing runs. An operator without a kernel has ["-"].
    """
    yield from ((type, ["-"], []) for type in sorted(OPERATORS))
    for type in sorted(set(_C.program_op_types()) - OPERATORS.keys()):
        kernels = list(dict.fromkeys(found.kernel for found in signatures(type) if found.kernel != UNREGISTERED))
        runs = [kernel for kernel in kernels if _callee.find(kernel) is not None]
        if runs:
            yield type, runs, [kernel for kernel in kernels if kernel not in runs]


def _shadowed(desc: ProgramDesc) -> set[str]:
    """The names that more than one block declares."""
    count = Counter(name for block in desc.blocks for name in block.vars)
    return {name for name, times in count.items() if times > 1}
