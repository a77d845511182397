import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1, 2, 0, 3], 1.0),
    Sample(T(3, 4), [0, 0, 0, 0], 0),
    Sample(T(2, 3, 4), [0, 1, 2, 0, 1, 1], 2),
    Sample(T(5), [2, 2], 0),
    Sample(T(), [], 1),
    Sample(T(0, 3), [1, 1, 0, 1], 3),
    Sample(T(70, 300), [1, 2, 3, 4], 1),
]
ERRORS = [
    Error(ValueError, r"'paddings'.*2 for each of the 2 dimensions.*got 2", T(2, 3), [1, 1], 0),
    Error(ValueError, r"'paddings'.*got -1 at 2", T(2, 3), [0, 0, -1, 0], 0),
]


def reference(x, paddings, pad_value):
    for axis, (before, after) in enumerate(zip(paddings[::2], paddings[1::2])):
        shape = list(x.shape)
        parts = [x.new_full([*shape[:axis], n, *shape[axis + 1 :]], pad_value) for n in (before, after)]
        x = torch.cat([parts[0], x, parts[1]], axis)
    return x
