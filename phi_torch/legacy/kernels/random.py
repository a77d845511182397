"""Kernels of random operators that programs alone have; numbers are those of torch's generator, not Paddle's."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .._operators import Operands, operator
from .table import kernel, uniform_raw, with_size_of

_MULTIPLIER, _MODULUS = 16807, 2**31 - 1  # of the generator that C++ calls minstd_rand0


@kernel("randint_with_seed(int low, int high, int[] shape, int seed, ScalarType dtype, *, Device? device=None) -> Tensor")
def randint_with_seed(
    low: int, high: int, shape: Sequence[int] | Tensor, seed: int, dtype: torch.dtype, device: torch.device | None
) -> Tensor:
    sizes = shape.tolist() if isinstance(shape, Tensor) else shape
    if seed == 0:
        return phi.randint(low, high, sizes, dtype, device)
    generator = torch.Generator(device or "cpu").manual_seed(seed)
    return torch.randint(low, high, tuple(sizes), dtype=dtype, device=device, generator=generator)


@kernel(
    "uniform_random_batch_size_like(Tensor input, int[] shape, int input_dim_idx, int output_dim_idx, float min, float max,"
    " int seed, int diag_num, int diag_step, float diag_val, ScalarType dtype) -> Tensor"
)
def uniform_random_batch_size_like(
    input: Tensor,
    shape: Sequence[int],
    input_dim_idx: int,
    output_dim_idx: int,
    min: float,
    max: float,
    seed: int,
    diag_num: int,
    diag_step: int,
    diag_val: float,
    dtype: torch.dtype,
) -> Tensor:
    sizes = with_size_of(input, shape, input_dim_idx, output_dim_idx)
    return uniform_raw(sizes, dtype, min, max, seed, diag_num, diag_step, diag_val, input.device)


@kernel("sampling_id(Tensor x, float min, float max, int seed) -> Tensor")
def sampling_id(x: Tensor, min: float, max: float, seed: int) -> Tensor:
    """For each row of probabilities the first column at which their sum passes a random number from `min` to `max`."""
    if x.dim() != 2 or not max > min:
        raise ValueError(f"slot X: expected a matrix, and max above min, got shape {[*x.shape]}, {min}, {max}")
    wanted = phi.uniform([len(x), 1], torch.float32, min, max, seed, x.device).to(x.dtype)
    return (x.cumsum(1) < wanted).sum(1).clamp_max(x.shape[1] - 1)


@kernel("seed(int seed, bool deterministic, str rng_name, bool force_cpu, *, Device? device=None) -> Tensor")
def seed(seed: int, deterministic: bool, rng_name: str, force_cpu: bool, device: torch.device | None) -> Tensor:
    """The seed of operators after it: a random one if it is 0, shape [1]."""
    value = seed if seed != 0 else int(torch.randint(1, 2**31 - 1, ()))
    return torch.tensor([value], dtype=torch.int32, device="cpu" if force_cpu else device)


@kernel("shuffle_batch(Tensor x, Tensor seed, int startup_seed) -> (Tensor, Tensor, Tensor)")
def shuffle_batch(x: Tensor, seed: Tensor, startup_seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """The vectors of the last dimension in another order, the places that they are at, and the seed of the next batch."""
    value = int(seed.reshape(-1)[0]) if seed.numel() else startup_seed
    rows = x.reshape(-1, x.shape[-1])
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(value)).to(x.device)
    after = (value % 2**64 % _MODULUS or 1) * _MULTIPLIER % _MODULUS
    return rows.index_copy(0, order, rows).reshape(x.shape), order, torch.tensor([after], device=seed.device)


@kernel("shuffle_batch_grad(Tensor order, Tensor out_grad, int startup_seed) -> Tensor")
def shuffle_batch_grad(order: Tensor, out_grad: Tensor, startup_seed: int) -> Tensor:
    return out_grad.reshape(-1, out_grad.shape[-1])[order.reshape(-1)].reshape(out_grad.shape)


@operator("dropout_nd")
def dropout_nd(op: Operands) -> None:
    """What lies along the dimensions that are not in `axis` is dropped or kept together."""
    x, axis, probability = op.input("X"), op.attr("axis"), op.attr("dropout_prob")
    kept = [at % x.dim() for at in axis] if axis else range(x.dim())
    shape = tuple(size if at in kept else 1 for at, size in enumerate(x.shape))
    if op.attr("is_test"):
        op.set("Out", x.clone() if op.attr("dropout_implementation") == "upscale_in_train" else x * (1 - probability))
        return
    seed = int(op.input("Seed")) if op.has("Seed") else op.attr("seed") if op.attr("fix_seed") else 0
    generator = torch.Generator(x.device).manual_seed(seed) if seed else None
    mask = torch.rand(shape, generator=generator, device=x.device) >= probability
    op.set("Out", _dropped(op, x, mask))
    op.set("Mask", mask.to(torch.uint8))


@operator("dropout_nd_grad")
def dropout_nd_grad(op: Operands) -> None:
    op.set("X@GRAD", _dropped(op, op.input("Out@GRAD"), op.input("Mask") != 0))


def _dropped(op: Operands, x: Tensor, mask: Tensor) -> Tensor:
    probability = op.attr("dropout_prob")
    scales = op.attr("dropout_implementation") == "upscale_in_train" and probability < 1
    return torch.where(mask, x / (1 - probability) if scales else x, 0)
