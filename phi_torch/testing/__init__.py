"""The battery that every operator passes; out-of-tree operators use it as well.

from phi_torch.testing import Sample, T, check_op
check_op("gelu", [Sample(T(3, 4))], reference=torch.nn.functional.gelu)
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

import torch

from .. import registry
from .._expect import expect, expect_list, expect_names
from ..decompositions import composite, composites
from .case import Case
from .compiled import check_compile, check_inductor
from .compiler import check_export, check_opcheck
from .gradients import check_composite, check_gradients, public
from .memory import check_memory
from .overlap import check_overlap
from .samples import DEVICE, Arguments, Error, Given, Sample, T
from .transforms import check_func, check_vmap
from .values import check_errors, check_layouts, check_selection, check_tensor_attributes, check_values
from .variants import check_autocast, check_inplace, check_out

CHECKS: Mapping[str, Callable[[Case], None]] = MappingProxyType(
    {
        "memory": check_memory,  # first: what it finds may end the process
        "values": check_values,
        "layouts": check_layouts,
        "errors": check_errors,
        "selection": check_selection,
        "tensor_attributes": check_tensor_attributes,
        "gradients": check_gradients,
        "composite": check_composite,
        "vmap": check_vmap,
        "func": check_func,
        "inplace": check_inplace,
        "out": check_out,
        "overlap": check_overlap,
        "autocast": check_autocast,
        "opcheck": check_opcheck,
        "compile": check_compile,
        "inductor": check_inductor,
        "export": check_export,
    }
)


def check_op(
    op: str,
    samples: Sequence[Sample],
    reference: Callable[..., Any] | None = None,
    *,
    errors: Sequence[Error] = (),
    dtypes: Sequence[torch.dtype] | None = None,
    tolerance: Mapping[torch.dtype, tuple[float, float]] = MappingProxyType({}),
    device: str = "cpu",
    checks: Sequence[str] = tuple(CHECKS),
) -> None:
    """Runs the battery on one operator.

    Args:
        op: its YAML name.
        samples: calls to try; at least one, and of an operator with a backward one to differentiate.
        reference: computes the outputs that are not intermediate; gets float64 tensors, other dtypes as they are.
            An output that is None is not compared. Default: torch's function that the entry names, if all arguments
            are tensors; else the op's composite.
        errors: calls that must fail.
        dtypes: default: all that a kernel is registered for on `device`.
        tolerance: dtype -> (rtol, atol), where the default is too strict.
        checks: names out of CHECKS.

    Raises:
        AssertionError: a check fails; the message names the op, the sample and the dtype.
        KeyError: there is no such op.
        ValueError: there are no samples, or neither a reference nor a composite, or a name is not of CHECKS.
    """
    for argument, given, kind in (("samples", samples, Sample), ("errors", errors, Error), ("dtypes", dtypes or (), torch.dtype)):
        expect_list("check_op", argument, given, kind)
    expect_names("check_op", "checks", checks)
    expect("check_op", "tolerance", tolerance, Mapping, "give (rtol, atol) for dtypes")
    if reference is not None:
        expect("check_op", "reference", reference, Callable)  # type: ignore[arg-type]
    if unknown := [name for name in checks if name not in CHECKS]:
        raise ValueError(f"check_op: unknown check {unknown[0]!r}; expected some of {', '.join(CHECKS)}")
    is_dependent = registry.info(op).data_dependent
    case = Case(op, samples, reference, errors, dtypes, tolerance, data_dependent=is_dependent, device=device)
    if reference is None:
        case = dataclasses.replace(case, reference=default_reference(op))
    for name in checks:
        CHECKS[name](case)


def default_reference(op: str) -> Callable[..., Any]:
    """Torch's function of the same meaning, which takes what the op takes if that is tensors alone; else the op's composite."""
    info = registry.info(op)
    if info.torch is not None and info.takes_tensors_alone:
        return cast(Callable[..., Any], operator.attrgetter(info.torch)(torch))
    if info.full_name not in composites():
        raise ValueError(f"check_op: '{op}' has no composite, so give a `reference` to compare with")
    computes, call = composite(info.full_name), Case(op, [Sample()])

    def reference(*args: Any, **kwargs: Any) -> Any:
        outputs = public(call, computes(*call.positional(Arguments(args, kwargs))))
        return outputs[0] if len(info.outputs) == 1 else outputs

    return reference


__all__ = ["CHECKS", "DEVICE", "Case", "Error", "Given", "Sample", "T", "check_op"]
