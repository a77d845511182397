import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1], False, False),
    Sample(T(3, 4), [], False, True),
    Sample(T(2, 3, 4), [0, -1], True, False),
    Sample(T(2, 3, 4), [1], True, True),
    Sample(T(300, 7, dtype=torch.float32, low=0.9, high=1.1), [0], False, False),
    Sample(T(3, 700, dtype=torch.float64, low=0.99, high=1.01), [1], False, False),
    Sample(T(), [], False, False),
    Sample(T(), [0], True, False),
    Sample(T(0, 3), [0], False, False),
    Sample(T(3, 0), [0], False, False),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2], False, False),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1], False, False),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2)}


def reference(x, axis, keepdim, reduce_all):
    """Log and exp would not do: of the rows that remain, one product after the other."""
    axes = range(x.dim()) if reduce_all or not axis else [a % max(x.dim(), 1) for a in axis]
    kept = [a for a in range(x.dim()) if a not in axes]
    shape = [1 if a in axes else n for a, n in enumerate(x.shape) if keepdim or a not in axes]
    rows = (x.permute(*kept, *sorted(axes)) if x.dim() else x).reshape(
        [x.shape[a] for a in kept] + [-1] if x.numel() else [*(x.shape[a] for a in kept), 0]
    )
    out = torch.ones_like(rows[..., 0]) if rows.numel() else torch.ones([x.shape[a] for a in kept], dtype=x.dtype)
    for column in rows.unbind(-1):
        out = out * column
    return out.reshape(shape)
