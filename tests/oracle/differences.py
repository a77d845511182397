"""The differences that are meant, as differences.yaml says."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from .outcome import PADDLE, Outcome

FILE = Path(__file__).with_name("differences.yaml")
FLAGS = ("absent", "crashes", "varies")
CONDITIONS = ("sample", "dtype", "direction", "problem")


@dataclass(frozen=True, eq=False)
class Difference:
    """An entry of the file. The conditions are regular expressions for the parts of an outcome; `absent`: the oracle has
    no such op; `crashes`: it is not called; `varies`: it may agree by chance, which counts as differing."""

    op: str
    oracle: str
    reason: str
    conditions: tuple[tuple[str, re.Pattern[str]], ...]
    absent: bool = False
    crashes: bool = False
    varies: bool = False

    def covers(self, outcome: Outcome) -> bool:
        if self.absent or (self.op, self.oracle) != (outcome.op, outcome.oracle):
            return False
        if outcome.problem is None:
            return self.varies and all(p.search(getattr(outcome, name)) for name, p in self.conditions if name != "problem")
        return all(pattern.search(getattr(outcome, name)) for name, pattern in self.conditions)

    def __str__(self) -> str:
        shown = ", ".join(f"{name} {pattern.pattern!r}" for name, pattern in self.conditions)
        return f"{self.op}, {self.oracle}, {'absent' if self.absent else shown}"


@functools.cache
def differences() -> list[Difference]:
    """All entries; one with several ops counts as one for each."""
    return [d for entry in yaml.safe_load(FILE.read_text(encoding="utf-8")) for d in _parsed(entry)]


def _parsed(entry: dict[str, Any]) -> list[Difference]:
    unknown = set(entry) - {"op", "oracle", "reason", *FLAGS, *CONDITIONS}
    if unknown or not entry.get("reason"):
        raise ValueError(f"{FILE.name}: {entry}: {'unknown ' + ', '.join(unknown) if unknown else 'no reason'}")
    patterns = tuple((name, re.compile(str(entry[name]))) for name in CONDITIONS if name in entry)
    ops, oracles = ([v] if isinstance(v, str) else v for v in (entry["op"], entry["oracle"]))
    reason, flags = " ".join(entry["reason"].split()), [entry.get(flag, False) for flag in FLAGS]
    return [Difference(op, oracle, reason, patterns, *flags) for op in ops for oracle in oracles]


def crashes(op: str, sample: str, dtype: str) -> str | None:
    """Why Paddle is not to be called like this."""
    outcome = Outcome(op, PADDLE, sample, dtype, "forward", "")
    return next((d.reason for d in differences() if d.crashes and d.covers(outcome)), None)


@dataclass(frozen=True)
class Verdict:
    """The cases of one op against one oracle."""

    cases: int
    agreed: int
    meant: dict[str, int]  # reason -> cases
    problems: list[str]  # what is not meant, and entries that no longer hold
    absent: str | None  # why the oracle has no such op


def judge(op: str, oracle: str, outcomes: Sequence[Outcome]) -> Verdict:
    entries = [d for d in differences() if (d.op, d.oracle) == (op, oracle)]
    used: set[Difference] = set()
    meant: dict[str, int] = {}
    problems = []
    for outcome in outcomes:
        covering = next((d for d in entries if d.covers(outcome)), None)
        if covering:
            used.add(covering)
            meant[covering.reason] = meant.get(covering.reason, 0) + 1
        elif outcome.problem is not None:
            problems.append(str(outcome))
    agreed = len(outcomes) - sum(meant.values()) - len(problems)
    absent = next((d for d in entries if d.absent), None)
    stale = [d for d in entries if d not in used and (not d.absent or outcomes)]
    problems += [f"{FILE.name}: no case differs any more as this entry says: {entry}" for entry in stale]
    if not agreed and not absent:
        problems.append(f"{op}: no case agreed with {oracle}; if it has no such op, say so with `absent` in {FILE.name}")
    return Verdict(len(outcomes), agreed, meant, problems, absent.reason if absent else None)
