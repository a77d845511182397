import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 23), T(1)),
    Sample(T(), T()),
    Sample(T(2, 3, 4, 5), T(3), mode="channel"),
    Sample(T(2, 5, 7), T(1, 1, 7), "NHWC", "channel"),
    Sample(T(1, 3, 4), T(1, 3, 4), mode="element"),
    Sample(T(4, 3, 5), T(3, 5), mode="element"),
    Sample(T(0, 3), T(1)),
]
ERRORS = [
    Error(ValueError, r"'alpha': expected the number of elements 3 for the mode \"channel\"", T(2, 3), T(2), "NCHW", "channel"),
    Error(ValueError, "'mode': expected", T(2, 3), T(2), "NCHW", "row"),
    Error(ValueError, "'data_format': expected", T(2, 3), T(1), "NCL", "all"),
    Error(ValueError, "'x': expected more dimensions", T(3), T(3), "NCHW", "channel"),
]


def reference(x, alpha, data_format="NCHW", mode="all"):
    sizes = {"all": [1] * x.dim(), "channel": [1] * x.dim(), "element": [1, *x.shape[1:]]}[mode]
    if mode == "channel":
        sizes[1 if data_format == "NCHW" else -1] = alpha.numel()
    return torch.where(x > 0, x, x * alpha.reshape(sizes))
