"""Gradients of gradient operators, which follow from these: `tanh_double_grad` is what differentiates `tanh_grad`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from ..._op_table import OPS
from .._operators import Operands, operator
from .table import KERNELS, aligned, kernel, shaped

# What each reads, and gives. As Paddle names them, `grad_out` is the gradient of the result `out`, and `grad_x_grad` that of
# the gradient of the operand `x`.
_ROWS = """
abs(x, grad_x_grad) -> grad_out_grad
acos(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
add(y, grad_out, grad_x_grad, grad_y_grad) -> grad_out_grad
bmm(x, y, grad_out, grad_x_grad, grad_y_grad) -> x_grad, y_grad, grad_out_grad
celu(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
clip(x, grad_x_grad) -> grad_out_grad
concat(grad_x_grad) -> grad_out_grad
conv2d(input, filter, grad_out, grad_input_grad, grad_filter_grad) -> input_grad, filter_grad, grad_out_grad
conv2d_transpose(x, filter, grad_out, grad_x_grad, grad_filter_grad) -> x_grad, filter_grad, grad_out_grad
conv3d(input, filter, grad_out, grad_input_grad, grad_filter_grad) -> input_grad, filter_grad, grad_out_grad
cos(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
depthwise_conv2d(input, filter, grad_out, grad_input_grad, grad_filter_grad) -> input_grad, filter_grad, grad_out_grad
elu(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
exp(out, grad_out, grad_x_grad) -> out_grad, grad_out_grad
expand(grad_x_grad) -> grad_out_grad
gather(index, grad_x_grad) -> grad_out_grad
gather_nd(grad_out, index, grad_x_grad) -> grad_out_grad
index_add(index, grad_out, grad_x_grad, grad_add_value_grad) -> grad_out_grad
index_put(x, indices, value, grad_x_grad, grad_value_grad) -> grad_out_grad
index_select(index, grad_x_grad) -> grad_out_grad
leaky_relu(x, grad_x_grad) -> grad_out_grad
log(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
masked_fill(mask, grad_x_grad, grad_value_grad) -> grad_out_grad
masked_select(mask, grad_x_grad) -> grad_out_grad
matmul(x, y, grad_out, grad_x_grad, grad_y_grad) -> x_grad, y_grad, grad_out_grad
mean(grad_x_grad) -> grad_out_grad
multiply(x, y, grad_out, grad_x_grad, grad_y_grad) -> x_grad, y_grad, grad_out_grad
pad(grad_x_grad) -> grad_out_grad
pad3d(grad_x_grad) -> grad_out_grad
pool2d(grad_x_grad) -> grad_out_grad
pow(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
put_along_axis(arr, indices, values, grad_values_grad, grad_arr_grad) -> grad_out_grad
relu(out, grad_x_grad) -> grad_out_grad
repeat_interleave(grad_x_grad) -> grad_out_grad
repeat_interleave_with_tensor_index(repeats, grad_x_grad) -> grad_out_grad
sigmoid(out, grad_out, grad_x_grad) -> out_grad, grad_out_grad
silu(x, out, grad_out, grad_x_grad) -> x_grad, grad_out_grad
sin(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
slice(grad_input_grad) -> grad_out_grad
softplus(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
square(x, grad_out, grad_x_grad) -> x_grad, grad_out_grad
squeeze(grad_x_grad) -> grad_out_grad
stack(grad_x_grad) -> grad_out_grad
subtract(y, grad_out, grad_x_grad, grad_y_grad) -> grad_out_grad
sum(grad_x_grad) -> grad_out_grad
take_along_axis(indices, grad_arr_grad) -> grad_out_grad
tanh(out, grad_out, grad_x_grad) -> out_grad, grad_out_grad
tile(grad_x_grad) -> grad_out_grad
transpose(grad_x_grad) -> grad_out_grad
unsqueeze(grad_x_grad) -> grad_out_grad
where(condition, grad_x_grad, grad_y_grad) -> grad_out_grad
"""
DOUBLE = "_double_grad"
_SECOND = re.compile(r"grad_(\w+_grad)")  # the gradient of a gradient


def gradients(pairs: Sequence[tuple[Tensor, Tensor]], leaves: Sequence[Tensor], create_graph: bool = False) -> Sequence[Tensor]:
    """For the leaves, of results beside their gradients; 0 of what does not follow from a leaf."""
    if not pairs:
        return [torch.zeros_like(one) for one in leaves]
    results, grads = ([pair[at] for pair in pairs] for at in (0, 1))
    return torch.autograd.grad(results, leaves, grads, create_graph=create_graph, materialize_grads=True)


class _Double:
    """The kernel of a row: differentiates the gradient operator.

    It reads no operand of that whose value the result does not depend on. Another tensor of the shape stands for it.
    """

    def __init__(self, op: str, operands: Sequence[str], results: Sequence[str]) -> None:
        self.forward, self.gradient = (getattr(torch.ops.phi, name).default for name in (op, f"{op}_grad"))
        self.forward_outputs, self.outputs = OPS[op].outputs, OPS[f"{op}_grad"].outputs
        arguments = [one for one in self.gradient._schema.arguments if not one.kwarg_only]
        self.inputs = {one.name: str(one.real_type) for one in arguments if "Tensor" in str(one.real_type)}
        self.attrs = [one.name for one in arguments if one.name not in self.inputs]
        self.operands, self.results = operands, results
        self.wanted = [_read(name) or name.removesuffix("_grad") for name in results]
        schema = str(self.gradient._schema).partition("(")[2].rpartition(") ->")[0].split(", ")
        tensors = [self._declared(name) for name in operands]
        attrs = [text for text in schema if text.rpartition(" ")[2].partition("=")[0] in self.attrs]
        returned = ", ".join(["Tensor"] * len(results))
        self.schema = f"{op}{DOUBLE}({', '.join([*tensors, *attrs])}) -> {returned if len(results) == 1 else f'({returned})'}"

    def _declared(self, name: str) -> str:
        second = _SECOND.fullmatch(name)
        of = second[1].removesuffix("_grad") if second is not None else name
        if "List" in self.inputs.get(of, ""):
            return f"Tensor[] {name}"
        return f"Tensor{'?' if name.startswith('grad_') else ''} {name}"

    def __call__(self, *args: Any) -> Tensor | tuple[Tensor, ...]:
        return _one([one.resolve_conj() for one in self.run(args, lambda one: one.detach().requires_grad_())])

    def run(self, args: Sequence[Any], leaf: Callable[[Tensor], Tensor], create_graph: bool = False) -> Sequence[Tensor]:
        """The results, of which each differentiates for what `leaf` makes of an operand."""
        given = dict(zip((*self.operands, *self.attrs), args))
        attrs = {name: given.pop(name) for name in self.attrs}
        second = {match[1]: one for name, one in given.items() if (match := _SECOND.fullmatch(name)) and one is not None}
        known = {_read(name) or name: one for name, one in given.items() if not _SECOND.fullmatch(name) and one is not None}
        with torch.enable_grad():
            operands = self._operands(known, second, attrs, leaf)
            found = self.gradient(**operands, **attrs)
            outputs = dict(zip(self.outputs, found if len(self.outputs) > 1 else [found]))
        pairs = [pair for name, one in second.items() for pair in zip(_list(outputs[name]), _list(one)) if pair[0].requires_grad]
        leaves = [operands[name] for name in self.wanted]
        return gradients(pairs, leaves, create_graph)

    def _operands(
        self, known: Mapping[str, Any], second: Mapping[str, Any], attrs: Mapping[str, Any], leaf: Callable[[Tensor], Tensor]
    ) -> dict[str, Any]:
        """What the gradient operator is given, with leaves for what is wanted."""
        some = known.get("out_grad", next(iter([*second.values(), *known.values()])))
        operands: dict[str, Any] = {}
        late = []  # what follows from the others
        for name, type in self.inputs.items():
            follows = name in self.forward_outputs and name not in self.wanted
            if follows and (name not in known or self.forward._schema.arguments[0].name in self.wanted):
                late.append(name)
            elif name in known or f"{name}_grad" in second:
                operands[name] = known.get(name, second.get(f"{name}_grad"))
            elif (of := name.removesuffix("_grad")) in self.forward_outputs and of in known:
                operands[name] = torch.zeros_like(known[of])
            elif of in self.forward_outputs:
                late.append(name)
            else:
                operands[name] = None if "Optional" in type else some
        operands |= {name: leaf(operands[name]) for name in self.wanted if name in operands}
        if late:
            taken = [one.name for one in self.forward._schema.arguments]
            found = self.forward(**{name: one for name, one in (operands | dict(attrs)).items() if name in taken})
            results = dict(zip(self.forward_outputs, found if len(self.forward_outputs) > 1 else [found]))
            for name in late:
                is_value = name in results
                operands[name] = results[name] if is_value else torch.zeros_like(results[name.removesuffix("_grad")])
                if name in self.wanted:
                    operands[name] = leaf(operands[name])
        return operands


def _read(name: str) -> str:
    """The argument of the gradient operator that `grad_out` is, or of which `grad_out_grad` is the gradient; "" for others."""
    return f"{name[5:].removesuffix('_grad')}_grad" if name.startswith("grad_") else ""


def _list(one: Any) -> Sequence[Tensor]:
    return [one] if isinstance(one, Tensor) else one


def _one(results: Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    return results[0] if len(results) == 1 else tuple(results)


for _row in filter(None, _ROWS.split("\n")):
    _op, _operands, _results = re.fullmatch(r"(\w+)\((.*)\) -> (.*)", _row).groups()  # type: ignore[union-attr]
    if not hasattr(torch.ops.phi, f"{_op}_grad"):
        continue  # a trimmed build is without it
    _double = _Double(_op, _operands.split(", "), _results.split(", "))
    kernel(_double.schema)(_double)


@kernel("sqrt_double_grad(Tensor out, Tensor grad_x, Tensor grad_x_grad) -> (Tensor, Tensor)")
def sqrt_double_grad(out: Tensor, grad_x: Tensor, grad_x_grad: Tensor) -> tuple[Tensor, Tensor]:
    return -grad_x * grad_x_grad / out, grad_x_grad / (2 * out)


@kernel("rsqrt_double_grad(Tensor out, Tensor grad_x, Tensor grad_x_grad) -> (Tensor, Tensor)")
def rsqrt_double_grad(out: Tensor, grad_x: Tensor, grad_x_grad: Tensor) -> tuple[Tensor, Tensor]:
    return 3 * grad_x * grad_x_grad / out, -0.5 * out**3 * grad_x_grad


@kernel(
    "divide_double_grad(Tensor y, Tensor out, Tensor? grad_out, Tensor? grad_x, Tensor? grad_x_grad, Tensor? grad_y_grad, int axis)"
    " -> (Tensor, Tensor, Tensor)"
)
def divide_double_grad(
    y: Tensor,
    out: Tensor,
    grad_out: Tensor | None,
    grad_x: Tensor | None,
    grad_x_grad: Tensor | None,
    grad_y_grad: Tensor | None,
    axis: int,
) -> tuple[Tensor, ...]:
    """Paddle 2 gives the gradient of x alone, Paddle 3 that of the result too."""
    _, divisor = aligned(out, y, axis)
    if grad_out is not None:
        of_x = grad_out / divisor
    elif grad_x is not None:
        of_x = aligned(out, grad_x, axis)[1]
    else:
        raise ValueError("slot DX: expected a variable, or one for the slot Out@GRAD, got none")
    zeros = out.new_zeros(())
    ddx = zeros if grad_x_grad is None else aligned(out, grad_x_grad, axis)[1]
    ddy = zeros if grad_y_grad is None else aligned(out, grad_y_grad, axis)[1]
    change = (ddx - out * ddy) / divisor
    y_grad = (-of_x * change).sum_to_size(divisor.shape).reshape(y.shape)
    return y_grad, (-of_x * ddy).expand(out.shape), change


@kernel("reshape_double_grad(Tensor grad_out, Tensor grad_x_grad) -> Tensor")
def reshape_double_grad(grad_out: Tensor, grad_x_grad: Tensor) -> Tensor:
    return shaped(grad_x_grad, grad_out.shape)


def _of_norm(
    forward: Callable[[Tensor, Tensor, Tensor], Tensor], x: Tensor, scale: Tensor, grad: Tensor, second: Sequence[Tensor | None]
) -> tuple[Tensor, ...]:
    """Of the gradients of a norm, whose statistics follow from `x`."""
    with torch.enable_grad():
        x, scale, grad = (one.detach().requires_grad_() for one in (x, scale, grad))
        inputs = x, scale, torch.zeros_like(scale).requires_grad_()
        firsts = torch.autograd.grad(forward(*inputs), inputs, grad, create_graph=True)
    pairs = [(one, other) for one, other in zip(firsts, second) if other is not None]
    return torch.autograd.grad([a for a, _ in pairs], (x, scale, grad), [b for _, b in pairs], materialize_grads=True)


@kernel(
    "instance_norm_double_grad(Tensor x, Tensor? scale, Tensor saved_mean, Tensor saved_variance, Tensor grad_y, "
    "Tensor? grad_x_grad, Tensor? grad_scale_grad, Tensor? grad_bias_grad, float epsilon) -> (Tensor, Tensor, Tensor)"
)
def instance_norm_double_grad(
    x: Tensor,
    scale: Tensor | None,
    saved_mean: Tensor,
    saved_variance: Tensor,
    grad_y: Tensor,
    grad_x_grad: Tensor | None,
    grad_scale_grad: Tensor | None,
    grad_bias_grad: Tensor | None,
    epsilon: float,
) -> tuple[Tensor, ...]:
    def forward(x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
        return torch.instance_norm(x, scale, bias, None, None, True, 0.0, epsilon, False)

    scale = torch.ones(x.shape[1], dtype=saved_mean.dtype) if scale is None else scale
    return _of_norm(forward, x, scale, grad_y, [grad_x_grad, grad_scale_grad, grad_bias_grad])


@kernel(
    "batch_norm_double_grad(Tensor x, Tensor? scale, Tensor? out_mean, Tensor? out_variance, Tensor saved_mean, "
    "Tensor saved_variance, Tensor grad_out, Tensor? grad_x_grad, Tensor? grad_scale_grad, Tensor? grad_bias_grad, float momentum, "
    "float epsilon, str data_format, bool is_test, bool use_global_stats, bool trainable_statistics) -> (Tensor, Tensor, Tensor)"
)
def batch_norm_double_grad(
    x: Tensor,
    scale: Tensor | None,
    out_mean: Tensor | None,
    out_variance: Tensor | None,
    saved_mean: Tensor,
    saved_variance: Tensor,
    grad_out: Tensor,
    grad_x_grad: Tensor | None,
    grad_scale_grad: Tensor | None,
    grad_bias_grad: Tensor | None,
    momentum: float,
    epsilon: float,
    data_format: str,
    is_test: bool,
    use_global_stats: bool,
    trainable_statistics: bool,
) -> tuple[Tensor, ...]:
    is_last, of_all = data_format == "NHWC" and x.dim() > 2, use_global_stats or (is_test and not trainable_statistics)

    def forward(x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
        x = x.movedim(-1, 1) if is_last else x
        mean, variance = (out_mean, out_variance) if of_all else (None, None)
        found = torch.nn.functional.batch_norm(x, mean, variance, scale, bias, not of_all, 0.0, epsilon)
        return found.movedim(1, -1) if is_last else found

    scale = torch.ones_like(saved_mean) if scale is None else scale
    return _of_norm(forward, x, scale, grad_out, [grad_x_grad, grad_scale_grad, grad_bias_grad])


@operator("mul_grad_grad")
def mul_grad_grad(op: Operands) -> None:
    x, y, grad = (op.input(slot) for slot in ("X", "Y", "DOut"))
    dims = op.attr("x_num_col_dims", 1), op.attr("y_num_col_dims", 1)
    pairs = [(x, "DDX"), (y, "DDY")]
    seconds = [op.input(slot) if op.has(slot) else torch.zeros_like(one) for one, slot in pairs]
    with torch.enable_grad():
        leaves = [one.detach().requires_grad_() for one in (x, y, grad)]
        firsts = KERNELS["matmul_with_flatten_grad"].function(*leaves, *dims)
    for slot, found in zip(("DX", "DY", "DDOut"), torch.autograd.grad(firsts, leaves, seconds, materialize_grads=True)):
        op.set(slot, found)


@operator("sigmoid_grad_grad")
def sigmoid_grad_grad(op: Operands) -> None:
    """PaddlePaddle 2.6 calls the slot of the first gradient otherwise."""
    slot = "fwd_grad_out" if op.has("fwd_grad_out") else "grad_out"
    given = (op.input(name) for name in ("Out", slot, "grad_x@GRAD"))
    out_grad, second = KERNELS["sigmoid_double_grad"].function(*given)
    op.set("Out@GRAD", out_grad)
    op.set(f"{slot}@GRAD", second)
