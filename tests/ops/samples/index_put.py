import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices


def mask(*shape):
    return T(*shape, dtype=torch.bool)


SAMPLES = [
    Sample(T(3, 4), [torch.tensor([2, -3])], T(2, 4)),
    Sample(T(3, 4), [torch.tensor([[0], [2]]), torch.tensor([1, -1])], T(2, 2)),
    Sample(T(3, 4), [indices(5)], T(5, 4, grad=False)),
    Sample(T(3, 4), [indices(5, dtype=torch.int32)], T(1), True),
    Sample(T(3, 3, 5), [indices(2, 1), indices(4)], T(4, 5), True),
    Sample(T(3, 4), [torch.tensor([True, False, True])], T()),
    Sample(T(3, 4), [torch.tensor([[True, False, True, True]] * 3)], T(9), True),
    Sample(T(3, 4), [torch.tensor([True, False, True]), torch.tensor([0, 3])], T(2)),
    Sample(mask(3, 4), [torch.tensor([2, -3])], mask(2, 4)),
    Sample(mask(3, 4), [torch.tensor([2, 0, 2])], mask(3, 4), True),
    Sample(T(3, 4), [indices(0)], T(0, 4)),
    Sample(T(0, 3), [indices(0)], T(3)),
    Sample(T(3, 0), [torch.tensor([2, -3])], T(2, 0)),
    Sample(T(3, 0), [torch.tensor([2, -3])], T(2, 0), True),
    Sample(T(100, 50), [indices(3000, low=-100, high=99)], T(3000, 50), True),
]
ERRORS = [
    Error(IndexError, r"'indices'.*\[-3, 3\), got 3", T(3, 4), [indices(2, low=3, high=3)], T(2, 4)),
    Error(ValueError, r"'indices'.*at least one", T(3, 4), [], T(2, 4)),
    Error(ValueError, r"'indices'.*at most 1 of them", T(3), [indices(2), indices(2)], T(2)),
    Error(ValueError, r"'indices'.*mask of the sizes of 'x', \[3, 4\], got \[4\]", T(3, 4), [mask(4)], T()),
    Error(ValueError, r"'value'.*the part, \[2, 4\], got \[3\]", T(3, 4), [indices(2)], T(3)),
    Error(TypeError, r"'indices'.*got float32", T(3), [T(2, dtype=torch.float32)], T(2)),
    Error(TypeError, r"'value'.*float32, got float64", T(3, dtype=torch.float32), [indices(2)], T(2, dtype=torch.float64)),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # a mask of equal rows has another number of true elements
TOLERANCE = {**take_along_axis.TOLERANCE, torch.float32: (1e-4, 1e-4), torch.complex64: (1e-4, 1e-4)}


def reference(x, indices, value, accumulate=False):
    axes = []
    for index in indices:
        axes += [i for i in index.nonzero().T] if index.dtype == torch.bool else [index.long()]
    axes = torch.broadcast_tensors(*axes)
    rest = x.shape[len(axes) :]
    rows = value.expand([*axes[0].shape, *rest]).reshape(axes[0].numel(), *rest)
    out = x.clone()
    for i, place in enumerate(zip(*(a.reshape(-1).tolist() for a in axes))):
        out[place] = out[place] + rows[i] if accumulate else rows[i]
    return out
