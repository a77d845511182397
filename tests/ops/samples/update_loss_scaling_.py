import torch

from ..sample import Error, Sample, T


def data(*shape, dtype=None):
    return T(*shape, dtype=dtype, grad=False)


def count(n):
    return torch.tensor([n], dtype=torch.int32)


FOUND, FINITE = torch.tensor([True]), torch.tensor([False])
SCALE = T(1, dtype=torch.float32, low=8, high=9, grad=False)
SAMPLES = [
    Sample([data(3, 4), data(70)], FOUND, SCALE, count(1), count(1), 2, 2, 2.0, 0.5),
    Sample([data(3, 4), data()], FOUND, SCALE, count(1), count(0), 2, 2, 2.0, 0.5),
    Sample([data(3, 4), data(0, 3)], FOUND, SCALE, count(1), count(1), 2, 2, 2.0, 0.0625),
    Sample([data(3, 4)], FINITE, SCALE, count(1), count(1), 2, 2, 2.0, 0.5),
    Sample([data(3, 4)], FINITE, SCALE, count(0), count(1), 2, 2, 2.0, 0.5),
    Sample([data(3, 4)], FINITE, T(1, dtype=torch.float32, low=3e38, high=3e38, grad=False), count(1), count(1), 2, 2, 2.0, 0.5),
    Sample([data(3, 4)], FOUND, SCALE, count(1), count(1), 2, 2, 2.0, 0.5, True),
    Sample([data(3, 4)], FOUND, T(1, dtype=torch.float64, low=8, high=9, grad=False), count(1), count(1), 2, 2, 2.0, 0.5),
]
ERRORS = [
    Error(ValueError, r"'x'.*at least one tensor", [], FOUND, SCALE, count(1), count(1), 2, 2, 2.0, 0.5),
    Error(
        ValueError,
        r"'found_infinite'.*one element",
        [data(3)],
        torch.tensor([True, True]),
        SCALE,
        count(1),
        count(1),
        2,
        2,
        2.0,
        0.5,
    ),
    Error(TypeError, r"'in_bad_steps'.*int32, got int64", [data(3)], FOUND, SCALE, count(1), torch.tensor([1]), 2, 2, 2.0, 0.5),
    Error(TypeError, r"'prev_loss_scaling'.*got int32", [data(3)], FOUND, count(1), count(1), count(1), 2, 2, 2.0, 0.5),
]


def reference(
    x,
    found_infinite,
    prev_loss_scaling,
    in_good_steps,
    in_bad_steps,
    incr_every_n_steps,
    decr_every_n_nan_or_inf,
    incr_ratio,
    decr_ratio,
    stop_update=False,
):
    found = bool(found_infinite)
    out = [torch.zeros_like(t) if found else t for t in x]
    if stop_update:
        return out, prev_loss_scaling, in_good_steps, in_bad_steps
    scale, good, bad = prev_loss_scaling, 0 if found else int(in_good_steps) + 1, int(in_bad_steps) + 1 if found else 0
    if bad == decr_every_n_nan_or_inf:
        scale, bad = (scale * decr_ratio).clamp(min=1), 0
    if good == incr_every_n_steps:
        grown = (prev_loss_scaling.double() * incr_ratio).to(torch.float32)
        scale, good = scale * incr_ratio if grown.isfinite() else scale, 0
    return out, scale, count(good), count(bad)
