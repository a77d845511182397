"""The operators of `phi_programs`, which programs call by `torch.call`: defined as soon as a program has one."""

from __future__ import annotations

import importlib

from .. import ir

_MODULES = {
    "gradient": "gradient_call",
    "operator": "operator_call",
    "written": "written_call",
    "run_and_save_rng_state": "random_call",
    "run_with_rng_state": "random_call",
}


def define_calls(program: ir.Program) -> None:
    """A program that was loaded may come from another process, which had defined them."""
    if "torch.call" not in program.counts():
        return
    for op in program.walk():
        namespace, _, rest = str(op.attributes.get("target") if op.name == "torch.call" else "").partition(".")
        module = _MODULES.get(rest.partition(".")[0]) if namespace == "phi_programs" else None
        if module is not None:
            importlib.import_module(f"{__package__}.{module}")
