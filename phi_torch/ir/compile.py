"""A program made ready to run: its kernels are chosen once, and its memory is planned for each set of input shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from .._expect import expect, expect_integer
from ._core import CompiledProgram, Program
from .decompose import Decompose
from .mixed_precision import MixedPrecision
from .passes import COMPILED_LEVEL, Pass, PassManager, end_of_rewriting
from .program_calls import define_calls


class ProfileRow(NamedTuple):
    """An instruction of a run."""

    operator: str
    kernel: str
    place: str  # which operation of the program
    runs: int
    seconds: float  # of all runs


@dataclass(frozen=True)
class Profile:
    """What the instructions of a run take; `str` is a table of them, the slowest first."""

    rows: tuple[ProfileRow, ...]

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.rows)

    def __str__(self) -> str:
        rows = sorted(self.rows, key=lambda row: -row.seconds)
        total = self.seconds or 1.0
        lines = [f"{'us':>10} {'share':>6}  kernel  operation"]
        for row in rows:
            micros = row.seconds / max(row.runs, 1) * 1e6
            lines.append(f"{micros:10.2f} {row.seconds / total:6.1%}  {row.kernel or row.operator}  {row.place}")
        return "\n".join(lines)


class Executable(CompiledProgram):
    """A compiled program, which does not change any more. Any number of threads may call it at once; they share its weights.

    `run(x, y)` takes the inputs in the program's order, dense tensors on the CPU, and returns a tuple of the outputs; one that is
    an array of tensors is a list of them. An input of rank 0 may be a number of Python. Gradients are not recorded. One that writes
    weights runs one call at a time. `repr` says what goes in and comes out, and how many operations there are, as many as
    `explain()` has lines.

    Attributes:
        passes: those that ran before, in order.

    Raises:
        TypeError: an input that is no tensor, or one by its name, which `named` takes.
        ValueError: another number of inputs, or one of another dtype or shape than the program says; errors of operations name
            the operation, where it is in the model, and the shapes of its inputs, and leave the executable as it was.
    """

    passes: tuple[Pass, ...] = ()
    _has_state: bool = False  # weights that it writes, or outputs that it reuses

    def __copy__(self) -> Executable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Executable:
        if self._has_state:
            raise TypeError("an executable that writes weights or reuses outputs is not copied; compile the program once more")
        return self  # it does not change

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("an executable is not pickled; save the program (program.save), and ir.load and ir.compile it there")

    def __repr__(self) -> str:
        count = len(self.explain().splitlines())
        level = f"passes up to level {max(one.level for one in self.passes)}" if self.passes else "no passes"
        inputs, outputs = (", ".join(f"{name}: {type}" for name, type in ports) for ports in (self.inputs, self.outputs))
        return f"<Executable ({inputs}) -> ({outputs}), {count} operation{'s' * (count != 1)} after {level}>"

    def named(self, **inputs: torch.Tensor | int | float) -> dict[str, torch.Tensor]:
        """Inputs and outputs by their names in the program."""
        names = [name for name, _ in self.inputs]
        missing, unknown = [n for n in names if n not in inputs], [n for n in inputs if n not in names]
        if missing or unknown:
            raise ValueError(f"the inputs are {names}; missing {missing}, unknown {unknown}")
        return dict(zip([name for name, _ in self.outputs], self(*(inputs[name] for name in names))))

    def profile(self, *inputs: torch.Tensor, repeat: int = 10) -> Profile:
        """The time of each instruction, in `repeat` runs after a first one."""
        expect_integer("profile", "repeat", repeat, least=1)
        return Profile(tuple(ProfileRow(*row) for row in self.profile_rows(repeat, *inputs)))


def compile(
    program: Program | torch.nn.Module,
    inputs: tuple[Any, ...] | None = None,
    *,
    dynamic_shapes: Any = None,
    passes: str | int | Iterable[str | int | Pass | type[Pass]] = COMPILED_LEVEL,
    dtype: str | torch.dtype | None = None,
    threads: int | None = None,
    max_memory: int | None = None,
    reuse_outputs: bool = False,
    max_iterations: int = 1 << 40,
) -> Executable:
    """A program as it can be run; it stays as it is, and later changes of it do not reach what is compiled.

    A module of torch is exported with the example `inputs` and compiled without gradients, with its parameters as they are:
    what runs takes the module's tensors and gives a tuple of all tensors that it returns.

    Args:
        inputs: of a module, examples.
        dynamic_shapes: of a module, as `torch.export.export` takes them.
        passes: what rewrites a copy of it first, as `PassManager` takes them, by default those of levels up to 3; `[]` for none
            but `decompose`, which runs before them where operators have no kernel.
        dtype: "bfloat16" or "float16": what products and convolutions run in, see `MixedPrecision`; inputs and outputs stay.
        threads: of the kernels, while it runs; by default torch's.
        max_memory: the bytes that a run may take beside its inputs and weights.
        reuse_outputs: the outputs of a run are valid until the next one, which writes to the same memory; for one thread.
        max_iterations: rounds after which a loop is an error.

    Raises:
        TypeError: a module without `inputs`, or a program with them.
        NotImplementedError: operators without a kernel, all of them, with how often each is there.
        ValueError: a program that is not valid.
    """
    for argument, number in (("threads", threads), ("max_memory", max_memory), ("max_iterations", max_iterations)):
        if number is not None:
            expect_integer("ir.compile", argument, number, least=0)
    if isinstance(program, torch.nn.Module):
        program = _exported(program, inputs, dynamic_shapes)
    elif inputs is not None or dynamic_shapes is not None:
        raise TypeError("ir.compile: expected `inputs` and `dynamic_shapes` with a module, got a program")
    elif not isinstance(program, Program):
        raise TypeError(f"ir.compile: expected a program or a module, got {type(program).__name__}; ir.load reads files")
    define_calls(program)
    manager = PassManager(passes)
    if not any(isinstance(one, Decompose) for one in manager.passes) and Decompose().is_needed(program):
        manager.passes.insert(0, Decompose())
    if dtype is not None:
        name = str(dtype).removeprefix("torch.")
        manager.passes.insert(end_of_rewriting(manager.passes), MixedPrecision(name))
    if manager.passes:
        program = program.clone()
        manager.run(program)
    made = Executable(program, threads or 0, max_memory or 0, reuse_outputs, max_iterations)
    made.passes = tuple(manager.passes)
    weights = program.weights
    made._has_state = reuse_outputs or any(weights[name].is_mutable for name in weights)
    return made


def _exported(module: torch.nn.Module, inputs: tuple[Any, ...] | None, dynamic_shapes: Any) -> Program:
    from .from_torch.exported import from_exported

    if inputs is None:
        raise TypeError("ir.compile: a module needs examples of its `inputs`")
    expect("ir.compile", "inputs", inputs, tuple)
    with torch.no_grad():
        return from_exported(torch.export.export(module, inputs, dynamic_shapes=dynamic_shapes))
