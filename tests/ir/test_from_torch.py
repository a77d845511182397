"""Graphs of torch as programs, and torch.compile by them: values, gradients, sizes, weights, what cannot be converted."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import phi_torch
from phi_torch import ir
from phi_torch.ir.backend import Compiled, Options, phi
from phi_torch.ir.from_torch.graph import Conversion


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.second(F.relu(self.norm(self.first(x)))) + x)


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out, self.norm = nn.Linear(8, 24), nn.Linear(8, 8), nn.LayerNorm(8)

    def forward(self, x: Tensor) -> Tensor:
        b, n, _ = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, n, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q @ k.transpose(-1, -2) / 2.0).softmax(-1)
        return x + self.out((scores @ v).transpose(1, 2).reshape(b, n, 8))


class Llama(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.gate, self.up, self.down = (nn.Linear(i, o, bias=False) for i, o in ((8, 16), (8, 16), (16, 8)))
        self.weight = nn.Parameter(torch.ones(8))

    def forward(self, x: Tensor) -> Tensor:
        h = self.attention(x)
        y = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight
        return h + self.down(F.silu(self.gate(y)) * self.up(y))


class Embedding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(11, 6)

    def forward(self, i: Tensor) -> Tensor:
        return F.log_softmax(self.table(i).sum(1), -1)


class Counting(nn.Module):
    count: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1  # type: ignore[assignment, operator]
        return self.layer(x) * self.count


class Function(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function
        self.w = nn.Parameter(torch.linspace(-1, 1, 16).reshape(4, 4))

    def forward(self, *x: Tensor) -> Any:
        return self.function(self.w, *x)


def mutation(w: Tensor, x: Tensor) -> Tensor:
    y = x @ w
    y[0] = 1.0
    y.mul_(2).relu_()
    return y


def mutated_input(w: Tensor, x: Tensor) -> Tensor:
    x.add_(1)
    return x @ w


def views(w: Tensor, x: Tensor) -> tuple[Tensor, ...]:
    y = (x @ w).t()
    a, b = y.chunk(2, 0)
    return a.flatten(), b[:, 1:], y.unsqueeze(0).expand(2, 4, -1), x[::2]


def broken(w: Tensor, x: Tensor) -> Tensor:
    y = (x @ w).sin()
    torch._dynamo.graph_break()
    return y.cos() @ w


def branch(w: Tensor, x: Tensor) -> Tensor:
    return (x @ w).tanh() if x.sum() > 0 else x @ w - 1


def many(w: Tensor, x: Tensor) -> dict[str, Tensor]:
    return {"a": (x @ w).exp(), "b": x.new_zeros(2) + w.sum(), "c": torch.where(x > 0, x, x * 0.5) @ w}


def sizes(w: Tensor, x: Tensor) -> Tensor:
    n = x.shape[0]
    return (x @ w).reshape(2 * n, 2).repeat(1, 2)[: n + 1] / n


def double(*shape: int) -> Tensor:
    return torch.randn(shape, dtype=torch.float64)


X = (4, 4)
MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[Any, ...]]] = {
    "mlp": (lambda: nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), (X,)),
    "mlp_gelu": (lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3), nn.Softmax(-1)), (X,)),
    "cnn": (lambda: nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 3)), ((2, 1, 8, 8),)),
    "norm": (lambda: nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.Hardswish()), ((2, 1, 8, 8),)),
    "transposed": (lambda: nn.Sequential(nn.ConvTranspose2d(4, 2, 2, 2), nn.Sigmoid()), ((2, 4, 3, 3),)),
    "residual": (Residual, ((2, 4, 5, 5),)),
    "pooling": (lambda: nn.Sequential(nn.Conv2d(1, 4, 3), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1)), ((2, 1, 8, 8),)),
    "attention": (Attention, ((2, 3, 8),)),
    "llama": (Llama, ((2, 3, 8),)),
    "fused_attention": (lambda: Function(lambda w, x: F.scaled_dot_product_attention(x, x @ w, x)), ((2, 1, 4, 4),)),
    "encoder": (lambda: nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), ((2, 3, 8),)),
    "gru": (lambda: nn.GRU(4, 5, batch_first=True), ((2, 3, 4),)),
    "embedding": (Embedding, (torch.tensor([[1, 2], [3, 10]]),)),
    "embedding_bag": (lambda: nn.Sequential(nn.EmbeddingBag(9, 4), nn.Linear(4, 2)), (torch.tensor([[1, 2, 8], [3, 3, 0]]),)),
    "cross_entropy": (lambda: Function(lambda w, x: F.cross_entropy(x @ w, torch.arange(4))), (X,)),
    "scalars": (lambda: Function(lambda w, x: (3 - x @ w) / 7 + 1 / (x * x + 1)), (X,)),
    "reductions": (lambda: Function(lambda w, x: (x @ w).var(1) + x.amax(1) + x.std() + w.prod()), (X,)),
    "indexing": (lambda: Function(lambda w, x: (x @ w)[torch.tensor([0, 2])].cumsum(1)), (X,)),
    "topk": (lambda: Function(lambda w, x: (x @ w).topk(2)), (X,)),
    "mutation": (lambda: Function(mutation), (X,)),
    "mutated_input": (lambda: Function(mutated_input), (X,)),
    "counting": (Counting, (X,)),
    "views": (lambda: Function(views), (X,)),
    "graph_break": (lambda: Function(broken), (X,)),
    "branch": (lambda: Function(branch), (X,)),
    "many_outputs": (lambda: Function(many), (X,)),
    "sizes": (lambda: Function(sizes), (X,)),
}


def leaves(found: Any) -> list[Tensor]:
    return [one for one in torch.utils._pytree.tree_leaves(found) if isinstance(one, Tensor)]


def step(model: nn.Module, call: Callable[..., Any], inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a step of training, and what the state is after it."""
    found = leaves(call(*inputs))
    model.zero_grad()
    sum((one.sin() * 2).sum() for one in found if one.requires_grad).backward()  # type: ignore[union-attr]
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return [*found, *model.state_dict().values(), *inputs]


def same(ours: Sequence[Tensor], theirs: Sequence[Tensor]) -> None:
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        torch.testing.assert_close(a, b)


@pytest.mark.parametrize("name", MODELS)
def test_models_are_what_they_are_in_eager(name: str):
    torch._dynamo.reset()
    make, shapes = MODELS[name]
    torch.manual_seed(0)
    ours, inputs = make().double(), [double(*one) if isinstance(one, tuple) else one for one in shapes]
    theirs = make().double()
    theirs.load_state_dict(ours.state_dict())
    fast = torch.compile(ours, backend=phi)
    with torch.no_grad():
        same(leaves(fast(*(x.clone() for x in inputs))), leaves(theirs(*(x.clone() for x in inputs))))
    for _ in range(2):
        same(step(ours, fast, [x.clone() for x in inputs]), step(theirs, theirs, [x.clone() for x in inputs]))


@pytest.mark.parametrize("name", ["mlp", "attention", "llama"])
def test_sizes_that_change_compile_once(name: str, monkeypatch: pytest.MonkeyPatch):
    torch._dynamo.reset()
    compiled = []
    original = ir.compile

    def counted(*args: Any, **kwargs: Any) -> Any:
        compiled.append(args)
        return original(*args, **kwargs)

    monkeypatch.setattr(ir, "compile", counted)
    torch.manual_seed(0)
    make, (shape,) = MODELS[name]
    model = make().double().eval()
    fast = torch.compile(model, backend=phi, dynamic=True)
    with torch.no_grad():
        for rows in (2, 3, 7):
            x = double(rows, *shape[1:])
            torch.testing.assert_close(fast(x), model(x))
    assert len(compiled) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.transpose(1, 2),
        lambda x: x[:, 1:].permute(2, 0, 1),
        lambda x: (x + 1, x.transpose(0, 1)[1:]),
        lambda x: x.permute(0, 2, 1).unflatten(1, (2, x.shape[2] // 2)),
        lambda x: x.chunk(2, 1)[1],
    ],
)
@pytest.mark.parametrize("trains", [False, True])
def test_views_of_inputs_with_sizes_that_change_are_views(function: Callable[..., Any], trains: bool):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="phi", dynamic=True)
    for length in (3, 5, 7):
        x = torch.randn(2, length, 4, requires_grad=trains)
        for ours, theirs in zip(tree_leaves(compiled(x)), tree_leaves(function(x)), strict=True):
            assert torch.equal(ours, theirs) and ours._is_view() == theirs._is_view()


@pytest.mark.parametrize("shape", [(2, 4), (2, 4, 3), (2, 4, 3, 3), (2, 4, 3, 3, 2)])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_batch_norms_of_all_ranks_train(shape: tuple[int, ...], affine: bool, training: bool):
    torch._dynamo.reset()
    kind = [nn.BatchNorm1d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d][len(shape) - 2]
    norm = kind(4, affine=affine, dtype=torch.float64).train(training)
    norm.running_mean.normal_(), norm.running_var.uniform_(0.5, 2)
    found = []
    for backend in ("eager", "phi"):
        one = copy.deepcopy(norm)
        torch.manual_seed(0)
        x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        out = torch.compile(one, backend=backend)(x)
        out.square().mul(torch.randn(shape, dtype=torch.float64)).sum().backward()
        found.append([x.grad, *(p.grad for p in one.parameters()), *one.buffers()])
    torch.testing.assert_close(found[1], found[0])
    with torch.no_grad():
        torch.testing.assert_close(torch.compile(norm.eval(), backend="phi")(x), norm(x))


def test_kernels_are_nothing_for_dispatch_modes():
    class Refusing(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            raise AssertionError(f"{func} was called")

    def model(x: Tensor) -> Tensor:
        return torch.special.zeta(x.exp() + 1, x.exp()).sum()  # which is torch.call

    x = torch.randn(3, 4)
    compiled = Compiled(Conversion(make_fx(model, tracing_mode="fake")(x), returns_inputs=False), Options())
    with Refusing():
        (found,) = compiled([x])
    torch.testing.assert_close(found, model(x))


def test_a_list_of_which_the_first_is_not_used():
    def model(x: torch.Tensor) -> torch.Tensor:
        return x.split(2, 1)[1] * x.chunk(3, 1)[2]

    x = torch.randn(3, 6)
    (found,) = ir.compile(Function(lambda _, x: model(x)), (x,))(x)
    assert torch.equal(found, model(x)) and torch.equal(torch.compile(model, backend="phi")(x), found)


def test_random_numbers_are_torchs():
    torch._dynamo.reset()
    model = nn.Sequential(nn.Linear(4, 64), nn.Dropout(0.5)).train()
    fast, x = torch.compile(model, backend="aot_eager"), torch.ones(2, 4)
    ours = torch.compile(model, backend=phi)
    found = []
    for call in (fast, ours):
        torch.manual_seed(3)
        found.append(call(x))
    torch.testing.assert_close(*found)


def test_a_graph_that_cannot_be_converted_runs_with_a_warning():
    torch._dynamo.reset()
    fast = torch.compile(lambda x: torch.as_strided(x, (2, 2), (1, 2), 3) + 1, backend=phi)
    x = torch.randn(8)[:4]
    with pytest.warns(UserWarning, match="the inference graph runs as it is: node 'as_strided' .*: it reads memory"):
        torch.testing.assert_close(fast(x), torch.as_strided(x, (2, 2), (1, 2), 3) + 1)


@pytest.mark.parametrize(
    "size, stride, offset, calls",
    [
        ((3, 4), (4, 1), None, []),
        ((2, 3, 2), (6, 2, 1), 0, ["reshape"]),
        ((3, 1, 4), (1, 9, 3), 0, ["reshape", "transpose"]),
        ((2, 2), (1, 2), 3, ["as_strided"]),
        ((2, 3), (0, 2), 1, ["as_strided"]),
    ],
)
@pytest.mark.parametrize("order", [lambda x: x, lambda x: x.t().contiguous().t()])
def test_strided_parts_of_values(order: Any, size: Sequence[int], stride: Sequence[int], offset: int | None, calls: list[str]):
    """As the argument lies in memory for torch, whatever it is in the program."""
    x = order(torch.randn(3, 4))
    module = make_fx(lambda x: (x * 2).as_strided(size, stride, offset))(x)
    program = ir.from_fx(module, [x])
    names = [op.name.removeprefix("pd_op.") for op in program.walk()]
    assert "torch.call" not in names and set(calls) <= set(names)
    (found,) = ir.compile(program)(x)
    torch.testing.assert_close(found, module(x))


@pytest.mark.parametrize("size, stride, offset", [((4, 3), (1, 4), 0), ((12,), (1,), None), ((2, 2), (1, 4), 3)])
@pytest.mark.parametrize("order", [lambda x: x, lambda x: x.t().contiguous().t()])
@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64, torch.bool])
def test_strided_parts_are_put(dtype: torch.dtype, order: Any, size: Sequence[int], stride: Sequence[int], offset: int | None):
    x, source = order(torch.randn(3, 4) > 0).to(dtype), (torch.randn(size) > 0).to(dtype)
    scatter = torch.as_strided_scatter
    module = make_fx(lambda x, y: scatter(x + x, y, size, stride, offset))(x, source)
    (found,) = ir.compile(ir.from_fx(module, [x, source]))(x, source)
    torch.testing.assert_close(found, module(x, source))


def test_gradients_of_a_mean_of_images_are_in_the_program(recwarn: pytest.WarningsRecorder):
    """AOTAutograd tells by as_strided how it lies that is 1 x 1."""
    torch._dynamo.reset()
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1))
    x = torch.randn(2, 3, 8, 8, requires_grad=True)

    def function(x: Tensor) -> Tensor:
        return model(x.contiguous(memory_format=torch.channels_last)).squeeze(3).squeeze(2)

    gradients = [torch.autograd.grad(run(x).sin().sum(), x) for run in (torch.compile(function, backend=phi), function)]
    torch.testing.assert_close(*gradients)
    assert not [one for one in recwarn if "runs as it is" in str(one.message)]


def test_options(capfd: pytest.CaptureFixture[str], tmp_path: Path):
    torch._dynamo.reset()
    layer, x = nn.Linear(4, 4), torch.randn(2, 4)
    with pytest.raises(Exception, match="no option 'levl'; there are level, passes, freezing"):
        torch.compile(layer, backend=phi, options={"levl": 1})(x)
    with pytest.raises(Exception, match="no pass has the name 'winnograd'; near: winograd"):
        torch.compile(layer, backend=phi, options={"passes": "winnograd"})(x)
    torch._dynamo.reset()
    fast = torch.compile(layer, backend=phi, options={"level": 0, "freezing": True, "dump": str(tmp_path / "dump")})
    with torch.no_grad():
        torch.testing.assert_close(fast(x), layer(x))
    text = (tmp_path / "dump").read_text()
    assert "# inference\nphi.program 1" in text and "builtin.parameter" in text


def test_the_backend_is_found_by_its_name_and_costs_nothing_before():
    code = (
        "import sys, torch, phi_torch; assert 'phi_torch.ir' not in sys.modules; import torch._dynamo as d;"
        "assert 'phi' in d.list_backends(None);"
        "print(torch.compile(torch.nn.Linear(2, 2), backend='phi')(torch.ones(1, 2)).shape)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout == "torch.Size([1, 2])\n", found.stderr


def test_exported_programs(tmp_path: Path):
    model: Any = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(256, 3)).eval()
    x = torch.randn(2, 3, 8, 8)
    run = ir.compile(model, (x,), dynamic_shapes=({0: torch.export.Dim("batch", min=1)},))
    for rows in (2, 1, 5):
        x = torch.randn(rows, 3, 8, 8)
        torch.testing.assert_close(run(x)[0], model(x).detach(), rtol=1e-4, atol=1e-5)
    exported = torch.export.export(model, (x,))
    program = ir.from_exported(exported)
    assert program.weights["0.weight"].data.data_ptr() == model[0].weight.data_ptr()
    torch.export.save(exported, tmp_path / "model.pt2")
    again: Any = ir.to_module(ir.load(tmp_path / "model.pt2"))
    torch.testing.assert_close(again(x), model(x))
    assert set(dict(again.named_parameters())) == set(dict(model.named_parameters()))
    with pytest.raises(TypeError, match="a module needs examples of its `inputs`"):
        ir.compile(model)


class Nested(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> Any:
        return {"a": [x + y, (x * y, x)], "b": 3, "c": [y, x + y]}


def test_all_tensors_that_are_returned_are_outputs():
    x, y = torch.randn(2, 3), torch.randn(2, 3)
    programs: list[Any] = [
        ir.from_fx(torch.fx.symbolic_trace(Nested()), (x, y)),
        ir.from_exported(torch.export.export(Nested(), (x, y))),
    ]
    for program in programs:
        for run in (ir.compile(program), ir.compile(ir.parse(str(program))), ir.to_module(program)):
            for got, expected in zip(run(x, y), (x + y, x * y, x, y, x + y), strict=True):
                assert torch.equal(got, expected)
    assert len(ir.compile(Nested(), (x, y))(x, y)) == 5
    compiled = torch.compile(Nested(), backend="phi")(x, y)
    assert compiled["b"] == 3 and compiled["a"][1][1] is x and compiled["c"][0] is y


def test_an_absent_result_is_no_output():
    def call(x, scale):
        return phi_torch.quantize_linear(x, scale, scale, None, None, -1)

    example = torch.randn(2, 3), torch.ones(1)
    graph = make_fx(call, tracing_mode="fake")(*example)
    with pytest.raises(ir.GraphError, match="output 'getitem_1': in a program it is absent"):
        ir.from_fx(graph, example)


def test_graphs_of_modules_are_traced():
    model: Any = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True), nn.LayerNorm(4))
    x = torch.randn(3, 4)
    program = ir.from_fx(torch.fx.symbolic_trace(model), (x,))
    names = [op.name for op in program.walk()]
    assert "pd_op.relu" in names and "torch.call" not in names
    torch.testing.assert_close(ir.compile(program)(x)[0], model(x).detach())
    assert program.weights["_param_constant0"].data.data_ptr() == model[0].weight.data_ptr()
