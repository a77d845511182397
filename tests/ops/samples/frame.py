import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(7), 3, 2), Sample(T(2, 6), 3, 1, -1), Sample(T(6, 2), 4, 2, 0), Sample(T(5), 2, 3, 0), Sample(T(0, 6), 3, 2)]
ERRORS = [
    Error(ValueError, "'axis'.*0 or -1, got 1", T(3, 3), 2, 1, 1),
    Error(ValueError, "'frame_length'.*got 4", T(3), 4, 1),
    Error(ValueError, "'hop_length'.*got 0", T(3), 2, 0),
]


def reference(x, frame_length, hop_length, axis=-1):
    starts = range(0, x.shape[axis] - frame_length + 1, hop_length)
    parts = [x.narrow(axis, start, frame_length) for start in starts]
    return torch.stack(parts, axis)
