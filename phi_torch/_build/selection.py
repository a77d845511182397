"""PHI_OPS: a build with some operators only. It is a list of their names, or a file such as `phi-torch trim` writes:

ops : [add, relu]
dtypes : [float32, integer]  # left out, all of them
backward : false             # left out, with the operators that compute gradients
extensions : true            # left out, no extension can be loaded
programs : true              # left out, no program of PaddlePaddle or of the IR can
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.model import dtypes as known_dtypes
from codegen.model.diagnose import did_you_mean
from codegen.model.op import OpSet

from .toolchain import BuildError

KEYS = ("ops", "dtypes", "backward", "extensions", "programs")


@dataclass(frozen=True)
class Selection:
    """What a trimmed build keeps: operators by name, data types (none: all), whether gradients, what extensions
    need, and what programs do."""

    name: str  # "selection.yaml" or "PHI_OPS", as messages say it
    ops: tuple[str, ...]
    dtypes: tuple[str, ...] = ()
    backward: bool = True
    extensions: bool = False
    programs: bool = False
    text: str = ""  # of the file, to name its lines

    @property
    def digest(self) -> str:
        """Builds of one selection share a folder."""
        what = (self.name, self.ops, self.dtypes, self.backward, self.extensions, self.programs)
        return hashlib.sha256(repr(what).encode()).hexdigest()[:12]

    @property
    def runs_programs(self) -> bool:
        """Whether programs can be loaded; an extension's libraries refer to what they need, for its own operators."""
        return self.programs or self.extensions

    def place(self, word: str) -> str:
        """Where the selection names a word: `selection.yaml:3`."""
        lines = self.text.splitlines()
        line = next((i for i, text in enumerate(lines, 1) if re.search(rf"\b{re.escape(word)}\b", text)), None)
        return self.name if line is None else f"{self.name}:{line}"


def from_environment() -> Selection | None:
    """What PHI_OPS says; None for a build of everything.

    Raises:
        BuildError: the file cannot be read, or is no selection.
    """
    value = os.environ.get("PHI_OPS", "").strip()
    if not value:
        return None
    if value.endswith((".yaml", ".yml")) or "/" in value:
        return read(Path(value))
    return Selection("PHI_OPS", tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip())))


def read(path: Path) -> Selection:
    """A selection file.

    Raises:
        BuildError: it cannot be read, or is no selection; the message has all that is wrong.
    """
    yaml: Any = importlib.import_module("yaml")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{path}: {getattr(error, 'strerror', None) or error}, for PHI_OPS") from None
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BuildError(f"{path}: not YAML: {error}") from None
    if not isinstance(content, Mapping) or "ops" not in content:
        raise BuildError(f"{path}: expected `ops : [name, ...]`; `python -m phi_torch trim` writes such a file")
    for key in content:
        if key not in KEYS:
            raise BuildError(f"{path}: unknown key '{key}'; {did_you_mean(str(key), KEYS) or 'expected ' + ', '.join(KEYS)}")
    lists = {}
    for key in ("ops", "dtypes"):
        words = content.get(key, [])
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise BuildError(f"{path}: expected a list of names for '{key}', got {words!r}")
        lists[key] = tuple(dict.fromkeys(words))
    switches = {"backward": True, "extensions": False, "programs": False}
    for key, default in switches.items():
        switches[key] = content.get(key, default)
        if not isinstance(switches[key], bool):
            raise BuildError(f"{path}: expected true or false for '{key}', got {switches[key]!r}")
    return Selection(path.name, lists["ops"], lists["dtypes"], **switches, text=text)


def dtypes(selection: Selection) -> tuple[str, ...]:
    """The data types of a selection, its groups written out.

    Raises:
        BuildError: there is no such type.
    """
    return tuple(
        dict.fromkeys(
            d
            for name in _known(selection, selection.dtypes, known_dtypes.NAMES, "data type")
            for d in known_dtypes.GROUPS.get(name, (name,))
        )
    )


def operators(selection: Selection, opset: OpSet) -> list[str]:
    """The operators that a selection lists; it may name their in-place forms.

    Raises:
        BuildError: there is no such operator, or none is listed.
    """
    if not selection.ops:
        raise BuildError(f"{selection.name}: names no operator; unset PHI_OPS to build all of them")
    names = [name.removesuffix("_") if name not in opset and name.removesuffix("_") in opset else name for name in selection.ops]
    return list(dict.fromkeys(_known(selection, names, [op.name for op in opset.ops], "operator")))


def _known(selection: Selection, names: Iterable[str], known: Iterable[str], what: str) -> list[str]:
    names, known = list(names), set(known)
    wrong = [
        f"{selection.place(name)}: there is no {what} '{name}'" + (f"; {hint}" if (hint := did_you_mean(name, known)) else "")
        for name in names
        if name not in known
    ]
    if wrong:
        raise BuildError("\n".join(wrong))
    return names
