"""Trains a LeNet on scikit-learn's handwritten digits with operators of phi only, beside the same network in ATen.

Four runs start from the same weights: phi and ATen, eager and compiled. Then the trained network is exported, saved,
loaded and run. Exits with an error if a network learns worse than it should, if phi and ATen part, if compilation
breaks the graph, or if the loaded program computes something else.

    python examples/train_digits.py [--quick]
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor
from torch._dynamo.utils import counters
from tqdm import tqdm

import phi_torch as phi

BATCH, LEARNING_RATE, MOMENTUM = 32, 0.05, 0.9


class LeNet(torch.nn.Module):
    """Images (N, 1, 8, 8) to scores (N, 10). Padding keeps the small images from vanishing: 8 -> 5 -> 3."""

    def __init__(self) -> None:
        super().__init__()
        shapes = {"conv1": (16, 1, 3, 3), "conv2": (32, 16, 3, 3), "fc1": (288, 120), "fc2": (120, 84), "fc3": (84, 10)}
        for name, shape in shapes.items():
            fan_in = shape[0] if len(shape) == 2 else shape[1] * shape[2] * shape[3]
            bias = (1, shape[1]) if len(shape) == 2 else (1, shape[0], 1, 1)
            self.register_parameter(f"{name}_weight", torch.nn.Parameter(torch.randn(shape) * (2 / fan_in) ** 0.5))
            self.register_parameter(f"{name}_bias", torch.nn.Parameter(torch.zeros(bias)))

    def conv(self, x: Tensor, name: str) -> Tensor:
        raise NotImplementedError

    def fc(self, x: Tensor, name: str) -> Tensor:
        raise NotImplementedError

    def relu(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def loss(self, x: Tensor, label: Tensor) -> Tensor:
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv(self.conv(x, "conv1"), "conv2")
        x = self.relu(self.fc(x, "fc1"))
        return self.fc(self.relu(self.fc(x, "fc2")), "fc3")


class PhiLeNet(LeNet):
    def conv(self, x: Tensor, name: str) -> Tensor:
        x = phi.conv2d(x, getattr(self, f"{name}_weight"), paddings=[2, 2])
        x = phi.relu(phi.add(x, getattr(self, f"{name}_bias")))
        return phi.pool2d(x, [2, 2], [2, 2], [0, 0], False, True, "NCHW", "max", False, False, "EXPLICIT")

    def fc(self, x: Tensor, name: str) -> Tensor:
        return phi.fc(x, getattr(self, f"{name}_weight"), getattr(self, f"{name}_bias"))

    def relu(self, x: Tensor) -> Tensor:
        return phi.relu(x)

    def loss(self, x: Tensor, label: Tensor) -> Tensor:
        _, loss = phi.cross_entropy_with_softmax(self(x), label)
        return phi.mean(loss)


class AtenLeNet(LeNet):
    def conv(self, x: Tensor, name: str) -> Tensor:
        x = torch.conv2d(x, getattr(self, f"{name}_weight"), padding=2)
        return torch.max_pool2d(torch.relu(x + getattr(self, f"{name}_bias")), 2)

    def fc(self, x: Tensor, name: str) -> Tensor:
        return x.flatten(1) @ getattr(self, f"{name}_weight") + getattr(self, f"{name}_bias")

    def relu(self, x: Tensor) -> Tensor:
        return torch.relu(x)

    def loss(self, x: Tensor, label: Tensor) -> Tensor:
        return torch.nn.functional.cross_entropy(self(x), label[:, 0])


Step = Callable[[Tensor, Tensor, list[Tensor], Tensor], None]  # parameter, gradient, state, rate


def phi_momentum(parameter: Tensor, gradient: Tensor, state: list[Tensor], rate: Tensor) -> None:
    phi.momentum_(parameter, gradient, state[0], rate, None, MOMENTUM)


def aten_momentum(parameter: Tensor, gradient: Tensor, state: list[Tensor], rate: Tensor) -> None:
    state[0].mul_(MOMENTUM).add_(gradient)
    parameter.sub_(rate * state[0])


def phi_adam(parameter: Tensor, gradient: Tensor, state: list[Tensor], rate: Tensor) -> None:
    phi.adam_(parameter, gradient, rate, state[0], state[1], None, state[2], state[3], None, None)


def aten_adam(parameter: Tensor, gradient: Tensor, state: list[Tensor], rate: Tensor) -> None:
    moment1, moment2, beta1_pow, beta2_pow = state
    moment1.lerp_(gradient, 0.1)
    moment2.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
    correction = (1 - beta2_pow).sqrt()
    parameter.sub_(rate * correction / (1 - beta1_pow) * moment1 / (moment2.sqrt() + 1e-8 * correction))
    beta1_pow.mul_(0.9)
    beta2_pow.mul_(0.999)


# name -> (phi's step, ATen's, learning rate)
OPTIMIZERS: dict[str, tuple[Step, Step, float]] = {
    "momentum": (phi_momentum, aten_momentum, LEARNING_RATE),
    "adam": (phi_adam, aten_adam, 2e-3),
}


def new_state(parameter: Tensor) -> list[Tensor]:
    """Both optimizers' state: two moments (momentum uses the first) and the powers of Adam's betas."""
    moments = [torch.zeros_like(parameter), torch.zeros_like(parameter)]
    return [*moments, torch.full((1,), 0.9), torch.full((1,), 0.999)]


@dataclass
class Run:
    """One network in training; `losses` and `seconds` have a value for each epoch."""

    name: str
    model: LeNet
    step: Step
    compiled: bool
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        wrap: Callable[..., Callable[..., Tensor]] = torch.compile if self.compiled else lambda f, **_: f
        self.loss = wrap(self.model.loss, fullgraph=True)
        self.update = wrap(self.step_all, fullgraph=True)
        self.parameters = list(self.model.parameters())
        self.states = [new_state(p) for p in self.parameters]
        self.rate = torch.empty(1)

    def step_all(self, gradients: list[Tensor]) -> None:
        for parameter, gradient, state in zip(self.parameters, gradients, self.states):
            self.step(parameter, gradient, state, self.rate)

    def epoch(self, batches: list[tuple[Tensor, Tensor]], rate: float, progress: tqdm) -> None:
        self.rate.fill_(rate)
        start, total = time.perf_counter(), 0.0
        for x, label in batches:
            loss = self.loss(x, label)
            gradients = list(torch.autograd.grad(loss, self.parameters))
            with torch.no_grad():
                self.update(gradients)
            total += loss.item()
            progress.update()
        self.seconds.append(time.perf_counter() - start)
        self.losses.append(total / len(batches))

    def accuracy(self, x: Tensor, label: Tensor) -> float:
        with torch.no_grad():
            return (self.model(x).argmax(1) == label[:, 0]).float().mean().item()

    @property
    def epoch_time(self) -> float:
        """Milliseconds of the fastest epoch; compilation is in the first."""
        return 1e3 * min(self.seconds[1:])


def digits() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Train and test images (N, 1, 8, 8) in [0, 1], and labels (N, 1)."""
    images, labels = load_digits(return_X_y=True)
    split = train_test_split(images / 16, labels, test_size=0.2, random_state=0, stratify=labels)
    x, test_x, y, test_y = (torch.from_numpy(part) for part in split)
    return x.float().view(-1, 1, 8, 8), y.view(-1, 1), test_x.float().view(-1, 1, 8, 8), test_y.view(-1, 1)


def shuffled(x: Tensor, label: Tensor, epoch: int) -> list[tuple[Tensor, Tensor]]:
    """Full batches in another order for each epoch, with a little noise against overfitting."""
    generator = torch.Generator().manual_seed(epoch)
    order = torch.randperm(len(x), generator=generator)[: len(x) // BATCH * BATCH]
    noisy = x + 0.1 * torch.randn(x.shape, generator=generator)
    return [(noisy[rows], label[rows]) for rows in order.split(BATCH)]


def train(epochs: int, x: Tensor, label: Tensor, optimizer: str) -> list[Run]:
    torch.manual_seed(0)
    weights = LeNet().state_dict()
    runs = []
    phi_step, aten_step, learning_rate = OPTIMIZERS[optimizer]
    for name, kind, step in (("phi", PhiLeNet, phi_step), ("aten", AtenLeNet, aten_step)):
        for compiled in (False, True):
            model = kind()
            model.load_state_dict(weights)
            runs.append(Run(f"{name} {'compiled' if compiled else 'eager'}", model, step, compiled))
    with tqdm(total=epochs * len(runs) * (len(x) // BATCH), unit="batch", disable=None) as progress:
        for epoch in range(epochs):
            batches = shuffled(x, label, epoch)
            for run in runs:
                progress.set_description(f"epoch {epoch + 1}/{epochs}, {run.name}")
                run.epoch(batches, learning_rate * (1 - epoch / epochs), progress)
    return runs


def export(model: LeNet, x: Tensor) -> tuple[list[str], float]:
    """The operators of the exported network, and the largest difference after saving and loading it."""
    batch = torch.export.Dim("batch", min=2)
    program = torch.export.export(model.eval(), (x[:4],), dynamic_shapes={"x": {0: batch}})
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    loaded = torch.export.load(file)
    with torch.no_grad():
        difference = (loaded.module()(x) - model(x)).abs().max().item()
    return [str(node.target) for node in loaded.graph.nodes if node.op == "call_function"], difference


def checks(runs: list[Run], x: Tensor, label: Tensor, wanted: float) -> Iterator[tuple[bool, str]]:
    """Whether each claim holds, and the claim."""
    phi_run, phi_compiled, aten, aten_compiled = runs
    for run in runs:
        accuracy = run.accuracy(x, label)
        yield accuracy >= wanted, f"{run.name}: test accuracy {accuracy:.1%}, at least {wanted:.0%}"
    for ours, theirs in ((phi_run, aten), (phi_compiled, aten_compiled)):
        first = abs(ours.losses[0] - theirs.losses[0])
        yield first < 1e-3, f"{ours.name}: the loss of the first epoch differs from {theirs.name}'s by {first:.1e}"
    breaks = sum(counters["graph_break"].values())
    yield breaks == 0, f"torch.compile(fullgraph=True): {counters['stats']['unique_graphs']} graphs, {breaks} graph breaks"
    operators, difference = export(phi_run.model, x)
    ours = [name for name in operators if name.startswith("phi.")]
    yield ours == operators, f"torch.export: {len(ours)} of {len(operators)} operators are phi's"
    yield difference < 1e-5, f"saved and loaded, the program differs by {difference:.1e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer epochs, a lower bar")
    parser.add_argument("--optimizer", choices=sorted(OPTIMIZERS), default="momentum")
    options = parser.parse_args()
    quick = options.quick
    counters.clear()
    x, label, test_x, test_label = digits()
    runs = train(3 if quick else 12, x, label, options.optimizer)

    phi_run, phi_compiled, aten, aten_compiled = runs
    print(f"\n{'epoch':>5} {'loss, phi':>10} {'loss, aten':>11} {'difference: eager':>18} {'compiled':>9}")
    for i, (a, b) in enumerate(zip(phi_run.losses, aten.losses)):
        compiled = abs(phi_compiled.losses[i] - aten_compiled.losses[i])
        print(f"{i + 1:5} {a:10.4f} {b:11.4f} {abs(a - b):18.1e} {compiled:9.1e}")
    print(f"\n{'run':15} {'accuracy':>8} {'ms per epoch':>13} {'to aten':>8}")
    for run, base in zip(runs, (aten, aten_compiled) * 2):
        ratio = run.epoch_time / base.epoch_time
        print(f"{run.name:15} {run.accuracy(test_x, test_label):8.1%} {run.epoch_time:13.1f} {ratio:8.2f}")
    print()
    failed = 0
    for holds, text in checks(runs, test_x, test_label, 0.88 if quick else 0.97):
        print(f"{'ok    ' if holds else 'FAILED'} {text}")
        failed += not holds
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
