import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(3, 4), 2.5),
    Sample(T(3, 4), scale=2.5, bias=1.5),
    Sample(T(2, 3, 70), scale=-2.7, bias=1.5, bias_after_scale=False),
    Sample(T(), 3, 1),
    Sample(T(0, 3), 3),
]
ERRORS = [Error(ValueError, "real number is expected, got the complex number", T(2, dtype=torch.float32), 1j)]


def reference(x, scale=1.0, bias=0.0, bias_after_scale=True):
    if x.dtype == torch.bool:
        scale, bias = bool(scale), bool(bias)
        return (x & scale) | bias if bias_after_scale else (x | bias) & scale
    if not (x.is_floating_point() or x.is_complex()):
        scale, bias = int(scale), int(bias)
    return x * scale + bias if bias_after_scale else (x + bias) * scale
