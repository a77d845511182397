"""What torch's own tools say of an operator: opcheck and export."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .. import decompositions
from .case import Case, clone, of_dense, specialised
from .compiled import larger_sample
from .gradients import has_gradient
from .samples import Arguments, Sample

OPCHECKS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")


@of_dense
def check_opcheck(case: Case) -> None:
    """torch.library.opcheck on the functional overload."""
    for sample in case.plain_samples()[:1]:
        grad = has_gradient(case) and not case.is_random
        arguments = case.writable(sample.make(case.float_dtype, case.device, grad=grad))
        tests = [t for t in OPCHECKS if t != "test_autograd_registration" or arguments.differentiable()]
        if case.is_random or case.data_dependent:
            tests.remove("test_aot_dispatch_dynamic")
        torch.library.opcheck(case.overload.default, case.positional(arguments), test_utils=tuple(tests))


@of_dense
def check_export(case: Case) -> None:
    """torch.export with dynamic sizes: the program has the operator's values on its own sizes and on larger ones.

    So has the one that is made of its composite.
    """
    samples = case.plain_samples()
    if case.is_random or case.data_dependent or case.info.category == "optimizer":
        return
    sample = next((s for s in samples if larger_sample(case, s) is not None), samples[0])
    tensors = tuple(sample.make(case.float_dtype, case.device).tensors())
    if not tensors:
        return
    sizes = tuple([torch.export.Dim.AUTO if n > 1 else None for n in t.shape] for t in tensors)
    exported = torch.export.export(_Call(case, sample), tensors, dynamic_shapes=(sizes,))
    _check_program(case, sample, exported.module())
    if case.overload.default in decompositions.table():
        _check_program(case, sample, exported.run_decompositions(decompositions.table()).module(), refuses=True)


def _check_program(case: Case, sample: Sample, program: Any, refuses: bool = False) -> None:
    """`refuses`: whether it may refuse another size, as torch's code of a composite does that depends on sizes."""
    for larger in filter(None, (sample, larger_sample(case, sample))):
        arguments = larger.make(case.float_dtype, case.device)
        expected = case.call(clone(arguments))
        try:
            actual = program(*arguments.tensors())
        except AssertionError as error:  # torch's guard
            if refuses and larger is not sample:
                return
            raise AssertionError(f"{case.op}: exported with dynamic sizes, it refuses {larger}: {specialised(case)}") from error
        case.compare(actual, expected, case.float_dtype, f"exported, {larger}")


class _Call(torch.nn.Module):
    """The call of a sample as a module of its tensors."""

    def __init__(self, case: Case, sample: Sample) -> None:
        super().__init__()
        self.case = case
        self.sample = sample.on(case.device)

    def forward(self, *tensors: Tensor) -> tuple[Any, ...]:
        remaining = iter(tensors)
        filled = self.sample.map(lambda _: next(remaining))
        return self.case.call(Arguments(filled.args, filled.kwargs))
