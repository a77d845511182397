"""Programs run operator by operator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.graph import increment_version

from .. import _C
from .._errors import OF_INPUT
from .._expect import expect, expect_names
from .._paddle.faults import LIMIT, near
from ._lod_rules import carried, makes_lod
from ._native import DEVICE
from ._prepare import Prepared, Step
from ._sizes import SIZES
from ._step import Run, Values
from .description import ProgramDesc, ProgramError
from .files import parameter_faults
from .lod import LoDTensor

# for each block its steps, each with the variables that nothing reads afterwards
Plan = list[list[tuple[Run, list[str]]]]
PLAN = "@PLAN@"  # the variable that holds the plan of a running program


class Ran(NamedTuple):
    """One operator of a run: where it stands, its kernel's signature (None without a kernel), and its time in seconds."""

    place: str
    type: str
    signature: Any
    seconds: float


class Executor:
    """Runs a program on parameters that it shares, and updates in place.

    Operators are bound to their kernels once, here. A variable is dropped after its last use. Where gradients are asked for,
    or a graph is traced, operators run by the functions that a person calls; else by their kernels, in a scope of C++. Where an
    input is a `LoDTensor`, or an operator makes one, levels of detail go from operator to operator as in Paddle.

    Args:
        program: what to run.
        parameters: its persistable variables by name; those that a program makes itself may be absent.
        check_nan_inf: an operator that gives a NaN or an infinity is an error that names it.
        float32: the dtype to run in where the program says float32: that of the parameters and inputs.
        source: what errors call the program.

    Raises:
        ProgramError: parts of the program do not fit together, parameters are not what it says, operators do not fit their
            kernels, or nothing runs them; all of them are named. Attributes that operators do not have are a warning.
    """

    def __init__(
        self,
        program: ProgramDesc,
        parameters: Mapping[str, Tensor],
        *,
        check_nan_inf: bool = False,
        float32: torch.dtype = torch.float32,
        source: str = "program",
    ) -> None:
        expect("Executor", "program", program, ProgramDesc, "read_program reads a file")
        expect("Executor", "parameters", parameters, Mapping)
        self.program = program
        self.parameters = dict(parameters)
        self.check_nan_inf = check_nan_inf
        self.prepared = Prepared(program, source, self._run_block, float32)
        if self.prepared.missing:
            raise ProgramError(f"{source}: {missing_text(self.prepared)}")
        self.prepared.unknown.warn()
        parameter_faults(program, self.parameters, source, float32).check()
        self.feeds = program.feeds()
        self.fetches = program.fetches()
        self.trace: list[Ran] | None = None
        self._makes_lod = any(makes_lod(op) for block in program.blocks for op in block.ops)
        self._plans: dict[tuple[tuple[str, ...], bool, bool, bool], Plan] = {}
        self._scope = _C.Scope()
        self._plan((), {}, self._makes_lod)  # here, so that a compiled run finds it
        self._scope_in_use = threading.Lock()
        written = {name for block in program.blocks for op in block.ops for names in op.outputs.values() for name in names}
        self._updated = sorted(written & set(program.saved_names()))

    def run(self, feed: Mapping[str, Tensor], fetch: Sequence[str] | None = None) -> list[Any]:
        """The variables of `fetch`, or those that the program fetches, after a run on `feed`: tensors by name. Those that have
        levels of detail are `LoDTensor`s.

        Raises:
            ProgramError: a variable is missing, or an operator failed: the error names it.
        """
        expect("run", "feed", feed, Mapping, "tensors by the names of inputs")
        if fetch is not None:
            expect_names("run", "fetch", fetch)
        return self.execute(self.parameters, feed, fetch)

    def execute(self, parameters: dict[str, Tensor], feed: Mapping[str, Tensor], fetch: Sequence[str] | None = None) -> list[Any]:
        """A run on other parameters."""
        names = tuple(fetch) if fetch is not None else None
        plainly, has_lod = self.runs_plainly(parameters, feed), self.has_lod(feed)
        if plainly and not has_lod:
            if self._scope_in_use.acquire(blocking=False):  # another thread's run, or an outer one, does without
                try:
                    return self._execute(self._scope, parameters, feed, names, False)
                finally:
                    self._scope.clear()
                    self._scope_in_use.release()
        return self._execute({}, parameters, feed, names, has_lod)

    @staticmethod
    def runs_plainly(parameters: Mapping[str, Tensor], feed: Mapping[str, Tensor]) -> bool:
        """Whether nobody asks for more than results: no gradient is recorded, no graph is traced, and autocast is off."""
        for name, value in feed.items():
            if not isinstance(value, Tensor):
                raise TypeError(f"input '{name}': expected a tensor, got {type(value).__name__}; torch.as_tensor makes one")
        return not torch.compiler.is_compiling() and _C.runs_plainly([*parameters.values(), *feed.values()])

    def has_lod(self, feed: Mapping[str, Tensor]) -> bool:
        """Whether variables may have levels of detail: a scope, as an executable, holds none."""
        return self._makes_lod or any(isinstance(value, LoDTensor) for value in feed.values())

    # `values`, here and below: a dict, or the scope

    def _execute(
        self,
        values: Any,
        parameters: dict[str, Tensor],
        feed: Mapping[str, Tensor],
        fetch: tuple[str, ...] | None,
        has_lod: bool,
    ) -> list[Any]:
        values.update(parameters)
        self._feed(values, feed)
        values[SIZES] = {}
        values[PLAN] = self._plan(fetch or (), values, has_lod)
        self._run_block(0, values)
        self._keep(values, parameters)
        if fetch is None:
            found = values.get("fetch", {})
            return [found[column] for column in sorted(found)]
        return [self._fetched(values, name) for name in fetch]

    def _feed(self, values: Any, feed: Mapping[str, Tensor]) -> None:
        if self.feeds:
            missing = [name for name in self.feeds if name not in feed]
            unknown = [name for name in feed if name not in self.feeds]
            if missing or unknown:
                raise ProgramError(f"expected the inputs {self.feeds}, got {list(feed)}")
            values["feed"] = [feed[name] for name in self.feeds]
        else:
            unknown = [name for name in feed if name not in self.program.blocks[0].vars]
            if unknown:
                raise ProgramError(
                    f"inputs {unknown}: the program has no such variables{near(unknown[0], self.program.blocks[0].vars)}"
                )
            values.update(feed)
        first = next(iter(feed.values()), None)
        values[DEVICE] = first.device if first is not None else torch.device("cpu")

    def _fetched(self, values: Any, name: str) -> Any:
        if name not in values:
            raise ProgramError(f"variable '{name}' has no value after the run")
        return values[name]

    def _keep(self, values: Any, parameters: dict[str, Tensor]) -> None:
        """What a program assigned to its persistable variables stays in them."""
        for name in self._updated:
            new, old = values.get(name), parameters.get(name)
            if new is None:
                continue
            if old is None or new.shape != old.shape:
                parameters[name] = new
            elif new is not old:
                with torch.no_grad():
                    old.copy_(new)
            elif values is self._scope and not old.is_inference():
                increment_version(old)  # its kernel wrote to it past torch

    def _plan(self, kept: tuple[str, ...], values: Any, has_lod: bool) -> Plan:
        in_scope, watched = values is self._scope, self.is_watched()
        plan = self._plans.get((kept, in_scope, watched, has_lod))
        if plan is None:
            blocks = zip(self.prepared.blocks, self.prepared.last_uses(kept))
            plan = [[self._planned(step, last, in_scope, watched, has_lod) for step, last in zip(*both)] for both in blocks]
            self._plans[kept, in_scope, watched, has_lod] = plan
        return plan

    def _planned(self, step: Step, last: list[str], in_scope: bool, watched: bool, has_lod: bool) -> tuple[Run, list[str]]:
        """What runs a step, and what is dropped then; where nobody looks at its outputs, it drops them itself."""
        if has_lod:
            return carried(step.op, step.traced, partial(self.prepared.key, step.block)), last
        if not in_scope:
            return step.traced, last
        alone = step.native.step(self._scope, last) if step.native is not None and not watched else None
        return (alone, []) if alone is not None else (step.kernel or step.run, last)

    def is_watched(self) -> bool:
        """Whether each operator is looked at when it has run."""
        return self.check_nan_inf or self.trace is not None

    def _run_block(self, block: int, values: Any) -> None:
        if self.is_watched():
            self._watched(block, values)
            return
        if torch.compiler.is_compiling():
            for run, last in values[PLAN][block]:
                run(values)
                _drop(values, last)
            return
        done, drop = 0, _dropper(values)
        try:
            for run, last in values[PLAN][block]:
                run(values)
                done += 1
                if last:
                    drop(last)
        except Exception as error:
            raise self._located(self.prepared.blocks[block][done], error, values) from error

    def _watched(self, block: int, values: Any) -> None:
        drop = _dropper(values)
        for step, (run, last) in zip(self.prepared.blocks[block], values[PLAN][block]):
            begin = time.perf_counter()
            try:
                run(values)
            except Exception as error:
                raise self._located(step, error, values) from error
            if self.trace is not None:
                self.trace.append(Ran(step.place, step.op.type, step.signature, time.perf_counter() - begin))
            if self.check_nan_inf:
                self._check(block, step, values)
            drop(last)

    def _check(self, block: int, step: Step, values: Any) -> None:
        for slot, names in step.op.outputs.items():
            for name in names:
                value = values.get(self.prepared.key(block, name))
                if isinstance(value, Tensor) and value.is_floating_point() and not bool(torch.isfinite(value).all()):
                    bad = int((~torch.isfinite(value)).sum())
                    what = f"{bad} of {value.numel()} elements are NaN or infinite"
                    raise ProgramError(f"{step.place}, slot {slot}: variable '{name}': {what}")

    def _located(self, step: Step, error: Exception, values: Any) -> Exception:
        """The error of an operator with its place in the program."""
        if isinstance(error, ProgramError):
            return error
        if isinstance(error, KeyError) or "has no value" in str(error):
            for slot, name in step.op.names():
                if name not in step.op.outputs.get(slot, []) and self.prepared.key(step.block, name) not in values:
                    return ProgramError(f"{step.place}, slot {slot}: variable '{name}' has no value yet")
        is_of_input = type(error) in OF_INPUT
        kind = type(error) if is_of_input else ProgramError
        return kind(f"{step.place}: {error if is_of_input else repr(error)}")


def _dropper(values: Any) -> Callable[[Sequence[str]], None]:
    """What lets go of variables of a scope, or of values by name."""
    return partial(_drop, values) if isinstance(values, dict) else values.clear


def _drop(values: Values, names: Sequence[str]) -> None:
    for name in names:
        values.pop(name, None)


def missing_text(prepared: Prepared) -> str:
    """What runs nothing of a program: a line for each operator, how often and with similar names, the most frequent first."""
    found = prepared.missing.most_common()
    lines = [f"  {count} x {missing}" for missing, count in found[:LIMIT]]
    more = [f"  and {len(found) - LIMIT} more"] if len(found) > LIMIT else []
    return "\n".join([f"{sum(prepared.missing.values())} operators cannot run", *lines, *more])
