import torch

from ..sample import Error, Sample, T


def positive(*shape):
    return T(*shape, low=0.1, high=1, grad=False)


def parts(rows, low, high):
    return T(rows, 1, low=low, high=high, grad=False)


SAMPLES = [
    Sample(positive(3, 5), parts(3, 0.01, 0.05), None, None, k=2),
    Sample(positive(3, 5), parts(3, 1, 2), parts(3, 1, 1), None),
    Sample(positive(3, 5), parts(3, 1, 2), None, torch.tensor([1, 2, 3]), mode="truncated"),
    Sample(positive(2, 7), parts(2, 1, 2), None, None, 5, 7, "non-truncated"),
    Sample(positive(0, 5), parts(0, 1, 2), None, None),
]
ERRORS = [
    Error(ValueError, r"'ps'.*3 rows.*\[2, 1\]", positive(3, 5), parts(2, 1, 2), None, None),
    Error(ValueError, r"'k'.*\[0, 5\], got 6", positive(3, 5), parts(3, 1, 2), None, None, k=6),
    Error(ValueError, r"'mode'.*got 'all'", positive(3, 5), parts(3, 1, 2), None, None, mode="all"),
    Error(TypeError, r"'topp_seed'.*int64, got int32", positive(3, 5), parts(3, 1, 2), None, torch.zeros(3, dtype=torch.int32)),
]


def reference(x, ps, threshold=None, topp_seed=None, seed=-1, k=0, mode="truncate"):
    """Where chance has no part in it; the other calls are those of tests/ops/test_draws.py."""
    scores, ids = x.sort(descending=True, stable=True)
    is_certain = x.shape[0] == 0 or bool((ps <= scores[:, :1]).all()) or (threshold is not None and bool((threshold >= 1).all()))
    first = (scores[:, :1], ids[:, :1]) if is_certain else (None, None)
    return *first, scores[:, :k], ids[:, :k]
