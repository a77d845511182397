"""What the battery's small samples do not reach: every pair of dtypes, every length of a SIMD loop, several threads."""

import pytest
import torch

import phi_torch
from phi_torch.decompositions.elementwise import remainder_grad

DTYPES = [
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32, torch.float64),
    *(torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.complex64, torch.complex128),
]
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
NUMBERS = [torch.int8, torch.int32, torch.int64, *FLOATS, torch.complex64]


def numbers(*shape, dtype):
    return torch.randint(0, 17, shape).to(dtype)


@pytest.mark.parametrize("source", DTYPES)
def test_cast_between_all_dtypes(source):
    x = numbers(9, 14, dtype=torch.float32).to(source)
    for target in DTYPES:
        wide = x.to(torch.complex128)
        expected = wide.to(target) if target.is_complex or target is torch.bool else wide.real.to(target)
        for strided, wanted in ((x, expected), (x.t(), expected.t()), (x[:, ::2], expected[:, ::2])):
            out = phi_torch.cast(strided, target)
            assert out.dtype is target
            # compared as complex numbers, since torch compares no float8
            assert torch.equal(out.to(torch.complex128), wanted.to(torch.complex128)), f"{source} -> {target}"


def test_cast_takes_both_parts_of_a_complex_number_to_bool():
    x = torch.tensor([0j, 1 + 0j, 2j])
    assert phi_torch.cast(x, torch.bool).tolist() == [False, True, True]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_length(dtype):
    for n in range(1, 140):
        x, y = numbers(n, dtype=dtype), numbers(n, dtype=dtype)
        assert torch.equal(phi_torch.add(x, y), x + y), n
        assert torch.equal(phi_torch.multiply(x, y[:1]), x * y[:1]), n
        assert torch.equal(phi_torch.add(x[:1], y), x[:1] + y), n
        assert torch.equal(phi_torch.add_(x.clone(), y), x + y), n


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((100_001,), (100_001,)),
        ((300, 7, 61), (61,)),
        ((300, 7, 61), (7, 1)),
        ((300, 1, 61), (7, 1)),
        ((70_000, 1), (1, 3)),
        ((2, 3, 4, 5, 6, 7, 8, 3), (2, 1, 4, 1, 6, 1, 8, 1)),
    ],
)
def test_several_threads(x, y, dtype):
    a, b = numbers(*x, dtype=dtype), numbers(*y, dtype=dtype)
    assert torch.equal(phi_torch.add(a, b), a + b)
    assert torch.equal(phi_torch.multiply(b, a), a * b)
    transposed = numbers(*reversed(x), dtype=dtype).permute(*reversed(range(len(x))))
    assert torch.equal(phi_torch.add(transposed, b), transposed + b)
    assert torch.equal(phi_torch.add_(a.clone(), b) if (a + b).shape == a.shape else a + b, a + b)


@pytest.mark.parametrize("dtype", FLOATS)
def test_special_values(dtype):
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1e-3, -60, 60], dtype=dtype).repeat(9)
    for ours, theirs in (
        (phi_torch.relu, torch.relu),
        (phi_torch.gelu, torch.nn.functional.gelu),
        (phi_torch.swish, torch.nn.functional.silu),
        (lambda v: phi_torch.gelu(v, True), lambda v: torch.nn.functional.gelu(v, approximate="tanh")),
        (lambda v: phi_torch.scale(v, 2, 1), lambda v: v * 2 + 1),
    ):
        expected = theirs(x.double()).to(dtype)
        torch.testing.assert_close(ours(x), expected, equal_nan=True, atol=1e-6, rtol=1e-2 if dtype.itemsize == 2 else 1e-5)


@pytest.mark.parametrize(
    ("dtype", "values", "after", "before"),
    [  # measured with PaddlePaddle 3.3.1: scale(x, 2.7, 1.5, bias_after_scale)
        (torch.int32, [1, 2, -3], [3, 5, -5], [4, 6, -4]),
        (torch.uint8, [1, 2, 200], [3, 5, 145], [4, 6, 146]),
        (torch.bool, [True, False], [True, True], [True, True]),
    ],
)
def test_scale_of_integers_converts_the_numbers_first(dtype, values, after, before):
    x = torch.tensor(values, dtype=dtype)
    assert phi_torch.scale(x, 2.7, 1.5).tolist() == after
    assert phi_torch.scale(x, 2.7, 1.5, False).tolist() == before


OF_ROWS = [("assign", ()), ("clip", (-0.5, 0.5)), ("scale", (3.0,)), ("sqrt", ()), ("square", ())]


@pytest.mark.parametrize(("name", "attributes"), OF_ROWS)
def test_of_selected_rows(name, attributes):
    """Rows that occur twice add up before the function is applied."""
    values = torch.rand(3, 5, dtype=torch.float64)
    rows = torch.sparse_coo_tensor(torch.tensor([[3, 1, 3]]), values, (6, 5), check_invariants=True)
    out = getattr(phi_torch, name)(rows, *attributes)
    assert out.layout is torch.sparse_coo and out._indices().tolist() == [[1, 3]]
    torch.testing.assert_close(out.to_dense(), getattr(phi_torch, name)(rows.to_dense(), *attributes))


@pytest.mark.parametrize(("x", "y", "axis"), [((2, 3, 4, 5), (3, 4), 1), ((3, 4), (2, 3, 4, 5), 1), ((4, 5), (4,), 0)])
def test_gradients_with_an_axis(x, y, axis):
    """Legacy programs align the input with fewer dimensions at `axis`."""
    a, b = (torch.randn(s, dtype=torch.float64, requires_grad=True) for s in (x, y))
    lower, higher = sorted((a, b), key=torch.Tensor.dim)
    tail = (1,) * (higher.dim() - lower.dim() - axis)
    for forward, backward in ((torch.add, torch.ops.phi.add_grad), (torch.mul, torch.ops.phi.multiply_grad)):
        out = forward(higher, lower.reshape(lower.shape + tail))
        grad = torch.randn_like(out)
        expected = torch.autograd.grad(out, (a, b), grad)
        torch.testing.assert_close(tuple(backward(a.detach(), b.detach(), grad, axis)), expected)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_gradients_of_a_remainder_of_integers(dtype):
    """Which programs of PaddlePaddle hold where what is computed goes on as floating point; nothing is divided as that."""
    x, y = torch.tensor([7, -7, 2**24 + 1, -1], dtype=dtype), torch.tensor([[3], [-1]], dtype=dtype)
    grad = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]], dtype=dtype)
    expected = grad.sum(0, dtype=dtype), (-grad * (x // y)).sum(1, keepdim=True, dtype=dtype)
    found = torch.ops.phi.remainder_grad(x, y, grad)
    assert all(torch.equal(a, b) for a, b in zip(found, expected))
    assert all(torch.equal(a, b) for a, b in zip(remainder_grad(x, y, grad), expected))
