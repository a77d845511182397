"""Collects every error of a run and prints them as a compiler does: place, code, line, caret, remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from .op import Loc

# Every code, and what it is about. A code never changes its meaning.
CODES: dict[str, str] = {
    "PHI001": "the file cannot be read, or is not YAML",
    "PHI002": "the file is not a list of entries, or an entry is not a mapping",
    "PHI003": "unknown key",
    "PHI004": "a key is written twice",
    "PHI005": "a key is missing",
    "PHI006": "a value is of the wrong kind",
    "PHI007": "unknown type",
    "PHI008": "malformed argument list",
    "PHI009": "not a usable name",
    "PHI010": "two arguments or outputs of one name",
    "PHI011": "malformed output",
    "PHI012": "a default value that does not fit its type",
    "PHI013": "a tensor after an attribute",
    "PHI014": "malformed kernel function",
    "PHI015": "unknown kind of tensor",
    "PHI016": "malformed pair; expected (input -> output)",
    "PHI017": "a name that is neither argument nor output",
    "PHI018": "malformed forward signature",
    "PHI019": "unknown value of a key",
    "PHI020": "two ops of one name",
    "PHI021": "the backward op does not exist",
    "PHI022": "the forward op does not exist",
    "PHI023": "forward and backward op do not name each other",
    "PHI024": "the forward signature differs from the op's own",
    "PHI025": "an input of the backward op that autograd cannot supply",
    "PHI026": "an attribute of the backward op that autograd cannot supply",
    "PHI027": "an output of the backward op that is no gradient of an input",
    "PHI028": "infer_meta names what is not an argument",
    "PHI029": "kernel names what is not an argument",
    "PHI030": "the op has no implementation",
    "PHI031": "the op has no infer_meta",
    "PHI032": "in-place or view pair of different types",
    "PHI033": "a device or dtype that nothing decides",
    "PHI034": "the op does not have its category's form",
    "PHI035": "malformed composite",
    "PHI036": "no source registers the kernel",
    "PHI037": "no header defines the InferMeta function",
    "PHI038": "the functor or function of a generated kernel is missing",
    "PHI039": "malformed invoke",
    "PHI040": "this argument cannot be optional",
    "PHI041": "a list output without a size",
    "PHI042": "the kernel's tensor kinds do not match the op's tensors",
    "PHI043": "the generated kernel's dtypes are unknown, or another kernel is in its place",
    "PHI044": "the kernel's function has another signature than the entry",
    "PHI045": "the InferMeta function has another signature than the entry",
    "PHI046": "a kernel is registered twice for one key",
    "PHI047": "the op has no samples, or samples have no op",
    "PHI048": "the op has no documentation",
    "PHI049": "the equivalent of torch does not exist",
    "PHI050": "the functors of the generated kernel do not fit the op",
    "PHI051": "the composite computes with a list, or with a tensor that may be None",
    "PHI052": "the functor takes other operands or attributes than the entry",
    "PHI053": "a tensor of a backward op that nothing checks",
    "PHI054": "malformed signature of a program's operator",
    "PHI055": "a signature names what the program's operator does not have",
    "PHI056": "op_compat.yaml names what the op does not have",
    "PHI057": "a mapping function is missing, or has no entry",
    "PHI058": "an entry says what follows from other entries",
    "PHI059": "a kind of tensors that torch has no form of",
    "PHI060": "malformed expression of a rewrite",
    "PHI061": "a rewrite names what does not exist, or uses it as what it is not",
    "PHI062": "a rewrite lacks a sample",
    "PHI070": "a malformed row of aten_compat.yaml, or one that nothing comes to",
    "PHI071": "a row of aten_compat.yaml names what is not there",
    "PHI072": "a row of aten_compat.yaml calls with other arguments",
}


_LONGEST_LINE, _LONGEST_MESSAGE = 200, 500  # characters that are printed


@dataclass(frozen=True)
class Error:
    loc: Loc
    code: str
    message: str
    help: str  # what to do
    length: int  # characters to underline


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A `help` text that names the closest candidate, if there is a close one."""
    close = difflib.get_close_matches(word, sorted(set(candidates)), n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else None


class Diagnostics:
    """All errors of a run, and what is needed to show them in their source."""

    def __init__(self) -> None:
        self.errors: list[Error] = []
        # ops whose entry has errors: they exist, but must not cause follow-up errors
        self.broken: set[str] = set()
        self._lines: dict[str, list[str]] = {}
        self._places: dict[Loc, dict[str, tuple[Loc, int]]] = {}

    def __bool__(self) -> bool:
        """True when there is any error."""
        return bool(self.errors)

    def error(self, code: str, loc: Loc, message: str, help: str, length: int = 1) -> None:
        if code not in CODES:
            raise KeyError(f"undocumented diagnostic {code}")
        error = Error(loc, code, message, help, length)
        if error not in self.errors:
            self.errors.append(error)

    def add_source(self, file: str, text: str) -> None:
        self._lines[file] = text.split("\n")

    def remember(self, entry: Loc, key: str, loc: Loc, length: int) -> None:
        """Notes where an entry writes `key`, for the rules that look at the model only."""
        self._places.setdefault(entry, {})[key] = (loc, length)

    def error_at(self, code: str, entry: Loc, key: str, message: str, help: str) -> None:
        """An error at the place of `key` in the entry that starts at `entry`."""
        loc, length = self._places.get(entry, {}).get(key, (entry, 1))
        self.error(code, loc, message, help, length)

    def has_place(self, entry: Loc, key: str) -> bool:
        return key in self._places.get(entry, {})

    def names_of(self, entry: Loc, key: str) -> list[str]:
        """The names that an entry lists under `key`."""
        prefix = f"{key}."
        return [k[len(prefix) :] for k in self._places.get(entry, {}) if k.startswith(prefix)]

    def render(self) -> str:
        """Every error, sorted by place; empty without any."""
        ordered = sorted(self.errors, key=lambda e: (e.loc, e.code, e.message))
        return "\n".join(self._render(e) for e in ordered)

    def _render(self, error: Error) -> str:
        text = [f"{error.loc}: error[{error.code}]: {_cut(error.message, _LONGEST_MESSAGE)}"]
        lines = self._lines.get(error.loc.file, [])
        if 0 < error.loc.line <= len(lines):
            line = lines[error.loc.line - 1]
            first = max(0, error.loc.col - _LONGEST_LINE // 2) if len(line) > _LONGEST_LINE else 0
            line, column = _cut(line[first:], _LONGEST_LINE), error.loc.col - 1 - first
            before = line[:column]
            length = max(1, min(error.length, len(line) - len(before)))
            indent = "".join("\t" if c == "\t" else " " for c in before)
            text += [f"  {line}", f"  {indent}{'^' * length}"]
        return "\n".join([*text, f"  help: {error.help}"])


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}..."
