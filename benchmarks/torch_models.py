"""Models of torch: eager, `ir.compile`, `torch.compile(backend="phi")` and Inductor, one thread.

python benchmarks/torch_models.py [--training] [--batch N] [--no-inductor] [--rounds N] [MODEL ...]

Sides take turns; a figure is the median of the rounds, in microseconds of the processor, a ratio the median of their ratios.
All take the parameters as constants where there is no training. The name of a model may end in the
passes of `ir.compile`: `resnet18:winograd`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import geometric_mean, median
from typing import Any

import torch
from torch import Tensor, nn
from torch._inductor import config as inductor
from torch.nn import functional as F

from phi_torch import ir


class Residual(nn.Module):
    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        stride = 1 if channels == width else 2
        convs = [nn.Conv2d(channels, width, 3, stride, 1, bias=False), nn.Conv2d(width, width, 3, padding=1, bias=False)]
        self.convs, self.norms = nn.ModuleList(convs), nn.ModuleList(nn.BatchNorm2d(width) for _ in range(2))
        point = nn.Conv2d(channels, width, 1, stride, bias=False)
        self.shortcut = nn.Identity() if stride == 1 else nn.Sequential(point, nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norms[0](self.convs[0](x)))
        return F.relu(self.norms[1](self.convs[1](y)) + self.shortcut(x))


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (one(x).view(*x.shape[:2], self.heads, -1).transpose(1, 2) for one in (self.q, self.k, self.v))
        scores = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1)
        return self.out((scores @ v).transpose(1, 2).reshape(x.shape))


class Bert(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.attention, self.first, self.second = Attention(width, 4), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        x = self.norms[0](x + self.attention(x))
        return self.norms[1](x + self.second(F.gelu(self.first(x))))


class Llama(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.attention, self.norms = Attention(width, 4), nn.ModuleList(nn.RMSNorm(width, 1e-6) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norms[0](x))
        y = self.norms[1](x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))


def lenet() -> nn.Module:
    features = [nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*features, nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def resnet() -> nn.Module:
    blocks = [nn.Sequential(Residual(8, 8), Residual(8, 8)), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)]
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), *blocks)


def convs() -> nn.Module:
    return nn.Sequential(*(nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.ReLU()) for _ in range(6)))


def resnet18() -> nn.Module:
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    widths = (64, 64, 64, 128, 128, 256, 256, 512, 512)
    blocks = [Residual(channels, width) for channels, width in pairwise(widths)]
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {  # with the shape of the input
    "mlp": (mlp, (1, 784)),
    "lenet": (lenet, (1, 1, 28, 28)),
    "resnet": (resnet, (1, 3, 48, 48)),
    "bert": (lambda: Bert(64), (1, 16, 64)),
    "llama": (lambda: Llama(64), (1, 16, 64)),
    "bert_4": (lambda: nn.Sequential(*(Bert(256) for _ in range(4))), (1, 128, 256)),
    "convs": (convs, (1, 64, 56, 56)),
    "resnet18": (resnet18, (1, 3, 224, 224)),
}
PASSES: dict[str, list[int | str]] = {"": [3], "2": [2], "winograd": [3, "winograd"]}
DEFAULT = [*MODELS, *(f"{name}:{passes}" for name in ("convs", "resnet18") for passes in ("2", "winograd"))]
SMALL = ["mlp", "lenet", "resnet", "bert", "llama"]
LONG = 3e-3  # seconds of a call that is measured by itself
Call = Callable[[Tensor], Any]


def inference(name: str, batch: int, with_inductor: bool) -> tuple[dict[str, Call], Tensor]:
    """The sides of a model, and its input."""
    model, x = made(name, batch)
    model.eval()
    sides: dict[str, Call] = {"eager": model, "ir": ir.compile(model, (x,), passes=PASSES[name.partition(":")[2]])}
    sides["phi"] = torch.compile(model, backend="phi", options={"freezing": True})
    if with_inductor:
        sides["inductor"] = frozen_by_inductor(model)
    return {side: torch.no_grad()(call) for side, call in sides.items()}, x


def frozen_by_inductor(model: nn.Module) -> Call:
    compiled: list[Call] = []

    def call(x: Tensor) -> Tensor:
        if compiled:
            return compiled[0](x)
        compiled.append(torch.compile(model))
        with inductor.patch(freezing=True):  # for this call alone: tracing for another backend reads it, too
            return compiled[0](x)

    return call


def training(name: str, batch: int, with_inductor: bool) -> tuple[dict[str, Call], Tensor]:
    """The same, with the gradients of the mean of the squares; `ir` is the module that is made of the program, run by eager."""
    model, x = made(name, batch)
    program = ir.from_exported(torch.export.export(model, (x,)))

    def step(call: Call) -> Call:
        def run(x: Tensor) -> Tensor:
            loss = call(x).square().mean()
            loss.backward()
            return loss

        return run

    sides = {"eager": step(model), "ir": step(ir.to_module(program)), "phi": step(torch.compile(model, backend="phi"))}
    if with_inductor:
        sides["inductor"] = step(torch.compile(model))
    return sides, x


def made(name: str, batch: int) -> tuple[nn.Module, Tensor]:
    make, shape = MODELS[name.partition(":")[0]]
    torch.manual_seed(0)
    torch._dynamo.reset()
    return make(), torch.randn(batch, *shape[1:])


def seconds(call: Call, x: Tensor, calls: int, clock: Callable[[], float]) -> float:
    begin = clock()
    for _ in range(calls):
        call(x)
    return (clock() - begin) / calls


def measured(sides: dict[str, Call], x: Tensor, calls: int, clock: Callable[[], float]) -> dict[str, float]:
    return {side: seconds(call, x, calls, clock) for side, call in sides.items()}


def compare(sides: dict[str, Call], x: Tensor, rounds: int) -> tuple[dict[str, float], list[dict[str, float]]]:
    """Seconds of each side's first call, and of calls in rounds.

    Raises:
        AssertionError: two sides give different results.
    """
    firsts = measured(sides, x, 1, time.perf_counter)  # compilers are processes of their own
    for _ in range(20):
        found = [call(x) for call in sides.values()]
    for one in found[1:]:
        torch.testing.assert_close(one[0] if isinstance(one, tuple) else one, found[0], rtol=1e-3, atol=1e-4)
    calls = 1 if seconds(sides["eager"], x, 1, time.perf_counter) > LONG else 100
    return firsts, [measured(sides, x, calls, time.process_time) for _ in range(rounds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(DEFAULT))
    parser.add_argument("--training", action="store_true", help="with gradients; `ir` is ir.to_module")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--no-inductor", action="store_true", help="which takes seconds for each model")
    options = parser.parse_args()
    torch.set_num_threads(1)
    pairs = (("ir", "eager"), ("phi", "eager"), ("ir", "inductor"), ("phi", "inductor"))
    columns = [" / ".join(pair) for pair in pairs]
    ratios: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
    print(f"{'us':18}{'eager':>10}{'ir':>10}{'phi':>10}{'inductor':>10}", *(f"{one:>14}" for one in columns), " first calls, s")
    for name in options.models or (SMALL if options.training else DEFAULT):
        sides, x = (training if options.training else inference)(name, options.batch, not options.no_inductor)
        firsts, rounds = compare(sides, x, options.rounds)
        line = f"{name:18}" + "".join(f"{median(one[side] for one in rounds) * 1e6:10.1f}" for side in sides)
        for (ours, theirs), each in ratios.items():
            if theirs in sides:
                each.append(median(one[ours] / one[theirs] for one in rounds))
                line += f"{each[-1]:15.2f}"
        print(line, *(f" {side} {one:.2f}" for side, one in firsts.items() if side in ("phi", "inductor")), flush=True)
    means = [f"{geometric_mean(each):15.2f}" for each in ratios.values() if each]
    print(f"{'geometric mean':58}" + "".join(means))


if __name__ == "__main__":
    main()
