"""Gradients of modules that are made of exported models: where they stop, and that they flow through what is assigned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._pytree import tree_leaves

from phi_torch import ir


def test_no_gradients_flow_through_what_is_detached():
    class Straight(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * x.detach() + (x.round() - x).detach()

    x = torch.tensor([0.3, 1.7], requires_grad=True)
    with torch.no_grad():
        program = ir.from_exported(torch.export.export(Straight(), (x,)))
    assert str(ir.parse(str(program))) == str(program)
    assert "pd_op.assign" not in ir.compile(program).explain()
    ir.to_module(program)(x).sum().backward()
    torch.testing.assert_close(x.grad, x.detach())


def test_no_gradients_flow_through_a_number():
    class Scaled(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * x.sum().item() + torch.full((2,), x.max().item())

    x = torch.tensor([0.3, 1.7], requires_grad=True)
    ir.to_module(ir.from_exported(torch.export.export(Scaled(), (x,))))(x).sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([2.0, 2.0]))


def plain(x: torch.Tensor) -> Any:
    with torch.no_grad():
        y, (largest, _) = x / x.norm(), x.max(-1)
    return x * y * largest[:, None]


def within(x: torch.Tensor) -> Any:
    with torch.no_grad():
        y = x * 2
        with torch.enable_grad():
            z = x.sin() * y
        w = z * y
    return x * w + z, w


def switched(x: torch.Tensor) -> Any:
    torch.set_grad_enabled(False)
    y = x.exp()
    torch.set_grad_enabled(True)
    return x * y


def written_within(x: torch.Tensor) -> Any:
    y = x * x
    first = y[0]
    with torch.no_grad():
        first.mul_(3)
        y = y.add_(1)
    return y * y, first * x


def written_later(x: torch.Tensor) -> Any:
    with torch.no_grad():
        y = x * 2
    y.add_(x.sin())
    first = y[0] + x
    with torch.no_grad():
        y.mul_(3)
    return y + x, first


def branch(x: torch.Tensor) -> Any:
    return torch.cond(x.sum() > 0, plain, lambda x: x * 3.0, (x,))


@pytest.mark.parametrize("function", [plain, within, switched, written_within, written_later, branch])
def test_no_gradients_flow_through_regions_without(function: Any):
    class Model(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return function(x)

    x = torch.rand(3, 4, requires_grad=True)
    exported = torch.export.export(Model(), (x,))
    before = exported.graph_module.code
    module: Any = ir.to_module(ir.from_exported(exported))
    assert exported.graph_module.code == before
    torch.testing.assert_close(module(x), function(x))
    ours, theirs = (
        torch.autograd.grad(sum(y.square().sum() for y in tree_leaves(one(x))), x)[0]
        for one in (module, function)  # type: ignore[arg-type]
    )
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(ir.compile(Model(), (x,))(x), tuple(y.detach() for y in tree_leaves(function(x))))


@pytest.mark.parametrize("function", [plain, within, switched])
def test_no_gradients_flow_through_regions_of_a_graph_that_is_traced(function: Any):
    class Model(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return function(x)

    x = torch.rand(3, 4, requires_grad=True)
    graphs: list[Any] = [torch.export.export(Model(), (x,)).module()]

    def keep(graph: Any, _: Any) -> Any:
        graphs.append(graph)
        return graph

    torch.compile(Model(), backend=keep)(x)
    for one in [ir.to_module(ir.from_fx(graph, (x.detach(),))) for graph in graphs]:  # type: ignore[arg-type]
        found = tree_leaves(one(x))
        assert [y.requires_grad for y in found] == [y.requires_grad for y in tree_leaves(function(x))]
        gradient = torch.autograd.grad(sum(y.square().sum() for y in found), x)[0]  # type: ignore[arg-type]
        expected = torch.autograd.grad(sum(y.square().sum() for y in tree_leaves(function(x))), x)[0]  # type: ignore[arg-type]
        torch.testing.assert_close(gradient, expected)


@pytest.mark.parametrize("dynamic", [False, True])
def test_what_is_assigned_to_a_part_has_gradients(dynamic: bool):
    class Assigns(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = torch.zeros(x.shape[0], 4, dtype=torch.float64)
            y[:, 1:3] = x[:, :2]
            y[:, 3:] = x[0, 2]
            return y.square()

    x = torch.randn(3, 5, requires_grad=True)
    shapes = ({0: torch.export.Dim.AUTO},) if dynamic else None
    module: Any = ir.to_module(ir.from_exported(torch.export.export(Assigns(), (x,), dynamic_shapes=shapes)))
    ours, theirs = (torch.autograd.grad(one(x).sum(), x)[0] for one in (module, Assigns()))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("mode", ["mean", "sum", "max"])
def test_bags_of_embeddings_train(mode: str, dtype: torch.dtype):
    """What the forward notes for the backward has no elements for a sum of bfloat16, of which torch's graph says other sizes."""
    torch._dynamo.reset()
    model = nn.EmbeddingBag(9, 4, mode=mode).to(dtype)
    indices, offsets = torch.tensor([1, 2, 8, 3, 3, 0]), torch.tensor([0, 2, 5])
    runs = (model, torch.compile(model, backend="phi"))
    ours, theirs = (torch.autograd.grad(run(indices, offsets).float().square().sum(), model.weight)[0] for run in runs)
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("dynamic", [False, True])
def test_the_row_of_a_padding_does_not_train(dynamic: bool):
    model, indices = nn.Embedding(5, 3, padding_idx=2), torch.tensor([[1, 2], [2, 4], [0, 3]])
    nn.init.normal_(model.weight)
    shapes = ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},) if dynamic else None
    program = ir.from_exported(torch.export.export(model, (indices,), dynamic_shapes=shapes))
    module: Any = ir.to_module(program)
    torch.testing.assert_close(module(indices), model(indices))
    for one in (model, module):
        one(indices).square().sum().backward()
    torch.testing.assert_close(module.weight.grad, model.weight.grad)
    assert len(ir.compile(program).explain().splitlines()) == 1  # it costs nothing where nothing trains


def test_parameters_that_are_frozen_do_not_train():
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 2))
    model[0].weight.requires_grad_(False)
    module: Any = ir.to_module(ir.from_exported(torch.export.export(model.eval(), (torch.ones(1, 2),))))
    theirs, ours = ({name: one.requires_grad for name, one in each.named_parameters()} for each in (model, module))
    assert ours == theirs and not theirs["0.weight"]
    assert dict(module.named_buffers()).keys() == dict(model.named_buffers()).keys()


def test_a_parameter_of_several_names_has_the_first():
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x: torch.Tensor) -> Any:
            return self.second(torch.nn.functional.embedding(x, self.second.weight))

    model = Tied()
    module: Any = ir.to_module(ir.from_exported(torch.export.export(model, (torch.tensor([1, 2]),))))
    assert [name for name, _ in module.named_parameters()] == ["first.weight"]
    assert module.second.weight is module.first.weight


def test_the_state_of_a_module_is_that_of_its_model(tmp_path: Path):
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.unused = nn.Embedding(5, 3), nn.ModuleList([nn.Linear(2, 2)])
            self.outer = nn.Linear(3, 5, bias=False)
            self.outer.weight = self.inner.weight
            self.inner.register_buffer("places", torch.arange(3.0), persistent=False)
            self.register_buffer("factor", torch.tensor(2.0))

        def forward(self, x: torch.Tensor) -> Any:
            return self.outer(self.inner(x) + self.inner.places) * self.factor + torch.tensor([3.0])

    model, x = Model(), torch.tensor([1, 2])
    ir.from_exported(torch.export.export(model, (x,))).save(tmp_path / "model.phi")
    module: Any = ir.to_module(ir.load(tmp_path / "model.phi"))
    state = {name: tensor + 1 for name, tensor in model.state_dict().items()}
    model.load_state_dict(state)
    module.load_state_dict(state)
    assert module.state_dict().keys() == state.keys()
    torch.testing.assert_close(module(x), model(x))


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_diagonal_is_filled(dynamic: bool):
    class Filled(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x * 2
            y.fill_diagonal_(-5.0)
            return y.square()

    x = torch.randn(4, 5)
    shapes = ({0: torch.export.Dim.AUTO},) if dynamic else None
    program = ir.from_exported(torch.export.export(Filled(), (x,), dynamic_shapes=shapes))
    assert not [op.name for op in program.walk() if op.name == "torch.call"]
    for rows in (4, 2, 5) if dynamic else (4,):
        x = torch.randn(rows, 5, requires_grad=True)
        torch.testing.assert_close(ir.compile(program)(x)[0], Filled()(x).detach())
        module: Any = ir.to_module(program)
        ours, theirs = (torch.autograd.grad(one(x).sum(), x)[0] for one in (module, Filled()))
        torch.testing.assert_close(ours, theirs)


def test_what_is_scattered_by_strides_has_gradients():
    class Scattered(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.as_strided_scatter(x, y, (2, 2), (4, 1), 1)

    x, y = torch.randn(3, 4, requires_grad=True), torch.randn(2, 2, requires_grad=True)
    module: Any = ir.to_module(ir.from_exported(torch.export.export(Scattered(), (x, y))))
    torch.testing.assert_close(module(x, y), Scattered()(x, y))
    of_x, of_y = torch.autograd.grad((module(x, y) * torch.arange(12.0).view(3, 4)).sum(), (x, y))
    # those of torch's own operator are wrong for what stays
    torch.testing.assert_close(of_x, torch.tensor([[0.0, 0, 0, 3], [4, 0, 0, 7], [8, 9, 10, 11]]))
    torch.testing.assert_close(of_y, torch.tensor([[1.0, 2], [5, 6]]))
