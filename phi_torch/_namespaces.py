"""The operators of this process: ours, and those of the extensions that were loaded."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from . import _build_info
from ._op_info import OpInfo


class Namespace(NamedTuple):
    """A namespace of torch.ops: its operators, and the module of their Python functions."""

    ops: Mapping[str, OpInfo]
    functions: ModuleType


NAMESPACES: dict[str, Namespace] = {}


def find(op: str) -> OpInfo:
    """The operator `gelu`, or `my::gelu` of an extension, which is `gelu` where ours is none of that name and one extension
    has it; the name may be that of the in-place form.

    Raises:
        KeyError: there is no such operator, or several extensions have it.
    """
    found = known(op)
    if found is None and "::" not in op:
        of_extensions = [one for space in NAMESPACES if (one := known(f"{space}::{op}")) is not None]
        if len(of_extensions) > 1:
            names = " or ".join(f"{one.namespace}::{op}" for one in of_extensions)
            raise KeyError(f"several extensions have an op '{op}'; expected {names}")
        found = of_extensions[0] if of_extensions else None
    if found is None:
        namespace, name = split(op)
        if namespace not in NAMESPACES:
            loaded = ", ".join(sorted(NAMESPACES))
            raise KeyError(f"no extension '{namespace}' is loaded, for the operator '{op}'; loaded: {loaded}")
        close = difflib.get_close_matches(name, NAMESPACES[namespace].ops, n=3)
        if namespace == "phi" and (text := left_out(name)):
            raise KeyError(text)
        owner = "phi_torch" if namespace == "phi" else f"the extension '{namespace}'"
        raise KeyError(f"{owner} has no op '{name}'" + (f"; did you mean {' or '.join(close)}?" if close else ""))
    return found


def known(op: str) -> OpInfo | None:
    """The same, and None where there is no such operator."""
    namespace, name = split(op)
    ops = NAMESPACES[namespace].ops if namespace in NAMESPACES else {}
    found = ops.get(name) or ops.get(name.removesuffix("_"))
    return found if found is not None and (found.name == name or name in found.overloads) else None


def left_out(name: str) -> str | None:
    """What a trimmed build says of an operator that it leaves out; None if it does not."""
    if _build_info.trimmed is None:
        return None
    from . import _trimmed

    return _trimmed.message(name)


def function(op: str) -> Callable[..., Any] | None:
    """The Python function of an operator or of its in-place form; None for a backward operator."""
    namespace, name = split(op)
    return getattr(NAMESPACES[namespace].functions, name, None)


def split(op: str) -> tuple[str, str]:
    """`my::gelu` as its namespace and its name; without a namespace it is ours."""
    namespace, separator, name = op.rpartition("::")
    return (namespace, name) if separator else ("phi", op)
