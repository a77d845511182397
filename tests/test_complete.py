"""Every operator has everything: documentation, samples, and a kernel behind every dispatch key that torch asks for."""

import functools
import inspect

import pytest
import torch
from ops import cases

import phi_torch
from phi_torch import _op_table, decompositions
from phi_torch._op_info import OpInfo

OPS = _op_table.OPS
FORWARD = [op for op in OPS.values() if not op.is_backward]


def overloads(op: OpInfo) -> list[str]:
    return [f"phi::{name}" for name in op.overloads]


def has(name: str, key: str) -> bool:
    return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)


def is_composite(name: str) -> bool:
    return has(name, "CompositeImplicitAutograd")


def lacking(rows: dict[str, list[str]]) -> str:
    return "\n".join(f"{name}: {', '.join(what)}" for name, what in rows.items() if what)


def test_every_op_has_a_docstring_and_samples():
    found = {}
    for op in FORWARD:
        what = [] if op.doc else ["`doc` in the YAML"]
        what += [] if op.name in cases.names() else [f"tests/ops/samples/{op.name}.py"]
        found[op.name] = what
    assert not lacking(found)


def test_what_the_yaml_names_in_torch_exists():
    """A function or method that is called, or the optimizer that takes the same step."""
    for op in FORWARD:
        if op.torch is not None:
            assert callable(functools.reduce(getattr, op.torch.split("."), torch)), op.name
    assert sum(op.torch is not None for op in FORWARD) > len(FORWARD) // 2


def test_no_sample_is_left_over():
    assert set(cases.names()) <= {op.name for op in FORWARD}


@pytest.mark.parametrize("name", cases.names())
def test_samples_say_enough(name: str):
    """Each op has a sample per kind of tensor attribute, and a reference that takes the op's arguments."""
    case = cases.case(name)
    assert case.samples and case.reference is not None
    for sample in case.samples:
        inspect.signature(case.function).bind(*sample.args, **sample.kwargs)


def test_every_overload_has_its_dispatch_keys():
    found = {}
    for op in OPS.values():
        for name in overloads(op):
            if is_composite(name):
                keys = ["Functionalize", "FuncTorchBatchedDecomposition"]
            else:
                keys = ["CPU", *(["Meta"] if op.dense else []), "Autograd"]  # which knows dense tensors alone
                if op.name.endswith("_"):
                    keys += ["ADInplaceOrView"]  # torch itself makes a call without a functional form functional
                elif name == f"phi::{op.name}_" or name.endswith(".out"):
                    keys += ["ADInplaceOrView", "Functionalize"]
                if op.data_dependent and name.endswith(".out"):
                    keys.remove("Meta")  # whether `out` has the size of the result is known to the kernel alone
            found[name] = [key for key in keys if not has(name, key)]
    assert not lacking(found)


def test_every_differentiable_op_has_a_gradient_of_every_order():
    """A backward op is differentiated through its composite; one without raises, and is named here."""
    found = {
        op.name: ["composite"] for op in OPS.values() if op.is_backward and not op.composite and not is_composite(f"phi::{op.name}")
    }
    assert set(found) <= ONCE_ONLY, lacking({name: what for name, what in found.items() if name not in ONCE_ONLY})
    assert set(found) >= ONCE_ONLY, f"differentiable twice by now: {ONCE_ONLY - set(found)}"


ONCE_ONLY: set[str] = set()


def test_batching_rules():
    found = {}
    for op in OPS.values():
        name = f"phi::{op.overloads[0]}"
        rule = has(name, "FuncTorchBatched") or has(name, "FuncTorchBatchedDecomposition") or is_composite(name)
        found[op.name] = [] if rule or op.vmap == "loop" else [f"vmap rule '{op.vmap}'"]
    assert not lacking(found)


def test_autocast_policies():
    found = {}
    for op in FORWARD:
        keys = ["AutocastCPU", "AutocastCUDA"] if op.autocast != "none" and op.kernels else []
        found[op.name] = [key for key in keys if not has(f"phi::{op.overloads[0]}", key)]
    assert not lacking(found)


@pytest.mark.parametrize("name", sorted(op.name for op in OPS.values() if op.composite))
def test_composites_compile(name: str):
    """The expression names only what exists, and a module's function takes the op's arguments."""
    assert callable(decompositions.composite(name).function)
    assert has(f"phi_composite::{name}", "CompositeImplicitAutograd")


def test_python_functions_are_those_of_the_yaml():
    expected = {op.name for op in FORWARD} | {f"{op.name}_" for op in FORWARD if f"{op.name}_" in op.overloads}
    assert set(phi_torch.ops.__all__) == expected
    assert all(getattr(phi_torch, name) is getattr(phi_torch.ops, name) for name in expected)
    assert not lacking({name: [] if getattr(phi_torch, name).__doc__ else ["docstring"] for name in expected})
