import torch

from ..sample import Error, Sample, T


def classes(*shape, low=0, high=3, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


SAMPLES = [
    Sample(classes(5), 4),
    Sample(classes(2, 3), 5),
    Sample(classes(2, 1), 4),
    Sample(classes(dtype=torch.int32), 4),
    Sample(classes(0, 2), 3),
    Sample(classes(300, high=199), 200),
]
ERRORS = [
    Error(IndexError, r"'x'.*\[0, 3\), got 3", classes(2, low=3, high=3), 3),
    Error(IndexError, r"'x'.*\[0, 3\), got -1", classes(2, low=-1, high=-1), 3),
    Error(ValueError, r"'num_classes'.*got -1", classes(2), -1),
    Error(NotImplementedError, r"no kernel 'one_hot'.*float32", T(2, dtype=torch.float32), 3),
]


def reference(x, num_classes):
    return torch.nn.functional.one_hot(x.long(), num_classes).to(torch.float32)
