import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 3, 4), T(3), T(3)),
    Sample(T(2, 3, 5), T(3), None),
    Sample(T(2, 3, 5), None, T(3), 1e-3),
    Sample(T(1, 2, 2, 3, 2), None, None),
    Sample(T(3, 4), T(4), T(4)),  # one element in each channel
    Sample(T(3, 5, 20, 13, low=30, high=34), T(5), T(5)),
    Sample(T(0, 3, 4), T(3), T(3)),
    Sample(T(2, 3, 0), T(3), T(3)),
]
ERRORS = [
    Error(ValueError, r"'x'.*2 to 5 dimensions.*\[3\]", T(3), None, None),
    Error(ValueError, r"'scale'.*\[3\], got \[4\]", T(2, 3, 4), T(4), T(3)),
    Error(ValueError, r"'epsilon'.*>= 0.*-1", T(2, 3, 4), T(3), T(3), -1.0),
    Error(TypeError, r"'bias'.*got int64", T(2, 3, 4), T(3), torch.zeros(3, dtype=torch.int64)),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2), torch.float32: (1e-5, 1e-4)}


def reference(x, scale, bias, epsilon=1e-5):
    wide = x.double().flatten(2) if x.dim() > 2 else x.double().unsqueeze(2)
    if wide.numel():
        wide = (wide - wide.mean(2, True)) * (wide.var(2, correction=0, keepdim=True) + epsilon).rsqrt()
    wide = wide if scale is None else wide * scale.double()[:, None]
    wide = wide if bias is None else wide + bias.double()[:, None]
    return wide.reshape(x.shape)
