import torch

from ..sample import Error, Sample, T

FLOAT = T(6, dtype=torch.float32, grad=False)
SAMPLES = [
    Sample(T(3, 5)),
    Sample(T(2, 3, 4), T(4), T(4), begin_norm_axis=2),
    Sample(T(2, 3, 4), T(12), T(12, low=-9, high=9), 1e-2),
    Sample(T(4, 5), None, T(5)),
    Sample(T(4, 5), T(5), None),
    Sample(T(300, 130), T(130), T(130)),
    Sample(T(2, 5003, low=90, high=110), T(5003)),
    Sample(T(5, 6, dtype=torch.bfloat16, grad=False), FLOAT, FLOAT),
    Sample(T(0, 3), T(3), T(3)),
]
ERRORS = [
    Error(ValueError, r"'begin_norm_axis'.*\[1, 2\).*got 2", T(2, 3), begin_norm_axis=2),
    Error(ValueError, r"'x'.*at least 2 dimensions.*\[3\]", T(3)),
    Error(ValueError, r"'scale'.*\[3\], got \[2\]", T(2, 3), T(2)),
    Error(TypeError, r"'bias'.*float32.*float64", T(2, 3, dtype=torch.float32), None, T(3, dtype=torch.float64)),
]


def reference(x, scale=None, bias=None, epsilon=1e-5, begin_norm_axis=1):
    shape = x.shape[begin_norm_axis:]
    scale, bias = (None if p is None else p.to(x.dtype).reshape(shape) for p in (scale, bias))
    return torch.nn.functional.layer_norm(x, shape, scale, bias, epsilon)
