import torch

from ..sample import Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 70)), Sample(T(20000, low=-1, high=1)), Sample(T()), Sample(T(0, 3))]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (2e-2, 2e-2)}


def reference(x):
    return (x.reshape(-1) @ x.reshape(-1)).reshape(1)
