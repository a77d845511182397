import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 6, 2, 3), 3), Sample(T(1, 2, 3, 4), 2, "NHWC"), Sample(T(0, 4, 2, 2), 2)]
ERRORS = [
    Error(ValueError, "'groups'.*divisor of the 4 channels", T(1, 4, 2, 2), 3),
    Error(ValueError, "'data_format'.*got 'CHW'", T(1, 4, 2, 2), 2, "CHW"),
    Error(ValueError, "'x'.*4 dimensions", T(4, 2, 2), 2),
]


def reference(x, groups, data_format="NCHW"):
    dim = 1 if data_format == "NCHW" else 3
    size = x.shape[dim] // groups
    return x.index_select(dim, torch.tensor([g * size + i for i in range(size) for g in range(groups)], dtype=torch.int64))
