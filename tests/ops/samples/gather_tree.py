import torch

from ..sample import Error, Sample, T

UNROLLED = True


def call(*shape):
    return Sample(T(*shape, low=0, high=9), T(*shape, low=0, high=shape[2] - 1))


SAMPLES = [call(3, 2, 2), call(5, 1, 4), call(1, 3, 2), call(4, 0, 3)]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
ERRORS = [
    Error(ValueError, r"one shape.*\[2, 2, 2\] and \[2, 2, 3\]", *(torch.zeros(2, 2, n, dtype=torch.int64) for n in (2, 3))),
    Error(TypeError, r"one data type", *(torch.zeros(2, 2, 2, dtype=dtype) for dtype in (torch.int64, torch.int32))),
    Error(IndexError, r"'parents'.*\[0, 2\), got 7", *(torch.full((2, 2, 2), n, dtype=torch.int64) for n in (1, 7))),
]


def DOMAIN(x):  # others are no beams
    return x.clamp(0, 1)


def reference(ids, parents):
    out = ids.clone()
    steps, batch, beams = ids.shape
    for b in range(batch):
        for k in range(beams):
            beam = k
            for step in reversed(range(steps)):
                out[step, b, k] = ids[step, b, beam]
                beam = int(parents[step, b, beam])
    return out
