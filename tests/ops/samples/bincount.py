import numpy
import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
X = torch.tensor([1, 5, 1, 0, 2, 5])
SAMPLES = [
    Sample(X, None),
    Sample(X.int(), T(6), 3),
    Sample(X, T(6, dtype=torch.int64), 9),
    Sample(X, T(6, dtype=torch.float64)),
    Sample(torch.tensor([0]), None, 4),
    Sample(T(500, dtype=torch.int64, low=0, high=60), None),
]
ERRORS = [
    Error(ValueError, r"'x'.*one dimension.*\[2, 3\]", T(2, 3, dtype=torch.int64), None),
    Error(NotImplementedError, r"no kernel 'bincount' for .*float32", T(3, dtype=torch.float32), None),
    Error(TypeError, r"'weights'.*got complex64", X, T(6, dtype=torch.complex64)),
    Error(ValueError, r"'weights'.*\[6\].*\[3\]", X, T(3)),
    Error(ValueError, r"'minlength'.*got -1", X, None, -1),
    Error(ValueError, r"'x'.*negative", torch.tensor([1, -1]), None),
]


def reference(x, weights, minlength=0):
    of = None if weights is None else weights.detach().numpy()
    found = torch.from_numpy(numpy.bincount(x.numpy(), of, minlength))
    return found if weights is None else found.double()
