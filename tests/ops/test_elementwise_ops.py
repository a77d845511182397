"""The elementwise ops where the battery's samples do not reach: NaN and infinity, ties, integer extremes, in place."""

import math

import pytest
import torch

import phi_torch
from phi_torch.decompositions import composite

FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
NAN, INF = math.nan, math.inf
UNARY = """abs exp log sqrt rsqrt square sin cos tanh sigmoid silu hardswish logical_not log1p log2 log10 expm1 erf tan atan
reciprocal floor ceil trunc round isnan isinf isfinite relu6 elu softplus logsigmoid asin acos sinh cosh asinh acosh atanh celu selu
hardshrink softshrink softsign""".split()
BINARY = {"equal": "eq", "not_equal": "ne", "less_than": "lt", "less_equal": "le", "greater_than": "gt", "greater_equal": "ge"} | {
    **{op: op for op in ("maximum", "minimum", "divide", "subtract", "remainder", "floor_divide", "fmax", "fmin", "copysign")},
    **{"elementwise_pow": "pow", "atan2": "atan2", "isclose": "isclose"},
}
MORE_UNITS = [("expm1", 1.6), ("log2", 1.7), ("log10", 2.4), ("log1p", 2.4), ("erf", 4.1), ("sinh", 2.3), ("cosh", 1.6)]
SPECIAL = [NAN, INF, -INF, -0.0, 0.0, 1e-3, -3.0, 3.0, -60, 60]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", UNARY)
def test_special_values_of_unary_ops(op, dtype):
    x = torch.tensor(SPECIAL, dtype=dtype).repeat(7)
    theirs = getattr(torch, op, None) or getattr(torch.nn.functional, op)
    expected = theirs(x.double())
    actual = getattr(phi_torch, op)(x)
    torch.testing.assert_close(actual, expected.to(actual.dtype), equal_nan=True)


@pytest.mark.parametrize("dtype, size", [(torch.float32, 89), (torch.float64, 710), (torch.bfloat16, 89)])
@pytest.mark.parametrize("op", ["sinh", "cosh"])
def test_exp_is_infinite_and_its_half_is_not(op, dtype, size):
    x = torch.tensor([size, -size, 1.0, -81.0, NAN, INF, -INF], dtype=dtype).repeat(7)
    expected = torch.tensor([getattr(math, op)(v) for v in x.tolist()], dtype=torch.float64).to(dtype)  # torch's own are infinite
    torch.testing.assert_close(getattr(phi_torch, op)(x), expected, equal_nan=True)


@pytest.mark.parametrize("dtype", FLOATS[:2])
@pytest.mark.parametrize("op", UNARY)
def test_numbers_of_every_size(op, dtype):
    exponents = torch.arange(-30, 39 if dtype == torch.float32 else 308, dtype=torch.float64)
    x = torch.cat([10**exponents, -(10**exponents)]).to(dtype)
    theirs = getattr(torch, op, None) or getattr(torch.nn.functional, op)
    torch.testing.assert_close(getattr(phi_torch, op)(x).to(dtype), theirs(x).to(dtype), rtol=1e-5, atol=1e-38, equal_nan=True)


@pytest.mark.parametrize("op, most", [("exp", 1.1), ("log", 1.1), ("tanh", 2.5), *MORE_UNITS])
def test_units_in_the_last_place(op, most):
    x = torch.arange(-(2**31), 2**31, 997).to(torch.int32).view(torch.float32)  # floats of every size
    exact = getattr(torch, op)(x.double())
    actual, rounded = getattr(phi_torch, op)(x), exact.float()
    unit = torch.nextafter(rounded.abs(), torch.tensor(INF)).double() - rounded.abs()
    normal = rounded.isfinite() & (rounded != 0)
    assert ((actual.double() - exact).abs() / unit)[normal].max() < most
    torch.testing.assert_close(actual[~normal], rounded[~normal], rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_rounding_of_every_half(dtype):
    x = torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype)
    for y in (x[torch.randperm(len(x))], x.flip(0), x):
        for op in ("add", "multiply", "divide"):
            actual, expected = getattr(phi_torch, op)(x, y), getattr(torch, op)(x, y)
            torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", BINARY)
def test_special_values_of_binary_ops(op, dtype):
    x = torch.tensor(SPECIAL, dtype=dtype)
    a, b = x.repeat_interleave(len(x)), x.repeat(len(x))
    for left, right in ((a, b), (x[:, None], x), (a.to(torch.float64), b), (a, b[0])):
        if op == "isclose":
            right = right.to(left.dtype)
        expected = getattr(torch, BINARY[op])(left, right)
        torch.testing.assert_close(getattr(phi_torch, op)(left, right), expected, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.bool, *INTEGERS, *FLOATS, torch.complex64])
def test_comparisons_of_every_length(dtype):
    for n in (*range(1, 70), 1000):
        x, y = (torch.randint(0, 3, (n,)).to(dtype) for _ in range(2))
        assert torch.equal(phi_torch.equal(x, y), x == y), n
        assert torch.equal(phi_torch.not_equal(x, y[:1]), x != y[:1]), n
        assert torch.equal(phi_torch.logical_and(x, y), torch.logical_and(x, y)), n
        assert torch.equal(phi_torch.logical_not(x), torch.logical_not(x)), n
        if not dtype.is_complex:
            assert torch.equal(phi_torch.less_than(x[:1], y), x[:1] < y), n
            assert torch.equal(phi_torch.greater_than(x, y), x > y), n


def test_complex_numbers_are_ordered_by_real_part_then_imaginary():
    x, y = torch.tensor([1 + 2j, 1 + 1j, 1 - 2j, 0 + 9j]), torch.tensor([1 + 1j, 1 + 2j, 1 - 2j, 1 + 0j])
    assert phi_torch.less_than(x, y).tolist() == [False, True, False, True]
    assert phi_torch.greater_than(x, y).tolist() == [True, False, False, False]


@pytest.mark.parametrize("op", ["exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "sigmoid"])
@pytest.mark.parametrize("dtype", [torch.bool, *INTEGERS])
def test_integers_give_float32(op, dtype):
    x = torch.tensor([0, 1, 2, 3, 100]).to(dtype)
    torch.testing.assert_close(getattr(phi_torch, op)(x), getattr(torch, op)(x.float()))


@pytest.mark.parametrize("dtype", [torch.bool, *INTEGERS])
def test_division_of_integers_gives_float32(dtype):
    x, y = torch.tensor([7, 0, 3, 0]).to(dtype), torch.tensor([2, 2, 0, 0]).to(dtype)
    torch.testing.assert_close(phi_torch.divide(x, y), x.float() / y.float(), equal_nan=True)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_extremes(dtype):
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    x = torch.tensor([low, high, 0, 3], dtype=dtype).repeat(40)
    assert torch.equal(phi_torch.abs(x), torch.abs(x))
    assert torch.equal(phi_torch.square(x), x * x)
    assert torch.equal(phi_torch.maximum(x, x.flip(0)), torch.maximum(x, x.flip(0)))
    assert torch.equal(phi_torch.minimum(x, x.flip(0)), torch.minimum(x, x.flip(0)))
    assert torch.equal(phi_torch.clip(x, low, high), x)
    assert phi_torch.clip(x[:4], 1.9, 2.7).tolist() == [1, 2, 1, 2]
    for exponent in (0, 1, 2, 3, 31, 38):
        assert torch.equal(phi_torch.pow(x, exponent), torch.pow(x, exponent))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_divide_downwards(dtype):
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    divisors = [1, 2, 7, high] if low == 0 else [-7, -2, -1, 1, 2, 7, low, high]
    values = [low, low + 1, 0, 1, 6, 7, high - 1, high]
    x = torch.tensor(values, dtype=dtype).repeat_interleave(len(divisors))
    y = torch.tensor(divisors, dtype=dtype).repeat(len(values))
    wrapped = [(a // b - low) % (high - low + 1) + low for a in values for b in divisors]
    assert phi_torch.floor_divide(x, y).tolist() == wrapped
    assert phi_torch.remainder(x, y).tolist() == [a % b for a in values for b in divisors]
    for op in (phi_torch.floor_divide, phi_torch.remainder):
        with pytest.raises(ValueError, match="argument 'y': expected no 0"):
            op(x, x.new_zeros(1))


def test_integer_powers_wrap_and_are_cut_off():
    x, y = torch.tensor([2, -1, -1, 1, 0, 3, 10]), torch.tensor([-1, -3, -2, -9, -1, 50, 30])
    assert torch.equal(phi_torch.elementwise_pow(x, y), torch.pow(x, y))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts_by_any_count(dtype):
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    bits = torch.iinfo(dtype).bits
    counts = [0, 1, bits - 1, bits, *([] if low == 0 else [-1])]
    for value in (low, high, 5):
        x, y = torch.full((len(counts),), value, dtype=dtype), torch.tensor(counts, dtype=dtype)
        unsigned = value % 2**bits
        logical = [unsigned >> n if 0 <= n < bits else 0 for n in counts]
        arithmetic = [value >> (n if 0 <= n < bits else 64) for n in counts]
        left = [unsigned << n if 0 <= n < bits else 0 for n in counts]
        for actual, expected in (
            (phi_torch.bitwise_right_shift(x, y, False), logical),
            (phi_torch.bitwise_right_shift(x, y), arithmetic),
            (phi_torch.bitwise_left_shift(x, y), left),
        ):
            assert [n % 2**bits for n in actual.tolist()] == [n % 2**bits for n in expected]


def gradients(function, *values):
    inputs = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    return [g.tolist() for g in torch.autograd.grad(function(*inputs).sum(), inputs)]


def test_equal_elements_share_the_gradient_and_nan_has_none():
    x, y = [1.0, 2.0, 3.0, NAN, 1.0], [1.0, 3.0, 2.0, 1.0, NAN]
    assert gradients(phi_torch.maximum, x, y) == [[0.5, 0, 1, 0, 0], [0.5, 1, 0, 0, 0]]
    assert gradients(phi_torch.minimum, x, y) == [[0.5, 1, 0, 0, 0], [0.5, 0, 1, 0, 0]]


def test_gradients_at_the_corners():
    assert gradients(lambda x: phi_torch.clip(x, -1, 1), [-2.0, -1.0, 0.0, 1.0, 2.0, NAN]) == [[0, 1, 1, 1, 0, 0]]
    assert gradients(phi_torch.hardswish, [-3.0, 3.0, 4.0, 0.0, -4.0]) == [[0, 1, 1, 0.5, 0]]
    assert gradients(lambda x: phi_torch.hardsigmoid(x, 0.25), [-2.0, 0.0, 2.0, NAN]) == [[0, 0.25, 0, 0]]
    assert gradients(phi_torch.relu6, [-1.0, 0.0, 3.0, 6.0, 7.0, NAN]) == [[0, 0, 1, 0, 0, 0]]
    assert gradients(lambda x: phi_torch.leaky_relu(x, 0.5), [-1.0, 0.0, 1.0]) == [[0.5, 0.5, 1]]
    assert gradients(phi_torch.fmax, [1.0, 2.0, NAN, 1.0], [1.0, 3.0, 1.0, NAN]) == [[1, 0, 0, 1], [0, 1, 1, 0]]
    assert gradients(phi_torch.elementwise_pow, [0.0, 2.0], [0.0, 0.0])[0] == [0, 0]
    assert gradients(phi_torch.elementwise_pow, [0.0, 0.0], [2.0, 0.0])[1] == [0, 0]
    (absolute,) = gradients(phi_torch.abs, [-2.0, 0.0, 2.0, 1e-40, NAN, INF, -INF])
    assert absolute[:4] == [-1, 0, 1, 1] and all(map(math.isnan, absolute[4:]))
    for grad in (torch.ops.phi.abs_grad, composite("abs_grad")):
        assert grad(torch.zeros(2), torch.tensor([NAN, INF])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("y", "expected"), [(0, [0, 0]), (0.5, [INF, 0.25]), (1, [1, 1]), (2, [0, 8]), (3, [0, 48]), (-1, [-INF, -0.0625])]
)
def test_gradients_of_powers(y, expected):
    assert gradients(lambda x: phi_torch.pow(x, y), [0.0, 4.0]) == [expected]


@pytest.mark.parametrize("op", ["exp", "sqrt", "divide", "less_than", "logical_not", "abs"])
def test_in_place_needs_the_dtype_of_the_result(op):
    x = torch.ones(3, dtype=torch.complex64 if op == "abs" else torch.int32)
    args = (x, torch.ones(3, dtype=x.dtype)) if op in ("divide", "less_than") else (x,)
    with pytest.raises(TypeError, match=rf"{op}_: .*argument 'x' receives the result: expected data type \w+, got"):
        getattr(phi_torch, f"{op}_")(*args)


@pytest.mark.parametrize("dtype", FLOATS)
def test_swiglu_of_halves_in_any_layout(dtype):
    x = torch.randn(6, 140, dtype=dtype)
    for given in (x, x[::2], x.t().contiguous().t(), torch.randn(280, 6, dtype=dtype).t()):
        a, b = given.double().chunk(2, -1)
        expected = torch.nn.functional.silu(a) * b
        torch.testing.assert_close(phi_torch.swiglu(given).double(), expected, rtol=2e-2, atol=1e-2)
        torch.testing.assert_close(phi_torch.swiglu(given), phi_torch.swiglu(*given.chunk(2, -1)))


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2, torch.bool, torch.complex128, torch.int16])
def test_assign_copies_any_dtype(dtype):
    x = torch.randint(0, 2, (5, 14)).float().to(dtype)
    for given in (x, x.t(), x[:, ::2], x[:1].expand(3, 14)):
        copy = phi_torch.assign(given)
        assert copy.dtype is dtype and copy.data_ptr() != given.data_ptr()
        assert torch.equal(copy.to(torch.complex128), given.to(torch.complex128))


def test_trunc_divide_wraps_the_one_quotient_that_does_not_fit():
    x, y = torch.tensor([-(2**31), 7, -7], dtype=torch.int32), torch.tensor([-1, -2, 2], dtype=torch.int32)
    assert phi_torch.trunc_divide(x, y).tolist() == [-(2**31), -3, -3]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_quotient_beyond_all_numbers_is_infinite(dtype):
    """As torch's, NumPy's and Paddle's, however many elements there are."""
    large, small = torch.finfo(dtype).max / 2, 1e-3
    x, y = torch.tensor([large, -large, large, -3.0] * 16, dtype=dtype), torch.tensor([small, small, -small, 0] * 16, dtype=dtype)
    assert torch.equal(phi_torch.floor_divide(x, y), x / y)
    assert phi_torch.floor_divide(x / 0, y).isnan()[:3].all()
