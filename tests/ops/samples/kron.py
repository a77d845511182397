import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 3), T(3, 2)), Sample(T(2), T(2, 1, 3)), Sample(T(3), T(2)), Sample(T(), T(2)), Sample(T(0, 2), T(2, 2))]
ERRORS = [Error(TypeError, "same data type", T(2, dtype=torch.float32), T(2, dtype=torch.float64))]


def reference(x, y):
    rank = max(x.dim(), y.dim())
    x, y = (t.reshape((1,) * (rank - t.dim()) + tuple(t.shape)) for t in (x, y))
    grid = x.reshape([n for size in x.shape for n in (size, 1)]) * y.reshape([n for size in y.shape for n in (1, size)])
    return grid.reshape([a * b for a, b in zip(x.shape, y.shape)])
