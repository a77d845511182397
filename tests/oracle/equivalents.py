"""Which entries of torch's OpInfo database mean the same as an op of ours, and how their samples are written for it."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from phi_torch import _op_table
from phi_torch.testing.samples import Arguments

Converter = Callable[[Any], Arguments | None]


@dataclass(frozen=True)
class Equivalent:
    """An entry of OpInfo, by default that of what the YAML names as `torch`. `call` turns its SampleInput into our
    arguments, or None if we have no such call; `prepare` changes the sample for both sides before."""

    call: Converter
    variant: str = ""
    entry: str = ""
    result: Callable[[Any], Any] = lambda output: output  # torch's outputs in the order of ours; None is not compared
    prepare: Callable[[Any], Any] = lambda sample: sample

    @property
    def name(self) -> str:
        return f"{self.entry}.{self.variant}" if self.variant else self.entry

    @property
    def info(self) -> Any:
        return _database()[self.entry, self.variant]


@functools.cache
def _database() -> dict[tuple[str, str], Any]:
    from torch.testing._internal.common_methods_invocations import op_db  # takes seconds

    return {(info.name, info.variant_test_name): info for info in op_db}


def call(*args: Any, **kwargs: Any) -> Arguments:
    return Arguments(args, kwargs)


def same(sample: Any) -> Arguments | None:
    """One tensor, nothing else; where elements lie in memory (`memory_format`) is not our affair."""
    return call(sample.input) if not sample.args and not set(sample.kwargs) - {"memory_format", "inplace"} else None


def binary(sample: Any) -> Arguments | None:
    """Two tensors."""
    tensors = len(sample.args) == 1 and isinstance(sample.args[0], Tensor)
    return call(sample.input, sample.args[0]) if tensors and not sample.kwargs else None


def arguments(*names: str, **ours: str) -> Converter:
    """Arguments by position and by torch's `names`, which `ours` renames; None for any other argument."""

    def convert(sample: Any) -> Arguments | None:
        found = {**dict(zip(names, sample.args)), **sample.kwargs}
        if len(sample.args) > len(names) or set(found) - set(names):
            return None
        if any(v is None for v in found.values()):
            found = {name: v for name, v in found.items() if v is not None}
        return call(sample.input, **{ours.get(name, name): v for name, v in found.items()})

    return convert


def _dims(sample: Any) -> Arguments | None:
    """sum, mean, amax."""
    found = dict(zip(("dim", "keepdim"), sample.args)) | sample.kwargs
    if set(found) - {"dim", "keepdim"}:
        return None
    dim = found.get("dim")
    axis = [] if dim is None else [dim] if isinstance(dim, int) else list(dim)
    return call(sample.input, axis, keepdim=found.get("keepdim", False))


def _argmax(sample: Any) -> Arguments | None:
    dim = sample.kwargs.get("dim")
    return call(sample.input, 0 if dim is None else dim, sample.kwargs.get("keepdim", False), dim is None)


def _lerp(sample: Any) -> Arguments | None:
    return call(sample.input, *sample.args) if isinstance(sample.args[1], Tensor) else None


def _constant_weight(sample: Any) -> Any:
    sample.args = (sample.args[0], *(w.detach() if isinstance(w, Tensor) else w for w in sample.args[1:]))
    return sample


def _addmm(sample: Any) -> Arguments | None:
    return call(sample.input, *sample.args, **sample.kwargs)


def _p_norm(sample: Any) -> Arguments | None:
    order = sample.args[0] if sample.args else sample.kwargs.get("ord", 2)
    dim = sample.kwargs.get("dim")
    if set(sample.kwargs) - {"ord", "dim", "keepdim"} or isinstance(dim, tuple):
        return None
    return call(sample.input, float(order), 0 if dim is None else dim, 1e-12, sample.kwargs.get("keepdim", False), dim is None)


def _prod(sample: Any) -> Arguments | None:
    found = dict(zip(("dim", "keepdim"), sample.args)) | sample.kwargs
    if set(found) - {"dim", "keepdim"}:
        return None
    dim = found.get("dim")
    return call(sample.input, [] if dim is None else [dim], found.get("keepdim", False), dim is None)


def _with_numbers(*numbers: float) -> Callable[[Any], Any]:
    """For samples whose other arguments are tensors where ours are numbers."""

    def prepare(sample: Any) -> Any:
        sample.args, sample.kwargs = numbers, {}
        return sample

    return prepare


def _all(sample: Any) -> Arguments:
    return call(sample.input, *sample.args)


def _where(sample: Any) -> Arguments:
    return call(sample.args[0], sample.input, sample.args[1])


def _to(dtype: torch.dtype) -> Converter:
    return lambda sample: call(sample.input, dtype) if not sample.args else None


def _full(sample: Any) -> Arguments:
    return call(list(sample.input), sample.args[0], sample.kwargs.get("dtype", torch.float32))


def _full_like(sample: Any) -> Arguments:
    return call(sample.input, sample.args[0], sample.kwargs.get("dtype"))


def _zeros(sample: Any) -> Arguments:
    return call(list(sample.input), sample.kwargs.get("dtype", torch.float32))


def _zeros_like(sample: Any) -> Arguments:
    return call(sample.input, sample.kwargs.get("dtype"))


def _eye(sample: Any) -> Arguments:
    columns = sample.args[0] if sample.args else -1
    return call(sample.input, columns, sample.kwargs.get("dtype", torch.float32))


def _arange(sample: Any) -> Arguments | None:
    """Only with a dtype, since ours does not look at the kind of the numbers."""
    numbers = [sample.input, *sample.args, *(v for k, v in sample.kwargs.items() if k in ("start", "end", "step"))]
    dtype = sample.kwargs.get("dtype")
    if dtype is None or set(sample.kwargs) - {"end", "step", "dtype", "device"}:
        return None
    return call(*(numbers if len(numbers) > 1 else [0, *numbers]), dtype=dtype)


def _one_hot(sample: Any) -> Arguments | None:
    classes = sample.kwargs.get("num_classes", -1)
    return call(sample.input, classes) if classes > 0 else None


def _logit(sample: Any) -> Arguments:
    """Without its bound torch's is NaN beyond 0 and 1, as ours with a bound of 0."""
    eps = (*sample.args, sample.kwargs.get("eps"))[0]
    return call(sample.input, eps or 0.0)


def _reshape(sample: Any) -> Arguments | None:
    """A 0 in the shape means a size of 0 to torch."""
    return call(sample.input, list(sample.args[0])) if 0 not in sample.args[0] else None


def _concat(sample: Any) -> Arguments | None:
    """torch lets a tensor with the shape [0] pass, whatever the others are."""
    if any(t.dim() != sample.input[0].dim() or t.dtype != sample.input[0].dtype for t in sample.input):
        return None
    return call(list(sample.input), *sample.args, *sample.kwargs.values())


def _stack(sample: Any) -> Arguments:
    return call(list(sample.input), *sample.args)


def _axis_last(sample: Any) -> Arguments:
    """split_with_sizes and the like, whose dimension is 0 by default."""
    return call(sample.input, sample.args[0], sample.args[1] if len(sample.args) > 1 else 0)


def _even_parts(sample: Any) -> Arguments | None:
    found = _axis_last(sample)
    x, parts, axis = found.args
    return found if isinstance(parts, int) and parts <= x.shape[axis] and x.shape[axis] % parts == 0 else None


def _narrow(sample: Any) -> Arguments | None:
    axis, start, length = sample.args
    if isinstance(start, Tensor) or (start < 0 and start + length >= 0):
        return None
    return call(sample.input, [axis % sample.input.dim()], [start], [start + length], [1], [])


def _axes(sample: Any) -> Arguments:
    """squeeze, whose empty tuple means no dimension to torch."""
    axis = sample.args[0] if sample.args else []
    return call(sample.input, [axis] if isinstance(axis, int) else list(axis))


def _squeeze_several(sample: Any) -> Arguments | None:
    return _axes(sample) if sample.args[0] else None


def _unsqueeze(sample: Any) -> Arguments:
    return call(sample.input, [sample.args[0]])


def _flatten(sample: Any) -> Arguments:
    return call(sample.input, sample.kwargs.get("start_dim", 0), sample.kwargs.get("end_dim", -1))


def _expand(sample: Any) -> Arguments:
    return call(sample.input, list(sample.args[0]))


def _tile(sample: Any) -> Arguments:
    return call(sample.input, list(sample.args[0]))


def _index(sample: Any) -> Arguments | None:
    """torch takes a number as a tensor of one element."""
    axis, index = sample.args
    return call(sample.input, index, axis) if sample.input.dim() else None


def _cumsum(sample: Any) -> Arguments | None:
    return call(sample.input, sample.args[0]) if not sample.kwargs else None


def _gather(sample: Any) -> Arguments | None:
    """torch takes a 0-d index or a 0-d tensor for a vector."""
    dim, index = sample.args
    return call(sample.input, index.long(), dim) if index.dim() == sample.input.dim() else None


def _ints(value: Any) -> list[int]:
    return [value] if isinstance(value, int) else list(value)


def _roll(sample: Any) -> Arguments:
    found = dict(zip(("shifts", "dims"), sample.args)) | sample.kwargs
    return call(sample.input, _ints(found["shifts"]), _ints(found.get("dims", ())))


def _pad(sample: Any) -> Arguments | None:
    """From the last dimension on, and not always for all."""
    found = dict(zip(("pad", "mode", "value"), sample.args)) | sample.kwargs
    pad = list(found["pad"])
    if any(n < 0 for n in pad) or not sample.input.dim():
        return None
    pad += [0] * (2 * sample.input.dim() - len(pad))
    return call(sample.input, [n for i in range(len(pad) - 2, -1, -2) for n in pad[i : i + 2]], found.get("value") or 0)


def _pad3d(mode: str) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        pad = list(sample.args[0])
        return call(sample.input, pad, mode) if sample.input.dim() == 5 and len(pad) == 6 else None

    return convert


def _pixel_shuffle(sample: Any) -> Arguments | None:
    return call(sample.input, *sample.args, **sample.kwargs) if sample.input.dim() == 4 else None


def _masked_fill(sample: Any) -> Arguments:
    mask, value = sample.args
    return call(sample.input, mask, torch.as_tensor(value).to(sample.input.dtype))


def _repeat_interleave(of: type) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        found = dict(zip(("repeats", "dim"), sample.args)) | sample.kwargs
        if not isinstance(found["repeats"], of) or found.get("dim") is None or not sample.input.dim():
            return None
        return call(sample.input, found["repeats"], found["dim"])

    return convert


def _index_add(sample: Any) -> Arguments | None:
    dim, index, source = sample.args
    return call(sample.input, index, source, dim) if index.dim() == 1 and sample.input.dim() else None


def _without_factor(sample: Any) -> Any:
    sample.kwargs = {}
    return sample


def _put_along_axis(reduce: str) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        dim, index, source = sample.args[:3]
        if index.shape != source.shape or index.dim() != sample.input.dim():
            return None
        return call(sample.input, index, source, dim, reduce, sample.kwargs.get("include_self", True))

    return convert


def _meshgrid(sample: Any) -> Arguments | None:
    return call([sample.input, *sample.args]) if sample.kwargs.get("indexing", "ij") == "ij" else None


def _index_put(sample: Any) -> Arguments:
    indices, value = sample.args
    return call(sample.input, list(indices), value, sample.kwargs.get("accumulate", False))


def _nonzero(sample: Any) -> Arguments | None:
    return call(sample.input) if sample.input.dim() and not sample.kwargs.get("as_tuple") else None


def _unique(sample: Any) -> Arguments | None:
    found = sample.kwargs
    if not found.get("sorted") or found.get("return_inverse") or found.get("return_counts"):
        return None
    dim = found.get("dim")
    return call(sample.input, False, False, False, [] if dim is None else [dim])


_REDUCES = {"sum": "add", "prod": "mul", "mean": "mean", "amax": "amax", "amin": "amin"}
_UNARY = ("abs", "exp", "log", "sqrt", "rsqrt", "square", "sin", "cos", "tanh", "sigmoid", "logical_not")
_UNARY_MORE = (
    *("log1p", "log2", "log10", "expm1", "erf", "tan", "atan", "reciprocal", "floor", "ceil", "trunc", "round", "sign"),
    *("isnan", "isinf", "isfinite", "bitwise_not", "asin", "acos", "sinh", "cosh", "asinh", "acosh", "atanh", "conj"),
)
_BINARY = (
    *("add", "maximum", "minimum", "logical_and", "bmm"),
    *("subtract", "multiply", "equal", "not_equal", "less_than", "greater_than"),
    *("less_equal", "greater_equal", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("elementwise_pow", "remainder", "floor_divide", "fmax", "fmin", "heaviside", "atan2", "copysign", "nextafter"),
)
_CASTS = {
    **{"float": torch.float32, "double": torch.float64, "bfloat16": torch.bfloat16, "half": torch.float16},
    **{"int": torch.int32, "long": torch.int64, "bool": torch.bool, "char": torch.int8, "cdouble": torch.complex128},
}

GENERAL: dict[str, Sequence[Equivalent]] = {
    **{op: [Equivalent(same)] for op in (*_UNARY, *_UNARY_MORE)},
    **{op: [Equivalent(binary)] for op in _BINARY},
    "arange": [Equivalent(_arange)],
    "addmm": [Equivalent(_addmm)],
    "all": [Equivalent(_dims)],
    "amax": [Equivalent(_dims)],
    "amin": [Equivalent(_dims)],
    "any": [Equivalent(_dims)],
    "argmax": [Equivalent(_argmax)],
    "argmin": [Equivalent(_argmax)],
    "argsort": [Equivalent(arguments("dim", "descending", dim="axis"))],
    "assign": [Equivalent(same)],
    "cast": [Equivalent(_to(dtype), entry=name) for name, dtype in _CASTS.items()],
    "clip": [Equivalent(_all, prepare=_with_numbers(-1, 2))],
    "concat": [Equivalent(_concat)],
    "cumsum": [Equivalent(_cumsum)],
    "divide": [Equivalent(binary, "no_rounding_mode")],
    "cummax": [Equivalent(arguments("dim", dim="axis"))],
    "cummin": [Equivalent(arguments("dim", dim="axis"))],
    "cumprod": [Equivalent(arguments("dim"))],
    "eye": [Equivalent(_eye)],
    "expand": [Equivalent(_expand)],
    "flatten": [Equivalent(_flatten)],
    "full": [Equivalent(_full)],
    "full_like": [Equivalent(_full_like)],
    "gather": [Equivalent(_index)],
    "index_select": [Equivalent(_index)],
    **{f"bitwise_{side}_shift": [Equivalent(binary)] for side in ("left", "right")},
    "isclose": [Equivalent(arguments("y", "rtol", "atol", "equal_nan"))],
    "logit": [Equivalent(_logit)],
    "matmul": [Equivalent(binary)],
    "kthvalue": [Equivalent(arguments("k", "dim", "keepdim", dim="axis"))],
    "lerp": [Equivalent(_lerp, prepare=_constant_weight)],
    "logcumsumexp": [Equivalent(arguments("dim", dim="axis"))],
    "logsumexp": [Equivalent(_dims)],
    "max": [Equivalent(_dims)],
    "mean": [Equivalent(_dims)],
    "mean_all": [Equivalent(lambda sample: None if sample.args or sample.kwargs else call(sample.input))],
    "min": [Equivalent(_dims)],
    "one_hot": [Equivalent(_one_hot, result=lambda o: o.float())],
    "mode": [Equivalent(arguments("dim", "keepdim", dim="axis"))],
    "ones": [Equivalent(_zeros)],
    "ones_like": [Equivalent(_zeros_like)],
    "p_norm": [Equivalent(_p_norm)],
    "prod": [Equivalent(_prod)],
    "pow": [Equivalent(_all, prepare=_with_numbers(3))],
    "reshape": [Equivalent(_reshape)],
    "slice": [Equivalent(_narrow)],
    "split": [Equivalent(_axis_last), Equivalent(_axis_last, "list_args", entry="split")],
    "split_with_num": [Equivalent(_even_parts)],
    "squeeze": [Equivalent(_axes), Equivalent(_squeeze_several, "multiple")],
    "stack": [Equivalent(_stack)],
    "sum": [Equivalent(_dims)],
    "tile": [Equivalent(_tile)],
    "topk": [Equivalent(arguments("k", "dim", "largest", "sorted", dim="axis"))],
    "transpose": [Equivalent(lambda sample: call(sample.input, list(sample.args[0])))],
    "tril": [Equivalent(arguments("diagonal"))],
    "triu": [Equivalent(arguments("diagonal"))],
    "take_along_axis": [Equivalent(_gather)],
    "flip": [Equivalent(arguments("dims", dims="axis"))],
    "roll": [Equivalent(_roll)],
    "pad": [Equivalent(_pad, "constant")],
    "pad3d": [Equivalent(_pad3d(mode), mode) for mode in ("reflect", "replicate", "circular")],
    "pixel_shuffle": [Equivalent(_pixel_shuffle)],
    "expand_as": [Equivalent(binary)],
    "masked_fill": [Equivalent(_masked_fill)],
    "masked_select": [Equivalent(binary)],
    "repeat_interleave": [Equivalent(_repeat_interleave(int))],
    "repeat_interleave_with_tensor_index": [Equivalent(_repeat_interleave(Tensor))],
    "broadcast_tensors": [Equivalent(lambda sample: call([sample.input, *sample.args]))],
    "meshgrid": [Equivalent(_meshgrid, "variadic_tensors")],
    "diag": [Equivalent(arguments("diagonal", diagonal="offset"))],
    "index_add": [Equivalent(_index_add, prepare=_without_factor)],
    "index_put": [Equivalent(_index_put)],
    "put_along_axis": [Equivalent(_put_along_axis(ours), theirs) for theirs, ours in _REDUCES.items()],
    "nonzero": [Equivalent(_nonzero)],
    "unique": [Equivalent(_unique, result=lambda output: (output, None, None, None))],
    "unbind": [Equivalent(arguments("dim", dim="axis"))],
    "unsqueeze": [Equivalent(_unsqueeze)],
    "where": [Equivalent(_where)],
    "zeros": [Equivalent(_zeros)],
    "zeros_like": [Equivalent(_zeros_like)],
}


def equivalents(op: str) -> Sequence[Equivalent]:
    from .equivalents_nn import NETWORKS

    entry = (_op_table.OPS[op].torch or "").removeprefix("Tensor.")
    return [e if e.entry else replace(e, entry=entry) for e in GENERAL.get(op) or NETWORKS.get(op, ())]
