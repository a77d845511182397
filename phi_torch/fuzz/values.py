"""Values at the limits: attributes by the type in the schema, and tensors in many kinds of dress."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from math import prod

import torch

from .recipes import ListRecipe, Recipe, TensorRecipe, Text

DTYPES = tuple(sorted({v for v in vars(torch).values() if isinstance(v, torch.dtype)}, key=str))
COMMON = (
    *(torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128),
    *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
)
SIZES = (0, 1, 2, 3, 4, 5, 8, 17, 70)
MOST = 20_000  # elements of one tensor

INTEGERS = (
    *("0", "1", "-1", "2", "-2", "3", "4", "5", "7", "100", "-100", "65536", "2**31 - 1", "2**31", "-2**31", "-2**31 - 1"),
    *("2**32", "2**32 + 1", "2**53 + 1", "2**62", "2**63 - 1", "-2**63", "2**63", "-2**63 - 1", "10**30", "True", "False"),
)
FLOATS = (
    *("0.0", "-0.0", "0.5", "1.0", "-1.0", "1.5", "2.0", "1e-300", "5e-324", "1e-8", "1e10", "1e38", "3.5e38", "1e300", "-1e300"),
    *('float("inf")', '-float("inf")', 'float("nan")', "2**63", "10**400"),
)
STRINGS = (
    *('""', '"x"', '"NCHW"', '"NHWC"', '"NCDHW"', '"SAME"', '"VALID"', '"max"', '"\u00e9\\0"', '"\\0"', '"\\n"', '"%s%n{}"'),
    *('"\\ud800"', '"\U0001f600"', '"x" * 100000', '" NCHW"', '"nchw"'),
)
WRONG = (
    *("None", "0", "-1", "1.5", "1j", "True", '"x"', "[]", "[0]", "[None]", '["x"]', "[1.5]", "()", "(1, 2)", "{}", "object()"),
    *("torch.tensor(1)", "torch.tensor([1, 2])", "[torch.ones(2)]", "[torch.tensor(1), 2]", "torch.float32", "torch.Tensor", "..."),
    *("torch.ones(2, 3)", "[[1]]", "range(2)", "slice(1)", 'b"x"', 'float("nan")', "2**64", "lambda: 0", "torch", "[2**63]"),
)
SCALARS = (
    *(
        "1j",
        "(1+2j)",
        "0j",
        "torch.tensor(2.5)",
        "torch.tensor(2)",
        "torch.tensor([1, 2])",
        "torch.tensor(True)",
        "torch.tensor([])",
    ),
    *('torch.tensor(float("nan"))', "torch.tensor(1j)", 'torch.zeros((), device="meta")', "torch.tensor([3])"),
)
DEVICES = ('"cpu"', '"cpu:0"', '"meta"', '"cuda"', '"cuda:99"', '"cpu:7"', '"mps"', '"xpu"', '"nowhere"', '""', "0", "None")
LISTS = (
    *(
        "[]",
        "[0]",
        "[1]",
        "[-1]",
        "[2, 3]",
        "[0, 1]",
        "[-1, -1]",
        "[1, 1, 1]",
        "[2**62, 4]",
        "[2**31, 2**31, 2**31]",
        "[2**63 - 1]",
    ),
    *("[-2**63]", "[2**31]", "[2**63]", "[1] * 100", "[0] * 1000", "[2] * 64", "[1] * 20000", "[-1] * 3", "3", "(2, 3)", "[True]"),
    *("torch.tensor([2, 3])", "torch.tensor([])", "[torch.tensor(2), 3]", "torch.tensor([[1]])", "torch.tensor(2)", "[3, 1, 2, 0]"),
)

KEEP = (  # the same elements in other memory
    *("{}.transpose(0, -1).contiguous().transpose(0, -1)", "{}.repeat_interleave(2, -1)[..., ::2]", "{}[:1].expand({shape})"),
    *("{}.contiguous(memory_format=torch.channels_last)", "{}.contiguous(memory_format=torch.channels_last_3d)"),
    *("{}.flatten().repeat(2)[1:][:-1].repeat(2)[1:].as_strided({shape}, torch.empty({shape}).stride())", "{}.flip(0).flip(0)"),
    *("{}.conj()", "torch._neg_view({})", "{}.as_subclass(torch.nn.Parameter)", "{}.detach()", "{}.clone()"),
)
HUGE = "expand(2**"  # without memory of that size
CHANGE = (  # another kind of tensor
    *(
        '{}.to("meta")',
        "{}.to_sparse()",
        "{}.to_sparse_csr()",
        "{}.to_sparse(1)",
        "{}.to_mkldnn()",
        "{}.as_strided({shape}, (1,) * {}.dim())",
    ),
    *(
        "torch.quantize_per_tensor({}, 0.1, 0, torch.qint8)",
        "{}.view(torch.uint8)",
        "{}.unsqueeze(0)",
        "{}.squeeze()",
        "{}.flatten()",
    ),
    *(
        "{}.mT",
        "{}[..., :0]",
        "{}[..., :1]",
        "{}[0]",
        "{}[0].expand({shape})",
        "{}.expand(2, *{shape})",
        "{}.imag",
        "torch.nested.nested_tensor([{}])",
    ),
    *(
        "{}.new_zeros(()).expand(2**31, 2**31)",
        "{}.new_empty(0, 2**62, 4)",
        "{}.new_zeros(()).expand(2**40)",
        "{}.new_zeros([1] * 70)",
    ),
    *("{}.new_zeros([1] * 9)", "{}.new_zeros([2] * 12)", "{}.refine_names(...)", "{}.numpy()", "{}.tolist()", "{}.item()"),
)
FILLS: tuple[tuple[float, ...], ...] = ((0.0,), (float("nan"),), (float("inf"),), (-float("inf"),), (1e30,), (-1.0,), (1e-40,))
INTEGER_FILLS = (0, 1, -1, 2, -2, 7, 100, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63), 2**62)


def attribute(type: str, rng: random.Random, now: str = "") -> Recipe:
    """A value of an attribute of this type of the schema: near what it is now, at the limits, or of another type."""
    kind = rng.random()
    if kind < 0.5 and (near := _near(now, rng)) is not None:
        return Text(near)
    return Text(rng.choice(WRONG if kind > 0.93 else _pool(type)))


def _near(now: str, rng: random.Random) -> str | None:
    """A number or list of numbers that differs a little."""
    try:
        value = ast.literal_eval(now)
    except (ValueError, SyntaxError):
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple)):
        return None
    if isinstance(value, (int, float)):
        return repr(rng.choice([value + 1, value - 1, -value, 2 * value, 0]))
    items, kind = list(value), rng.randrange(4)
    if kind == 0 or not items:
        items.insert(rng.randint(0, len(items)), rng.choice([*items, 0, 1, -1, 2]))
    elif kind == 1:
        del items[rng.randrange(len(items))]
    else:
        at = rng.randrange(len(items))
        items[at] = (
            items[at] + rng.choice([-1, 1])
            if kind == 2 and isinstance(items[at], (int, float))
            else rng.choice([0, -1, 1, 2, 100, 2**31 - 1, 2**31, 2**63 - 1])
        )
    return repr(items)


def _pool(type: str) -> tuple[str, ...]:
    if "ScalarType" in type:
        return tuple(str(d) for d in DTYPES)
    if "Device" in type:
        return DEVICES
    if "bool" in type:
        return ("True", "False", "1", "2") if "List" not in type else ("[]", "[True]", "[True, False]", "[False] * 20")
    if "str" in type:
        return STRINGS
    if "List" in type:
        return LISTS if "float" not in type and "number" not in type else (*LISTS, "[0.5]", "[1.5, 2.5]", '[float("nan")] * 2')
    if "number" in type or "Scalar" in type:
        return (*INTEGERS, *FLOATS, *SCALARS)
    return (*FLOATS, *INTEGERS[:8]) if "float" in type or "SymFloat" in type else INTEGERS


def resized(recipe: TensorRecipe, rng: random.Random) -> TensorRecipe:
    """A size changes, a dimension comes or goes, or all of them do."""
    shape = list(recipe.shape)
    kind = rng.randrange(7)
    if kind <= 2 and shape:
        at = rng.randrange(len(shape))
        shape[at] = rng.choice([0, 1, max(shape[at] - 1, 0), shape[at] + 1, shape[at] * 2, rng.choice(SIZES)])
    elif kind == 3:
        shape.insert(rng.randint(0, len(shape)), rng.choice([1, 1, 2, 0]))
    elif kind == 4 and shape:
        del shape[rng.randrange(len(shape))]
    elif kind == 5:
        rng.shuffle(shape)
    else:
        shape = [rng.choice(SIZES) for _ in range(rng.randint(0, 5))]
    if prod(shape) > MOST:
        shape = [min(n, 3) for n in shape]
    if prod(shape) > MOST:
        return recipe
    return replace(recipe, shape=tuple(shape), values=_values(recipe, prod(shape)))


def _values(recipe: TensorRecipe, count: int) -> tuple[object, ...] | None:
    if recipe.values is None or not count:
        return None
    return tuple(recipe.values[i % len(recipe.values)] for i in range(count)) if count <= 40 else recipe.values[:1]


def retyped(recipe: TensorRecipe, dtype: torch.dtype) -> TensorRecipe:
    values = recipe.values
    if values is not None:
        values = None if dtype.is_floating_point or dtype.is_complex else _fit(values, dtype)
    return replace(recipe, dtype=dtype, values=values)


def _fit(values: tuple[object, ...], dtype: torch.dtype) -> tuple[object, ...]:
    values = tuple(0 if isinstance(v, float) and not abs(v) < 1e9 else v for v in values)
    if dtype is torch.bool:
        return tuple(bool(v) for v in values)
    if dtype is torch.int64:
        return tuple(int(v) for v in values)  # type: ignore[call-overload]
    if dtype not in COMMON:
        return (1,) * len(values)
    bits = 8 * dtype.itemsize - (1 if dtype.is_signed else 0)
    return tuple(int(v) % 2**bits for v in values)  # type: ignore[call-overload]


def refilled(recipe: TensorRecipe, rng: random.Random) -> TensorRecipe:
    """Other values: one for all, one that is special, or a wider range."""
    count = prod(recipe.shape)
    if not count:
        return recipe
    if recipe.dtype.is_floating_point or recipe.dtype.is_complex:
        if rng.random() < 0.3:
            return replace(recipe, low=rng.choice([-2.0, 0.0, -100.0, -1e4]), high=rng.choice([2.0, 1.0, 100.0, 1e4]))
        return replace(recipe, values=rng.choice(FILLS))
    values: list[object] = list(recipe.values or (0,) * min(count, 40))
    if rng.random() < 0.3 or len(values) != count:
        values = [rng.choice(INTEGER_FILLS)]
    else:
        values[rng.randrange(len(values))] = rng.choice(INTEGER_FILLS)
    return replace(recipe, values=_fit(tuple(values), recipe.dtype))


def _went_through(recipe: TensorRecipe, function: str) -> bool:
    return any(function in view for view in recipe.views)


def dressed(recipe: TensorRecipe, rng: random.Random) -> TensorRecipe:
    """The same elements with other strides, another offset or another wrapper."""
    if _went_through(recipe, "to_mkldnn"):
        return recipe  # ATen's own views of these divide by extents of 0
    view = rng.choice(KEEP)
    plain = recipe.dtype in COMMON and not _went_through(recipe, "quantize")
    return recipe.with_view(view) if plain or "_neg_view" not in view else recipe  # ATen cannot negate them


def tensor(rng: random.Random) -> TensorRecipe:
    """Any tensor."""
    shape = tuple(rng.choice(SIZES[:6]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 5])))
    result = TensorRecipe(shape, rng.choice(COMMON))
    return result if result.dtype in COMMON[:6] else refilled(result, rng)


def changed(recipe: Recipe, rng: random.Random) -> Recipe:
    """Another tensor, or list of tensors, that is like this one but for one thing."""
    if isinstance(recipe, ListRecipe):
        return _changed_list(recipe, rng)
    if not isinstance(recipe, TensorRecipe):
        return tensor(rng)
    kind = rng.random()
    if kind < 0.35:
        return resized(recipe, rng)
    if kind < 0.55:
        return refilled(recipe, rng)
    if kind < 0.7:
        return retyped(recipe, rng.choice(COMMON if rng.random() < 0.8 else DTYPES))
    if kind < 0.8:
        return dressed(recipe, rng)
    if kind < 0.92:
        view = rng.choice(CHANGE)
        is_broken = ".view(" in view and _went_through(recipe, "quantize")  # torch itself crashes on these
        return recipe if is_broken else recipe.with_view(view)
    return tensor(rng) if kind < 0.96 else Text(rng.choice(WRONG))


def _changed_list(recipe: ListRecipe, rng: random.Random) -> Recipe:
    items = list(recipe.items)
    kind = rng.randrange(8)
    if kind <= 2 and items:
        at = rng.randrange(len(items))
        items[at] = changed(items[at], rng)
    elif kind == 3:
        items.insert(rng.randint(0, len(items)), rng.choice(items) if items else tensor(rng))
    elif kind == 4 and items:
        del items[rng.randrange(len(items))]
    elif kind == 5:
        items = rng.choice([[], items * 2, items[:1] * 100, [Text("None")], [*items, Text("None")], [*items, Text("1")]])
    elif kind == 6 and items:
        return items[0]
    else:
        return Text(rng.choice(WRONG))
    return ListRecipe(tuple(items))
