"""What the checks have in common: the op under test, how it is called, how results are compared."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from .. import _namespaces, registry
from .._arguments import int_array
from .._op_info import OpInfo
from ..string_tensor import StringTensor
from .samples import Arguments, Error, Sample, leaves

TOLERANCES: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-9, 1e-9),
    torch.complex128: (1e-9, 1e-9),
    torch.float32: (1e-5, 1e-5),
    torch.complex64: (1e-5, 1e-5),
    torch.float16: (2e-3, 2e-3),
    torch.bfloat16: (1.6e-2, 1.6e-2),
}
FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
_DTYPES = (*FLOATS, torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
ALL_DTYPES = (*_DTYPES, torch.complex64, torch.complex128)


@dataclass(frozen=True)
class Case:
    """An op with its samples."""

    op: str
    samples: Sequence[Sample]
    reference: Callable[..., Any] | None = None
    errors: Sequence[Error] = ()
    dtypes: Sequence[torch.dtype] | None = None
    tolerance: Mapping[torch.dtype, tuple[float, float]] = field(default_factory=dict)
    layouts: Sequence[str] | None = None  # which of values.LAYOUTS apply; None: all
    domain: Callable[[Tensor], Tensor] | None = None  # what inputs are, such as symmetric: differences are taken inside of it
    data_dependent: bool = False  # the shape of the output depends on values: nothing can be said ahead
    unrolled: bool = False  # a trace of the composite has a step for each element of a dimension
    device: str = "cpu"

    def __post_init__(self) -> None:
        if not self.samples:
            raise ValueError(f"{self.op}: no samples; expected at least one call to try, such as Sample(T(3, 4))")

    @cached_property
    def info(self) -> OpInfo:
        return registry.info(self.op)

    @cached_property
    def function(self) -> Callable[..., Any]:
        found = _namespaces.function(self.op)
        assert found is not None, f"{self.op} has no Python function"
        return found

    @property
    def is_random(self) -> bool:
        return self.info.category == "random"

    @property
    def overwrites(self) -> bool:
        """Whether a call writes to its arguments: `sgd_`, but not `relu`, which has an in-place form as well."""
        return bool(self.overload.default._schema.is_mutable)

    @property
    def has_kernel(self) -> bool:
        return bool(self.info.kernels) and self.info.category != "view"

    @property
    def is_composite(self) -> bool:
        """Whether its kernel is its composite, on all devices, which runs on torch's operators."""
        return registry.is_composite(self.op)

    @cached_property
    def all_dtypes(self) -> tuple[torch.dtype, ...]:
        """The dtypes under test: those given, else those that a kernel on the device is registered for."""
        if self.dtypes is not None:
            return tuple(self.dtypes)
        if not any(t.dtype is None for s in self.samples for t in s.tensors()):
            return (torch.float32,)
        if self.info.custom:
            return tuple(d for d in FLOATS if self._runs(d)) or (torch.float32,)
        if not self.has_kernel:
            return FLOATS
        return tuple(d for d in ALL_DTYPES if registry.supported(self.op, self.device, d))

    def _runs(self, dtype: torch.dtype) -> bool:
        try:
            self.call(self.samples[0].make(dtype, self.device))
        except RuntimeError:
            return False
        return True

    @property
    def float_dtype(self) -> torch.dtype:
        """A floating dtype of the op if it has one: the one for checks that need no more than one."""
        return next((d for d in FLOATS if d in self.all_dtypes), self.all_dtypes[0])

    def call(self, arguments: Arguments) -> tuple[Any, ...]:
        """The outputs of `phi_torch.<op>`."""
        arguments = self.writable(arguments)
        return as_tuple(self.function(*arguments.args, **arguments.kwargs))

    def within(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Inputs of the op's domain."""
        return [self.domain(t) for t in tensors] if self.domain is not None else list(tensors)

    def writable(self, arguments: Arguments) -> Arguments:
        """The arguments as a call may have them: one that overwrites takes no leaves that require a gradient."""
        if not self.overwrites:
            return arguments
        return arguments.map(lambda t: t * 1 if t.requires_grad and t.is_leaf else t)

    def positional(self, arguments: Arguments) -> tuple[Any, ...]:
        """All arguments in YAML order, as `torch.ops.phi.<op>` takes them."""
        array = self._int_arrays
        return tuple(int_array(v) if name in array else v for name, v in bind(self.function, arguments).items())

    @cached_property
    def _int_arrays(self) -> set[str]:
        return set(re.findall(r"SymInt\[\] (\w+)", self.info.schema))

    @property
    def overload(self) -> Any:
        """The packet `torch.ops.phi.<op>`, or that of an extension."""
        return getattr(getattr(torch.ops, self.info.namespace), _namespaces.split(self.op)[1])

    def has_tensor_attributes(self, arguments: Arguments) -> bool:
        """Whether the call goes to the `.tensor` overload."""
        values = zip(self.positional(arguments), self.overload.default._schema.arguments)
        attributes = [value for value, argument in values if "Tensor" not in str(argument.type)]
        return any(isinstance(leaf, Tensor) for leaf in leaves(attributes))

    def plain_samples(self) -> list[Sample]:
        """The samples without tensors for attributes."""
        return [s for s in self.samples if not self.has_tensor_attributes(s.make(self.float_dtype, self.device))]

    def differentiable_samples(self, limit: int = 200) -> list[Sample]:
        """The small samples with something to differentiate by; the smallest one if none is small."""
        found = []
        for sample in self.samples:
            arguments = sample.make(torch.float64, grad=True)
            if any(t.numel() for t in arguments.differentiable()):
                found.append((sum(t.numel() for t in arguments.tensors()), sample))
        return [s for n, s in found if n <= limit] or [s for _, s in sorted(found, key=lambda pair: pair[0])[:1]]

    def name_of(self, tensor: Tensor, arguments: Arguments) -> str:
        """The argument that a tensor stands for: `x`, or `inputs[1]`."""
        for name, value in zip(inspect.signature(self.function).parameters, self.positional(arguments)):
            for i, leaf in enumerate(leaves(value)):
                if leaf is tensor:
                    return f"{name}[{i}]" if isinstance(value, (list, tuple)) else name
        raise ValueError("the tensor is none of the arguments")

    def compare(self, actual: Any, expected: Any, dtype: torch.dtype, what: object, name: str = "output") -> None:
        """Asserts that outputs agree; None is not compared. `name`: what they are, if not the outputs of `what`."""
        actual, expected = as_tuple(actual), as_tuple(expected)
        if len(actual) == 1 and isinstance(actual[0], list):  # one output that is a list
            expected = (list(expected[0] if isinstance(expected[0], (list, tuple)) else expected),)
        assert len(actual) == len(expected), f"{self.op}: {len(actual)} outputs, expected {len(expected)}, for {what}"
        for i, (a, e) in enumerate(zip(actual, expected)):
            which = f" {i}" if name == "output" else f", output {i}," if len(actual) > 1 else ""
            where = f"{self.op}: {name}{which} for {what}, {dtype}"
            if isinstance(e, (list, tuple)):
                assert len(a) == len(e), f"{where}: {len(a)} tensors, expected {len(e)}"
            for x, y in zip(leaves([a]), leaves([e])):
                self._compare_tensor(x, y, dtype, where)

    def _compare_tensor(self, actual: Any, expected: Any, dtype: torch.dtype, where: str) -> None:
        if expected is None:
            return
        assert isinstance(actual, Tensor), f"{where}: got {actual!r}"
        if isinstance(expected, StringTensor):
            assert repr(actual) == repr(expected), f"{where}: got {actual!r}, expected {expected!r}"
            return
        if not isinstance(expected, Tensor):
            expected = torch.as_tensor(expected)
        assert actual.shape == expected.shape, f"{where}: shape {tuple(actual.shape)}, expected {tuple(expected.shape)}"
        kinds = [(t.dtype.is_floating_point, t.dtype.is_complex, t.dtype is torch.bool) for t in (actual, expected)]
        assert kinds[0] == kinds[1], f"{where}: dtype {actual.dtype}, expected the like of {expected.dtype}"
        rtol, atol = max(self._tolerance(dtype), self._tolerance(actual.dtype))
        wide = _exact(torch.promote_types(actual.dtype, expected.dtype))
        actual, expected = actual.detach().cpu().to(wide), expected.detach().cpu().to(wide)
        if not torch.allclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True):
            raise AssertionError(f"{where}: {difference(actual, expected, rtol, atol)}")

    def _tolerance(self, dtype: torch.dtype) -> tuple[float, float]:
        return self.tolerance.get(dtype) or TOLERANCES.get(dtype, (0.0, 0.0))


def of_dense(check: Callable[[Case], None]) -> Callable[[Case], None]:
    """A check that concerns operators of dense tensors alone: torch traces and overwrites no others."""

    @functools.wraps(check)
    def checked(case: Case) -> None:
        if case.info.dense:
            check(case)

    return checked


def specialised(case: Case) -> str:
    """What to do about a size that became a number while torch traced the op."""
    info = case.info
    if info.custom:
        form = "std::vector<std::vector<paddle::SymInt>> InferShape(const std::vector<paddle::SymInt>& x)"
        which = f"its InferShape function, or that of its gradient, ({info.loc})"
        return f"{which} must be over paddle::SymInt, and not over int64_t: {form}"
    if case.has_kernel:
        return (
            f"its InferMeta function ({info.loc}) turns a size into a number: keep sizes as `Dim`, which is c10::SymInt while "
            "torch traces, without guard_int() and without `if` on one"
        )
    return f"its composite ({info.loc}) turns a size into a number: compute with x.shape[i], without int() and `if` on one"


def difference(actual: Tensor, expected: Tensor, rtol: float, atol: float) -> str:
    """How many elements differ, and the one that differs most."""
    wrong = ~torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True)
    wide = torch.complex128 if actual.is_complex() else torch.float64
    distance = torch.where(wrong, (actual.to(wide) - expected.to(wide)).abs().nan_to_num(nan=torch.inf), -1)
    place = tuple(int(i) for i in torch.unravel_index(distance.argmax(), wrong.shape))
    values = f"got {actual[place].item()}, expected {expected[place].item()}"
    return f"{int(wrong.sum())} of {wrong.numel()} elements differ, most at {place}: {values} (rtol {rtol}, atol {atol})"


def _exact(dtype: torch.dtype) -> torch.dtype:
    """One that holds all values of `dtype`, and that torch computes in."""
    return torch.complex128 if dtype.is_complex else torch.float64 if dtype.is_floating_point else dtype


def bind(function: Callable[..., Any], arguments: Arguments) -> dict[str, Any]:
    """All arguments of a call by name, in YAML order; the keyword `out` is none of them."""
    signature = inspect.signature(function)
    bound = signature.bind(*arguments.args, **arguments.kwargs)
    bound.apply_defaults()
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    return {name: v for name, v in bound.arguments.items() if signature.parameters[name].kind is not keyword_only}


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def public_outputs(case: Case) -> list[str]:
    """The outputs that `phi_torch.<op>` returns."""
    return [o for o in case.info.outputs if o not in case.info.intermediate]


def clone(arguments: Arguments) -> Arguments:
    """The same arguments in tensors of their own."""
    return arguments.map(lambda t: t.detach().clone().requires_grad_(t.requires_grad))


def floats(outputs: Any) -> list[Tensor]:
    """The outputs that can carry a gradient."""
    return [t for t in leaves([outputs]) if isinstance(t, Tensor) and (t.is_floating_point() or t.is_complex())]


def differentiable(outputs: Any) -> list[Tensor]:
    return [t for t in floats(outputs) if t.requires_grad]


def weighted_sum(outputs: Any) -> Tensor:
    """A scalar that depends on every element differently."""
    total = torch.zeros((), dtype=torch.float64)
    for t in floats(outputs):
        weights = torch.linspace(0.5, 1.5, t.numel(), dtype=t.real.dtype, device=t.device).reshape(t.shape)
        total = total + (t.real * weights).sum().double()
        if t.is_complex():
            total = total + (t.imag * weights.flip(tuple(range(t.dim())))).sum().double()
    return total
