import numpy
import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(30), None, 5),
    Sample(T(3, 7), None, 4, -1.0, 1.5),
    Sample(T(9, grad=False), T(9, grad=False), 3),
    Sample(T(12, grad=False), None, 4, -1.0, 1.0, True),
    Sample(torch.ones(4), None, 3),
    Sample(T(0), None, 3),
    Sample(T(0, grad=False), None, 3, 0.0, 1.0, True),
]
ERRORS = [
    Error(ValueError, "'bins'.*got 0", T(3), None, 0),
    Error(ValueError, "'max'", T(3), None, 3, 1.0, 0.0),
    Error(ValueError, "'weight'.*the shape of 'input'", T(3), T(2), 3),
]


def reference(input, weight, bins=100, min=0.0, max=0.0, density=False):
    dtype = torch.int64 if weight is None and not density else torch.float32
    x = input.detach().double().flatten().numpy()
    of = None if weight is None else weight.detach().double().flatten().numpy()
    if not input.is_floating_point():
        min, max = int(min), int(max)
    if min == max:
        min, max = (x.min(), x.max()) if x.size else (min, max)
    if min == max:
        min, max = min - 1, max + 1
    density = density and x.size > 0  # of nothing there is none, not NaN
    found = numpy.histogram(x, bins, (min, max), weights=of, density=density)[0]
    return torch.from_numpy(found).to(dtype)
