import torch

from ..sample import Given, Sample, T

# gradients are compared with differences, which only double precision allows
COARSE = [
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.complex64),
]
SAMPLES = [
    *(Sample(T(5, 13, low=0, high=9, grad=False), dtype) for dtype in COARSE),
    Sample(T(5, 13), torch.float64),
    Sample(T(5, 13), torch.complex128),
    Sample(T(grad=False), torch.float32),
    Sample(T(0, 3), torch.float16),
    Sample(Given(torch.tensor([-0.0, 0.0, 1e-40, float("nan"), 1.0]).repeat(13, 1), grad=False), torch.bool),
]


def reference(x, dtype):
    if x.is_complex() and not dtype.is_complex and dtype != torch.bool:
        x = x.real
    return x.to(dtype)
