"""Kernels that only programs name: other signatures of our operators, and shapes that gradients remember.

A kernel here is a function over operators, with the schema that programs pass arguments by; its gradient is that of the
operators.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ... import ops as phi
from ..._op_table import OPS
from ..description import Attribute, OpDesc

Function = Callable[..., Any]


class Kernel(NamedTuple):
    """A function of tensors and attributes with a schema; it returns a tensor, or one for each output.

    It `differs` from the kernel of its name that C++ has: programs mean the function.
    """

    function: Function
    schema: torch.FunctionSchema
    differs: bool = False


KERNELS: dict[str, Kernel] = {}


def kernel(schema: str, *, differs: bool = False) -> Callable[[Function], Function]:
    """Adds a function as the kernel that `schema`, in torch's syntax, names; see `Kernel`."""

    def add(function: Function) -> Function:
        parsed = torch._C.parse_schema(schema)
        KERNELS[parsed.name] = Kernel(function, parsed, differs)
        return function

    return add


def expect(what: str, holds: bool, expected: str, got: object) -> None:
    """Raises a ValueError about a slot or an attribute unless `holds`."""
    if not holds:
        raise ValueError(f"{what}: expected {expected}, got {got}")


def expect_shape(shape: Sequence[int], **slots: Tensor) -> None:
    """ValueError that names a slot whose tensor has another shape."""
    for slot, tensor in slots.items():
        expect(f"slot {slot}", tensor.shape == torch.Size(shape), f"shape {[*shape]}", [*tensor.shape])


def differentiated(function: Callable[..., Any], inputs: Sequence[Tensor], out_grads: Tensor | Sequence[Tensor]) -> list[Tensor]:
    """The gradients of the inputs of a function of tensors, zeros where its results do not follow from one."""
    with torch.enable_grad():
        leaves = [one.detach().requires_grad_() for one in inputs]
        results = function(*leaves)
    return [one.resolve_conj() for one in torch.autograd.grad(results, leaves, out_grads, materialize_grads=True)]


def shaped(x: Tensor, sizes: Sequence[int]) -> Tensor:
    """`phi.reshape` to sizes of which 0 is one, too: there it means that of x."""
    return phi.reshape(x, sizes) if x.numel() else x.reshape(tuple(sizes))


# ---- the second operand stands at an axis of the first


def aligned(x: Tensor, y: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The operands of an elementwise operator for torch's broadcasting: the smaller one's first dimension is that of the other
    at `axis`; -1 aligns the last dimensions. Trailing dimensions of 1 do not count if they are too many.

    Raises:
        ValueError: the dimensions do not fit from `axis` on.
    """
    if axis == -1 or x.dim() == y.dim():
        return x, y
    if x.dim() < y.dim():
        y, x = aligned(y, x, axis)
        return x, y
    sizes = list(y.shape)
    while len(sizes) > x.dim() - axis and sizes[-1] == 1:
        sizes.pop()
    if not 0 <= axis <= x.dim() - len(sizes):
        raise ValueError(f"axis: expected -1, or 0 to {x.dim() - len(sizes)} for shapes {[*x.shape]} and {[*y.shape]}, got {axis}")
    return x, shaped(y, sizes + [1] * (x.dim() - axis - len(sizes)))


BINARY = (
    *(
        "add",
        "subtract",
        "multiply",
        "divide",
        "maximum",
        "minimum",
        "remainder",
        "floor_divide",
        "elementwise_pow",
        "fmax",
        "fmin",
    ),
    *("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"),
)
REDUCTIONS = ("max", "min", "mean", "all", "any", "amax", "amin")


@kernel("divide(Tensor x, Tensor y) -> Tensor", differs=True)
def divide(x: Tensor, y: Tensor) -> Tensor:
    """Of integers the quotient is an integer in programs, cut off towards 0, and of bool it is bool; `phi.divide` gives float32."""
    if x.is_floating_point() or x.is_complex():
        return phi.divide(x, y)
    if x.dtype == y.dtype == torch.bool:
        return divide(x.int(), y.int()).bool()
    return torch.div(x, y, rounding_mode="trunc")


def _binary(op: str) -> Function:
    function = divide if op == "divide" else getattr(phi, op)
    return lambda x, y, axis: function(*aligned(x, y, axis))


def _reduction(op: str) -> Function:
    function = getattr(phi, op)
    return lambda x, axis, keepdim, reduce_all: function(x, [] if reduce_all else axis, keepdim)


for _name in filter(OPS.__contains__, BINARY):
    kernel(f"{_name}_raw(Tensor x, Tensor y, int axis) -> Tensor", differs=_name == "divide")(_binary(_name))
for _name in filter(OPS.__contains__, REDUCTIONS):
    kernel(f"{_name}_raw(Tensor x, int[] axis, bool keepdim, bool reduce_all) -> Tensor")(_reduction(_name))


@kernel("sum_raw(Tensor x, int[] axis, bool keepdim, bool reduce_all, ScalarType? dtype) -> Tensor")
def sum_raw(x: Tensor, axis: list[int], keepdim: bool, reduce_all: bool, dtype: torch.dtype | None) -> Tensor:
    return phi.sum(x, [] if reduce_all else axis, dtype, keepdim)


@kernel("prod_infer(Tensor x, int[] axis, bool keepdim) -> Tensor")
def prod_infer(x: Tensor, axis: list[int], keepdim: bool) -> Tensor:
    return phi.prod(x, axis, keepdim, False)


def as_written(value: float) -> float:
    """The number of fewest digits that float32 rounds to `value`."""
    numbers = (float(f"{value:.{digits}g}") for digits in range(6, 10))
    return next((number for number in numbers if ctypes.c_float(number).value == value), value)


def _not_below(written: float) -> float:
    """The least number of float64 that is not below the decimal one: no multiple of it is cut off to one less."""
    return written if Fraction(written) >= Fraction(repr(written)) else math.nextafter(written, math.inf)


def gives_no_scale(op: OpDesc) -> bool:
    """Whether it is one that leaves the scale, which it only observes, as it was."""
    return op.type == "moving_average_abs_max_scale" and "is_test" in op.attrs and op.attrs["is_test"].value is True


SCALES = {"linear_interp_v2": 1, "bilinear_interp_v2": 2, "bicubic_interp_v2": 2, "trilinear_interp_v2": 3}


def meant(op: OpDesc, name: str, attribute: Attribute) -> Attribute:
    """An attribute as a kernel takes it that computes with it in float64, where Paddle 2 does in float32, in which products are
    rounded to whole numbers: 10 * 0.9 is 9, and 100 * 0.29 is 29."""
    if name == "scale" and attribute.type == "FLOATS" and "_interp_v2" in op.type:
        count = SCALES.get(op.type.removesuffix("_grad"))  # Paddle reads no more of them
        return Attribute("FLOAT64S", [_not_below(as_written(one)) for one in attribute.value[:count]])
    return attribute


def strided_ends(ends: list[int], strides: list[int]) -> list[int]:
    """As PaddlePaddle 2 writes `x[::-1]`: an end of -1 is before the first element where the stride is negative."""
    return [-(1 << 31) if end == -1 and stride < 0 else end for end, stride in zip(ends, strides)]


@kernel(
    "strided_slice_raw(Tensor x, int[] axes, int[] starts, int[] ends, int[] strides, int[] infer_flags, int[] decrease_axis)"
    " -> Tensor"
)
def strided_slice_raw(
    x: Tensor,
    axes: list[int],
    starts: list[int],
    ends: list[int],
    strides: list[int],
    infer_flags: list[int],
    decrease_axis: list[int],
) -> Tensor:
    last = [
        int(start) == -1 and int(end) == 0 and flag == -1 and axis in decrease_axis
        for start, end, flag, axis in zip(starts, ends, [*infer_flags, *[1] * len(axes)], axes)
    ]  # x[i] for an i of -1 that only a run knows
    ends = [start + (1 << 31 if stride > 0 else -1) if one else end for start, end, stride, one in zip(starts, ends, strides, last)]
    out = phi.strided_slice(x, axes, starts, strided_ends(ends, strides), strides)
    return phi.squeeze(out, decrease_axis) if decrease_axis else out


# ---- gradients that do not read what was changed


@kernel("pad_grad(Tensor out_grad, int[] paddings, Scalar pad_value) -> Tensor")
def pad_grad(out_grad: Tensor, paddings: list[int], pad_value: float | Tensor) -> Tensor:
    """The value, which a tensor may hold, is not read."""
    sizes = [size - sum(paddings[2 * i : 2 * i + 2]) for i, size in enumerate(out_grad.shape)]
    return torch.ops.phi.pad_grad(out_grad.new_empty(sizes), out_grad, paddings, 0.0)


# ---- parts that are assigned backwards, or with dimensions of 1 added


def _assigned(steps: Sequence[int] | Tensor, ends: Sequence[int] | Tensor, none_axes: list[int], rank: int) -> Any:
    ends, steps = (one.tolist() if isinstance(one, Tensor) else [*map(int, one)] for one in (ends, steps))
    return strided_ends(ends, steps), steps, [min(axis, rank) for axis in none_axes]


@kernel(
    "legacy_set_value(Tensor x, int[] starts, int[] ends, int[] steps, int[] axes, int[] decrease_axes, int[] none_axes,"
    " int[] shape, Scalar[] values) -> Tensor"
)
def legacy_set_value(
    x: Tensor, starts: Any, ends: Any, steps: Any, axes: list[int], decrease_axes: list[int], none_axes: list[int], *values: Any
) -> Tensor:
    ends, steps, added = _assigned(steps, ends, none_axes, x.dim())
    return phi.set_value(x, starts, ends, steps, axes, decrease_axes, added, *values)


@kernel(
    "legacy_set_value_with_tensor(Tensor x, Tensor values, int[] starts, int[] ends, int[] steps, int[] axes, int[] decrease_axes,"
    " int[] none_axes) -> Tensor"
)
def legacy_set_value_with_tensor(
    x: Tensor, values: Tensor, starts: Any, ends: Any, steps: Any, axes: list[int], decrease_axes: list[int], none_axes: list[int]
) -> Tensor:
    ends, steps, added = _assigned(steps, ends, none_axes, x.dim())
    return phi.set_value_with_tensor(x, values, starts, ends, steps, axes, decrease_axes, added)


# ---- a shape that the gradient needs: an empty tensor, whose sizes after the first are those of x


def xshape(x: Tensor) -> Tensor:
    return x.new_empty((0, *x.shape))


def _with_xshape(op: str) -> Function:
    return lambda x, *attrs: (getattr(phi, op)(x, *attrs), xshape(x))


def _shape_grad(xshape: Tensor, out_grad: Tensor, *attrs: Any) -> Tensor:
    return shaped(out_grad, xshape.shape[1:])


for _name, _attrs in {"reshape": "int[] shape", "squeeze": "int[] axis", "unsqueeze": "int[] axis"}.items():
    kernel(f"{_name}_with_xshape(Tensor x, {_attrs}) -> (Tensor, Tensor)")(_with_xshape(_name))
kernel("flatten_with_xshape(Tensor x, int start_axis, int stop_axis) -> (Tensor, Tensor)")(_with_xshape("flatten"))
for _name, _attrs in {"reshape": "", "flatten": "", "unsqueeze": "", "squeeze": ", int[] axis"}.items():
    kernel(f"{_name}_grad(Tensor xshape, Tensor out_grad{_attrs}) -> Tensor")(_shape_grad)


@kernel("stack_grad(Tensor out_grad, int axis) -> Tensor[]")
def stack_grad(out_grad: Tensor, axis: int) -> Sequence[Tensor]:
    return phi.unbind(out_grad, axis)


# ---- the same under another name, or with arguments of another kind


@kernel("assign_raw(Tensor x) -> Tensor")
def assign_raw(x: Tensor) -> Tensor:
    return phi.assign(x)


@kernel("flatten_infer(Tensor x, int start_axis, int stop_axis) -> Tensor")
def flatten_infer(x: Tensor, start_axis: int, stop_axis: int) -> Tensor:
    return phi.flatten(x, start_axis, stop_axis)


@kernel(
    "batch_norm_infer(Tensor x, Tensor mean, Tensor variance, Tensor? scale, Tensor? bias, float momentum, float epsilon,"
    " str data_format) -> (Tensor, Tensor, Tensor)"
)
def batch_norm_infer(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    momentum: float,
    epsilon: float,
    data_format: str,
) -> tuple[Tensor, Tensor, Tensor]:
    out = phi.batch_norm(x, mean, variance, scale, bias, True, momentum, epsilon, data_format)[0]
    return out, mean, variance


@kernel("one_hot_raw(Tensor x, Scalar depth, ScalarType dtype, bool allow_out_of_range) -> Tensor")
def one_hot_raw(x: Tensor, depth: int | Tensor, dtype: torch.dtype, allow_out_of_range: bool) -> Tensor:
    classes = int(depth)
    if not allow_out_of_range:
        return phi.cast(phi.one_hot(x, classes), dtype)
    inside = phi.cast(x, torch.int64)
    valid = (inside >= 0) & (inside < classes)
    out = phi.one_hot(torch.where(valid, inside, 0), classes)
    return phi.cast(out * valid.unsqueeze(-1), dtype)


@kernel("sequence_mask(Tensor x, Tensor? max_len_tensor, int max_len, ScalarType out_dtype) -> Tensor", differs=True)
def sequence_mask(x: Tensor, max_len_tensor: Tensor | None, max_len: int, out_dtype: torch.dtype) -> Tensor:
    return phi.sequence_mask(x, max_len if max_len_tensor is None else int(max_len_tensor), out_dtype)


def with_size_of(input: Tensor, shape: Sequence[int], input_dim_idx: int, output_dim_idx: int) -> list[int]:
    """A shape of which one size is one of `input`."""
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return sizes


@kernel(
    "full_batch_size_like(Tensor input, int[] shape, Scalar value, ScalarType dtype, int input_dim_idx,"
    " int output_dim_idx) -> Tensor",
    differs=True,  # in the order of its arguments
)
def full_batch_size_like(
    input: Tensor, shape: Sequence[int], value: complex, dtype: torch.dtype, input_dim_idx: int, output_dim_idx: int
) -> Tensor:
    return phi.full_batch_size_like(input, shape, dtype, value, input_dim_idx, output_dim_idx, input.device)


@kernel("assign_value(int[] shape, ScalarType dtype, Scalar[] values, *, Device? device=None) -> Tensor")
def assign_value(shape: Sequence[int], dtype: torch.dtype, values: Sequence[Any], device: torch.device | None) -> Tensor:
    if len(values) != math.prod(shape):
        raise ValueError(f"values: expected {math.prod(shape)} for shape {[*shape]}, got {len(values)}")
    return torch.tensor(values, dtype=dtype, device=device).reshape(tuple(shape))


@kernel(
    "uniform_raw(int[] shape, ScalarType dtype, float min, float max, int seed, int diag_num, int diag_step, float diag_val, *,"
    " Device? device=None) -> Tensor"
)
def uniform_raw(
    shape: Sequence[int] | Tensor,
    dtype: torch.dtype,
    min: float,
    max: float,
    seed: int,
    diag_num: int,
    diag_step: int,
    diag_val: float,
    device: torch.device | None,
) -> Tensor:
    """The elements of the first `diag_num` rows that are `diag_step` apart are `diag_val`."""
    out = phi.uniform(shape, dtype, min, max, seed, device)
    rows = torch.arange(diag_num, device=out.device)
    at = rows * diag_step + rows
    if diag_num > 0 and (out.dim() != 2 or int(at[-1]) >= out.numel()):
        raise ValueError(f"diag_num: expected rows of a matrix of shape {[*out.shape]}, got {diag_num} with diag_step {diag_step}")
    return out.reshape(-1).index_fill(0, at, diag_val).reshape(out.shape) if diag_num > 0 else out
