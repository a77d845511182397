"""What looks for numbers that are none."""

from __future__ import annotations

import torch
from torch import Tensor

from .table import expect, kernel

NAMES = {torch.float32: "fp32", torch.float64: "fp64", torch.float16: "fp16", torch.bfloat16: "bf16"}


@kernel(
    "check_numerics(Tensor tensor, str op_type, str var_name, int check_nan_inf_level, int stack_height_limit, str output_dir)"
    " -> (Tensor, Tensor)"
)
def check_numerics(
    tensor: Tensor, op_type: str, var_name: str, check_nan_inf_level: int, stack_height_limit: int, output_dir: str
) -> tuple[Tensor, Tensor]:
    """How many elements are NaN, infinite and zero; and the largest, the smallest, which skip NaN, and the mean. A NaN or an
    infinity is an error at level 0, and printed above it; at level 2 so are numbers beyond float16, at level 3 all.
    """
    expect("slot tensor", tensor.dtype in NAMES, f"one of {', '.join(NAMES.values())}", tensor.dtype)
    expect("attribute output_dir", not output_dir, "'': what is found is printed", output_dir)
    x = tensor.detach().reshape(-1)
    x = x if x.dtype == torch.float64 else x.float()
    stats = torch.stack([x.isnan().sum(), x.isinf().sum(), (x == 0).sum()])
    if not x.numel():
        return stats, stats.float()
    some = x if bool(x.isnan().all()) else x[~x.isnan()]
    values = torch.stack([some.amax(), some.amin(), x.mean()])
    _report(tensor, op_type, var_name, check_nan_inf_level, stats.tolist(), values.tolist())
    return stats, values.float()


def _report(tensor: Tensor, op_type: str, var_name: str, level: int, stats: list[int], values: list[float]) -> None:
    is_wrong, limit = stats[0] + stats[1] > 0, torch.finfo(torch.float16).max
    if not is_wrong and level < 3 and not (level == 2 and (values[0] > limit or values[1] < -limit)):
        return
    counts = ", ".join(f"{name}={number}" for name, number in zip(("num_nan", "num_inf", "num_zero"), stats))
    sizes = ", ".join(f"{name}={number:e}" for name, number in zip(("max", "min", "mean"), values))
    place = f"[device={tensor.device.type}, op={op_type}, tensor={var_name}, dtype={NAMES[tensor.dtype]}]"
    text = f"{'[ERROR] ' * is_wrong}in {place}, numel={tensor.numel()}, {counts}, {sizes}"
    if is_wrong and level == 0:
        raise ValueError(f"slot tensor: expected finite numbers, got {text.removeprefix('[ERROR] ')}")
    print(f"[PRECISION] {text}")
