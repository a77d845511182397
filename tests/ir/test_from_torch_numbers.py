"""Numbers and texts in graphs of torch, beside tensors: as inputs, as results, as constants; and what is no tensor of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from phi_torch import ir

from .torch_models import Function


def of_a_loop(x: Tensor) -> Any:
    return torch._higher_order_ops.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (0, x))


def of_tensors(x: Tensor) -> Any:
    largest, is_positive = x.max().item(), (x.sum() > 0).item()
    return x * largest, largest, largest / 2, is_positive, (x > 0).sum().item()


def of_sizes(x: Tensor) -> Any:
    places = x.nonzero()
    return places, places.shape[0], places.shape[0] / 2, x.shape[0] * 2, x.shape[0] / 2, x.shape[0] > 3


@pytest.mark.parametrize("function", [of_a_loop, of_tensors, of_sizes])
def test_numbers_are_returned(function: Callable[[Tensor], Any], recwarn: pytest.WarningsRecorder):
    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True):
        fast = torch.compile(function, backend="phi", dynamic=True)
        for rows in (5, 2, 4):
            x = torch.randn(rows, 3)
            for ours, theirs in zip(fast(x), function(x), strict=True):
                assert type(ours) is type(theirs)
                torch.testing.assert_close(ours, theirs)
    assert not [one for one in recwarn if "runs as it is" in str(one.message)]


def complex_numbers(x: Tensor) -> list[Tensor]:
    z = torch.complex(x, x)
    return [z + 1j, 2j - z, z * (2 + 3j), z / 1j, x * 1j, torch.where(x > 0, z, 0j), z.to(torch.complex128) + 1j, z == 1j]


@pytest.mark.parametrize("way", [ir.compile, ir.to_module])
def test_complex_numbers(way: Callable[[ir.Program], Any]):
    x = torch.randn(3)
    run = way(ir.from_exported(torch.export.export(Function(complex_numbers), (x,))))
    for ours, theirs in zip(run(x), complex_numbers(x), strict=True):
        torch.testing.assert_close(ours, theirs)


def scaled(x: Tensor, n: int) -> Tensor:
    return x * n


def test_inputs_that_are_numbers_are_given_as_numbers():
    x = torch.randn(4, 2)
    shapes = ((None, torch.export.Dim.DYNAMIC),)
    exported = torch.export.export(Function(scaled), (x, 3), dynamic_shapes=shapes)
    name_of_x, name_of_n = exported.graph_signature.user_inputs
    program = ir.from_exported(exported)
    run: Any = ir.compile(program)
    for n in (2, torch.tensor(2)):
        for found in (run(x, n)[0], *run.named(**{name_of_x: x, name_of_n: n}).values(), ir.to_module(program)(x, n)):
            torch.testing.assert_close(found, x * 2)
    for wrong in (2.5, True, "2", None):
        kind = type(wrong).__name__
        with pytest.raises(
            TypeError, match=rf"input 1 \('{name_of_n}'\): expected a torch.Tensor or a number, of i64\[\], got {kind}"
        ):
            run(x, wrong)
    with pytest.raises(TypeError, match=rf"input 0 \('{name_of_x}'\): expected a torch.Tensor, got int"):
        run(2, 2)
    with pytest.raises(TypeError, match=r"got 'n' by its name; run.named\(x=...\) takes all of them by their names"):
        run(x, n=2)
    run = ir.compile(ir.from_exported(torch.export.export(Function(scaled), (x, 3))))
    with pytest.raises(TypeError, match="input 1: expected a torch.Tensor .the program has fewer inputs: a number with which"):
        run(x, 3)


def test_inputs_that_are_no_tensors_are_constants():
    def call(x: Tensor, name: str, count: int, scale: float, on: bool, nothing: None) -> Tensor:
        return getattr(x, name)(count) * scale if on and nothing is None else x

    given = (torch.randn(3, 4), "sum", 1, 2.5, True, None)
    run = ir.compile(Function(call), given)
    torch.testing.assert_close(run(given[0])[0], call(*given))


def test_what_cannot_be_in_a_program():
    def writes(x: Tensor) -> Tensor:
        x.mul_(2)
        return x + 1

    def sparse(x: Tensor) -> Tensor:
        return torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), x, (2, 2)).to_dense()

    with pytest.raises(ir.GraphError, match="input 'inputs_0': the model writes to it, and a program to none of its inputs"):
        ir.compile(Function(writes), (torch.ones(2),))
    with pytest.raises(ir.GraphError, match="parameter 'weight': the model writes to it.*torch.compile"):
        ir.compile(nn.Embedding(3, 2, max_norm=1.0), (torch.tensor([1]),))
    with pytest.raises(ir.GraphError, match="node 'sparse_coo_tensor' .*: a tensor of the layout torch.sparse_coo"):
        ir.compile(Function(sparse), (torch.ones(2),))


def checked(x: Tensor) -> Tensor:
    number = x.sum().item()
    torch._check(number > 0)
    torch._check(x.nonzero().shape[0] < 5)
    return x * 2


def exported_again(program: ir.Program) -> Any:
    return torch.export.export(ir.to_module(program), (torch.ones(4),)).module()


@pytest.mark.parametrize("way", [ir.compile, ir.to_module, exported_again])
def test_what_data_is_checked_for_stays(way: Callable[[ir.Program], Any]):
    program = ir.from_exported(torch.export.export(Function(checked), (torch.ones(4),)))
    assert len({op.attributes.get("assert_msg") for op in program.walk()} - {None}) == 2  # sizes are no less than 0
    run = way(program)
    run(torch.ones(4))
    with pytest.raises(RuntimeError, match="assertion failed for expression 0 < "):
        run(-torch.ones(4))


@pytest.mark.parametrize("dtype", [torch.int32, torch.uint8, torch.int64])
@pytest.mark.parametrize("function", [lambda x: x + 1, lambda x: x * 300, lambda x: x // 2, lambda x: torch.add(x, -5, alpha=2)])
def test_numbers_do_not_widen_tensors_of_rank_0(function: Callable[[Tensor], Tensor], dtype: torch.dtype):
    x = torch.tensor(3, dtype=dtype)
    (found,) = ir.compile(Function(function), (x,))(x)
    torch.testing.assert_close(found, function(x), rtol=0, atol=0)


LARGE = 2**60 + 1  # no double
OF_LARGE: list[Callable[[Tensor], Tensor]] = [
    lambda x: x + LARGE,
    lambda x: LARGE - x,
    lambda x: x * -LARGE,
    lambda x: x == LARGE,
    lambda x: x // LARGE,
    lambda x: torch.where(x > 0, x, LARGE),
    lambda x: torch.full((2,), LARGE) + x[:2],
    lambda x: torch.where(x > 0, x, 2**63 - 1),
    lambda x: torch.where(x > 0, x, -(2**63) + 1),
]


@pytest.mark.parametrize("function", OF_LARGE)
def test_large_integers_are_exact(function: Callable[[Tensor], Tensor]):
    x = torch.tensor([5, -7, LARGE, 3 * LARGE - 1])
    program = ir.from_exported(torch.export.export(Function(function), (x,)))
    for found in (ir.compile(program)(x)[0], ir.compile(program, passes=[])(x)[0], ir.to_module(program)(x)):
        torch.testing.assert_close(found, function(x), rtol=0, atol=0)


def unsigned(x: Tensor) -> list[Tensor]:
    y = x.to(torch.uint32)
    return [
        y,
        y.reshape(3, 2).T.contiguous(),
        torch.cat([y, y])[1:4],
        y[torch.tensor([0, 2])],
        y == 2,
        torch.full((2,), 3, dtype=y.dtype),
    ]


@pytest.mark.parametrize("way", [ir.compile, ir.to_module])
def test_integers_that_no_kernel_takes_are_torchs(way: Callable[[ir.Program], Any]):
    x = torch.arange(6)
    run = way(ir.from_exported(torch.export.export(Function(unsigned), (x,))))
    torch.testing.assert_close(list(run(x)), unsigned(x))


@pytest.mark.parametrize(
    "function",
    [
        nn.functional.selu,
        lambda x: nn.functional.elu(x, 0.3),
        lambda x: x.abs().pow(1 / 3),
        lambda x: nn.functional.lp_pool1d(x.exp(), 3.0, 2),
    ],
    ids=["selu", "elu", "pow", "lp_pool1d"],
)
def test_numbers_of_doubles_are_not_rounded_to_float32(function):
    x = torch.linspace(-2, 2, 24, dtype=torch.float64).reshape(1, 4, 6).requires_grad_()
    torch._dynamo.reset()
    found, expected = torch.compile(function, backend="phi", fullgraph=True)(x), function(x)
    torch.testing.assert_close(found, expected, rtol=1e-14, atol=1e-14)
    (got,), (wanted,) = torch.autograd.grad(found.sum(), x), torch.autograd.grad(expected.sum(), x)
    torch.testing.assert_close(got, wanted, rtol=1e-14, atol=1e-14)
