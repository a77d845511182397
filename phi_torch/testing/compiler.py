"""What torch's own tools say of an operator: opcheck and export."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..decompositions import composite, composites
from .case import Case, clone, of_dense, specialised
from .compiled import larger_sample, of_two_sizes
from .gradients import has_gradient, public
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

    So has the program of its composite.
    """
    if case.is_random or case.data_dependent or case.info.category == "optimizer":
        return
    sample = of_two_sizes(case)
    tensors = tuple(sample.make(case.float_dtype, case.device).tensors())
    if not tensors:
        return
    _check_program(case, sample, tensors)
    if case.info.full_name in composites():
        _check_program(case, sample, tensors, of_composite=True)


def _check_program(case: Case, sample: Sample, tensors: tuple[Tensor, ...], of_composite: bool = False) -> None:
    """The program of a composite may refuse another size: torch's code does that depends on sizes."""
    sizes = tuple([torch.export.Dim.AUTO if n > 1 else None for n in t.shape] for t in tensors)
    program = torch.export.export(_Call(case, sample, of_composite), tensors, dynamic_shapes=(sizes,)).module()
    for larger in filter(None, (sample, larger_sample(case, sample))):
        arguments = larger.make(case.float_dtype, case.device)
        expected = case.call(clone(arguments))
        try:
            actual = program(*arguments.tensors())
        except AssertionError as error:  # torch's guard
            if of_composite and larger is not sample:
                return
            raise AssertionError(f"{case.op}: exported with dynamic sizes, it refuses {larger}: {specialised(case)}") from error
        case.compare(actual, expected, case.float_dtype, f"exported, {larger}")


class _Call(torch.nn.Module):
    """The call of a sample as a module of its tensors."""

    def __init__(self, case: Case, sample: Sample, of_composite: bool = False) -> None:
        super().__init__()
        self.case = case
        self.sample = sample.on(case.device)
        self.of_composite = of_composite

    def forward(self, *tensors: Tensor) -> tuple[Any, ...]:
        remaining = iter(tensors)
        filled = self.sample.map(lambda _: next(remaining))
        arguments = Arguments(filled.args, filled.kwargs)
        if not self.of_composite:
            return self.case.call(arguments)
        return public(self.case, composite(self.case.info.full_name)(*self.case.positional(arguments)))
