"""The default of an argument, in torch's schema language, in Python, and in C++."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.op import Arg


def schema_default(arg: Arg) -> str | None:
    """None where there is none, or where the schema language has no word for it."""
    if not arg.has_default:
        return None
    return "None" if arg.value is None else arg.form.in_schema(arg.value)


def schema_defaults(args: Sequence[Arg]) -> list[str | None]:
    """`schema_default` of each argument, without those that a later argument without default rules out."""
    defaults = [schema_default(a) for a in args]
    for i in range(len(args) - 2, -1, -1):
        if defaults[i + 1] is None:
            defaults[i] = None
    return defaults


def python_default(arg: Arg) -> str | None:
    """Python source; None where there is none."""
    if not arg.has_default:
        return None
    return "None" if arg.value is None else arg.form.in_python(arg.value)


def cpp_default(arg: Arg) -> str | None:
    """An expression inside namespace phi; None where there is none."""
    if not arg.has_default:
        return None
    return "paddle::none" if arg.value is None else arg.form.in_cpp(arg.value)
