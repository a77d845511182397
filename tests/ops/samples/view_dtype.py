import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), torch.int8),
    Sample(T(2, dtype=torch.int32), torch.float32),
    Sample(T(2, 4, dtype=torch.int16), torch.int64),
    Sample(T(3, 0, dtype=torch.int16), torch.int64),
]
ERRORS = [
    Error(ValueError, "'dtype'.*holds no whole int64", T(3, 3, dtype=torch.int16), torch.int64),
    Error(ValueError, "'input'.*a dimension to resize", T(dtype=torch.int16), torch.int64),
]


def reference(input, dtype):
    """Of numbers that double precision has not changed."""
    if input.dtype in (torch.float64, torch.complex128):
        return None
    return torch.from_numpy(input.contiguous().numpy().view(str(dtype).removeprefix("torch.")))
