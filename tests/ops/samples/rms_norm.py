import torch

from ..sample import Error, Sample, T

FLOAT = T(6, dtype=torch.float32, grad=False)
SAMPLES = [
    Sample(T(3, 5), None, [5]),
    Sample(T(3, 5), T(5), [5]),
    Sample(T(2, 3, 4), T(3, 4), [3, 4], 1e-2),
    Sample(T(2, 3), T(2, 3), [2, 3]),
    Sample(T(300, 130), T(130), [130]),
    Sample(T(2, 5003, low=90, high=110), T(5003), normalized_shape=[5003]),
    Sample(T(5, 6, dtype=torch.bfloat16, grad=False), FLOAT, [6]),
    Sample(T(0, 3), T(3), [3]),
]
ERRORS = [
    Error(ValueError, r"'normalized_shape'.*\[2, 3\].*got \[4\]", T(2, 3), None, [4]),
    Error(ValueError, r"'normalized_shape'.*at least one.*got \[\]", T(2, 3)),
    Error(ValueError, r"'scale'.*\[3\], got \[2\]", T(2, 3), T(2), [3]),
    Error(TypeError, r"'scale'.*float32.*float64", T(2, 3, dtype=torch.float32), T(3, dtype=torch.float64), [3]),
    Error(ValueError, r"'epsilon'.*>= 0, got -1", T(2, 3), None, [3], -1.0),
]


def reference(x, scale=None, normalized_shape=(), epsilon=1e-5):
    dims = tuple(range(x.dim() - len(normalized_shape), x.dim()))
    invvar = torch.rsqrt((x * x).mean(dims, keepdim=True) + epsilon)
    y = x * invvar
    return (y if scale is None else y * scale.to(x.dtype)), invvar.reshape(x.shape[: dims[0]]).detach()
