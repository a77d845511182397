"""Gradients of tables that are SelectedRows, in torch sparse COO tensors with one sparse dimension, and steps on them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

import phi_torch

IDS = torch.tensor([[1, 4, 1], [5, 4, 0]])
SHAPE = (7, 3)
TOUCHED = [0, 1, 4, 5]


def rows(dtype: torch.dtype = torch.float32) -> Tensor:
    values = torch.linspace(-1, 1, 18, dtype=dtype).view(6, 3)
    return torch.sparse_coo_tensor(IDS.view(1, 6), values, SHAPE, check_invariants=True)


@pytest.mark.parametrize("padding_idx", [-1, 4])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_the_gradient_of_an_embedding(padding_idx: int, dtype: torch.dtype):
    weight, weights = torch.rand(SHAPE, requires_grad=True), torch.rand(2, 3, 3)
    (phi_torch.embedding(IDS.to(dtype), weight, padding_idx, sparse=True) * weights).sum().backward()
    theirs = torch.nn.Embedding(*SHAPE, padding_idx=None if padding_idx < 0 else padding_idx, sparse=True)
    (theirs(IDS) * weights).sum().backward()
    found, expected = weight.grad, theirs.weight.grad
    assert found is not None and expected is not None and found.layout is torch.sparse_coo and found.shape == weight.shape
    assert torch.equal(found._indices(), expected._indices()) and torch.equal(found._values(), expected._values())
    dense = torch.ops.phi.embedding_grad(IDS, weight, weights, padding_idx)
    torch.testing.assert_close(found.to_dense(), dense)


def test_an_embedding_of_nothing_and_faulty_ids():
    weight = torch.rand(SHAPE, requires_grad=True)
    phi_torch.embedding(IDS[:0], weight, sparse=True).sum().backward()
    assert weight.grad is not None and weight.grad.shape == weight.shape and weight.grad._nnz() == 0
    with pytest.raises(IndexError, match=r"embedding_grad.*'x'.*\[0, 7\), got 9"):
        torch.ops.phi.embedding_grad(torch.tensor([9]), weight, torch.rand(1, 3), -1, True)
    with pytest.raises(NotImplementedError, match=r"embedding_sparse_grad .*sparse=False"):
        torch.ops.phi.embedding_grad(IDS.to("meta"), weight.to("meta"), torch.rand(2, 3, 3, device="meta"), -1, True)


def state(op: str, dtype: torch.dtype) -> dict[str, Any]:
    """The arguments of a step but the gradient."""
    torch.manual_seed(0)
    like = lambda: torch.rand(SHAPE, dtype=dtype) + 0.1  # noqa: E731
    given: dict[str, Any] = {"param": like(), "learning_rate": torch.tensor([0.1]), "master_param": None}
    if op in ("adam_", "adamw_"):
        powers = {"beta1_pow": torch.tensor([0.9]), "beta2_pow": torch.tensor([0.99])}
        return given | {"moment1": like(), "moment2": like(), "moment2_max": None, "skip_update": None, "beta2": 0.99} | powers
    names = {"momentum_": ("velocity",), "adagrad_": ("moment",), "rmsprop_": ("mean_square", "moment"), "sgd_": ()}
    given |= {name: like() for name in names[op]}
    return given | {"momentum_": {"mu": 0.9}, "rmsprop_": {"mean_grad": None, "momentum": 0.5}}.get(op, {})


OPTIMIZERS = ("sgd_", "momentum_", "adagrad_", "rmsprop_", "adam_", "adamw_")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("op", OPTIMIZERS)
def test_a_step_is_that_with_zeros_in_the_other_rows(op: str, dtype: torch.dtype):
    found, expected = state(op, dtype), state(op, dtype)
    getattr(phi_torch, op)(**found, grad=rows(dtype))
    getattr(phi_torch, op)(**expected, grad=rows(dtype).to_dense())
    for name, value in expected.items():
        if isinstance(value, Tensor):
            torch.testing.assert_close(found[name], value)
    if op in ("sgd_", "adagrad_"):
        others = [row for row in range(SHAPE[0]) if row not in TOUCHED]
        assert torch.equal(found["param"][others], state(op, dtype)["param"][others])


@pytest.mark.parametrize("op", ["adam_", "adamw_"])
def test_a_lazy_step_leaves_the_other_rows(op: str):
    found, expected, before = (state(op, torch.float32) for _ in range(3))
    more = {"with_decay": True} if op == "adamw_" else {}
    getattr(phi_torch, op)(**found, **more, grad=rows(), lazy_mode=True)
    getattr(phi_torch, op)(**expected, **more, grad=rows().to_dense())
    others = [row for row in range(SHAPE[0]) if row not in TOUCHED]
    for name in ("param", "moment1", "moment2"):
        torch.testing.assert_close(found[name][TOUCHED], expected[name][TOUCHED])
        assert torch.equal(found[name][others], before[name][others])
    for name in ("beta1_pow", "beta2_pow"):
        torch.testing.assert_close(found[name], expected[name])


@pytest.mark.parametrize("op", OPTIMIZERS)
def test_a_step_on_no_rows(op: str):
    found, expected = state(op, torch.float32), state(op, torch.float32)
    getattr(phi_torch, op)(**found, grad=torch.zeros(SHAPE).to_sparse(1))
    getattr(phi_torch, op)(**expected, grad=torch.zeros(SHAPE))
    torch.testing.assert_close(found["param"], expected["param"])


def test_faulty_rows_are_refused():
    given = state("sgd_", torch.float32)
    with pytest.raises(ValueError, match=r"sgd_.*'grad'"):
        phi_torch.sgd_(**given, grad=torch.ones(5, 3).to_sparse(1))
    with pytest.raises(NotImplementedError, match=r"sgd_.*no kernel.*selected_rows"):
        phi_torch.sgd_(**given, grad=torch.ones(SHAPE).to_sparse())
    beyond = torch.sparse_coo_tensor(torch.tensor([[9]]), torch.ones(1, 3), SHAPE, check_invariants=False)
    with pytest.raises(IndexError, match=r"'grad'.*\[0, 7\).*9"):
        phi_torch.sgd_(**given, grad=beyond)


def test_training_a_table():
    """As torch.optim.SparseAdam on torch.nn.Embedding(sparse=True)."""
    weight = torch.rand(SHAPE, requires_grad=True)
    theirs = torch.nn.Embedding.from_pretrained(weight.detach().clone(), freeze=False, sparse=True)
    optimizer = torch.optim.SparseAdam(theirs.parameters(), lr=0.1)
    moments: dict[str, Any] = {name: torch.zeros(SHAPE) for name in ("moment1", "moment2")}
    powers: dict[str, Any] = {"beta1_pow": torch.tensor([0.9]), "beta2_pow": torch.tensor([0.999])}
    for ids in ([1, 2], [2, 2, 5], [1]):
        weight.grad = None
        phi_torch.embedding(torch.tensor(ids), weight, sparse=True).square().sum().backward()
        with torch.no_grad():
            phi_torch.adam_(
                param=weight,
                grad=weight.grad,
                learning_rate=torch.tensor([0.1]),
                **moments,
                moment2_max=None,
                **powers,
                master_param=None,
                skip_update=None,
                lazy_mode=True,
            )
        optimizer.zero_grad()
        theirs(torch.tensor(ids)).square().sum().backward()
        optimizer.step()
    torch.testing.assert_close(weight.detach(), theirs.weight.detach(), atol=1e-5, rtol=1e-4)
