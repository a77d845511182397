"""What an op is compared on: its samples, the same with other sizes, and the values at the edges."""

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import torch

from phi_torch.testing import Case, Sample, T
from phi_torch.testing.case import clone
from phi_torch.testing.samples import leaves

NAN, INF = float("nan"), float("inf")
ELEMENTWISE = ("unary", "binary")


class Named(NamedTuple):
    name: str
    sample: Sample
    seed: int = 0


# Draws large enough for their moments to mean something, for the ops whose values are random.
DRAWS: Mapping[str, list[Sample]] = {
    "binomial": [Sample(torch.full((40000,), n), T(40000, low=p, high=p, grad=False)) for n, p in ((6.0, 0.3), (50.0, 0.9))],
    "dirichlet": [Sample(torch.tensor([[0.5, 2.0, 3.0]]).expand(20000, 3).contiguous())],
    "poisson": [Sample(T(40000, low=m, high=m, grad=False)) for m in (0.5, 20.0)],
    "standard_gamma": [Sample(T(40000, low=a, high=a, grad=False)) for a in (2.0, 9.0)],
    "bernoulli": [Sample(T(200, 200, low=0.25, high=0.25, grad=False))],
    "randint": [Sample(-3, 9, [40000], dtype) for dtype in (torch.int32, torch.int64)],
    "truncated_gaussian_random": [Sample([40000], 1.0, 2.0, 0, -1.0, 2.0, dtype) for dtype in (torch.float32, torch.float64)],
    "gaussian_inplace": [Sample(T(200, 200, grad=False), 1.0, 2.0)],
    "gumbel_softmax": [Sample(T(20000, 2, low=0, high=0, grad=False), 0.5)],
    "uniform_inplace": [Sample(T(200, 200, grad=False), -1.0, 3.0)],
    "dropout": [
        Sample(T(200, 200, low=1, high=1), None, 0.3, False, "upscale_in_train"),
        Sample(T(200, 200, low=1, high=1), None, 0.3, False, "downgrade_in_infer"),
    ],
    "gaussian": [Sample([40000], 1.0, 2.0, 0, dtype) for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.complex64)],
    "uniform": [Sample([40000], dtype, -1.0, 3.0, 0) for dtype in (torch.float32, torch.float64, torch.bfloat16)],
}


class Edges(T):
    """The values where functions are special, repeated; the tensors of one call meet in all pairs."""

    def __init__(self, like: T, number: int, tensors: int) -> None:
        super().__init__(*like.shape, dtype=like.dtype, low=like.low, high=like.high, grad=like.grad)
        self.number, self.tensors = number, tensors

    def __repr__(self) -> str:
        return "edges"

    def make(self, dtype: torch.dtype, device: str, generator: torch.Generator) -> torch.Tensor:
        dtype = self.dtype or dtype
        values = edges(dtype)
        repeated = values.repeat_interleave(len(values) ** self.number).repeat(len(values) ** (self.tensors - 1 - self.number))
        return repeated.to(device)


def edges(dtype: torch.dtype) -> torch.Tensor:
    if dtype is torch.bool:
        return torch.tensor([False, True])
    if not dtype.is_floating_point and not dtype.is_complex:
        limits = torch.iinfo(dtype)
        return torch.tensor([limits.min, limits.max, 0, 1, 3, limits.max // 2 + 1], dtype=dtype)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 30.0, -30.0, 88.5, -100.0, 1e-30]
    return torch.tensor(values if dtype.is_complex else [NAN, INF, -INF, *values], dtype=torch.float64).to(dtype)


def samples(case: Case) -> Iterator[Named]:
    """All of them, the same in each run."""
    named = [Named(text(sample), sample) for sample in case.samples]
    yield from named
    for index, found in enumerate(named):
        if derived := _resized(case, found.sample, index + 1):
            yield Named(f"{text(derived)} resized", derived, index + 1)
    if case.info.category in ELEMENTWISE:
        sample, tensors = case.samples[0], len(case.samples[0].tensors())
        numbers = iter(range(tensors))
        edged = sample.map(lambda t: Edges(t, next(numbers), tensors))
        yield Named(text(edged), edged)


def text(sample: Sample) -> str:
    return " ".join(repr(sample).removeprefix("Sample").split())


def _resized(case: Case, sample: Sample, seed: int) -> Sample | None:
    """The sample with equal sizes exchanged for equal others; None if the op refuses that or the sample has no sizes."""
    choose = random.Random(f"{case.op} {seed}")
    sizes = {n for t in sample.tensors() for n in t.shape} - {0, 1}
    if not sizes:
        return None
    for _ in range(5):
        new = {0: 0, 1: 1, **{n: choose.randint(2, 9) for n in sorted(sizes)}}
        derived = sample.map(lambda t, new=new: t.resized(tuple(new[n] for n in t.shape)))
        try:
            outputs = case.call(clone(derived.make(case.float_dtype, seed=seed)))
        except (ValueError, IndexError, TypeError, RuntimeError):
            continue
        if any(isinstance(o, torch.Tensor) and o.numel() for o in leaves(outputs)):
            return derived
    return None
