"""Passes: changes of a program that keep what it computes, and the manager that runs several."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal, TextIO

from .._expect import expect
from .._paddle.faults import near
from ._core import Program, pass_table, run_as, run_pass
from .errors import VerifyError


class Pass:
    """A pass of your own: a class with a name and `run`.

    `run` changes the program and returns what it did, as `{"operations erased": 3}`; nothing or `{}` says that it changed
    nothing. Whoever keeps an operation that a pass erased gets a ReferenceError with the name of the pass.
    """

    name: ClassVar[str]
    level: ClassVar[int] = 1  # 0: needed; 1: leaves less to run; 2: fuses; 3: chooses layouts; 4: may change rounding

    def run(self, program: Program) -> Mapping[str, int] | None:
        raise NotImplementedError


class _Builtin(Pass):
    """A pass of the table in C++."""

    def __init__(self, name: str, level: int) -> None:
        self.name, self.level = name, level  # type: ignore[misc]

    def run(self, program: Program) -> Mapping[str, int]:
        return run_pass(program, self.name)


DEFAULT_LEVEL = 2  # of "default": what they leave is a program on any machine
COMPILED_LEVEL = 3  # of what is compiled, which runs here
HIGHEST_LEVEL = 4
LAST = "fuse_elementwise"  # what is in a fused operation others do not look for


@functools.cache
def _named() -> dict[str, Pass]:
    """Those of the library, in the order of a pipeline."""
    from .decompose import Decompose
    from .mixed_precision import MixedPrecision

    found = [Decompose(), *(_Builtin(name, level) for name, level, _ in pass_table())]
    found.insert(end_of_rewriting(found), MixedPrecision())
    return {one.name: one for one in found}


def end_of_rewriting(passes: Sequence[Pass]) -> int:
    """Before those of level 3, after which operators are what this machine's libraries take, and before the last one."""
    return next((i for i, one in enumerate(passes) if one.level == 3 or one.name == LAST), len(passes))


@dataclass(frozen=True)
class PassRun:
    """What one pass did: counts of its changes, and the milliseconds that it took."""

    name: str
    counts: Mapping[str, int]
    milliseconds: float

    def __str__(self) -> str:
        what = ", ".join(f"{count} {text}" for text, count in self.counts.items()) or "nothing changed"
        return f"{self.name:16}{self.milliseconds:9.2f} ms  {what}"


@dataclass(frozen=True)
class PassReport:
    """The runs of a pipeline, in order; printed, a line for each."""

    runs: Sequence[PassRun] = field(default_factory=tuple)

    def __str__(self) -> str:
        return "\n".join(map(str, self.runs))


class PassManager:
    """Runs passes in order.

    Args:
        passes: names of passes, objects of `Pass`, or classes of them; "default" stands for those of levels up to 2, after
            which a program runs on any machine, and a number for those of levels up to it.
        verify: check the program after each pass.
        print_after: print the program after "all" passes, or after those that "changed" it.
        print_before: print it before all.
        file: where to print; standard output if left out.

    Raises:
        ValueError: there is no pass of that name.
        TypeError: what is given is no pass.
    """

    def __init__(
        self,
        passes: str | int | Iterable[str | int | Pass | type[Pass]] = "default",
        *,
        verify: bool = False,
        print_before: bool = False,
        print_after: Literal["all", "changed"] | None = None,
        file: TextIO | None = None,
    ) -> None:
        if print_after not in (None, "all", "changed"):
            raise ValueError(f"argument 'print_after': expected 'all', 'changed' or None, got {print_after!r}")
        self.passes = list(_resolve(passes))
        self._verify, self._before, self._after, self._file = verify, print_before, print_after, file

    def run(self, program: Program) -> PassReport:
        """Changes the program in place, and says what each pass did.

        Raises:
            VerifyError: the program is not what its dialects say; with `verify`, also if a pass left such a one, whose name the
                message has.
        """
        expect("PassManager.run", "program", program, Program, "ir.load reads files")
        program.verify()  # what passes rely on
        if self._before:
            self._print("before all passes", program)
        return PassReport(tuple(self._run(one, program) for one in self.passes))

    def bisect(self, program: Program, same: Callable[[Program], bool]) -> str | None:
        """The first pass after which `same` is false of the program; None if it stays true. The program itself stays as it is.

        Raises:
            ValueError: it is false before any pass.
            VerifyError: the program is not what its dialects say.
        """
        expect("PassManager.bisect", "program", program, Program)
        program.verify()
        trial = program.clone()
        if not same(trial):
            raise ValueError("the program differs before any pass: `same` is false of a clone of it")
        for one in self.passes:
            self._run(one, trial)
            if not same(trial):
                return one.name
        return None

    def _run(self, one: Pass, program: Program) -> PassRun:
        start = time.perf_counter()
        call = partial(one.run, program)
        found = call() if isinstance(one, _Builtin) else run_as(f"the pass '{one.name}'", call)
        counts = _counts(one, found)
        run = PassRun(one.name, counts, (time.perf_counter() - start) * 1e3)
        if self._verify:
            try:
                program.verify()
            except VerifyError as error:
                raise VerifyError([f"after the pass '{one.name}': {text}" for text in error.errors]) from None
        if self._after == "all" or (self._after == "changed" and counts):
            self._print(f"after {run}", program)
        return run

    def _print(self, title: str, program: Program) -> None:
        print(f"# {title}\n{program}", file=self._file or sys.stdout)


def _resolve(passes: str | int | Iterable[str | int | Pass | type[Pass]]) -> Iterable[Pass]:
    if isinstance(passes, str):
        if passes != "default":
            raise ValueError(f"argument 'passes': expected 'default', a level or a list, got {passes!r}; write [{passes!r}]")
        passes = DEFAULT_LEVEL
    if isinstance(passes, int):
        level = passes
        if level not in range(HIGHEST_LEVEL + 1):
            raise ValueError(f"argument 'passes': expected a level from 0 to {HIGHEST_LEVEL}, got {level}")
        yield from (one for one in _named().values() if one.level <= level)
        return
    if not isinstance(passes, Iterable):
        raise TypeError(f"argument 'passes': expected 'default', a level or a list, got {passes!r:.60}")
    for one in passes:
        if one == "default" or isinstance(one, int):
            yield from _resolve(one)
        elif isinstance(one, str):
            if one not in _named():
                raise ValueError(f"no pass has the name '{one}'{near(one, _named()) or '; there are ' + ', '.join(_named())}")
            yield _named()[one]
        elif isinstance(one, type) and issubclass(one, Pass):
            yield _checked(one())
        elif isinstance(one, Pass):
            yield _checked(one)
        else:
            raise TypeError(f"argument 'passes': expected names, levels and objects of phi_torch.ir.Pass, got {one!r}")


def _checked(one: Pass) -> Pass:
    """A pass of somebody's own, which may lack what a pass needs."""
    if not isinstance(getattr(one, "name", None), str):
        raise TypeError(f"{type(one).__name__}: expected a name of the pass, as `name = 'my_pass'` in the class")
    if type(one).run is Pass.run:
        raise TypeError(f"the pass '{one.name}': expected a method run(self, program) in {type(one).__name__}, got none")
    return one


def _counts(one: Pass, found: object) -> dict[str, int]:
    """What a pass says that it did."""
    if found is None or (isinstance(found, Mapping) and all(isinstance(count, int) for count in found.values())):
        return dict(found or {})
    raise TypeError(f"the pass '{one.name}': expected run to return counts, as {{'operations erased': 3}}, got {found!r:.60}")
