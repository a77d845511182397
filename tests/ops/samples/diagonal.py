import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 4), 1, 1, 2), Sample(T(2, 3, 4), -1, -1, 0), Sample(T(3, 3), 5), Sample(T(0, 3))]
ERRORS = [Error(ValueError, "'axis2'.*another axis", T(2, 2), 0, 1, -1), Error(IndexError, "'axis1'.*got 2", T(2, 2), 0, 2, 1)]


def reference(x, offset=0, axis1=0, axis2=1):
    return torch.diagonal(x, offset, axis1, axis2)
