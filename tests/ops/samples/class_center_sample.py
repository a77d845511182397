import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True


def labels(*numbers, dtype=torch.int64):
    return torch.tensor(numbers, dtype=dtype)


SAMPLES = [  # all that can be drawn is given; what is drawn: tests/ops/test_draws.py
    Sample(labels(2, 5, 2, 9), 10, 1),
    Sample(labels(3, 3, 0, dtype=torch.int32), 20, 1, 0, 0, 1, True, 7),
    Sample(labels(1, 0, 2), 3, 1),
    Sample(labels(4), 5, 1),
]
ERRORS = [
    Error(ValueError, r"'label'.*one dimension, got the shape \[1, 2\]", torch.tensor([[1, 2]]), 10, 2),
    Error(ValueError, r"'label'.*from 0 to 9, got 10", labels(10), 10, 2),
    Error(ValueError, r"'label'.*from 0 to 9, got -1", labels(-1), 10, 2),
    Error(ValueError, r"'num_samples' and 'num_classes'.*11 of 10", labels(1), 10, 11),
    Error(ValueError, r"'num_samples' and 'num_classes'.*0 of 10", labels(1), 10, 0),
    Error(NotImplementedError, r"no kernel .*float32", T(3, grad=False), 10, 2),
    Error(NotImplementedError, r"one process", labels(1), 10, 2, 0, 1, 2),
]


def reference(label, num_classes, num_samples, ring_id=0, rank=0, nranks=1, fix_seed=False, seed=0):
    found = sorted(set(label.tolist()))
    assert num_samples == 1
    return label.new_tensor([found.index(c) for c in label.tolist()]), label.new_tensor(found)
